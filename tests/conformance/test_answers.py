"""Answers that were worked out another way: by hand, by dynamic programming, by brute force."""

from __future__ import annotations

import math
import pickle
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from conformance.checks import assert_optimal, assert_without_point
from conformance.conftest import Profile
from conformance.models import (
    brute_force,
    columns,
    knapsack,
    mixed,
    packing,
    random_program,
    reported_infeasible,
    row,
)
from hidato_opt.backends.base import Backend, RawResult
from hidato_opt.core.errors import WrongAnswer
from hidato_opt.core.status import Status
from hidato_opt.modelling.constraints import at_least
from hidato_opt.modelling.model import Model


@pytest.mark.needs("real values")
def test_linear_program_at_a_corner(backend: Backend) -> None:
    """3x + 2y, x + y <= 4, x + 3y <= 9, x <= 3: the corner (3, 1) gives 11."""
    model = columns(2, "continuous", upper=[3.0, math.inf])
    model = model.add(model.x[1] + model.x[2] <= 4, name="both")
    model = model.add(model.x[1] + 3 * model.x[2] <= 9, name="slack")
    model = model.maximize(3 * model.x[1] + 2 * model.x[2])
    result = backend.solve(model)
    assert_optimal(model, result, 11.0)
    assert result.values == pytest.approx([3.0, 1.0])


@pytest.mark.needs("real values", "duals")
def test_duals_of_a_maximum(backend: Backend) -> None:
    """A dual is what one more unit on the right adds to the optimum, a reduced cost one of x.

    3x + 2y, x + y <= 4, x + 3y <= 9, x <= 3: a unit more of the first row is
    one more y, worth 2; the second row has room; one more x takes a y, 3 - 2.
    """
    model = columns(2, "continuous", upper=[3.0, math.inf])
    model = model.add(model.x[1] + model.x[2] <= 4, name="both")
    model = model.add(model.x[1] + 3 * model.x[2] <= 9, name="slack")
    result = backend.solve(model.maximize(3 * model.x[1] + 2 * model.x[2] + 100))
    assert result.row_duals == pytest.approx([2.0, 0.0])
    assert result.reduced_costs == pytest.approx([1.0, 0.0])


@pytest.mark.needs("real values", "duals")
def test_duals_of_a_minimum(backend: Backend) -> None:
    """2x + 3y, x + y >= 4, y - x <= 5, x <= 3: at (3, 1) demand costs 3 a unit, x spares 3 - 2."""
    model = columns(2, "continuous", upper=[3.0, math.inf])
    model = model.add(model.x[1] + model.x[2] >= 4, name="demand")
    model = model.add(model.x[2] - model.x[1] <= 5, name="slack")
    model = model.minimize(2 * model.x[1] + 3 * model.x[2])
    result = backend.solve(model)
    assert_optimal(model, result, 9.0)
    assert result.row_duals == pytest.approx([3.0, 0.0])
    assert result.reduced_costs == pytest.approx([-1.0, 0.0])


@pytest.mark.needs("real values")
def test_no_duals_of_an_integer_program(backend: Backend) -> None:
    result = backend.solve(mixed())
    assert result.row_duals is None
    assert result.reduced_costs is None


@pytest.mark.needs("real values", "open bounds")
def test_mixed_program_that_highs_1_14_got_wrong(backend: Backend) -> None:
    model = mixed()
    result = backend.solve(model)
    assert_optimal(model, result, 9.0)
    assert result.values == pytest.approx([4.5, 0.0])


@pytest.mark.many_solves
@pytest.mark.parametrize("order", range(10))
def test_feasible_model_that_cbc_2_10_calls_infeasible(
    backend: Backend, profile: Profile, order: int
) -> None:
    """The right answer or, of a CBC 2.10, an error that names both verdicts; never "infeasible"."""
    model = reported_infeasible(order)
    answer = _answer_or_refusal(backend, model)
    if isinstance(answer, WrongAnswer):
        assert profile.contradicts_itself
        assert profile.contradicts_itself in answer.stage
        assert re.search("infeasible.*finds a point", answer.complaint)
    else:
        assert_optimal(model, answer, 0.0)


def test_optimum_that_cbc_2_10_misses(backend: Backend) -> None:
    """-3x - 2y - 4z - 7, 5 <= 3x + 4y <= 8, x binary, y in 0..2, z in -2..2.

    z = -2 is best, and (x, y) may be (0, 2) or (1, 1): 4 or 5 off 8 - 7, so -3
    and not -4, which is what preprocessing of CBC 2.10.3 makes of it.
    """
    model = columns(3, lower=[0.0, 0.0, -2.0], upper=[1.0, 2.0, 2.0])
    model = model.add(row(model.x, [3.0, 4.0, 0.0], 5.0, 8.0), name="range")
    model = model.maximize(model.x.dot([-3, -2, -4]) - 7)
    result = backend.solve(model)
    assert_optimal(model, result, -3.0)
    assert result.values.tolist() == [0.0, 2.0, -2.0]


def test_infeasible_model_on_which_cbc_2_10_crashes(backend: Backend) -> None:
    """2x = 5 in whole numbers, and a second variable that is in no row but in the objective.

    CBC 2.10.3 without preprocessing says "infeasible" and then crashes.
    """
    model = columns(2, lower=-2.0, upper=[3.0, 0.0])
    model = model.add(row(model.x, [-2.0, 0.0], -5.0, -5.0), name="half")
    model = model.minimize(3 * model.x[1] + model.x[2] + 3)
    assert_without_point(backend.solve(model), Status.INFEASIBLE)


@pytest.mark.many_solves
@pytest.mark.parametrize("seed", range(3))
def test_knapsack_against_dynamic_programming(backend: Backend, seed: int) -> None:
    instance = knapsack(seed)
    model = instance.model()
    assert_optimal(model, backend.solve(model), instance.best)


@pytest.mark.many_solves
@pytest.mark.parametrize(
    "batch", [0, *(pytest.param(number, marks=pytest.mark.slow) for number in (1, 2, 3))]
)
def test_random_programs_against_brute_force(backend: Backend, batch: int) -> None:
    """50 programs a batch; about a third of them have no point at all."""
    verdicts = set()
    for seed in range(50 * batch, 50 * batch + 50):
        model = random_program(seed)
        expected = brute_force(model)
        result = backend.solve(model)
        if expected is None:
            assert_without_point(result, Status.INFEASIBLE)
        else:
            assert_optimal(model, result, expected)
        verdicts.add(result.status)
    assert verdicts == {Status.OPTIMAL, Status.INFEASIBLE}


def test_a_model_solved_twice_gives_the_same_answer(backend: Backend) -> None:
    model = knapsack(4).model()
    before = model.content_hash
    first, second = backend.solve(model), backend.solve(model)
    assert first.values.tolist() == second.values.tolist()
    assert model.content_hash == before == knapsack(4).model().content_hash


def test_a_pickled_model_gives_the_same_answer(backend: Backend) -> None:
    model = knapsack(5).model()
    copy = pickle.loads(pickle.dumps(model))
    assert copy.content_hash == model.content_hash
    assert backend.solve(copy).values.tolist() == backend.solve(model).values.tolist()


@pytest.mark.many_solves
def test_eight_threads_agree_with_dynamic_programming(backend: Backend) -> None:
    instances = [knapsack(seed, items=15) for seed in range(10, 18)]
    models = [instance.model() for instance in instances]
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(backend.solve, models))
    for instance, model, result in zip(instances, models, results, strict=True):
        assert_optimal(model, result, instance.best)


def test_two_models_alive_at_once_do_not_mix(backend: Backend) -> None:
    """At most two of six, and a knapsack, in two open sessions with turns."""
    instance = knapsack(6)
    few, many = packing(), instance.model()
    with backend.session(few) as first, backend.session(many) as second:
        assert_optimal(few, first.solve(), 2.0)
        assert_optimal(many, second.solve(), instance.best)
        first.add_rows(at_least(few.x.take([0, 1]), 2, by=()), name="those")
        result = first.solve()
        assert_optimal(first.model, result, 2.0)
        assert result.values.tolist() == [1.0, 1.0, 0.0, 0.0, 0.0, 0.0]
        assert_optimal(many, second.solve(), instance.best)


def _answer_or_refusal(backend: Backend, model: Model) -> RawResult | WrongAnswer:
    try:
        return backend.solve(model)
    except WrongAnswer as error:
        return error
