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
    "path.puzzle": (
        "Hidato",
        "Numbrix",
    ),
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
    "Hidato",
    "HidatoOptError",
    "InvalidExpression",
    "InvalidOption",
    "InvalidPuzzle",
    "NoSolution",
    "Numbrix",
    "PuzzleModel",
    "Result",
    "RunOptions",
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
    "loads",
    "read",
    "read_csv",
    "solve",
    "verify",
]

if TYPE_CHECKING:
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
    from hidato_opt.core.options import RunOptions
    from hidato_opt.core.puzzle import Violation
    from hidato_opt.core.reading import as_puzzle, loads, read, read_csv
    from hidato_opt.core.result import Result
    from hidato_opt.core.status import Status, WarmStartFate
    from hidato_opt.path.puzzle import Hidato, Numbrix
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
