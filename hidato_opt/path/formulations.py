"""Path puzzles as mixed-integer programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hidato_opt.core.errors import InvalidPuzzle
from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.constraints import cover, exactly_one, fix
from hidato_opt.modelling.expressions import FloatArray
from hidato_opt.modelling.formulation import Formulated
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.points import PartialPoint
from hidato_opt.path.cells import HOLE, Grid, read_cells, to_grid
from hidato_opt.path.lattice import adjacency
from hidato_opt.path.puzzle import PathBoard


def assignment(board: PathBoard) -> Formulated:
    r"""Write a board with binaries :math:`x_{ijk}`: cell (i, j) holds number k.

    The model of the text "The Hidato Number Maze", with
    :math:`\mathcal I, \mathcal J` the rows and columns, :math:`\mathcal C`
    the open cells, :math:`\mathcal K = \{1..N\}`, :math:`N = |\mathcal C|`
    (the text has boards without holes, where :math:`N = R C`), and
    :math:`\mathcal N(i, j)` the cells a move away from (i, j):

    .. math::
        \min\ & 0 \\
        & \sum_{k} x_{ijk} = 1 && (i, j) \in \mathcal C
            && \text{cell: one number a cell} \\
        & \sum_{(i, j)} x_{ijk} = 1 && k \in \mathcal K
            && \text{number: one cell a number} \\
        & x_{ijk} = 1 && F_{ijk} = 1 && \text{clue} \\
        & x_{ijk} \le \sum_{(r, c) \in \mathcal N(i, j)} x_{r,c,k+1}
            && (i, j) \in \mathcal C,\ k < N && \text{next}

    Indices are 1-based as in the text: ``model.x[i, j, k]``.

    Parameters
    ----------
    board : PathBoard
        The puzzle.

    Returns
    -------
    Formulated
        :math:`N^2` binaries; :math:`2N + |F| + N(N-1)` rows;
        :math:`2N^2 + |F| + (N-1)(N + A)` non-zeros with A the number of
        ordered pairs of cells a move apart.

    Examples
    --------
    >>> from hidato_opt.path.puzzle import Hidato
    >>> model = assignment(Hidato([[1, 0], [0, 0]])).model
    >>> model
    Model(hidato assignment: 21 rows, 16 columns (16 integer), 81 non-zeros)
    """
    size = board.size
    cell_rows, cell_columns = np.nonzero(board.grid != HOLE)
    cells = IndexSet("C", ["i", "j"], [cell_rows + 1, cell_columns + 1], distinct=True)
    numbers = IndexSet.range("K", 1, size)
    builder = ModelBuilder(f"{board.kind} assignment")
    x = builder.add_variables("x", IndexSet.product("CK", cells, numbers), "binary")
    builder.add_rows("cell", exactly_one(x, by=["i", "j"], rows=cells))
    builder.add_rows("number", exactly_one(x, by=["k"], rows=numbers))
    clue_cells, clue_numbers = _clues(board)
    builder.add_rows("clue", fix(x.take(clue_cells * size + clue_numbers - 1), 1.0))
    tail, head = adjacency(board.grid != HOLE, board.steps)
    position = np.arange(size * size, dtype=np.int32).reshape(size, size)
    earlier = x.take(position[:, :-1].ravel())
    later = x.take(position[head, 1:].ravel())
    row_of = (tail[:, None] * (size - 1) + np.arange(size - 1)).astype(np.int32).ravel()
    builder.add_rows("next", cover(earlier, later, row_of))
    return Formulated(builder.build(), AssignmentCodec(board.grid))


@dataclass(frozen=True, eq=False)
class AssignmentCodec:
    """Numbers in cells as binaries of cell and number, cells in row-major order.

    Attributes
    ----------
    grid : int array, shape (rows, columns)
        The board, for its shape and holes.
    """

    grid: Grid

    def decode(self, values: FloatArray) -> Grid:
        """Read the number of each cell; 0 at holes and where no binary is above one half."""
        open_cells = self.grid != HOLE
        size = int(open_cells.sum())
        table = np.asarray(values[: size * size]).reshape(size, size)
        numbers = np.where(table.max(axis=1) > 0.5, table.argmax(axis=1) + 1, 0)
        solution = np.zeros(self.grid.shape, dtype=np.int32)
        solution[open_cells] = numbers
        return solution

    def encode(self, solution: Any) -> PartialPoint:
        """Write numbers in cells as binaries; empty cells leave theirs open."""
        numbers = to_grid(read_cells(solution).rows)
        open_cells = self.grid != HOLE
        size = int(open_cells.sum())
        if numbers.shape != self.grid.shape or numbers.max() > size:
            raise InvalidPuzzle(f"a solution has the board's shape and numbers 1..{size}")
        table = np.full((size, size), np.nan)
        for cell, number in enumerate(numbers[open_cells].tolist()):
            if number > 0:
                table[cell, np.isnan(table[cell])] = 0.0
                table[np.isnan(table[:, number - 1]), number - 1] = 0.0
                table[cell, number - 1] = 1.0
        values = table.ravel()
        columns = np.flatnonzero(~np.isnan(values))
        return PartialPoint(columns, values[columns])


FORMULATIONS: dict[str, Callable[[PathBoard], Formulated]] = {"assignment": assignment}
"""The formulations of the path family by name, the default first."""


def _clues(board: PathBoard) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return the clues as positions among the open cells and as numbers."""
    given = board.grid[board.grid != HOLE]
    cells = np.flatnonzero(given > 0)
    return cells, given[cells].astype(np.int64)
