"""Grid puzzles as mixed-integer programs, solved, and verified by their rules.

>>> import hidato_opt as ho
>>> result = ho.solve(ho.Hidato([[1, 0, 3], [0, 0, 4]]))
>>> print(result.status)
optimal

The names below are loaded when they are first used; importing the package
itself loads no solver.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_NAMES = {
    "analyse.counting": (
        "count_solutions",
        "is_unique",
        "solutions",
    ),
    "analyse.making": ("explain", "generate"),
    "core.count": ("Count",),
    "core.explanation": ("Explanation",),
    "core.errors": (
        "BackendUnavailable",
        "HidatoOptError",
        "InvalidExpression",
        "InvalidOption",
        "InvalidPuzzle",
        "NoSolution",
        "SolveInterrupted",
        "SolverFailed",
        "Undecided",
        "UnknownOption",
        "UnsupportedModel",
        "WrongAnswer",
    ),
    "core.options": ("RunOptions",),
    "core.puzzle": ("Violation",),
    "core.reading": (
        "as_puzzle",
        "loads",
        "read",
        "read_csv",
    ),
    "core.result": ("Result",),
    "core.status": (
        "Status",
        "WarmStartFate",
    ),
    "path.graph_puzzle": ("PathPuzzle",),
    "path.puzzle": (
        "Hidato",
        "Hopido",
        "KnightTour",
        "Numbrix",
        "Numgame",
    ),
    "path.signpost": ("Signpost",),
    "solve.pipeline": (
        "solve",
        "verify",
    ),
    "solve.puzzle_model": (
        "PuzzleModel",
        "build_model",
    ),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [
    "BackendUnavailable",
    "Count",
    "Explanation",
    "Hidato",
    "HidatoOptError",
    "Hopido",
    "InvalidExpression",
    "InvalidOption",
    "InvalidPuzzle",
    "KnightTour",
    "NoSolution",
    "Numbrix",
    "Numgame",
    "PathPuzzle",
    "PuzzleModel",
    "Result",
    "RunOptions",
    "Signpost",
    "SolveInterrupted",
    "SolverFailed",
    "Status",
    "Undecided",
    "UnknownOption",
    "UnsupportedModel",
    "Violation",
    "WarmStartFate",
    "WrongAnswer",
    "__version__",
    "as_puzzle",
    "build_model",
    "count_solutions",
    "explain",
    "generate",
    "is_unique",
    "loads",
    "read",
    "read_csv",
    "solutions",
    "solve",
    "verify",
]

if TYPE_CHECKING:
    from hidato_opt.analyse.counting import count_solutions, is_unique, solutions
    from hidato_opt.analyse.making import explain, generate
    from hidato_opt.core.count import Count
    from hidato_opt.core.errors import (
        BackendUnavailable,
        HidatoOptError,
        InvalidExpression,
        InvalidOption,
        InvalidPuzzle,
        NoSolution,
        SolveInterrupted,
        SolverFailed,
        Undecided,
        UnknownOption,
        UnsupportedModel,
        WrongAnswer,
    )
    from hidato_opt.core.explanation import Explanation
    from hidato_opt.core.options import RunOptions
    from hidato_opt.core.puzzle import Violation
    from hidato_opt.core.reading import as_puzzle, loads, read, read_csv
    from hidato_opt.core.result import Result
    from hidato_opt.core.status import Status, WarmStartFate
    from hidato_opt.path.graph_puzzle import PathPuzzle
    from hidato_opt.path.puzzle import Hidato, Hopido, KnightTour, Numbrix, Numgame
    from hidato_opt.path.signpost import Signpost
    from hidato_opt.solve.pipeline import solve, verify
    from hidato_opt.solve.puzzle_model import PuzzleModel, build_model


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"hidato_opt has no {name!r}; its names are {', '.join(_HOMES)}")
    value = getattr(import_module(f"hidato_opt.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


class _Package(ModuleType):
    """Keeps public names where a subpackage has the same one, such as ``solve``.

    The import system sets a subpackage as an attribute of its parent once it is
    loaded, whichever of its modules was asked for, and so would hide a name.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
