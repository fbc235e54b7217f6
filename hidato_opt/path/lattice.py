"""Which cells of a board touch: one adjacency function for each lattice of the path family."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Step = tuple[int, int]
"""A move as (rows down, columns to the right)."""

KING_STEPS: tuple[Step, ...] = (
    (-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1),
)  # fmt: skip
ORTHOGONAL_STEPS: tuple[Step, ...] = ((-1, 0), (0, -1), (0, 1), (1, 0))
KNIGHT_STEPS: tuple[Step, ...] = (
    (-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1),
)  # fmt: skip
HOPIDO_STEPS: tuple[Step, ...] = (
    (-3, 0), (-2, -2), (-2, 2), (0, -3), (0, 3), (2, -2), (2, 2), (3, 0),
)  # fmt: skip
"""Three cells away straight or two away diagonally: the moves of Numgame and Hopido."""
HEX_STEPS: tuple[tuple[Step, ...], tuple[Step, ...]] = (
    ((-1, -1), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 0)),
    ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1)),
)
"""The moves from even rows and from odd rows, which lie half a cell further to the right."""
TRIANGLE_STEPS: tuple[tuple[Step, ...], tuple[Step, ...]] = (
    ((0, -1), (0, 1), (1, 0)),
    ((-1, 0), (0, -1), (0, 1)),
)
"""The moves over a side from triangles with their base below (row + column even) and above."""
TRIANGLE_CORNER_STEPS: tuple[tuple[Step, ...], tuple[Step, ...]] = (
    (
        (-1, -1), (-1, 0), (-1, 1), (0, -2), (0, -1), (0, 1), (0, 2),
        (1, -2), (1, -1), (1, 0), (1, 1), (1, 2),
    ),
    (
        (-1, -2), (-1, -1), (-1, 0), (-1, 1), (-1, 2), (0, -2), (0, -1), (0, 1), (0, 2),
        (1, -1), (1, 0), (1, 1),
    ),
)  # fmt: skip
"""The moves over a side or a corner, for triangles with their base below and above."""


def adjacency(
    open_cells: npt.NDArray[np.bool_], steps: Sequence[Step]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """List the moves between open cells.

    Parameters
    ----------
    open_cells : bool array, shape (rows, columns)
        False at holes.
    steps : sequence of (rows, columns)
        The moves allowed from any cell.

    Returns
    -------
    tail, head : int arrays of one length
        A directed arc for each move, as positions among the open cells in
        row-major order; sorted by tail, then head.

    Examples
    --------
    >>> tail, head = adjacency(np.array([[True, True], [False, True]]), ORTHOGONAL_STEPS)
    >>> list(zip(tail.tolist(), head.tolist()))
    [(0, 1), (1, 0), (1, 2), (2, 1)]
    """
    return _arcs(open_cells, ((open_cells, steps),))


def hex_adjacency(
    open_cells: npt.NDArray[np.bool_],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """List the moves between open hexagons; odd rows (0-based) lie half a cell to the right.

    Parameters and returns are those of `adjacency`, without the steps.

    Examples
    --------
    >>> tail, head = hex_adjacency(np.array([[False, True], [True, True]]))
    >>> list(zip(tail.tolist(), head.tolist()))
    [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    """
    odd = np.zeros_like(open_cells)
    odd[1::2] = True
    return _arcs(open_cells, ((~odd, HEX_STEPS[0]), (odd, HEX_STEPS[1])))


def triangle_adjacency(
    open_cells: npt.NDArray[np.bool_], corners: bool = False
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """List the moves between open triangles.

    Cells whose row and column (0-based) add up to an even number have their
    third neighbour below, the others above.

    Parameters
    ----------
    open_cells : bool array, shape (rows, columns)
        False at holes.
    corners : bool, default False
        Whether triangles that share no more than a corner touch too.

    Returns
    -------
    tail, head : int arrays of one length
        As of `adjacency`.

    Examples
    --------
    >>> tail, head = triangle_adjacency(np.array([[True, False], [True, True]]))
    >>> list(zip(tail.tolist(), head.tolist()))
    [(0, 1), (1, 0), (1, 2), (2, 1)]
    """
    row, column = np.indices(open_cells.shape)
    odd = (row + column) % 2 == 1
    steps = TRIANGLE_CORNER_STEPS if corners else TRIANGLE_STEPS
    return _arcs(open_cells, ((~odd, steps[0]), (odd, steps[1])))


def _arcs(
    open_cells: npt.NDArray[np.bool_],
    classes: Sequence[tuple[npt.NDArray[np.bool_], Sequence[Step]]],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """List the moves where each class of cells has its own steps."""
    rows, columns = open_cells.shape
    number = np.full((rows, columns), -1, dtype=np.int64)
    number[open_cells] = np.arange(int(open_cells.sum()))
    tails, heads = [], []
    for members, steps in classes:
        tail_number = np.where(members, number, -1)
        for down, right in steps:
            if abs(down) >= rows or abs(right) >= columns:
                continue
            here = _window(tail_number, -down, -right)
            there = _window(number, down, right)
            both = (here >= 0) & (there >= 0)
            tails.append(here[both])
            heads.append(there[both])
    if not tails:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    tail, head = np.concatenate(tails), np.concatenate(heads)
    order = np.lexsort((head, tail))
    return tail[order], head[order]


def _window(grid: npt.NDArray[np.int64], down: int, right: int) -> npt.NDArray[np.int64]:
    """Cut off the rows and columns that a shift by (down, right) leaves without a partner."""
    rows, columns = grid.shape
    return grid[
        max(0, down) : rows + min(0, down),
        max(0, right) : columns + min(0, right),
    ]
