"""How a model is worded for CP-SAT, and which models it cannot take."""

from __future__ import annotations

import itertools
import random
import time

import numpy as np
import pytest
from conformance.models import columns, row

from hidato_opt.backends.base import RawResult
from hidato_opt.backends.cpsat import CpSatBackend
from hidato_opt.core.errors import UnsupportedModel
from hidato_opt.core.status import Status
from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.rows import RowBlock

needs_ortools = pytest.mark.skipif(
    not CpSatBackend().availability().usable, reason="ortools is not installed"
)


def with_row(
    model: Model, coefficients: list[float], lower: float, upper: float, name: str = "row"
) -> Model:
    return model.add(row(model.x, coefficients, lower, upper), name)


def constraint_of(model: Model) -> str:
    """Return the last constraint that CP-SAT is given, in its own words on one line."""
    with CpSatBackend().session(model) as session:
        constraints = session._program.proto.constraints
        return " ".join(str(constraints[len(constraints) - 1]).split())


def solve(model: Model) -> RawResult:
    return CpSatBackend().solve(model)


@needs_ortools
@pytest.mark.parametrize(
    ("coefficients", "lower", "upper", "words"),
    [
        ([1, 1, 1], 1, 1, "exactly_one { literals: 0 literals: 1 literals: 2 }"),
        ([1, 1, 1], -np.inf, 1, "at_most_one { literals: 0 literals: 1 literals: 2 }"),
        ([1, 1, 1], 0, 1, "at_most_one { literals: 0 literals: 1 literals: 2 }"),
        ([1, 1, 1], 1, np.inf, "bool_or { literals: 0 literals: 1 literals: 2 }"),
        ([1, 1, 1], 1, 3, "bool_or { literals: 0 literals: 1 literals: 2 }"),
        # x1 <= x2 + x3: not x1, or x2, or x3; literal -1 - j is "not j"
        ([1, -1, -1], -np.inf, 0, "bool_or { literals: -1 literals: 1 literals: 2 }"),
        ([-1, 1, 1], 0, np.inf, "bool_or { literals: -1 literals: 1 literals: 2 }"),
        ([1, 1, 1], -np.inf, 2, "bool_or { literals: -1 literals: -2 literals: -3 }"),
        # x1 = x2: exactly one of x1 and not x2
        ([1, -1], 0, 0, "exactly_one { literals: 0 literals: -2 }"),
        ([2, 1], 1, 2, "linear { vars: 0 vars: 1 coeffs: 2 coeffs: 1 domain: 1 domain: 2 }"),
        ([1, 1], 0.5, 1.5, "exactly_one { literals: 0 literals: 1 }"),
        # no whole number is between the bounds: a clause without literals
        ([1, 1], 0.2, 0.8, "bool_or { }"),
        ([], 1, np.inf, "bool_or { }"),
    ],
)  # fmt: skip
def test_wording_of_a_row(
    coefficients: list[float], lower: float, upper: float, words: str
) -> None:
    assert constraint_of(with_row(columns(3, "binary"), coefficients, lower, upper)) == words


@needs_ortools
def test_rows_over_integers_stay_linear() -> None:
    """x1 + x2 = 1 says "exactly one" of binaries only; x1 may be 2 and x2 -1."""
    model = with_row(columns(2, "integer", -2.0, 2.0), [1.0, 1.0], 1.0, 1.0)
    model = model.maximize(model.x[1])
    result = solve(model)
    assert result.values.tolist() == [2.0, -1.0]


@needs_ortools
def test_special_rows_mean_the_same_as_linear_ones() -> None:
    """300 random rows of 1 and -1 over 3 binaries: their points by CP-SAT and by trying all."""
    draw = random.Random(0)
    points = list(itertools.product((0, 1), repeat=3))
    for _ in range(300):
        coefficients = [draw.choice((-1, 1)) for _ in range(3)]
        lower = draw.choice((-np.inf, -3, -2, -1, 0, 1, 2))
        upper = draw.choice((np.inf, -2, -1, 0, 1, 2, 3))
        weights = [draw.randint(-9, 9) for _ in range(3)]
        model = with_row(columns(3, "binary"), [float(c) for c in coefficients], lower, upper)
        model = model.maximize(model.x.dot(weights))
        feasible = [
            np.dot(weights, point)
            for point in points
            if lower <= np.dot(coefficients, point) <= upper
        ]
        result = solve(model)
        assert result.status == (Status.OPTIMAL if feasible else Status.INFEASIBLE)
        assert result.objective == (max(feasible) if feasible else None)


@needs_ortools
@pytest.mark.parametrize(
    ("coefficients", "upper", "words"),
    [
        ([0.1, 0.25], 0.9, "coeffs: 2 coeffs: 5 domain: -9223372036854775808 domain: 18"),
        ([1 / 3, 1 / 3], 1.0, "coeffs: 1 coeffs: 1 domain: -9223372036854775808 domain: 3"),
        ([0.5, 1.5], 2.2, "coeffs: 1 coeffs: 3 domain: -9223372036854775808 domain: 4"),
        ([0.1, 0.3], 0.1 + 0.2, "coeffs: 1 coeffs: 3 domain: -9223372036854775808 domain: 3"),
    ],
)
def test_fractions_become_whole(coefficients: list[float], upper: float, words: str) -> None:
    model = with_row(columns(2, "integer", 0.0, 9.0), coefficients, -np.inf, upper)
    assert words in constraint_of(model)


@needs_ortools
def test_rounding_errors_of_a_lower_bound_cut_nothing_off() -> None:
    """0.1 x >= 0.1 + 0.2 is x >= 3, although the sum is a little more than 0.3."""
    model = with_row(columns(1, "integer", 0.0, 9.0), [0.1], 0.1 + 0.2, np.inf)
    model = model.minimize(model.x[1])
    assert solve(model).values.tolist() == [3.0]


@needs_ortools
def test_fractional_objective_keeps_value_and_bound() -> None:
    """max 0.5 x - 0.125 y + 0.3, 2x <= y, y <= 9 in whole numbers: x = 4, y = 8 gives 1.3."""
    model = columns(2, "integer", 0.0, 9.0)
    model = model.add(2 * model.x[1] <= model.x[2], name="link")
    model = model.maximize(0.5 * model.x[1] - 0.125 * model.x[2] + 0.3)
    result = solve(model)
    assert result.status == Status.OPTIMAL
    assert result.objective == pytest.approx(1.3)
    assert result.bound == pytest.approx(1.3)
    assert result.values.tolist() == [4.0, 8.0]


@needs_ortools
def test_fractional_bounds_of_columns_are_rounded_inwards() -> None:
    model = columns(2, "integer", [-1.5, 0.2], [2.7, 0.8])
    assert solve(model).status == Status.INFEASIBLE
    model = columns(1, "integer", -1.5, 2.7)
    assert solve(model.maximize(model.x[1])).values.tolist() == [2.0]
    assert solve(model.minimize(model.x[1])).values.tolist() == [-1.0]


@needs_ortools
def test_row_that_cannot_be_scaled_is_named() -> None:
    model = with_row(columns(2, "binary"), [2**0.5, 1.0], 0.0, 2.0, name="diagonal")
    with pytest.raises(UnsupportedModel, match=r"row diagonal\[1\].*highs or cbc"):
        CpSatBackend().session(model)


@needs_ortools
def test_added_row_that_cannot_be_scaled_is_named() -> None:
    model = columns(2, "binary")
    late = row(model.x, [2**0.5, 1.0], 0.0, 2.0)
    with (
        CpSatBackend().session(model) as session,
        pytest.raises(UnsupportedModel, match=r"row late\[1\]"),
    ):
        session.add_rows(late, "late")


@needs_ortools
def test_objective_that_cannot_be_scaled() -> None:
    model = columns(2, "binary")
    model = model.maximize(model.x[1] * 3.14159265358979)
    with pytest.raises(UnsupportedModel, match="objective"):
        CpSatBackend().session(model)


@needs_ortools
@pytest.mark.parametrize(
    ("model", "words"),
    [
        (columns(2, "continuous", 0.0, 1.0), r"2 .* real-valued, x\[1\] first; use .* highs"),
        (columns(2, "integer"), r"x\[1\] has 0 to inf; give it bounds"),
        (columns(2, "integer", [0.0, -np.inf], 5.0), r"x\[2\] has -inf to 5"),
        (columns(1, "integer", 0.0, 1e20), r"x\[1\] has 0 to 1e\+20"),
        (
            with_row(columns(1, "integer", 0.0, 2.0**40), [2.0**40], 0.0, 5.0),
            "overflow",
        ),
    ],
    ids=["real-valued", "no upper bound", "no lower bound", "wide", "overflow"],
)
def test_unsupported_models_say_what_to_do(model: Model, words: str) -> None:
    with pytest.raises(UnsupportedModel, match=words):
        CpSatBackend().session(model)


@needs_ortools
def test_a_model_of_hidato_size_loads_quickly() -> None:
    """6,561 binaries, 6,642 rows, 66,420 non-zeros: about 0.03 s, allowed 0.5 s."""
    builder = ModelBuilder("large")
    size = 81
    index = IndexSet.product("IK", IndexSet.range("I", 1, size), IndexSet.range("K", 1, size))
    x = builder.add_variables("x", index, "binary")
    rng = np.random.default_rng(0)
    rows = np.repeat(np.arange(6642), 10)
    place = np.concatenate([rng.choice(size * size, 10, replace=False) for _ in range(6642)])
    signs = np.tile([1.0] + [-1.0] * 9, 6642)
    labels = IndexSet.range("R", 1, 6642)
    builder.add_rows("next", RowBlock.from_terms(x.owner, labels, rows, place, signs, -np.inf, 0.0))
    model = builder.build()
    seconds = []
    for _ in range(3):
        began = time.perf_counter()
        CpSatBackend().session(model)
        seconds.append(time.perf_counter() - began)
    assert min(seconds) < 0.5
