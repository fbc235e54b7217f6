"""Puzzles of numbers along a path: data, text and rules.

A board has open cells and holes; the numbers 1..N, N the number of open cells,
stand one in a cell so that consecutive numbers are a move apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np

from hidato_opt.core.errors import InvalidPuzzle
from hidato_opt.core.puzzle import Cell, Violation, cell_words
from hidato_opt.core.text import BoardText, format_header
from hidato_opt.path.cells import EMPTY, HOLE, Grid, grid_text, read_cells, to_grid
from hidato_opt.path.lattice import KING_STEPS, ORTHOGONAL_STEPS, Step


class PathBoard:
    """A board of the path family; the subclasses differ in their moves.

    Parameters
    ----------
    cells : nested lists, array, DataFrame, str or os.PathLike
        The cells: clues as whole numbers, 0, None, NaN or ``.`` for empty,
        ``#`` for a hole; or board text, or the path of a file of it.
    name : str, optional
        What the board is called in results.

    Attributes
    ----------
    grid : int array, shape (rows, columns), read-only
        Clues; 0 where empty, -1 at holes.
    size : int
        N, the number of open cells.
    note : str
        What the header of the text said beyond its parameters.

    Raises
    ------
    InvalidPuzzle
        The cells describe no board: ragged rows, something that is not a
        number, a clue outside 1..N, a clue given twice, no open cell.  A board
        without a solution is not invalid.

    Examples
    --------
    >>> board = Hidato([[0, 3], [None, 1]])
    >>> board.size
    4
    >>> print(board)
    # kind=hidato
    . 3
    . 1
    """

    kind: ClassVar[str]
    incomplete_codes: ClassVar[frozenset[str]] = frozenset({"cell-empty", "number-missing"})
    steps: ClassVar[Sequence[Step]]

    def __init__(self, cells: Any, *, name: str = "") -> None:
        text = read_cells(cells)
        self._take_parameters(dict(text.parameters))
        self.name = name or text.parameters.get("name", "")
        self.note = text.note
        self.grid: Grid = to_grid(text.rows)
        self.grid.flags.writeable = False
        self.size = int((self.grid != HOLE).sum())
        self._check_clues()

    @classmethod
    def from_text(cls, text: BoardText, *, name: str = "") -> Self:
        """Make a board of parsed board text."""
        return cls(text, name=name)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        rows, columns = self.grid.shape
        return rows, columns

    @property
    def clues(self) -> dict[int, Cell]:
        """The given numbers and their cells, in row-major order."""
        rows, columns = np.nonzero(self.grid > 0)
        numbers = self.grid[rows, columns].tolist()
        cells = zip(rows.tolist(), columns.tolist(), strict=True)
        return dict(zip(numbers, cells, strict=True))

    def verify(self, solution: Any) -> list[Violation]:
        """Check a proposed solution by the rules alone.

        Parameters
        ----------
        solution : array, nested lists, DataFrame or text, shape (rows, columns)
            Numbers; holes as 0, None or ``#``.

        Returns
        -------
        list of Violation
            Empty if it is a solution.  Codes: ``cell-empty`` (an open cell
            without a number), ``hole-filled`` (a number in a hole),
            ``out-of-range`` (a number outside 1..N), ``clue-changed`` (another
            number where one was given), ``number-twice``, ``number-missing``,
            ``not-adjacent`` (with the cells of k and k+1).

        Raises
        ------
        InvalidPuzzle
            The solution has another shape than the board, or a cell is not a
            number.

        Examples
        --------
        >>> board = Hidato([[1, 0, 3]])
        >>> board.verify([[1, 2, 3]])
        []
        >>> [violation.code for violation in board.verify([[1, 2, 2]])]
        ['clue-changed', 'number-twice', 'number-missing']
        """
        numbers = self._solution_grid(solution)
        violations = self._cell_violations(numbers)
        where: dict[int, list[Cell]] = {}
        for i, j in zip(*np.nonzero(numbers > 0), strict=True):
            where.setdefault(int(numbers[i, j]), []).append((int(i), int(j)))
        for number, cells in sorted(where.items()):
            if len(cells) > 1:
                places = " and ".join(cell_words(cell) for cell in cells)
                violations.append(
                    Violation("number-twice", f"{number} stands in {places}", tuple(cells))
                )
        violations += [
            Violation("number-missing", f"{number} stands nowhere")
            for number in range(1, self.size + 1)
            if number not in where
        ]
        for number in range(1, self.size):
            here, there = where.get(number, []), where.get(number + 1, [])
            if here and there and not any(self.is_move(a, b) for a in here for b in there):
                violations.append(
                    Violation(
                        "not-adjacent",
                        f"{number} in {cell_words(here[0])} and {number + 1} in "
                        f"{cell_words(there[0])} are not a move apart",
                        (here[0], there[0]),
                    )
                )
        return violations

    def is_move(self, start: Cell, end: Cell) -> bool:
        """Whether a move leads from one cell to another."""
        return (end[0] - start[0], end[1] - start[1]) in self.steps

    def read_solution(self, text: str) -> Grid:
        """Read a solution from board text; 0 at holes and where it has no number."""
        return np.maximum(to_grid(read_cells(text).rows), EMPTY)

    def solution_text(self, solution: Any) -> str:
        """Write a solution as rows of numbers, ``#`` at holes."""
        return grid_text(np.where(self.grid == HOLE, HOLE, np.asarray(solution)).astype(np.int32))

    def solution_json(self, solution: Any) -> list[list[int | None]]:
        """Write a solution as rows of numbers with null at holes."""
        return [
            [None if hole else int(number) for number, hole in zip(row, holes, strict=True)]
            for row, holes in zip(
                np.asarray(solution).tolist(), (self.grid == HOLE).tolist(), strict=True
            )
        ]

    def __str__(self) -> str:
        parameters = {"kind": self.kind}
        if self.name:
            parameters["name"] = self.name
        return f"{format_header(parameters, self.note)}\n{grid_text(self.grid)}"

    def __repr__(self) -> str:
        rows, columns = self.shape
        title = f" {self.name!r}" if self.name else ""
        return (
            f"<{type(self).__name__}{title}: {rows}x{columns}, N={self.size}, "
            f"{len(self.clues)} clues>"
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, PathBoard)
            and other.kind == self.kind
            and np.array_equal(self.grid, other.grid)
        )

    def __hash__(self) -> int:
        return hash((self.kind, self.grid.shape, self.grid.tobytes()))

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.grid.flags.writeable = False  # a pickled array forgets it

    def _take_parameters(self, parameters: dict[str, str]) -> None:
        kind = parameters.pop("kind", self.kind)
        if kind != self.kind:
            raise InvalidPuzzle(f"the text says kind={kind}, which is no {self.kind} board")
        lattice = parameters.pop("lattice", "square")
        if lattice != "square":
            raise InvalidPuzzle(f"lattice {lattice!r} is not known; known: square")
        parameters.pop("name", None)
        for key in parameters:
            raise InvalidPuzzle(f"a {self.kind} board has no parameter {key!r}")

    def _check_clues(self) -> None:
        if not self.size:
            raise InvalidPuzzle("the board has no open cell", code="empty-board")
        seen: dict[int, Cell] = {}
        for i, j in zip(*np.nonzero(self.grid > 0), strict=True):
            number, cell = int(self.grid[i, j]), (int(i), int(j))
            if number > self.size:
                raise InvalidPuzzle(
                    f"clue {number} is outside 1..{self.size} "
                    f"(the board has {self.size} open cells)",
                    row=cell[0],
                    column=cell[1],
                    code="out-of-range",
                )
            if number in seen:
                raise InvalidPuzzle(
                    f"clue {number} is given twice, also in {cell_words(seen[number])}",
                    row=cell[0],
                    column=cell[1],
                    code="given-twice",
                )
            seen[number] = cell

    def _solution_grid(self, solution: Any) -> Grid:
        numbers = to_grid(read_cells(solution).rows)
        if numbers.shape != self.grid.shape:
            rows, columns = numbers.shape
            raise InvalidPuzzle(
                f"the solution has {rows} rows of {columns} cells, "
                f"the board {self.shape[0]} of {self.shape[1]}",
                code="wrong-shape",
            )
        return numbers

    def _cell_violations(self, numbers: Grid) -> list[Violation]:
        """Check each cell by itself: filled, in range, its clue kept."""
        violations = []
        for cell in np.ndindex(*self.shape):
            number, given = int(numbers[cell]), int(self.grid[cell])
            words = cell_words(cell)
            if given == HOLE:
                if number > 0:
                    violations.append(
                        Violation("hole-filled", f"{number} stands in the hole {words}", (cell,))
                    )
            elif number in (EMPTY, HOLE):
                violations.append(Violation("cell-empty", f"{words} has no number", (cell,)))
            elif number > self.size:
                message = f"{number} in {words} is outside 1..{self.size}"
                violations.append(Violation("out-of-range", message, (cell,)))
            if number > 0 and given not in (EMPTY, HOLE, number):
                message = f"{words} was given {given} and has {number}"
                violations.append(Violation("clue-changed", message, (cell,)))
        return violations


class Hidato(PathBoard):
    """Hidato: consecutive numbers touch in a row, a column or diagonally (king moves).

    See `PathBoard` for parameters, attributes and errors.
    """

    kind = "hidato"
    steps = KING_STEPS


class Numbrix(PathBoard):
    """Numbrix: consecutive numbers touch in a row or a column.

    See `PathBoard` for parameters, attributes and errors.
    """

    kind = "numbrix"
    steps = ORTHOGONAL_STEPS
