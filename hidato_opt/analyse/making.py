"""Make puzzles, and explain those that have no solution: the calls that all families share."""

from __future__ import annotations

from typing import Any

from hidato_opt.core.errors import UnknownOption
from hidato_opt.core.explanation import Explanation
from hidato_opt.core.options import RunOptions
from hidato_opt.core.puzzle import Puzzle
from hidato_opt.core.reading import as_puzzle
from hidato_opt.core.registry import kind_named


def generate(kind: str, **parameters: Any) -> Puzzle:
    """Make a puzzle that has a solution.

    Parameters
    ----------
    kind : str
        Kind of puzzle.
    **parameters
        Those of the kind's generator; for boards of the path family ``rows,
        cols, seed=0, unique=True, clues=None, lattice=None, closed=False,
        links=0``: see :func:`hidato_opt.path.generate.generate`.

    Raises
    ------
    UnknownOption
        There is no such kind or parameter.
    InvalidOption
        A parameter has a value that it cannot have.

    Examples
    --------
    >>> print(generate("numbrix", rows=3, cols=3, seed=2).name)
    numbrix_3x3_2
    """
    try:
        made: Puzzle = kind_named(kind).generate(kind=kind, **parameters)
    except TypeError as error:
        if "argument" not in str(error):
            raise
        raise UnknownOption(f"generating {kind}: {error}") from None
    return made


def explain(board: Any, **options: Any) -> Explanation:
    """Say why a puzzle has no solution.

    Parameters
    ----------
    board : Puzzle, or what one can be made of
        The puzzle.
    **options
        Run options: ``time_limit`` and ``seed`` count here.

    Returns
    -------
    Explanation
        For path puzzles a minimal set of clues that contradict each other:
        without any one of them the rest is solvable.

    Raises
    ------
    Undecided
        The time limit came before the answer.

    Examples
    --------
    >>> print(explain([[1, 0, 0, 2, 4]]))
    no path has 1 in row 1, column 1 and 2 in row 1, column 4
    """
    run = RunOptions.of(options)
    puzzle = as_puzzle(board)
    explanation: Explanation = (
        kind_named(puzzle.kind)
        .exact_module()
        .explain(puzzle, seed=run.seed, time_limit=run.time_limit)
    )
    return explanation
