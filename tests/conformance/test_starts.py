"""MIP starts: what became of them is read from the solver, and the answer is right regardless.

The model is a knapsack in two dimensions that presolve does not settle, so
that the solver looks at the start.
"""

from __future__ import annotations

import numpy as np
import pytest

from conformance.checks import assert_optimal
from conformance.models import Knapsack, columns, knapsack
from hidato_opt.backends.base import Backend
from hidato_opt.core.errors import InvalidOption
from hidato_opt.core.status import Status, WarmStartFate
from hidato_opt.modelling.constraints import at_most
from hidato_opt.modelling.points import PartialPoint

TAKEN = (WarmStartFate.ACCEPTED, WarmStartFate.REPAIRED)


@pytest.fixture(scope="module")
def instance() -> Knapsack:
    return knapsack(40, items=24, dimensions=2)


@pytest.fixture(scope="module")
def best(instance: Knapsack) -> int:
    return instance.best


@pytest.mark.needs("starts")
def test_complete_start_is_accepted(backend: Backend, instance: Knapsack, best: int) -> None:
    model = instance.model()
    result = backend.solve(model, start=instance.greedy())
    assert result.warm_start == WarmStartFate.ACCEPTED, result
    assert result.warm_start_reason
    assert_optimal(model, result, best)


def test_start_on_a_settled_model(backend: Backend) -> None:
    """Presolve may answer before it looks at the start, and must not claim to have rejected it."""
    model = columns(2, "binary")
    model = model.add(model.x.sum() == 2, name="both")
    result = backend.solve(model, start=[1, 1])
    assert result.warm_start in (WarmStartFate.ACCEPTED, WarmStartFate.NOT_TRIED), result
    assert_optimal(model, result, 0.0)


@pytest.mark.needs("starts", "partial starts")
def test_partial_start_is_completed(backend: Backend, instance: Knapsack, best: int) -> None:
    """The items that the greedy choice takes are said, and nothing of the others."""
    model = instance.model()
    start = np.where(np.array(instance.greedy()) == 1, 1.0, np.nan)
    result = backend.solve(model, start=start)
    assert result.warm_start in TAKEN, result
    assert_optimal(model, result, best)


def test_open_values_are_not_sent_as_zeros(backend: Backend) -> None:
    """Four of eight, two said to be in: with zeros for the rest the start would be broken."""
    model = columns(8, "binary")
    model = model.add(model.x.sum() == 4, name="four")
    model = model.add(model.x.dot([3, 5, 7, 11, 13, 17, 19, 23]) >= 45, name="heavy")
    model = model.minimize(model.x.dot([4, 5, 6, 9, 8, 7, 12, 11]))
    start = PartialPoint.of_pairs([(0, 1.0), (7, 1.0)])
    result = backend.solve(model, start=start)
    assert result.warm_start != WarmStartFate.REJECTED, result
    # By hand: 3 + 5 + 17 + 23 = 48 costs 27, and no four that weigh 45 cost 26.
    assert_optimal(model, result, 27.0)


def test_infeasible_start_is_rejected_by_its_row(
    backend: Backend, instance: Knapsack, best: int
) -> None:
    model = instance.model()
    result = backend.solve(model, start=np.ones(model.num_columns))
    assert result.warm_start == WarmStartFate.REJECTED
    assert "weight_1" in result.warm_start_reason
    assert_optimal(model, result, best)


def test_start_that_is_not_whole_is_rejected_by_its_variable(backend: Backend) -> None:
    instance = knapsack(41)
    model = instance.model()
    result = backend.solve(model, start=[0.5] + [0.0] * 19)
    assert result.warm_start == WarmStartFate.REJECTED
    assert "x[1]" in result.warm_start_reason
    assert_optimal(model, result, instance.best)


def test_start_of_another_length_is_an_error(backend: Backend, instance: Knapsack) -> None:
    with pytest.raises(InvalidOption, match="24 values"):
        backend.solve(instance.model(), start=[1.0, 0.0])


def test_start_does_not_make_an_infeasible_model_feasible(backend: Backend) -> None:
    model = columns(3, upper=5.0)
    model = model.add(model.x.dot([2, 2, 4]) == 9, name="odd")
    result = backend.solve(model, start=PartialPoint.of_pairs([(0, 1.0)]))
    assert result.status == Status.INFEASIBLE
    assert result.warm_start in (WarmStartFate.NOT_TRIED, WarmStartFate.REJECTED)


@pytest.mark.needs("starts")
def test_start_is_taken_again_after_a_cut(backend: Backend, instance: Knapsack) -> None:
    """Solvers drop a start when rows come after it; a session sends it last, in every round."""
    model = instance.model()
    start = np.array(instance.greedy(), dtype=float)
    with backend.session(model) as session:
        assert session.solve(start).warm_start == WarmStartFate.ACCEPTED
        most = int(start.sum())
        session.add_rows(at_most(model.x, most, by=()), name="cut")
        result = session.solve(start)
    assert result.warm_start == WarmStartFate.ACCEPTED, result
    assert result.status == Status.OPTIMAL
    assert result.values.sum() <= most
    assert result.objective >= float(model.cost @ start)


def test_start_that_a_cut_breaks_is_rejected(backend: Backend, instance: Knapsack) -> None:
    model = instance.model()
    start = np.array(instance.greedy(), dtype=float)
    with backend.session(model) as session:
        session.add_rows(at_most(model.x, start.sum() - 1, by=()), name="cut")
        result = session.solve(start)
    assert result.warm_start == WarmStartFate.REJECTED
    assert "cut[" in result.warm_start_reason
    assert result.status == Status.OPTIMAL
