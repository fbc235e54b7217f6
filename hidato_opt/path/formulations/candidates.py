"""Which numbers may stand in which cells, and the steps between them.

What every formulation of the path family starts from: the pairs (cell, number)
that have a variable.  The full model has all of them, the reduced one those
that deduction has left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from hidato_opt.modelling.index import IndexSet

Positions = npt.NDArray[np.integer[Any]]

TABLE_ENTRIES_A_PAIR = 200
"""How much larger than the pairs a table to look them up may be; else they are searched."""


class PathPuzzleLike(Protocol):
    """What a formulation asks of a puzzle of the path family."""

    @property
    def kind(self) -> str:
        """Kind of the puzzle."""

    @property
    def size(self) -> int:
        """N, the number of cells and of numbers."""

    @property
    def closed(self) -> bool:
        """Whether a move must lead from the cell of N to the cell of 1."""

    @property
    def arcs(self) -> tuple[Positions, Positions]:
        """The moves, as tail and head positions among the cells; sorted, none twice."""

    @property
    def given(self) -> tuple[Positions, Positions]:
        """The clues, as positions of cells and as numbers 1..N."""

    @property
    def links(self) -> tuple[tuple[int, int], ...]:
        """Pairs of cells, by position, that must hold consecutive numbers."""

    def cell_index(self) -> tuple[Sequence[str], Sequence[npt.ArrayLike]]:
        """Field names of a cell in the algebra, and the labels of the cells, one array a field."""


@dataclass(frozen=True)
class Candidates:
    """Pairs of cell and number, sorted by cell, then number.

    Attributes
    ----------
    size : int
        N.
    cells, numbers : int arrays of one length
        Position of the cell (0-based) and the number (1-based) of each pair.
    """

    size: int
    cells: Positions
    numbers: Positions

    @classmethod
    def full(cls, size: int) -> Candidates:
        """Allow every number in every cell."""
        every = np.arange(size)
        return cls(size, np.repeat(every, size), np.tile(every + 1, size))

    @classmethod
    def of_pairs(cls, size: int, cells: npt.ArrayLike, numbers: npt.ArrayLike) -> Candidates:
        """Allow the pairs given, in any order, none twice."""
        cell, number = np.asarray(cells, dtype=np.int64), np.asarray(numbers, dtype=np.int64)
        order = np.lexsort((number, cell))
        return cls(size, cell[order], number[order])

    def __len__(self) -> int:
        return len(self.cells)

    @cached_property
    def _codes(self) -> Positions:
        return self.cells * (self.size + 1) + self.numbers

    @cached_property
    def _table(self) -> npt.NDArray[np.int32] | None:
        """Position of each pair by its code, where a table of codes is not too large."""
        entries = self.size * (self.size + 1) + 1
        if entries > TABLE_ENTRIES_A_PAIR * len(self) + 1000:
            return None
        table = np.full(entries, -1, dtype=np.int32)
        table[self._codes] = np.arange(len(self))
        return table

    def find(self, cells: Positions, numbers: Positions) -> Positions:
        """Return the positions of pairs; -1 where a pair is not allowed."""
        asked = cells * (self.size + 1) + numbers
        if self._table is not None:
            found: Positions = self._table[asked]
            return found
        if not len(self):
            return np.full(asked.shape, -1, dtype=np.int64)
        place = np.minimum(np.searchsorted(self._codes, asked), len(self) - 1)
        return np.where(self._codes[place] == asked, place, -1)

    def index(self, puzzle: PathPuzzleLike) -> IndexSet:
        """Label the pairs as the algebra does: the cell's own fields, then ``k``."""
        fields, columns = puzzle.cell_index()
        labels = [np.asarray(column)[self.cells] for column in columns]
        name = "".join(fields).upper() + "K"
        return IndexSet(name, [*fields, "k"], [*labels, self.numbers], distinct=True)

    def steps(
        self, puzzle: PathPuzzleLike, *, backward: bool = False
    ) -> tuple[Positions, Positions]:
        """List the steps from a pair (c, k) to a pair (d, k+1) over the moves of the puzzle.

        Parameters
        ----------
        puzzle : PathPuzzleLike
            For its moves; of a closed tour the number after N is 1.
        backward : bool
            List the steps to (d, k-1) against the moves instead.

        Returns
        -------
        start, end : int arrays of one length
            Positions of the two pairs, sorted by start, then end.
        """
        tail, head = puzzle.arcs
        shift = 1
        if backward:
            order = np.lexsort((tail, head))
            tail, head, shift = head[order], tail[order], -1
        first = np.searchsorted(tail, np.arange(self.size + 1))
        degree = np.diff(first)[self.cells]
        start = np.repeat(np.arange(len(self)), degree)
        within = np.arange(len(start)) - np.repeat(np.cumsum(degree) - degree, degree)
        cells = head[np.repeat(first[self.cells], degree) + within]
        numbers = self.numbers[start] + shift
        if puzzle.closed:
            numbers = (numbers - 1) % self.size + 1
        end = self.find(cells, numbers)
        return start[end >= 0], end[end >= 0]

    def has_next(self, puzzle: PathPuzzleLike) -> npt.NDArray[np.bool_]:
        """Whether a pair's number is followed by another."""
        every = np.ones(len(self), dtype=np.bool_)
        return every if puzzle.closed else self.numbers < self.size

    def has_previous(self, puzzle: PathPuzzleLike) -> npt.NDArray[np.bool_]:
        """Whether a pair's number follows another."""
        every = np.ones(len(self), dtype=np.bool_)
        return every if puzzle.closed else self.numbers > 1
