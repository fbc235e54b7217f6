"""Solve a puzzle, check a solution: the two calls that need nothing but a board."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from hidato_opt.backends.registry import DEFAULT_BACKEND, backend_named
from hidato_opt.core.clock import Stopwatch
from hidato_opt.core.errors import UnknownOption, WrongAnswer
from hidato_opt.core.options import RunOptions
from hidato_opt.core.puzzle import Puzzle, Violation
from hidato_opt.core.reading import as_puzzle
from hidato_opt.core.registry import kind_named
from hidato_opt.core.result import Result
from hidato_opt.solve.puzzle_model import build_model, formulation_named

METHODS = ("auto", "mip")

SEARCH_SHARE = 0.8
"""Share of the time limit that the exact search has before the model is tried."""
SEARCH_SECONDS = 60.0
"""Seconds the exact search has where there is no time limit."""


def solve(
    board: Any,
    *,
    method: str = "auto",
    backend: str = DEFAULT_BACKEND,
    formulation: str | None = None,
    warm_start: Any = None,
    **options: Any,
) -> Result:
    """Solve a puzzle with everything the library has for its kind.

    Parameters
    ----------
    board : Puzzle, nested lists, array, DataFrame, str, os.PathLike or mapping
        A puzzle, or what one can be made of (a Hidato unless it says otherwise).
    method : {"auto", "mip"}
        ``auto``: deduction and exact search first, the model on the backend
        only where they come to no answer.  ``mip``: the model on the backend
        and nothing else; so it is too where a warm start or options of the
        backend are given, which speak to the model.
    backend : str
        The backend for the model.
    formulation : str, optional
        The formulation; default the text's own.
    warm_start : solution, optional
        A solution, complete or partial, as a MIP start for the model.
    **options
        Run options: ``time_limit, threads, seed, gap, log, options``; see
        `RunOptions`.

    Returns
    -------
    Result
        Its `solution` has passed the puzzle's own checker; `found_by` and
        `proved_by` say which stage found it and which one proved the verdict.

    Raises
    ------
    InvalidPuzzle
        The data describes no puzzle.
    UnknownOption, InvalidOption, BackendUnavailable
        The method, the backend or an option is not to be had.
    WrongAnswer
        A stage gave an answer that breaks the rules.
    SolveInterrupted
        Ctrl-C.

    Examples
    --------
    >>> result = solve("# 5 . . ./# . 7 # 1")
    >>> print(result.solution.tolist(), result.found_by)
    [[0, 5, 4, 3, 2], [0, 6, 7, 0, 1]] deduction
    """
    if method not in METHODS:
        raise UnknownOption.of("method", method, METHODS)
    began = time.perf_counter()
    run = RunOptions.of(options)
    puzzle = as_puzzle(board)
    backend_named(backend)
    if formulation is not None:
        formulation_named(puzzle.kind, formulation)
    if warm_start is not None or run.options:
        method = "mip"
    searched = 0.0
    if method == "auto":
        result = _search(puzzle, run)
        if result.status.is_proof:
            return result
        searched = result.seconds["search"]
    model = build_model(puzzle, formulation)
    if run.time_limit is not None:
        left = began + run.time_limit - time.perf_counter()
        options = {**options, "time_limit": max(0.0, left)}
    result = model.solve(backend, warm_start=warm_start, **options)
    seconds = {"search": searched} if method == "auto" else {}
    seconds |= {**result.seconds, "total": time.perf_counter() - began}
    return replace(result, method=method, seconds=seconds)


def _search(puzzle: Puzzle, run: RunOptions) -> Result:
    """Search a puzzle by its kind's own means, and verify what is found."""
    watch = Stopwatch()
    budget = SEARCH_SECONDS if run.time_limit is None else SEARCH_SHARE * run.time_limit
    with watch.stage("search"):
        outcome = (
            kind_named(puzzle.kind).exact_module().search(puzzle, seed=run.seed, time_limit=budget)
        )
    found = outcome.solution
    if found is not None:
        with watch.stage("verify"):
            violations = puzzle.verify(found)
        if violations:
            raise WrongAnswer(outcome.stage, f"its solution breaks a rule: {violations[0]}")
    return Result(
        puzzle=puzzle,
        status=outcome.status,
        objective=None if found is None else 0.0,
        bound=None if found is None else 0.0,
        method="auto",
        found_by=None if found is None else outcome.stage,
        proved_by=outcome.stage if outcome.status.is_proof else None,
        seconds=watch.seconds(),
        verified=found is not None,
        found=found,
    )


def verify(board: Any, solution: Any) -> list[Violation]:
    """Check a solution by the puzzle's rules alone; an empty list is a pass.

    Parameters
    ----------
    board : Puzzle, or what one can be made of
        The puzzle.
    solution : object
        The solution in the family's shape (path boards: rows of numbers), or
        its text.

    Examples
    --------
    >>> verify([[1, 0], [0, 0]], [[1, 2], [3, 4]])
    []
    >>> print(verify([[0, 0, 0]], [[1, 3, 2]])[0])
    not-adjacent: 1 in row 1, column 1 and 2 in row 1, column 3 are not a move apart
    """
    return as_puzzle(board).verify(solution)
