"""Signpost: the arrow in a cell says where its successor lies."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from hidato_opt.core.errors import InvalidPuzzle
from hidato_opt.core.text import format_cells
from hidato_opt.path.board import PathBoard
from hidato_opt.path.cells import EMPTY, HOLE, Grid, to_grid
from hidato_opt.path.graph import PathGraph
from hidato_opt.path.moves import KING, Positions

ARROWS: dict[str, tuple[int, int]] = {
    "N": (-1, 0),
    "NE": (-1, 1),
    "E": (0, 1),
    "SE": (1, 1),
    "S": (1, 0),
    "SW": (1, -1),
    "W": (0, -1),
    "NW": (-1, -1),
}
"""Directions of arrows, as (rows down, columns to the right)."""

LAST = "*"
"""The mark of a cell without an arrow: it holds N."""


class Signpost(PathBoard):
    """Signpost: number k+1 lies somewhere in the direction of the arrow in the cell of k.

    Parameters
    ----------
    cells : nested lists, array, DataFrame, str or os.PathLike
        Cells as ``clue:ARROW`` or ``ARROW``, the arrow one of N NE E SE S SW W
        NW or ``*`` (the last cell); ``#`` for a hole.
    name, closed, links
        As for `PathBoard`.

    Attributes
    ----------
    arrows : list of list of str
        The arrow of each cell; empty at holes.

    Examples
    --------
    >>> board = Signpost([["1:E", "S"], ["*", "W"]])
    >>> board.verify([[1, 2], [4, 3]])
    []
    >>> {violation.code for violation in board.verify([[1, 3], [4, 2]])}
    {'not-adjacent'}
    """

    kind = "signpost"
    lattices: ClassVar = {"square": KING}  # its directions; the moves go any distance

    def is_step(self, start: int, end: int) -> bool:
        """Whether one cell lies in the direction of the arrow of another."""
        row, column = self.cells[start]
        arrow = self.arrows[row][column]
        if arrow == LAST:
            return False
        down, right = self.cells[end][0] - row, self.cells[end][1] - column
        distance = max(abs(down), abs(right))
        step = ARROWS[arrow]
        return distance > 0 and (down, right) == (step[0] * distance, step[1] * distance)

    @cached_property
    def arcs(self) -> tuple[Positions, Positions]:
        """The moves, as tail and head positions among the open cells."""
        place = {cell: position for position, cell in enumerate(self.cells)}
        rows, columns = self.shape
        pairs = []
        for position, (row, column) in enumerate(self.cells):
            arrow = self.arrows[row][column]
            if arrow == LAST:
                continue
            down, right = ARROWS[arrow]
            i, j = row + down, column + right
            while 0 <= i < rows and 0 <= j < columns:
                if (i, j) in place:
                    pairs.append((position, place[i, j]))
                i, j = i + down, j + right
        pairs.sort()
        both = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return both[:, 0], both[:, 1]

    @cached_property
    def graph(self) -> PathGraph:
        """The open cells and moves, for deduction and search."""
        return PathGraph.from_arcs(self.size, *self.arcs)

    def _read_grid(self, rows: list[list[Any]]) -> Grid:
        self.arrows: list[list[str]] = [
            [_arrow(cell, i, j) for j, cell in enumerate(row)] for i, row in enumerate(rows)
        ]
        return to_grid([[_clue(cell) for cell in row] for row in rows])

    def _cells_text(self) -> str:
        rows = zip(self.grid.tolist(), self.arrows, strict=True)
        return format_cells(
            [[_cell_text(clue, arrow) for clue, arrow in zip(*row, strict=True)] for row in rows]
        )

    def _identity(self) -> tuple[object, ...]:
        return (*super()._identity(), tuple(map(tuple, self.arrows)))


def _arrow(cell: Any, row: int, column: int) -> str:
    word = str(cell).strip()
    if word == "#":
        return ""
    arrow = word.rpartition(":")[2].strip().upper()
    if arrow not in ARROWS and arrow != LAST:
        raise InvalidPuzzle(
            f"{cell!r} has no arrow; a cell is clue:ARROW or ARROW, the arrow one of "
            f"{', '.join(ARROWS)} or * (the last cell)",
            row=row,
            column=column,
            code="no-arrow",
        )
    return arrow


def _clue(cell: Any) -> str:
    word = str(cell).strip()
    return word if word == "#" else word.rpartition(":")[0].strip()


def _cell_text(clue: int, arrow: str) -> str:
    if clue == HOLE:
        return "#"
    return arrow if clue == EMPTY else f"{clue}:{arrow}"
