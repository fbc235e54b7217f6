"""Solve a puzzle, check a solution: the two calls that need nothing but a board."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from hidato_opt.backends.registry import DEFAULT_BACKEND
from hidato_opt.core.errors import UnknownOption
from hidato_opt.core.puzzle import Violation
from hidato_opt.core.reading import as_puzzle
from hidato_opt.core.result import Result
from hidato_opt.solve.puzzle_model import build_model

METHODS = ("auto", "mip")


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
        ``mip``: the model on a backend and nothing else.  ``auto``: whatever
        answers soonest; today that is the model too.
    backend : str
        The backend for the model.
    formulation : str, optional
        The formulation; default the text's own.
    warm_start : solution, optional
        A solution, complete or partial, as a MIP start.
    **options
        Run options: ``time_limit, threads, seed, gap, log, options``; see
        `RunOptions`.

    Returns
    -------
    Result
        Its `solution` has passed the puzzle's own checker.

    Examples
    --------
    >>> print(solve("# 5 . . ./# . 7 # 1").solution.tolist())
    [[0, 5, 4, 3, 2], [0, 6, 7, 0, 1]]
    """
    if method not in METHODS:
        raise UnknownOption.of("method", method, METHODS)
    began = time.perf_counter()
    model = build_model(board, formulation)
    result = model.solve(backend, warm_start=warm_start, **options)
    seconds = {**result.seconds, "total": time.perf_counter() - began}
    return replace(result, method=method, seconds=seconds)


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
