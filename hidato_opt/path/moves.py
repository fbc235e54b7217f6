"""Which cells are a move apart: the move sets of the path family, by lattice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt

from hidato_opt.core.puzzle import Cell
from hidato_opt.path.graph import PathGraph
from hidato_opt.path.lattice import (
    HEX_STEPS,
    HOPIDO_STEPS,
    KING_STEPS,
    KNIGHT_STEPS,
    ORTHOGONAL_STEPS,
    TRIANGLE_CORNER_STEPS,
    TRIANGLE_STEPS,
    Step,
    adjacency,
    hex_adjacency,
    triangle_adjacency,
)

Positions = npt.NDArray[np.int64]


@dataclass(frozen=True)
class MoveSet:
    """The moves from any cell of a board.

    On a lattice whose rows are shifted, or whose cells point up and down, the
    moves depend on the parity of the cell.

    Attributes
    ----------
    even, odd : tuple of (rows, columns)
        Moves from cells of even and of odd parity.
    arcs : callable
        Lists the moves between open cells (a bool array, False at holes), as
        tail and head positions in row-major order, sorted by tail, then head.
    graph : callable
        Makes the graph of the open cells, for deduction and search.
    parity : {"row", "sum"}
        Whether the parity is that of the row or of row + column (0-based).
    """

    even: tuple[Step, ...]
    odd: tuple[Step, ...]
    arcs: Callable[[npt.NDArray[np.bool_]], tuple[Positions, Positions]]
    graph: Callable[[npt.NDArray[np.bool_]], PathGraph]
    parity: Literal["row", "sum"] = "row"

    def is_move(self, start: Cell, end: Cell) -> bool:
        """Whether a move leads from one cell to another."""
        number = start[0] if self.parity == "row" else start[0] + start[1]
        step = (end[0] - start[0], end[1] - start[1])
        return step in (self.odd if number % 2 else self.even)


def _uniform(steps: tuple[Step, ...]) -> MoveSet:
    return MoveSet(
        steps, steps, partial(adjacency, steps=steps), partial(PathGraph.on_grid, steps=steps)
    )


KING = _uniform(KING_STEPS)
ORTHOGONAL = _uniform(ORTHOGONAL_STEPS)
HOPIDO = _uniform(HOPIDO_STEPS)
KNIGHT = _uniform(KNIGHT_STEPS)
HEXAGONS = MoveSet(*HEX_STEPS, hex_adjacency, PathGraph.hexagonal)
"""Hexagons in rows, odd rows (0-based) shifted right by half a cell."""
TRIANGLES = MoveSet(*TRIANGLE_STEPS, triangle_adjacency, PathGraph.triangular, parity="sum")
"""Triangles that share a side; cells of even row + column stand on theirs, odd ones hang."""
TRIANGLE_CORNERS = MoveSet(
    *TRIANGLE_CORNER_STEPS,
    partial(triangle_adjacency, corners=True),
    partial(PathGraph.triangular, corners=True),
    parity="sum",
)
"""Triangles that share at least a corner: twelve neighbours."""
