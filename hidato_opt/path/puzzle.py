"""The puzzles of the path family: thin presets that differ in their moves."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from hidato_opt.core.errors import InvalidPuzzle
from hidato_opt.path.board import PathBoard
from hidato_opt.path.moves import (
    HEXAGONS,
    HOPIDO,
    KING,
    KNIGHT,
    ORTHOGONAL,
    TRIANGLE_CORNERS,
    TRIANGLES,
)


class Hidato(PathBoard):
    """Hidato: consecutive numbers are in cells that touch.

    On the square lattice by king moves; on ``hex`` (odd rows, 0-based, shifted
    right by half a cell) and ``tri`` (cells of even row + column have their
    third neighbour below) across a side; on ``tri12`` also at a corner.  See
    `PathBoard` for parameters, attributes and errors.
    """

    kind = "hidato"
    lattices: ClassVar = {
        "square": KING,
        "hex": HEXAGONS,
        "tri": TRIANGLES,
        "tri12": TRIANGLE_CORNERS,
    }


class Numbrix(PathBoard):
    """Numbrix: consecutive numbers touch in a row or a column.

    See `PathBoard` for parameters, attributes and errors.
    """

    kind = "numbrix"
    lattices: ClassVar = {"square": ORTHOGONAL}


class EmptyGrid(PathBoard):
    """A board that may also be given by its size alone: a grid to fill from a start cell.

    Parameters
    ----------
    rows : int, or cells as for `PathBoard`
        Number of rows of an empty grid.
    columns : int, optional
        Number of columns; default as many as rows.
    **parameters
        As for `PathBoard`: ``name, lattice, start, closed, links``.
    """

    def __init__(self, rows: Any, columns: int | None = None, **parameters: Any) -> None:
        cells = rows
        if isinstance(rows, int | np.integer):
            shape = (int(rows), int(rows) if columns is None else columns)
            if min(shape) < 1:
                raise InvalidPuzzle(f"a grid needs rows and columns, not {shape[0]} x {shape[1]}")
            cells = np.zeros(shape, dtype=np.int64)
        elif columns is not None:
            raise InvalidPuzzle("columns is given only where rows is a number")
        super().__init__(cells, **parameters)


class Numgame(EmptyGrid):
    """Numgame: three away in a row or a column, two away on a diagonal.

    The puzzle of the text "The Numgame Puzzle": a move skips two squares
    straight or one square diagonally.  ``Numgame(n)`` is the empty n x n grid.

    Examples
    --------
    >>> Numgame(5, start=(0, 0))
    <Numgame: 5x5, N=25, 1 clues>
    """

    kind = "numgame"
    lattices: ClassVar = {"square": HOPIDO}


class Hopido(EmptyGrid):
    """Hopido: the moves of `Numgame` on a board of any shape."""

    kind = "hopido"
    lattices: ClassVar = {"square": HOPIDO}


class KnightTour(EmptyGrid):
    """A knight's tour, open or closed, on a board of any shape."""

    kind = "knight"
    lattices: ClassVar = {"square": KNIGHT}
