"""Count and list solutions: by the kind's exact search, or by no-good cuts in the model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hidato_opt.analyse.cutting import solutions_by_cuts
from hidato_opt.backends.registry import DEFAULT_BACKEND
from hidato_opt.core.count import Count
from hidato_opt.core.errors import InvalidOption, Undecided, UnknownOption, WrongAnswer
from hidato_opt.core.options import RunOptions
from hidato_opt.core.puzzle import Puzzle
from hidato_opt.core.reading import as_puzzle
from hidato_opt.core.registry import kind_named
from hidato_opt.core.status import Status

METHODS = ("auto", "mip")


class Listing(Iterator[Any]):
    """The solutions of a puzzle, one after the other, none twice, each verified by the rules.

    Attributes
    ----------
    exhausted : bool
        Whether all have been listed; proven, not given up.
    stopped : Status or None
        The limit that ended the list early.
    """

    def __init__(self, puzzle: Puzzle, source: Any) -> None:
        self._puzzle = puzzle
        self._source = source

    def __next__(self) -> Any:
        solution = next(self._source)
        violations = self._puzzle.verify(solution)
        if violations:
            raise WrongAnswer("enumeration", f"a solution breaks a rule: {violations[0]}")
        return solution

    @property
    def exhausted(self) -> bool:
        """Whether all solutions have been listed."""
        return bool(self._source.exhausted)

    @property
    def stopped(self) -> Status | None:
        """The limit that ended the list early."""
        stopped: Status | None = self._source.stopped
        return stopped


def solutions(
    board: Any,
    *,
    method: str = "auto",
    backend: str = DEFAULT_BACKEND,
    formulation: str | None = None,
    **options: Any,
) -> Listing:
    """List the solutions of a puzzle lazily, none twice, each verified by the rules.

    Parameters
    ----------
    board : Puzzle, or what one can be made of
        The puzzle.
    method : {"auto", "mip"}
        ``auto``: the kind's exact search.  ``mip``: the model, with a no-good
        cut after each solution.
    backend, formulation
        For ``mip``: what solves which model.
    **options
        Run options; the time limit is for the whole list.

    Returns
    -------
    Listing
        An iterator; when it ends, ``exhausted`` says whether that were all
        and ``stopped`` which limit came first.

    Examples
    --------
    >>> for solution in solutions([[1, 0], [0, 4]]):
    ...     print(solution.tolist())
    [[1, 2], [3, 4]]
    [[1, 3], [2, 4]]
    """
    if method not in METHODS:
        raise UnknownOption.of("method", method, METHODS)
    puzzle = as_puzzle(board)
    run = RunOptions.of(options)
    if method == "mip":
        return Listing(puzzle, solutions_by_cuts(puzzle, backend, formulation, run))
    exact = kind_named(puzzle.kind).exact_module()
    return Listing(puzzle, exact.listing(puzzle, seed=run.seed, time_limit=run.time_limit))


def count_solutions(
    board: Any, limit: int | None = None, *, method: str = "auto", **options: Any
) -> Count:
    """Count the solutions of a puzzle.

    With ``auto`` they are counted as the search finds them; `solutions` also
    verifies each, and ``mip`` counts with the model.

    Parameters
    ----------
    board : Puzzle, or what one can be made of
        The puzzle.
    limit : int, optional
        Solutions at which to stop counting; at least 1.
    method, **options
        As for `solutions`.

    Returns
    -------
    Count
        Exact where the enumeration ends by itself; otherwise "at least", with
        the limit that stopped it.

    Examples
    --------
    >>> print(count_solutions([[1, 0], [0, 4]]))
    2
    >>> print(count_solutions([[0, 0], [0, 0]], limit=3))
    at least 3 (solution_limit)
    """
    if limit is not None and limit < 1:
        raise InvalidOption(f"limit must be at least 1, not {limit}")
    puzzle = as_puzzle(board)
    if method == "auto":
        run = RunOptions.of(options)
        counted: Count = (
            kind_named(puzzle.kind)
            .exact_module()
            .count(puzzle, limit=limit, seed=run.seed, time_limit=run.time_limit)
        )
        return counted
    listing = solutions(puzzle, method=method, **options)
    found = 0
    for _ in listing:
        found += 1
        if found == limit:
            return Count(found, exact=False, reason=str(Status.SOLUTION_LIMIT))
    return Count(found, exact=listing.exhausted, reason=str(listing.stopped or ""))


def is_unique(board: Any, **options: Any) -> bool:
    """Say whether a puzzle has exactly one solution.

    Parameters
    ----------
    board : Puzzle, or what one can be made of
        The puzzle.
    **options
        As for `solutions`.

    Raises
    ------
    Undecided
        A limit came before the answer.

    Examples
    --------
    >>> is_unique([[1, 0], [0, 4]])
    False
    >>> is_unique("# 5 . . ./# . 7 # 1")
    True
    """
    counted = count_solutions(board, limit=2, **options)
    if counted.count == 2:
        return False
    if not counted.exact:
        raise Undecided(
            f"{counted.count} solution(s) found before the limit ({counted.reason}); "
            f"allow more time"
        )
    return counted.count == 1
