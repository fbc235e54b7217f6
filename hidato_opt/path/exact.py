"""Exact search for the puzzles of the path family: what `solve` and the counts call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hidato_opt.core.count import Count
from hidato_opt.core.status import Status
from hidato_opt.path.deduce import deduce
from hidato_opt.path.explain import explain
from hidato_opt.path.formulations.candidates import Candidates
from hidato_opt.path.rules import PathRules
from hidato_opt.path.search import Path, Solutions, enumerate_solutions, find
from hidato_opt.path.search import count as count_paths

__all__ = ["Listing", "Outcome", "candidates", "count", "explain", "listing", "search"]


@dataclass(frozen=True)
class Outcome:
    """What a search came to.

    Attributes
    ----------
    status : Status
        ``optimal`` with a solution, ``infeasible`` as a proof, or the limit
        that stopped the search.
    solution : object or None
        A solution in the puzzle's shape, not verified yet.
    stage : str
        ``deduction`` or ``search``: what found the solution or the proof.
    """

    status: Status
    solution: Any
    stage: str


class Listing(Iterator[Any]):
    """The solutions of a puzzle, one after the other, none twice.

    Attributes
    ----------
    exhausted : bool
        Whether all have been listed.
    stopped : Status or None
        The limit that ended the list early.
    """

    def __init__(self, puzzle: PathRules, paths: Solutions) -> None:
        self._puzzle = puzzle
        self._paths = paths

    def __next__(self) -> Any:
        return _solution(self._puzzle, next(self._paths))

    @property
    def exhausted(self) -> bool:
        """Whether all solutions have been listed."""
        return self._paths.exhausted

    @property
    def stopped(self) -> Status | None:
        """The limit that ended the list early."""
        return self._paths.stopped


def search(puzzle: PathRules, *, seed: int = 0, time_limit: float | None = None) -> Outcome:
    """Find a solution, or prove that there is none.

    Examples
    --------
    >>> from hidato_opt.path.puzzle import Hidato
    >>> search(Hidato([[1, 0, 3]])).solution.tolist()
    [[1, 2, 3]]
    """
    found = find(
        puzzle.graph,
        puzzle.clue_positions,
        closed=puzzle.closed,
        links=puzzle.links,
        seed=seed,
        time_limit=time_limit,
    )
    solution = None if found.path is None else _solution(puzzle, found.path)
    return Outcome(found.status, solution, "deduction" if found.stage == "deduction" else "search")


def listing(puzzle: PathRules, *, seed: int = 0, time_limit: float | None = None) -> Listing:
    """List all solutions lazily."""
    paths = enumerate_solutions(
        puzzle.graph,
        puzzle.clue_positions,
        closed=puzzle.closed,
        links=puzzle.links,
        seed=seed,
        time_limit=time_limit,
    )
    return Listing(puzzle, paths)


def count(
    puzzle: PathRules,
    *,
    limit: int | None = None,
    seed: int = 0,
    time_limit: float | None = None,
) -> Count:
    """Count the solutions, up to a limit."""
    counted = count_paths(
        puzzle.graph,
        puzzle.clue_positions,
        limit=limit,
        closed=puzzle.closed,
        links=puzzle.links,
        seed=seed,
        time_limit=time_limit,
    )
    return Count(counted.count, counted.exact, str(counted.reason or ""))


def candidates(puzzle: PathRules) -> Candidates:
    """Return the pairs that deduction leaves possible; none where it proves infeasibility."""
    deduction = deduce(
        puzzle.graph, puzzle.clue_positions, closed=puzzle.closed, links=puzzle.links
    )
    return Candidates.of_pairs(puzzle.size, *deduction.pairs())


def _solution(puzzle: PathRules, path: Path) -> Any:
    numbers = [0] * puzzle.size
    for number, cell in enumerate(path, start=1):
        numbers[cell] = number
    return puzzle.solution_of(numbers)
