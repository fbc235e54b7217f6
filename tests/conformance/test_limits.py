"""Runs that end before their proof, and options that are refused."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

import pytest

from conformance.checks import assert_optimal, assert_point, assert_without_point
from conformance.conftest import Profile
from conformance.models import knapsack, market_split, packing
from hidato_opt.backends.base import Backend
from hidato_opt.core.errors import InvalidOption, UnknownOption
from hidato_opt.core.options import RunOptions
from hidato_opt.core.status import Status


@pytest.mark.parametrize("seconds", [0, 0.7])
def test_time_limit_without_an_incumbent(backend: Backend, seconds: float) -> None:
    """No point within the limit: values raise, and the run is not much longer than its limit."""
    model = market_split()
    began = time.perf_counter()
    result = backend.solve(model, RunOptions(time_limit=seconds))
    assert time.perf_counter() - began < seconds + 5
    assert_without_point(result, Status.TIME_LIMIT)


def test_time_limit_with_an_incumbent(backend: Backend) -> None:
    """A knapsack in five dimensions has points at once and no proof within the limit."""
    instance = knapsack(30, items=120, dimensions=5)
    model = instance.model()
    result = backend.solve(model, RunOptions(time_limit=1.5))
    assert result.status == Status.TIME_LIMIT
    assert_point(model, result)
    greedy = float(model.cost @ instance.greedy())
    assert result.objective >= greedy
    if result.bound is not None:
        assert result.bound >= result.objective


def test_limit_of_one_run_in_a_session(backend: Backend) -> None:
    """The limit given to `solve` holds for that run alone, and each run has its own."""
    model = market_split()
    with backend.session(model, RunOptions(time_limit=600)) as session:
        for _ in range(2):
            began = time.perf_counter()
            assert_without_point(session.solve(time_limit=0.4), Status.TIME_LIMIT)
            assert 0.2 < time.perf_counter() - began < 5.4


@pytest.mark.needs("node limit")
def test_node_limit(backend: Backend, profile: Profile) -> None:
    result = backend.solve(market_split(), RunOptions(time_limit=60, options=profile.node_limit))
    assert_without_point(result, Status.NODE_LIMIT)


def test_gap(backend: Backend) -> None:
    """With a gap of a half the value may be half the best; "optimal" still means the best."""
    instance = knapsack(31, items=24, dimensions=2)
    model, best = instance.model(), instance.best
    result = backend.solve(model, RunOptions(gap=0.5))
    assert_point(model, result)
    assert 0.5 * best <= result.objective <= best
    assert result.bound is None or result.bound >= best - 1e-6
    if result.status != Status.GAP_LIMIT:
        assert_optimal(model, result, best)


def test_no_gap_is_exact(backend: Backend) -> None:
    """Solvers stop at a gap of 1e-4 by themselves: 100,000 and a knapsack need an exact proof."""
    instance = knapsack(32)
    model = instance.model()
    model = model.maximize(model.x.dot(instance.values) + 100_000)
    assert_optimal(model, backend.solve(model), 100_000 + instance.best)


def test_seed_is_taken(backend: Backend) -> None:
    instance = knapsack(33)
    model = instance.model()
    for seed in (1, 2**31 - 1):
        assert_optimal(model, backend.solve(model, RunOptions(seed=seed)), instance.best)


def test_threads_are_taken(backend: Backend) -> None:
    """In a process of its own, for HiGHS takes one number of threads a process."""
    program = (
        "import sys; from hidato_opt.backends.registry import backend_named;"
        "from hidato_opt.core.options import RunOptions; from conformance.models import packing;"
        "print(backend_named(sys.argv[1]).solve(packing(), RunOptions(threads=2)).objective)"
    )
    folder = str(next(path for path in sys.path if path.endswith("tests")))
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.append({folder!r}); {program}", backend.name],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout.strip(), done.stderr.strip()) == ("2.0", "")


@pytest.mark.needs("own options")
def test_unknown_option(backend: Backend, profile: Profile) -> None:
    with pytest.raises(UnknownOption, match=profile.known_option) as caught:
        backend.session(packing(), RunOptions(options={"no_such_option": 1}))
    assert "no_such_option" in str(caught.value)


@pytest.mark.needs("checked values")
def test_option_with_a_wrong_value(backend: Backend, profile: Profile) -> None:
    (name,) = profile.wrong_option
    with pytest.raises(InvalidOption, match=name):
        backend.solve(packing(), RunOptions(options=profile.wrong_option))


@pytest.mark.parametrize(
    "given",
    [
        {"time_limit": -1},
        {"time_limit": float("nan")},
        {"time_limit": "60"},
        {"gap": -0.1},
        {"gap": float("inf")},
        {"threads": 0},
        {"threads": 1.5},
        {"seed": -1},
        {"seed": 2**31},
        {"options": ["presolve"]},
    ],
    ids=str,
)
def test_run_options_with_a_wrong_value(given: dict[str, Any]) -> None:
    (name,) = given
    with pytest.raises(InvalidOption, match=name):
        RunOptions.of(given)


def test_run_option_that_is_not_known() -> None:
    with pytest.raises(UnknownOption, match="time_limit"):
        RunOptions.of({"timelimit": 60})
