"""Boards of the path family: cells on a lattice, as text, with holes and clues."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from hidato_opt.core.errors import InvalidPuzzle
from hidato_opt.core.puzzle import Cell, Violation, cell_words
from hidato_opt.core.text import BoardText, format_header
from hidato_opt.path.cells import EMPTY, HOLE, Grid, grid_text, read_cells, to_grid
from hidato_opt.path.graph import PathGraph
from hidato_opt.path.moves import MoveSet, Positions
from hidato_opt.path.rules import PathRules

_LINK = re.compile(r"r(\d+)c(\d+)-r(\d+)c(\d+)")
_CELL = re.compile(r"\s*(\d+)\s*[,.]\s*(\d+)\s*")
_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}

Link = tuple[Cell, Cell]


class PathBoard(PathRules):
    """A board of the path family; the subclasses differ in their moves.

    Parameters
    ----------
    cells : nested lists, array, DataFrame, str or os.PathLike
        The cells: clues as whole numbers, 0, None, NaN or ``.`` for empty,
        ``#`` for a hole; or board text, or the path of a file of it.
    name : str, optional
        What the board is called in results.
    lattice : str, optional
        The shape of the cells, one of `lattices`; default the first.
    start : (row, column), optional
        The 0-based cell of 1; the same as a clue there.
    closed : bool
        Whether the path must return: a move leads from N to 1.
    links : iterable of pairs of cells
        Cells, as 0-based (row, column), that must hold consecutive numbers
        (the dots of Rikudo).

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
        number, a clue outside 1..N, a clue given twice, no open cell, a link
        to a hole.  A board without a solution is not invalid.

    Examples
    --------
    >>> from hidato_opt.path.puzzle import Hidato
    >>> board = Hidato([[0, 3], [None, 1]])
    >>> board.size
    4
    >>> print(board)
    # kind=hidato
    . 3
    . 1
    """

    lattices: ClassVar[dict[str, MoveSet]]

    def __init__(
        self,
        cells: Any,
        *,
        name: str = "",
        lattice: str | None = None,
        start: Cell | None = None,
        closed: bool = False,
        links: Iterable[Link] = (),
    ) -> None:
        text = read_cells(cells)
        parameters = dict(text.parameters)
        written_name = parameters.pop("name", "")
        self.name = name or written_name
        self.note = text.note
        self.lattice = self._lattice_of(lattice, parameters)
        is_closed = _truth(parameters.pop("closed", "false"), "closed") or closed
        written_start, written_links = parameters.pop("start", ""), parameters.pop("links", "")
        self._check_parameters(parameters)
        grid = self._read_grid(text.rows)
        if written_start:
            _place_start(grid, _cell_of_text(written_start))
        if start is not None:
            _place_start(grid, start)
        self.grid: Grid = grid
        self.grid.flags.writeable = False
        self.size = int((self.grid != HOLE).sum())
        self.closed = is_closed and self.size > 1  # one cell is a tour as it is
        self._check_clues()
        self.links = self._positions_of_links([*links, *_links_of_text(written_links)])

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
    def moves(self) -> MoveSet:
        """The moves of the board's lattice."""
        return self.lattices[self.lattice]

    @property
    def open_cells(self) -> npt.NDArray[np.bool_]:
        """Whether a cell is open; shape (rows, columns)."""
        is_open: npt.NDArray[np.bool_] = self.grid != HOLE
        return is_open

    @property
    def clues(self) -> dict[int, Cell]:
        """The given numbers and their cells, in row-major order."""
        rows, columns = np.nonzero(self.grid > 0)
        numbers = self.grid[rows, columns].tolist()
        cells = zip(rows.tolist(), columns.tolist(), strict=True)
        return dict(zip(numbers, cells, strict=True))

    @cached_property
    def cells(self) -> list[Cell]:
        """The open cells in row-major order: the cell of each position."""
        rows, columns = np.nonzero(self.open_cells)
        return list(zip(rows.tolist(), columns.tolist(), strict=True))

    @cached_property
    def arcs(self) -> tuple[Positions, Positions]:
        """The moves, as tail and head positions among the open cells."""
        return self.moves.arcs(self.open_cells)

    @cached_property
    def graph(self) -> PathGraph:
        """The open cells and moves, for deduction and search."""
        return self.moves.graph(self.open_cells)

    @property
    def given(self) -> tuple[Positions, Positions]:
        """The clues, as positions among the open cells and as numbers."""
        numbers = self.grid[self.open_cells].astype(np.int64)
        positions = np.flatnonzero(numbers > 0)
        return positions, numbers[positions]

    def verify(self, solution: Any) -> list[Violation]:
        """Check a proposed solution by the rules alone.

        Parameters
        ----------
        solution : array, nested lists, DataFrame or text, shape (rows, columns)
            Numbers; holes as 0, None or ``#``.

        Returns
        -------
        list of Violation
            Empty if it is a solution.  Codes: ``hole-filled`` (a number in a
            hole), ``cell-empty`` (an open cell without a number),
            ``out-of-range`` (a number outside 1..N), ``clue-changed`` (another
            number where one was given), ``number-twice``, ``number-missing``,
            ``not-adjacent`` (with the cells of k and k+1), ``link-broken``.

        Raises
        ------
        InvalidPuzzle
            The solution has another shape than the board, or a cell is not a
            number.

        Examples
        --------
        >>> from hidato_opt.path.puzzle import Hidato
        >>> board = Hidato([[1, 0, 3]])
        >>> board.verify([[1, 2, 3]])
        []
        >>> [violation.code for violation in board.verify([[1, 2, 2]])]
        ['clue-changed', 'number-twice', 'number-missing']
        """
        numbers = self._solution_grid(solution)
        rows, columns = np.nonzero((numbers > 0) & ~self.open_cells)
        filled = [
            Violation(
                "hole-filled",
                f"{numbers[cell]} stands in the hole {cell_words(cell)}",
                (cell,),
            )
            for cell in zip(rows.tolist(), columns.tolist(), strict=True)
        ]
        return [*filled, *self.check_numbers(self._at_positions(numbers))]

    def is_step(self, start: int, end: int) -> bool:
        """Whether a move leads from one open cell to another, by position."""
        return self.moves.is_move(self.cells[start], self.cells[end])

    def cell_name(self, position: int) -> str:
        """Name a cell for people."""
        return cell_words(self.cells[position])

    def cell_of(self, position: int) -> Cell:
        """Return a cell as (row, column), 0-based."""
        return self.cells[position]

    def cell_index(self) -> tuple[Sequence[str], Sequence[npt.ArrayLike]]:
        """Index cells as the text does: row i and column j, 1-based."""
        rows, columns = np.nonzero(self.open_cells)
        return ("i", "j"), (rows + 1, columns + 1)

    def numbers_of(self, solution: Any) -> Positions:
        """Read a solution as numbers by position among the open cells, 0 where empty."""
        numbers = self._at_positions(self._solution_grid(solution))
        if numbers.max(initial=0) > self.size:
            raise InvalidPuzzle(f"a solution has numbers 1..{self.size}, not {numbers.max()}")
        return numbers

    def solution_of(self, numbers: npt.ArrayLike) -> Grid:
        """Write numbers by position as rows, 0 at holes."""
        solution = np.zeros(self.shape, dtype=np.int32)
        solution[self.open_cells] = numbers
        return solution

    def read_solution(self, text: str) -> Grid:
        """Read a solution from board text; 0 at holes and where it has no number."""
        return np.maximum(to_grid(read_cells(text).rows), EMPTY)

    def solution_text(self, solution: Any) -> str:
        """Write a solution as rows of numbers, ``#`` at holes."""
        return grid_text(np.where(self.open_cells, np.asarray(solution), HOLE).astype(np.int32))

    def solution_json(self, solution: Any) -> list[list[int | None]]:
        """Write a solution as rows of numbers with null at holes."""
        rows = zip(np.asarray(solution).tolist(), self.open_cells.tolist(), strict=True)
        return [
            [int(number) if is_open else None for number, is_open in zip(*row, strict=True)]
            for row in rows
        ]

    def __str__(self) -> str:
        parameters = {"kind": self.kind}
        if self.lattice != next(iter(self.lattices)):
            parameters["lattice"] = self.lattice
        if self.closed:
            parameters["closed"] = "true"
        if self.links:
            pairs = [(self.cells[one], self.cells[two]) for one, two in self.links]
            parameters["links"] = " ".join(f"r{a}c{b}-r{c}c{d}" for (a, b), (c, d) in pairs)
        if self.name:
            parameters["name"] = self.name
        return f"{format_header(parameters, self.note)}\n{self._cells_text()}"

    def __repr__(self) -> str:
        rows, columns = self.shape
        title = f" {self.name!r}" if self.name else ""
        return (
            f"<{type(self).__name__}{title}: {rows}x{columns}, N={self.size}, "
            f"{len(self.clues)} clues>"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PathBoard) and other._identity() == self._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.grid.flags.writeable = False  # a pickled array forgets it

    def _identity(self) -> tuple[object, ...]:
        """Return what makes two boards the same puzzle."""
        cells = (self.grid.shape, self.grid.tobytes())
        return (self.kind, self.lattice, self.closed, frozenset(self.links), *cells)

    def _read_grid(self, rows: list[list[Any]]) -> Grid:
        return to_grid(rows)

    def _cells_text(self) -> str:
        return grid_text(self.grid)

    def _lattice_of(self, lattice: str | None, parameters: dict[str, str]) -> str:
        written = parameters.pop("lattice", None)
        name = lattice or written or next(iter(self.lattices))
        if name not in self.lattices:
            known = ", ".join(self.lattices)
            raise InvalidPuzzle(f"lattice {name!r} is not known for {self.kind}; known: {known}")
        return name

    def _check_parameters(self, parameters: dict[str, str]) -> None:
        kind = parameters.pop("kind", self.kind)
        if kind != self.kind:
            raise InvalidPuzzle(f"the text says kind={kind}, which is no {self.kind} board")
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

    def _positions_of_links(self, links: list[Link]) -> tuple[tuple[int, int], ...]:
        place = {cell: position for position, cell in enumerate(self.cells)}
        found = []
        for link in links:
            ends = [tuple(map(int, cell)) for cell in link]
            for row, column in ends:
                if (row, column) not in place:
                    raise InvalidPuzzle(
                        "a link leads to this cell, which is not open", row=row, column=column
                    )
            one, two = (place[row, column] for row, column in ends)
            if one == two:
                raise InvalidPuzzle("a link needs two cells", row=ends[0][0], column=ends[0][1])
            found.append((min(one, two), max(one, two)))
        return tuple(sorted(set(found)))

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

    def _at_positions(self, numbers: Grid) -> Positions:
        return np.maximum(numbers[self.open_cells].astype(np.int64), 0)


def _place_start(grid: Grid, start: Cell) -> None:
    """Write 1 into the cell of a ``start`` parameter."""
    try:
        row, column = map(int, start)
    except (TypeError, ValueError):
        raise InvalidPuzzle(f"the start is a cell (row, column), not {start!r}") from None
    rows, columns = grid.shape
    if not (0 <= row < rows and 0 <= column < columns and grid[row, column] in (EMPTY, 1)):
        raise InvalidPuzzle("the start must be an empty cell of the board", row=row, column=column)
    grid[row, column] = 1


def _truth(word: str, key: str) -> bool:
    if word.lower() not in _TRUTH:
        raise InvalidPuzzle(f"{key}={word!r} is neither true nor false")
    return _TRUTH[word.lower()]


def _cell_of_text(word: str) -> Cell:
    found = _CELL.fullmatch(word)
    if found is None:
        raise InvalidPuzzle(f"start={word!r} is no cell; write row,column, 0-based")
    return int(found[1]), int(found[2])


def _links_of_text(words: str) -> list[Link]:
    links = []
    for word in words.split():
        found = _LINK.fullmatch(word)
        if found is None:
            raise InvalidPuzzle(f"{word!r} is no link; write r0c1-r1c2 (row and column, 0-based)")
        a, b, c, d = map(int, found.groups())
        links.append(((a, b), (c, d)))
    return links
