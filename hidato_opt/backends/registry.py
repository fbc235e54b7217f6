"""The backends by name, as lazy module strings: adding one is a line here."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from hidato_opt.core.errors import UnknownOption

if TYPE_CHECKING:
    from hidato_opt.backends.base import Backend

BACKENDS: dict[str, str] = {
    "highs": "hidato_opt.backends.highs:HighsBackend",
    "cbc": "hidato_opt.backends.cbc:CbcBackend",
    "cpsat": "hidato_opt.backends.cpsat:CpSatBackend",
}

PULP_PREFIX = "pulp:"
"""``pulp:NAME`` reaches any solver that PuLP offers, by PuLP's name for it."""

DEFAULT_BACKEND = "highs"


@cache
def backend_named(name: str) -> Backend:
    """Return a backend; the solver itself is imported when it is first used.

    Raises
    ------
    UnknownOption
        There is no backend of that name.

    Examples
    --------
    >>> backend_named("highs").name
    'highs'
    """
    if not isinstance(name, str):
        raise UnknownOption.of("backend", name, [*BACKENDS, f"{PULP_PREFIX}NAME"])
    if name.startswith(PULP_PREFIX):
        from hidato_opt.backends.pulp_backend import PulpBackend

        reached: Backend = PulpBackend(name.removeprefix(PULP_PREFIX))
        return reached
    if name not in BACKENDS:
        raise UnknownOption.of("backend", name, [*BACKENDS, f"{PULP_PREFIX}NAME"])
    module, _, attribute = BACKENDS[name].partition(":")
    made: Backend = getattr(import_module(module), attribute)()
    return made
