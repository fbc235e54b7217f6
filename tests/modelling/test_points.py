from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hidato_opt.core.errors import InvalidOption, WrongAnswer
from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.constraints import bounded_sum
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.points import PartialPoint, checked_values, first_violation
from modelling.readers import is_feasible
from modelling.tiny import tiny_models

K = IndexSet.range("K", 1, 2)


@pytest.fixture
def model() -> Model:
    """Integers x1, x2 in 0..4, reals y1, y2 in -1..inf; two rows.

    cap:  x1 + 2 x2 - y1 <= 6
    both: 1 <= x1 + x2 <= 5
    """
    builder = ModelBuilder("points")
    builder.add_variables("x", K, "integer", 0, 4)
    builder.add_variables("y", K, "continuous", -1)
    model = builder.build()
    x, y = model.x, model.y
    model = model.add(x[1] + 2 * x[2] - y[1] <= 6, name="cap")
    return model.add([x[1] + x[2] >= 1, x[1] + x[2] <= 5], name="both")


def test_a_point_is_read_from_an_array_with_gaps(model: Model) -> None:
    point = PartialPoint.of(model, [1, np.nan, np.nan, 0.5])
    assert point.columns.tolist() == [0, 3]
    assert point.values.tolist() == [1.0, 0.5]
    assert not point.is_complete(model)
    assert PartialPoint.of(model, [1, 2, np.nan, np.nan]).is_complete(model)  # the rest is an LP
    assert PartialPoint.of(model, PartialPoint.of(model, [np.nan] * 4)).columns.tolist() == []


def test_a_point_is_read_from_columns_and_values(model: Model) -> None:
    point = PartialPoint.of(model, {3: 0.5, model.x[1].column: 1})
    assert point.columns.tolist() == [0, 3]
    assert point.values.tolist() == [1.0, 0.5]
    assert PartialPoint.of_pairs([]).columns.tolist() == []


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([1, 2, 3], r"needs 4 values \(NaN where open\), not an array of shape \(3,\)"),
        ([[1, 2, 3, 4]], r"not an array of shape \(1, 4\)"),
        ({4: 1}, "a column that is not among 4"),
        ({-1: 1}, "a column that is not among 4"),
        (PartialPoint(np.array([1, 1]), np.array([0.0, 1.0])), "names a column twice"),
    ],
)
def test_a_point_of_another_model_is_refused(model: Model, given: Any, message: str) -> None:
    with pytest.raises(InvalidOption, match=message):
        PartialPoint.of(model, given)


@pytest.mark.parametrize(
    ("pairs", "complaint"),
    [
        ({}, None),
        ({0: 0, 1: 1, 2: -1, 3: 7}, None),
        ({0: 5}, "x[1] = 5 is not a whole number between 0 and 4"),
        ({1: -1}, "x[2] = -1 is not a whole number between 0 and 4"),
        ({1: 0.5}, "x[2] = 0.5 is not a whole number between 0 and 4"),
        ({2: -1.5}, "y[1] = -1.5 is not between -1 and inf"),
        ({2: np.nan}, "y[1] = nan is not between -1 and inf"),
        ({2: np.inf}, "y[1] = inf is not between -1 and inf"),
        ({0: np.nan}, "x[1] = nan is not a whole number between 0 and 4"),
        # 2 * 4 + x1 - y1 <= 6 needs y1 >= 2 at least
        ({1: 4}, None),
        ({1: 4, 2: 1.5}, "row cap[1] needs at most 6; the point makes it at least 6.5"),
        ({0: 0, 1: 0}, "row both[1] needs at least 1; the point makes it at most 0"),
        ({0: 4, 1: 2}, "row both[2] needs at most 5; the point makes it at least 6"),
        ({0: 0}, None),
    ],
)
def test_the_first_thing_broken_is_named(
    model: Model, pairs: dict[int, float], complaint: str | None
) -> None:
    assert first_violation(model, PartialPoint.of_pairs(pairs.items())) == complaint


def test_a_ranged_row_is_named_with_both_bounds() -> None:
    builder = ModelBuilder("range")
    x = builder.add_variables("x", K, "integer", 0, 4)
    builder.add_rows("r", bounded_sum(x, by=(), lower=2, upper=3))
    complaint = first_violation(builder.build(), PartialPoint.of_pairs([(0, 4)]))
    assert complaint == "row r[1] needs at least 2 and at most 3; the point makes it at least 4"


def test_a_row_whose_terms_cancel_is_no_trouble_for_open_columns() -> None:
    builder = ModelBuilder("cancel")
    builder.add_variables("y", K, "continuous", -np.inf)
    model = builder.build()
    y = model.y
    # 0 y1 + y2 <= 3 with y1 anywhere between -inf and inf
    model = model.add(y[1] - y[1] + y[2] <= 3)
    assert first_violation(model, PartialPoint.of_pairs([(1, 3.0)])) is None
    assert "at least 4" in str(first_violation(model, PartialPoint.of_pairs([(1, 4.0)])))
    never = model.add(y[1] - y[1] >= 1, name="never")
    assert "never[1]" in str(first_violation(never, PartialPoint.of_pairs([])))


@given(tiny_models(whole=True), st.data())
def test_a_partial_point_is_only_refused_where_no_completion_is_feasible(
    model: Model, data: st.DataObject
) -> None:
    ranges = [range(int(np.ceil(low)), int(high) + 1) for low, high in bounds_of(model)]
    given_columns = data.draw(st.lists(st.integers(0, max(0, model.num_columns - 1)), unique=True))
    pairs = {column: data.draw(st.integers(-4, 4)) for column in given_columns if model.num_columns}
    complaint = first_violation(model, PartialPoint.of_pairs(pairs.items()))
    completions = [
        point
        for point in itertools.product(*ranges)
        if all(point[column] == value for column, value in pairs.items())
        and is_feasible(model, np.array(point, dtype=float))
    ]
    if complaint is not None:
        assert completions == []
    if len(pairs) == model.num_columns:
        assert (complaint is None) == (len(completions) == 1)


def bounds_of(model: Model) -> list[tuple[float, float]]:
    return list(zip(model.lower.tolist(), np.floor(model.upper).tolist(), strict=True))


def test_a_solvers_point_comes_back_with_exact_integers(model: Model) -> None:
    found = np.array([1 - 4e-6, 1e-9, -1.0 - 5e-7, 0.123])
    point = checked_values(model, found, "solver")
    assert point.tolist() == [1.0, 0.0, -1.0 - 5e-7, 0.123]
    assert found[0] != 1.0


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ([1 - 4e-5, 0, 0, 0], r"x\[1\] = 0.99996 is not a whole number"),
        ([0.5, 0, 0, 0], r"x\[1\] = 0.5 is not a whole number"),
        ([np.nan, 0, 0, 0], r"x\[1\] = nan is not a whole number"),
        ([1, 0, np.nan, 0], r"breaks the model: y\[1\] = nan"),
        ([1, 0, 0, np.inf], r"breaks the model: y\[2\] = inf"),
        ([5, 0, 0, 0], r"breaks the model: x\[1\] = 5"),
        ([0, 0, 0, 0], r"breaks the model: row both\[1\] needs at least 1"),
        ([4, 1, -0.1, 0], r"breaks the model: row cap\[1\] needs at most 6; .* at least 6.1"),
    ],
)
def test_a_wrong_answer_names_its_stage(model: Model, values: list[float], complaint: str) -> None:
    with pytest.raises(WrongAnswer, match=f"^the stage: .*{complaint}"):
        checked_values(model, values, "the stage")


def test_rows_may_be_missed_by_a_solvers_tolerance_and_no_more(model: Model) -> None:
    # cap is 4 + 2 - y1 <= 6, its coefficients add up to 4: 4e-6 is allowed
    assert checked_values(model, [4, 1, -3e-6, 0], "s")[2] == -3e-6
    with pytest.raises(WrongAnswer, match="row cap"):
        checked_values(model, [4, 1, -5e-6, 0], "s")
