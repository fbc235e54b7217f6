"""The check-up: a backend is healthy when it solves toys to values known by hand."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from hidato_opt.backends import doctor
from hidato_opt.backends.base import Availability, Backend, RawResult, Session
from hidato_opt.backends.doctor import checkup, checkup_all
from hidato_opt.backends.highs import HighsBackend
from hidato_opt.backends.registry import BACKENDS
from hidato_opt.core.errors import BackendUnavailable, SolverFailed, UnsupportedModel
from hidato_opt.core.options import RunOptions
from hidato_opt.core.status import Status
from hidato_opt.modelling.model import Model


class Told(Backend):
    """Answers every model with the same objective, or raises."""

    name = "told"

    def __init__(
        self, answer: float | Exception | None, usable: bool = True, problem: str = ""
    ) -> None:
        self.answer = answer
        self.there = Availability("told", usable, "0.1", "/nowhere", problem)
        self.limits: list[float | None] = []

    def availability(self) -> Availability:
        return self.there

    def session(self, model: Model, options: RunOptions | None = None) -> Session:
        raise NotImplementedError

    def solve(
        self, model: Model, options: RunOptions | None = None, start: Any = None
    ) -> RawResult:
        assert options is not None
        self.limits.append(options.time_limit)
        if isinstance(self.answer, Exception):
            raise self.answer
        return RawResult(Status.OPTIMAL, "", "told", "0.1", objective=self.answer)


def test_the_toys_have_the_values_that_counting_gives() -> None:
    """Weights 2, 3, 4 up to 9, values 3, 5, 6, at most two of each; and 4.5 units at 2 a unit."""
    best = max(
        3 * a + 5 * b + 6 * c
        for a, b, c in itertools.product(range(3), repeat=3)
        if 2 * a + 3 * b + 4 * c <= 9
    )
    assert [value for _, value in doctor._toys()] == [best, 2 * 4.5]
    mixed = doctor._toys()[1][0]
    assert mixed.integer.tolist() == [False, True]


def test_highs_is_healthy() -> None:
    found = checkup(HighsBackend())
    assert found.healthy
    assert found.problem == ""
    assert found.seconds > 0
    assert found.availability.name == "highs"


def test_a_backend_that_is_not_there_is_not_run() -> None:
    backend = Told(14.0, usable=False, problem="install it")
    found = checkup(backend)
    assert (found.healthy, found.problem, backend.limits) == (False, "install it", [])


@pytest.mark.parametrize("answer", [15.0, None, -np.inf])
def test_a_wrong_answer_is_said_with_both_values(answer: float | None) -> None:
    found = checkup(Told(answer))
    assert not found.healthy
    assert found.problem == (
        f"wrong answer on 'knapsack toy': optimal, objective {answer} instead of 14"
    )


@pytest.mark.parametrize(
    "error", [SolverFailed("it crashed", "last words"), BackendUnavailable("no licence")]
)
def test_an_error_is_a_finding(error: Exception) -> None:
    found = checkup(Told(error))
    assert (found.healthy, found.problem) == (False, str(error))


def test_toys_that_the_backend_cannot_take_are_passed_over() -> None:
    assert checkup(Told(UnsupportedModel("real variables"))).healthy


def test_a_warning_is_handed_on_with_a_clean_bill() -> None:
    backend = Told(UnsupportedModel("x"), problem="an old release")
    found = checkup(backend)
    assert (found.healthy, found.problem) == (True, "an old release")
    assert backend.limits == [doctor.TOY_SECONDS] * 2


def test_all_backends_are_looked_at_the_default_among_them() -> None:
    found = checkup_all()
    names = [checked.availability.name for checked in found]
    assert names[: len(BACKENDS)] == list(BACKENDS)
    assert all(name.startswith("pulp:") for name in names[len(BACKENDS) :])
    assert next(checked for checked in found if checked.availability.name == "highs").healthy
    for checked in found:
        assert checked.healthy or checked.problem
