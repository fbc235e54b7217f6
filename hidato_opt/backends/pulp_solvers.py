"""PuLP's solvers by name: which there are, which run here, and what their constructors take."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from hidato_opt.core.errors import BackendUnavailable, InvalidOption, UnknownOption
from hidato_opt.core.options import RunOptions

CBC_COMMANDS = ("COIN_CMD", "PULP_CBC_CMD")
"""PuLP's names for CBC as an executable."""

_RESERVED = {
    *("self", "args", "kwargs", "solverParams", "mip", "msg", "logPath", "keepFiles"),
    *("timeLimit", "threads", "gapRel", "randomSeed", "warmStart"),
    *("callbackTuple", "callbacksToActivate"),
}
"""Arguments of PuLP's solvers that the run options set, or that have no place here."""


def available_pulp_solvers() -> list[str]:
    """List the solvers that PuLP can run here, by PuLP's names."""
    import pulp

    return sorted(set(pulp.listSolvers(onlyAvailable=True)))


def solver_path(name: str, options: Mapping[str, Any]) -> str:
    """Make sure that PuLP can run a solver, and return where it finds it, as far as it says so.

    Raises
    ------
    UnknownOption
        PuLP has no solver of that name.
    BackendUnavailable
        PuLP cannot run it here.
    InvalidOption
        The solver's constructor refuses the options.
    """
    solver = _made(name, options)
    if not solver.available():
        raise BackendUnavailable(
            f"PuLP knows the solver {name} but cannot run it here: install it first; "
            f"those it can run are {', '.join(available_pulp_solvers())}"
        )
    return str(getattr(solver, "path", "") or "")


def check_options(name: str, options: Mapping[str, Any]) -> None:
    """Make sure that options are arguments of a solver's constructor, and none of ours.

    Raises
    ------
    UnknownOption
        PuLP has no such solver, or the solver no such option.
    """
    parameters = _parameters(name)
    offered = [each for each in parameters if each not in _RESERVED and not each.startswith("_")]
    for option in options:
        if option not in offered:
            raise UnknownOption.of(f"option of PuLP's {name}", option, offered)


def takes_start(name: str) -> bool:
    """Whether PuLP can give the solver a MIP start."""
    return "warmStart" in _parameters(name)


def constructor_arguments(name: str, options: RunOptions) -> dict[str, Any]:
    """Word run options as keywords of a solver's constructor, those that it takes."""
    parameters = _parameters(name)
    # To CBC one thread is not the same as no word about threads.
    threads = None if name in CBC_COMMANDS and options.threads == 1 else options.threads
    wanted = {"threads": threads, "gapRel": options.gap, "randomSeed": options.seed or None}
    fitting = {
        keyword: value
        for keyword, value in wanted.items()
        if keyword in parameters and value is not None
    }
    return {"msg": True, **_quiet(name), **fitting, **options.options}


def _parameters(name: str) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(type(_made(name, {})).__init__).parameters


def _made(name: str, options: Mapping[str, Any]) -> Any:
    import pulp

    known = pulp.listSolvers()
    if name not in known:
        raise UnknownOption.of("PuLP solver", name, set(known))
    try:
        return pulp.getSolver(name, msg=False, **_quiet(name), **options)
    except pulp.PulpError as error:
        raise InvalidOption(f"PuLP's {name} refuses {dict(options)}: {error}") from error


def _quiet(name: str) -> dict[str, bool]:
    """Return the argument with which PuLP 3 does not warn that PuLP 4 has no PULP_CBC_CMD."""
    return {"_skip_v4_deprecation": True} if name == "PULP_CBC_CMD" else {}
