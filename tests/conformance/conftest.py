"""The backends under test: what each of them lacks is a table here, not a branch in a check."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

from hidato_opt.backends.base import Availability, Backend
from hidato_opt.backends.registry import backend_named
from hidato_opt.core.errors import UnknownOption

pytest.register_assert_rewrite("conformance.checks")

PULP_MAJOR = int(importlib.metadata.version("pulp").split(".")[0])


@dataclass(frozen=True)
class Profile:
    """How a check has to address a backend.

    Attributes
    ----------
    lacks : mapping
        What the backend cannot do, and why: a check that needs it is skipped.
    node_limit : mapping
        Its own options that stop it almost at once, other than by the clock.
    known_option : str
        A name that an error about an unknown option must list.
    wrong_option : mapping
        An option of its own with a value of the wrong type.
    contradicts_itself : str
        The versions that are known to call the model of `reported_infeasible`
        infeasible; then `WrongAnswer` is the least we ask.
    starts_python : bool
        Whether every solve starts a Python, so that many of them are slow.
    """

    lacks: Mapping[str, str] = field(default_factory=dict)
    node_limit: Mapping[str, Any] = field(default_factory=dict)
    known_option: str = ""
    wrong_option: Mapping[str, Any] = field(default_factory=dict)
    contradicts_itself: str = ""
    starts_python: bool = False


FEATURES = (
    "real values",
    "open bounds",
    "duals",
    "node limit",
    "own options",
    "checked values",
    "starts",
    "partial starts",
    "last words",
)
"""Words that ``@pytest.mark.needs`` may use."""

THROUGH_PULP = {
    "duals": "the pulp backends read no duals",
    "checked values": "PuLP's solvers do not check the values of their arguments",
    "last words": "PuLP's solvers keep their incumbent to themselves when they are interrupted",
}

CBC_THROUGH_PULP = (
    THROUGH_PULP
    | {"partial starts": "PuLP sends zeros for open values"}
    | ({} if PULP_MAJOR > 3 else {"node limit": "PuLP 3 does not say why CBC stopped"})
)

PROFILES = {
    "highs": Profile(
        node_limit={"mip_max_nodes": 1},
        known_option="mip_max_nodes",
        wrong_option={"mip_max_nodes": "many"},
    ),
    "cbc": Profile(
        node_limit={"maxNodes": 1},
        known_option="maxNodes",
        wrong_option={"maxNodes": "many"},
        contradicts_itself="2.10",
    ),
    "cpsat": Profile(
        lacks={
            "real values": "CP-SAT takes whole-number variables only",
            "open bounds": "CP-SAT needs finite bounds on every variable",
            "duals": "CP-SAT takes no linear programs",
        },
        node_limit={"max_number_of_conflicts": 1},
        known_option="max_number_of_conflicts",
        wrong_option={"max_number_of_conflicts": "many"},
    ),
    "pulp:HiGHS": Profile(
        lacks=THROUGH_PULP
        | {"node limit": "PuLP's HiGHS has no argument for it"}
        | ({} if PULP_MAJOR > 3 else {"starts": "PuLP 3's HiGHS takes no start"}),
        known_option="gapAbs",
        starts_python=True,
    ),
    "pulp:PULP_CBC_CMD": Profile(
        lacks=CBC_THROUGH_PULP,
        node_limit={"maxNodes": 1},
        known_option="maxNodes",
        contradicts_itself="2.10",
        starts_python=True,
    ),
    "pulp:COIN_CMD": Profile(
        lacks=CBC_THROUGH_PULP,
        node_limit={"maxNodes": 1},
        known_option="maxNodes",
        contradicts_itself="2.10",
        starts_python=True,
    ),
}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs(feature, ...): what a backend must be able to do")
    config.addinivalue_line("markers", "many_solves: slow where every solve starts a Python")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if not isinstance(item, pytest.Function) or not item.get_closest_marker("many_solves"):
            continue
        if PROFILES[item.callspec.params["backend"]].starts_python:
            item.add_marker(pytest.mark.slow)


@cache
def availability(name: str) -> Availability:
    try:
        return backend_named(name).availability()
    except UnknownOption as error:
        return Availability(name, usable=False, problem=str(error))


@pytest.fixture(params=list(PROFILES))
def backend(request: pytest.FixtureRequest) -> Backend:
    """Each backend in turn; one that is not on this machine, or lacks a feature, is skipped."""
    name: str = request.param
    found = availability(name)
    if not found.usable:
        pytest.skip(f"{name}: {found.problem}")
    for marker in request.node.iter_markers("needs"):
        for feature in marker.args:
            assert feature in FEATURES
            if feature in PROFILES[name].lacks:
                pytest.skip(f"{name}: {PROFILES[name].lacks[feature]}")
    return backend_named(name)


@pytest.fixture
def profile(backend: Backend, request: pytest.FixtureRequest) -> Profile:
    """The table's entry of the backend under test."""
    return PROFILES[request.node.callspec.params["backend"]]
