"""The rules of the path family, on positions: what every one of its puzzles shares.

A puzzle of N cells, numbered 0..N-1 here, has the numbers 1..N along a path
of moves.  Boards and graphs differ in what a cell is called and how a
solution is written; the rules are these.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hidato_opt.core.puzzle import Violation
from hidato_opt.path.graph import PathGraph
from hidato_opt.path.moves import Positions


class PathRules(ABC):
    """Base of the puzzles of the path family.

    Attributes
    ----------
    size : int
        N, the number of cells and of numbers.
    closed : bool
        Whether a move must also lead from N to 1; never with a single cell.
    links : tuple of (int, int)
        Pairs of cells, by position, that must hold consecutive numbers.
    """

    kind: ClassVar[str]
    incomplete_codes: ClassVar[frozenset[str]] = frozenset({"cell-empty", "number-missing"})
    name: str
    size: int
    closed: bool
    links: tuple[tuple[int, int], ...]

    @property
    @abstractmethod
    def arcs(self) -> tuple[Positions, Positions]:
        """The moves, as tail and head positions; sorted by tail, then head."""

    @property
    @abstractmethod
    def given(self) -> tuple[Positions, Positions]:
        """The clues, as positions of cells and as numbers."""

    @property
    @abstractmethod
    def graph(self) -> PathGraph:
        """The cells and moves, for deduction and search."""

    @property
    def clue_positions(self) -> dict[int, int]:
        """The position of each given number."""
        cells, numbers = self.given
        return dict(zip(numbers.tolist(), cells.tolist(), strict=True))

    @abstractmethod
    def is_step(self, start: int, end: int) -> bool:
        """Whether a move leads from one position to another."""

    @abstractmethod
    def cell_name(self, position: int) -> str:
        """Name a cell for people."""

    @abstractmethod
    def cell_of(self, position: int) -> Any:
        """Return a cell as violations give it."""

    @abstractmethod
    def cell_index(self) -> tuple[Sequence[str], Sequence[npt.ArrayLike]]:
        """Field names of a cell in the algebra, and the labels, one array a field."""

    @abstractmethod
    def numbers_of(self, solution: Any) -> Positions:
        """Read a solution as numbers by position, 0 where empty."""

    @abstractmethod
    def solution_of(self, numbers: npt.ArrayLike) -> Any:
        """Write numbers by position as a solution."""

    def check_numbers(self, numbers: Positions) -> list[Violation]:
        """Check numbers by position (0 where empty) by the rules: see `PathBoard.verify`."""
        if self._is_solution(numbers.tolist()):
            return []
        violations = [
            Violation("cell-empty", f"{self.cell_name(cell)} has no number", (self.cell_of(cell),))
            for cell in np.flatnonzero(numbers <= 0).tolist()
        ]
        for cell in np.flatnonzero(numbers > self.size).tolist():
            message = f"{numbers[cell]} in {self.cell_name(cell)} is outside 1..{self.size}"
            violations.append(Violation("out-of-range", message, (self.cell_of(cell),)))
        for cell, number in zip(*(part.tolist() for part in self.given), strict=True):
            if numbers[cell] > 0 and numbers[cell] != number:
                message = f"{self.cell_name(cell)} was given {number} and has {numbers[cell]}"
                violations.append(Violation("clue-changed", message, (self.cell_of(cell),)))
        where = self._places(numbers)
        violations += self._placement_violations(where)
        violations += self._step_violations(where)
        for one, two in self.links:
            first, second = int(numbers[one]), int(numbers[two])
            if first > 0 and second > 0 and not self._consecutive(first, second):
                message = (
                    f"{self.cell_name(one)} and {self.cell_name(two)} are linked and hold "
                    f"{first} and {second}, which do not follow each other"
                )
                cells = (self.cell_of(one), self.cell_of(two))
                violations.append(Violation("link-broken", message, cells))
        return violations

    def _is_solution(self, numbers: list[int]) -> bool:
        """Say at once whether nothing is broken, without saying what."""
        path = [-1] * (self.size + 1)
        for cell, number in enumerate(numbers):
            if not 0 < number <= self.size or path[number] >= 0:
                return False
            path[number] = cell
        ends = [*path[1:], path[1]] if self.closed else path[1:]
        return (
            all(self.is_step(*step) for step in pairwise(ends))
            and all(path[number] == cell for number, cell in self.clue_positions.items())
            and all(self._consecutive(numbers[one], numbers[two]) for one, two in self.links)
        )

    def _places(self, numbers: Positions) -> list[list[int]]:
        """List the positions of each number 0..N."""
        where: list[list[int]] = [[] for _ in range(self.size + 1)]
        for cell, number in enumerate(numbers.tolist()):
            if 0 < number <= self.size:
                where[number].append(cell)
        return where

    def _placement_violations(self, where: list[list[int]]) -> list[Violation]:
        twice, missing = [], []
        for number in range(1, self.size + 1):
            cells = where[number]
            if not cells:
                missing.append(Violation("number-missing", f"{number} stands nowhere"))
            elif len(cells) > 1:
                places = " and ".join(map(self.cell_name, cells))
                twice.append(
                    Violation(
                        "number-twice",
                        f"{number} stands in {places}",
                        tuple(map(self.cell_of, cells)),
                    )
                )
        return [*twice, *missing]

    def _step_violations(self, where: list[list[int]]) -> list[Violation]:
        violations = []
        pairs = [(number, number + 1) for number in range(1, self.size)]
        if self.closed:
            pairs.append((self.size, 1))
        for number, following in pairs:
            here, there = where[number], where[following]
            if here and there and not any(self.is_step(a, b) for a in here for b in there):
                message = (
                    f"{number} in {self.cell_name(here[0])} and {following} in "
                    f"{self.cell_name(there[0])} are not a move apart"
                )
                cells = (self.cell_of(here[0]), self.cell_of(there[0]))
                violations.append(Violation("not-adjacent", message, cells))
        return violations

    def _consecutive(self, first: int, second: int) -> bool:
        apart = abs(first - second)
        return apart == 1 or (self.closed and apart == self.size - 1)
