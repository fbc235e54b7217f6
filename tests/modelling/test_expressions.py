from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hidato_opt.core.errors import InvalidExpression
from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.expressions import (
    Constraint,
    LinearExpression,
    as_expression,
    common_owner,
    total,
)
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.variables import Variable

SIZE = 4


def make_model(size: int = SIZE, name: str = "x") -> Model:
    builder = ModelBuilder("expressions")
    builder.add_variables(name, IndexSet.range("K", 1, size), "continuous")
    return builder.build()


MODEL = make_model()
Reference = tuple[dict[int, float], float]
halves = st.integers(-8, 8).map(lambda number: number / 2)
"""Multiples of a half: sums and products of a few are exact in binary."""


def as_terms(expression: LinearExpression) -> Reference:
    columns, coefficients = expression.terms()
    assert columns.tolist() == sorted(set(columns.tolist()))
    terms = zip(columns.tolist(), coefficients.tolist(), strict=True)
    return {column: value for column, value in terms if value}, expression.constant


def combine(left: Reference, right: Reference, factor: float) -> Reference:
    terms = dict(left[0])
    for column, value in right[0].items():
        terms[column] = terms.get(column, 0.0) + factor * value
    nonzero = {column: value for column, value in terms.items() if value}
    return nonzero, left[1] + factor * right[1]


def scale(reference: Reference, factor: float) -> Reference:
    return combine(({}, 0.0), reference, factor)


@st.composite
def leaves(draw: st.DrawFn) -> tuple[Any, Reference]:
    if draw(st.booleans()):
        number = draw(halves)
        return LinearExpression(None, constant=number), ({}, number)
    column = draw(st.integers(0, SIZE - 1))
    return MODEL.x[column + 1], ({column: 1.0}, 0.0)


def grown(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Operations on expressions, each beside the same operation on dictionaries."""

    def binary(left: Any, right: Any, sign: float) -> tuple[Any, Reference]:
        expression = left[0] + right[0] if sign > 0 else left[0] - right[0]
        return expression, combine(left[1], right[1], sign)

    def with_number(child: Any, number: float, how: str) -> tuple[Any, Reference]:
        expression, reference = child
        constant: Reference = ({}, number)
        return {
            "x + n": (expression + number, combine(reference, constant, 1.0)),
            "n + x": (number + expression, combine(reference, constant, 1.0)),
            "x - n": (expression - number, combine(reference, constant, -1.0)),
            "n - x": (number - expression, combine(constant, reference, -1.0)),
            "x * n": (expression * number, scale(reference, number)),
            "n * x": (number * expression, scale(reference, number)),
            "x / 4": (expression / 4, scale(reference, 0.25)),
            "-x": (-expression, scale(reference, -1.0)),
        }[how]

    ways = ["x + n", "n + x", "x - n", "n - x", "x * n", "n * x", "x / 4", "-x"]
    return st.builds(binary, children, children, st.sampled_from([1.0, -1.0])) | st.builds(
        with_number, children, halves, st.sampled_from(ways)
    )


expressions = st.recursive(leaves(), grown, max_leaves=8)


@given(expressions)
def test_arithmetic_is_that_of_dictionaries(case: tuple[LinearExpression, Reference]) -> None:
    expression, reference = case
    assert as_terms(expression) == reference


@given(expressions, expressions, st.sampled_from(["<=", ">=", "=="]))
def test_a_comparison_is_a_row_with_the_variables_left_and_the_constants_right(
    one: tuple[LinearExpression, Reference], other: tuple[LinearExpression, Reference], sense: str
) -> None:
    left, right = one[0], other[0]
    constraint = {"<=": left <= right, ">=": left >= right, "==": left == right}[sense]
    assert isinstance(constraint, Constraint)
    terms, constant = combine(one[1], other[1], -1.0)
    lower = -np.inf if sense == "<=" else -constant
    upper = np.inf if sense == ">=" else -constant
    if isinstance(right, Variable) and not isinstance(left, Variable):
        # Python asks an operand of a derived class first, so the row is written from the right.
        terms, lower, upper = scale((terms, 0.0), -1.0)[0], -upper, -lower
    found = zip(constraint.columns.tolist(), constraint.coefficients.tolist(), strict=True)
    assert {column: value for column, value in found if value} == terms
    assert (constraint.lower, constraint.upper) == (lower, upper)


def test_numbers_may_stand_on_either_side_of_a_comparison() -> None:
    x = MODEL.x[1]
    below, above = 3 >= x, 3 <= x  # noqa: SIM300  # the order is what is tested
    assert (below.lower, below.upper) == (-np.inf, 3.0)
    assert (above.lower, above.upper) == (3.0, np.inf)
    same = 2 * x + 1 == 4
    assert same.coefficients.tolist() == [2.0]
    assert (same.lower, same.upper) == (3.0, 3.0)


@pytest.mark.parametrize("number", [np.float64(1.5), np.int64(3), np.float32(0.5), np.int32(-2)])
def test_numpy_numbers_leave_the_work_to_the_expression(number: Any) -> None:
    x = MODEL.x[2]
    value = float(number)
    assert as_terms(number * x) == ({1: value}, 0.0)
    assert as_terms(number + x) == ({1: 1.0}, value)
    assert as_terms(number - x) == ({1: -1.0}, value)
    assert (number <= x).lower == value
    assert as_terms(x / number) == ({1: 1 / value}, 0.0)


def test_sum_and_total_add_up() -> None:
    assert as_terms(sum(MODEL.x)) == ({0: 1.0, 1: 1.0, 2: 1.0, 3: 1.0}, 0.0)
    assert as_terms(total(2 * v for v in MODEL.x)) == ({0: 2.0, 1: 2.0, 2: 2.0, 3: 2.0}, 0.0)
    assert as_terms(total([])) == ({}, 0.0)


def test_terms_of_one_column_are_gathered_and_may_cancel() -> None:
    x = MODEL.x
    columns, coefficients = (x[3] + x[1] + x[3] - x[1]).terms()
    assert columns.tolist() == [0, 2]
    assert coefficients.tolist() == [0.0, 2.0]


def test_a_long_sum_is_flattened_once_and_not_at_every_plus(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = make_model(10_000)
    flattened = []
    terms: Callable[[LinearExpression], Any] = LinearExpression.terms

    def counted(self: LinearExpression) -> Any:
        flattened.append(self)
        return terms(self)

    monkeypatch.setattr(LinearExpression, "terms", counted)
    expression = sum(model.x[k] for k in range(1, 10_001))
    assert flattened == []
    constraint = expression <= 5
    assert len(flattened) == 1
    assert constraint.columns.tolist() == list(range(10_000))
    assert set(constraint.coefficients.tolist()) == {1.0}


def test_operands_are_left_as_they_were() -> None:
    x, y = MODEL.x[1], MODEL.x[2]
    both = x + y
    both += 1
    assert as_terms(x) == ({0: 1.0}, 0.0)
    assert as_terms(x + y) == ({0: 1.0, 1: 1.0}, 0.0)
    assert as_terms(both) == ({0: 1.0, 1: 1.0}, 1.0)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda x: x[1] * x[2], "a product of two expressions is not linear"),
        (lambda x: x[1] / x[2], "is not linear; divide by a number"),
        (lambda x: x[1] * "2", "'2' is not a number"),
        (lambda x: x[1] + "a", "'a' is neither a number nor a linear expression"),
        (lambda x: x[1] <= None, "None is neither a number nor a linear expression"),
        (lambda x: x[1] != 2, "'!=' is not linear"),
        (lambda x: bool(x[1] <= 2), "a constraint has no truth value"),
        (lambda x: 1 <= x[1] <= 2, "write 'lo <= e <= hi' as two constraints"),
        (lambda x: x[1] in [x[2]], "a constraint has no truth value"),
    ],
)
def test_what_is_not_linear_is_refused(wrong: Callable[[Any], Any], message: str) -> None:
    with pytest.raises(InvalidExpression, match=message):
        wrong(MODEL.x)


def test_expressions_have_no_hash() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        {MODEL.x[1]: 1.0}


def test_variables_of_two_models_do_not_mix() -> None:
    other = make_model(SIZE + 1)
    with pytest.raises(InvalidExpression, match="mixes variables of two models"):
        MODEL.x[1] + other.x[1]
    with pytest.raises(InvalidExpression, match="mixes variables of two models"):
        _ = MODEL.x[1] <= other.x[1]


def test_models_with_the_same_variables_may_share_expressions() -> None:
    twin = make_model()
    assert as_terms(MODEL.x[1] + twin.x[2]) == ({0: 1.0, 1: 1.0}, 0.0)
    assert common_owner(MODEL.layout, twin.layout) is MODEL.layout
    assert common_owner(None, MODEL.layout) is MODEL.layout
    assert common_owner(None, None) is None


def test_only_numbers_and_expressions_are_read_as_expressions() -> None:
    assert as_expression("3") is None
    assert as_expression([MODEL.x[1]]) is None
    number = as_expression(np.int64(3))
    assert number is not None
    assert as_terms(number) == ({}, 3.0)


def test_an_expression_shows_its_terms_by_column() -> None:
    x = MODEL.x
    assert repr(2 * x[2] - x[1] + 0.5) == "LinearExpression(-1 [0] + 2 [1] + 0.5)"
    assert repr(total([])) == "LinearExpression(0)"


def test_an_expression_that_contains_itself_many_times_is_read_once() -> None:
    expression = make_model(2).x[1] + 1
    for _ in range(200):
        expression = expression + expression
    columns, coefficients = expression.terms()
    assert columns.tolist() == [0]
    assert coefficients.tolist() == [2.0**200]
