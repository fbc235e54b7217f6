"""Verdicts on models small enough to be solved by hand."""

from __future__ import annotations

import numpy as np
import pytest

from conformance.checks import assert_optimal, assert_without_point
from conformance.models import columns, packing, row
from hidato_opt.backends.base import Availability, Backend
from hidato_opt.backends.registry import DEFAULT_BACKEND
from hidato_opt.core.status import Status
from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.rows import RowBlock


def test_backends_say_whether_they_can_run(availabilities: dict[str, Availability]) -> None:
    """The default one always can; one that cannot says how to get it."""
    assert availabilities[DEFAULT_BACKEND].usable
    for name, found in availabilities.items():
        assert found.name == name
        assert found.version if found.usable else "install" in found.problem


def test_reports_who_answered_and_how_long_it_took(backend: Backend) -> None:
    result = backend.solve(packing())
    assert result.backend == backend.name
    assert result.backend_version
    assert result.native_status
    assert result.seconds["solve"] > 0
    assert all(seconds >= 0 for seconds in result.seconds.values())
    assert result.warm_start is None


def test_constant_objective_is_optimal_at_any_point(backend: Backend) -> None:
    model = columns(3, "binary")
    model = model.add(model.x.sum() == 2, name="two").minimize(7.5)
    assert_optimal(model, backend.solve(model), 7.5)


def test_maximum_with_a_constant(backend: Backend) -> None:
    """2x + y + 10 with x + y <= 4, x <= 3: x = 3, y = 1 gives 17."""
    model = columns(2, upper=[3.0, 9.0])
    model = model.add(model.x[1] + model.x[2] <= 4, name="both")
    model = model.maximize(2 * model.x[1] + model.x[2] + 10)
    assert_optimal(model, backend.solve(model), 17.0)


def test_minimum_with_a_constant(backend: Backend) -> None:
    """3x + 2y - 5, x + 2y >= 5: (0, 3), (1, 2), (3, 1), (5, 0) cost 6, 7, 11, 15 before the -5."""
    model = columns(2, upper=9.0)
    model = model.add(model.x[1] + 2 * model.x[2] >= 5, name="demand")
    model = model.minimize(3 * model.x[1] + 2 * model.x[2] - 5)
    assert_optimal(model, backend.solve(model), 1.0)


def test_negative_bounds(backend: Backend) -> None:
    """3x - 2y, x in -7..-2, y in -3..4, x + y >= -4: x = -2 leaves y = -2, and -6 + 4 = -2."""
    model = columns(2, lower=[-7.0, -3.0], upper=[-2.0, 4.0])
    model = model.add(model.x[1] + model.x[2] >= -4, name="least")
    model = model.maximize(3 * model.x[1] - 2 * model.x[2])
    result = backend.solve(model)
    assert_optimal(model, result, -2.0)
    assert result.values.tolist() == [-2.0, -2.0]


@pytest.mark.parametrize(("sense", "value"), [("minimize", 4.0), ("maximize", 7.0)])
def test_ranged_row(backend: Backend, sense: str, value: float) -> None:
    """3.5 <= x + y <= 7.9 leaves the whole numbers 4 to 7."""
    model = columns(2, upper=5.0)
    model = model.add(row(model.x, [1.0, 1.0], 3.5, 7.9), name="between")
    model = getattr(model, sense)(model.x.sum())
    assert_optimal(model, backend.solve(model), value)


@pytest.mark.parametrize(("sense", "value"), [("minimize", 2.0), ("maximize", 7.0)])
def test_equality(backend: Backend, sense: str, value: float) -> None:
    """3x + 5y = 31 up to 10 has the solutions (2, 5) and (7, 2) alone."""
    model = columns(2, upper=10.0)
    model = model.add(3 * model.x[1] + 5 * model.x[2] == 31, name="sum")
    model = getattr(model, sense)(model.x[1])
    assert_optimal(model, backend.solve(model), value)


def test_fractional_coefficients(backend: Backend) -> None:
    """0.1 x + 0.25 y <= 0.9, x <= 5: the best 5x + 3y at y = 0, 1, 2, 3 are 25, 28, 26, 14."""
    model = columns(2, upper=5.0)
    model = model.add(0.1 * model.x[1] + 0.25 * model.x[2] <= 0.9, name="cap")
    model = model.maximize(5 * model.x[1] + 3 * model.x[2])
    assert_optimal(model, backend.solve(model), 28.0)


def test_free_row_says_nothing(backend: Backend) -> None:
    model = columns(2, upper=3.0)
    model = model.add(row(model.x, [1.0, 1.0]), name="free").maximize(model.x.sum())
    assert_optimal(model, backend.solve(model), 6.0)


@pytest.mark.parametrize(("lower", "upper"), [(-np.inf, 1.0), (-1.0, np.inf), (0.0, 0.0)])
def test_empty_row_that_holds(backend: Backend, lower: float, upper: float) -> None:
    model = columns(1, upper=3.0)
    model = model.add(row(model.x, [], lower, upper), name="empty").maximize(model.x[1])
    assert_optimal(model, backend.solve(model), 3.0)


@pytest.mark.parametrize(("lower", "upper"), [(1.0, np.inf), (-np.inf, -1.0), (1.0, 1.0)])
def test_empty_row_that_cannot_hold(backend: Backend, lower: float, upper: float) -> None:
    model = columns(1, upper=3.0)
    model = model.add(row(model.x, [], lower, upper), name="empty")
    assert_without_point(backend.solve(model), Status.INFEASIBLE)


def test_infeasible_bounds(backend: Backend) -> None:
    model = columns(2, lower=[0.0, 2.0], upper=[3.0, 1.0]).minimize(0)
    assert_without_point(backend.solve(model), Status.INFEASIBLE)


def test_infeasible_rows(backend: Backend) -> None:
    model = columns(2, "binary")
    model = model.add(model.x.sum() >= 2, name="both")
    model = model.add(model.x[1] + 2 * model.x[2] <= 2, name="not_both")
    assert_without_point(backend.solve(model.maximize(model.x[1])), Status.INFEASIBLE)


def test_infeasible_by_parity(backend: Backend) -> None:
    """2x + 2y = 3 has real points and no whole one."""
    model = columns(2, upper=5.0)
    model = model.add(2 * model.x[1] + 2 * model.x[2] == 3, name="odd")
    assert_without_point(backend.solve(model), Status.INFEASIBLE)


@pytest.mark.needs("open bounds")
@pytest.mark.parametrize("kind", ["integer", "continuous"])
def test_unbounded(backend: Backend, kind: str) -> None:
    """x + y along x = y + 1 grows for ever; there are points, so "infeasible" is wrong too."""
    model = columns(2, kind)
    model = model.add(model.x[1] - model.x[2] == 1, name="ray").maximize(model.x.sum())
    result = backend.solve(model)
    assert result.status in (Status.UNBOUNDED, Status.INFEASIBLE_OR_UNBOUNDED), result


@pytest.mark.needs("open bounds")
def test_infeasible_with_an_unbounded_direction(backend: Backend) -> None:
    """y may grow for ever, and 2x = 1 has no whole point: infeasible, or not told apart."""
    model = columns(2)
    model = model.add(row(model.x, [2.0, 0.0], 1.0, 1.0), name="half").maximize(model.x[2])
    assert_without_point(backend.solve(model), Status.INFEASIBLE, Status.INFEASIBLE_OR_UNBOUNDED)


def test_no_rows(backend: Backend) -> None:
    model = columns(2, lower=-2.0, upper=4.0)
    model = model.maximize(model.x[1] - 3 * model.x[2])
    result = backend.solve(model)
    assert_optimal(model, result, 10.0)
    assert result.values.tolist() == [4.0, -2.0]


def test_no_rows_and_no_objective(backend: Backend) -> None:
    model = columns(3, "binary")
    assert_optimal(model, backend.solve(model), 0.0)


def test_no_columns(backend: Backend) -> None:
    model = ModelBuilder("nothing").build().minimize(3.0)
    result = backend.solve(model)
    assert_optimal(model, result, 3.0)
    assert result.values.shape == (0,)


def test_no_columns_and_a_row_that_cannot_hold(backend: Backend) -> None:
    builder = ModelBuilder("nothing")
    none = np.empty(0, dtype=np.int64)
    builder.add_rows(
        "never",
        RowBlock.from_terms(
            builder.layout, IndexSet.range("row", 1, 1), none, none, [], 1.0, np.inf
        ),
    )
    assert_without_point(backend.solve(builder.build()), Status.INFEASIBLE)
