"""A check-up of every backend: whether it is there, which version, and that it answers right."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from hidato_opt.backends.base import Availability, Backend
from hidato_opt.backends.registry import BACKENDS, PULP_PREFIX, backend_named
from hidato_opt.core.errors import HidatoOptError, UnsupportedModel
from hidato_opt.core.options import RunOptions
from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.model import Model

TOY_SECONDS = 30.0
"""Time limit of a toy."""


@dataclass(frozen=True)
class Checkup:
    """What was found of one backend.

    Attributes
    ----------
    availability : Availability
        Whether it is there, its version and path.
    healthy : bool
        Whether it solved its toys to their known values.
    seconds : float
        What the toys took.
    problem : str
        What is wrong, and what to do about it.
    """

    availability: Availability
    healthy: bool
    seconds: float = 0.0
    problem: str = ""


def checkup_all() -> list[Checkup]:
    """Check every backend up, and every solver that PuLP finds."""
    return [checkup(backend_named(name)) for name in [*BACKENDS, *_pulp_names()]]


def checkup(backend: Backend) -> Checkup:
    """Solve toys with known values on a backend.

    The toys are a knapsack, and the mixed-integer model that HiGHS 1.14.0
    answers wrongly (HiGHS issue 2961), where the backend takes real variables.
    """
    availability = backend.availability()
    if not availability.usable:
        return Checkup(availability, healthy=False, problem=availability.problem)
    began = time.perf_counter()
    try:
        for model, expected in _toys():
            try:
                result = backend.solve(model, RunOptions(time_limit=TOY_SECONDS))
            except UnsupportedModel:
                continue
            if result.objective is None or abs(result.objective - expected) > 1e-6:
                said = f"{result.status}, objective {result.objective}"
                problem = f"wrong answer on {model.name!r}: {said} instead of {expected:g}"
                return Checkup(availability, healthy=False, problem=problem)
    except HidatoOptError as error:
        return Checkup(availability, healthy=False, problem=str(error))
    spent = time.perf_counter() - began
    return Checkup(availability, healthy=True, seconds=spent, problem=availability.problem)


def _toys() -> list[tuple[Model, float]]:
    items = IndexSet.range("K", 1, 3)
    knapsack = ModelBuilder("knapsack toy")
    take = knapsack.add_variables("take", items, "integer", upper=2)
    model = knapsack.build().add(take.dot([2, 3, 4]) <= 9, "weight").maximize(take.dot([3, 5, 6]))
    mixed = ModelBuilder("mixed toy")
    x = mixed.add_variables("x", IndexSet.range("X", 1, 1), "continuous")
    z = mixed.add_variables("z", IndexSet.range("Z", 1, 1), "integer", upper=np.inf)
    cheapest = mixed.build().add(x[1] + z[1] >= 4.5, "demand").minimize(2 * x[1] + 3 * z[1])
    return [(model, 14.0), (cheapest, 9.0)]


def _pulp_names() -> list[str]:
    from hidato_opt.backends.pulp_solvers import available_pulp_solvers

    return [f"{PULP_PREFIX}{name}" for name in available_pulp_solvers()]
