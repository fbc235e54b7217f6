"""Which cells of a board touch: one adjacency function for the boards of the path family."""

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
    rows, columns = open_cells.shape
    number = np.full((rows, columns), -1, dtype=np.int64)
    number[open_cells] = np.arange(int(open_cells.sum()))
    tails, heads = [], []
    for down, right in steps:
        here = number[max(0, -down) : rows - max(0, down), max(0, -right) : columns - max(0, right)]
        there = number[max(0, down) : rows + min(0, down), max(0, right) : columns + min(0, right)]
        both = (here >= 0) & (there >= 0)
        tails.append(here[both])
        heads.append(there[both])
    tail, head = np.concatenate(tails), np.concatenate(heads)
    order = np.lexsort((head, tail))
    return tail[order], head[order]
