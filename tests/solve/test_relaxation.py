"""The linear relaxation: bounds, duals and how fractional a point is, worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from path.brute import all_solutions

from hidato_opt import Hidato, Numbrix, PuzzleModel, build_model
from hidato_opt.backends.base import RawResult
from hidato_opt.core.errors import (
    InvalidExpression,
    InvalidOption,
    NoSolution,
    UnknownOption,
    UnsupportedModel,
)
from hidato_opt.core.status import Status
from hidato_opt.modelling.model import Model
from hidato_opt.solve.relaxation import Relaxation
from solve.fakes import FakeBackend, install


def pair() -> PuzzleModel:
    """Return two cells: 1 stands left (cost 3) or right (cost 1), and 2 in the other cell.

    With t = x[1, 1, 1] the rows leave x[1, 2, 2] = t and x[1, 1, 2] = x[1, 2, 1] = 1 - t for
    0 <= t <= 1, so that the cost is 3 t + (1 - t): at least 1 with t = 0, at most 3 with t = 1.
    """
    model = build_model(Hidato([[0, 0]]))
    model.minimize(3 * model.x[1, 1, 1] + model.x[1, 2, 1])
    return model


def odd_numbrix() -> PuzzleModel:
    """Return 3x3 with side steps and the wish for a 1 in the middle of a side.

    A walk of nine cells begins on the colour that has five, so no walk has it:
    the best whole value is 0.  A ninth of everything everywhere meets every
    row of the relaxation, so its bound is at least 1/9.
    """
    model = build_model(Numbrix([[0] * 3] * 3))
    model.maximize(model.x[1, 2, 1])
    return model


def test_bound_and_values_by_hand() -> None:
    relaxation = pair().relax()
    assert relaxation.status == "optimal"
    assert relaxation.bound == pytest.approx(1.0)
    values = relaxation.values("x")
    assert values[1, 1, 1] == pytest.approx(0)
    assert values[1, 2, 1] == pytest.approx(1)
    assert (relaxation.fractional, relaxation.fractionality) == (0, 0.0)
    assert repr(relaxation) == "Relaxation(status=optimal, bound=1, 0 fractional values)"


def test_the_other_sense() -> None:
    model = pair()
    model.maximize(3 * model.x[1, 1, 1] + model.x[1, 2, 1] + 10)
    assert model.relax().bound == pytest.approx(13.0)


def test_values_of_variables_and_expressions() -> None:
    model = pair()
    relaxation = model.relax()
    assert relaxation.value(model.x[1, 2, 1]) == pytest.approx(1.0)
    assert relaxation.value(2 * model.x[1, 2, 1] - model.x[1, 1, 1] + 5) == pytest.approx(7.0)
    assert relaxation.value(model.x.sum()) == pytest.approx(2.0)
    other = build_model("1 . .")
    with pytest.raises(InvalidExpression, match="two models"):
        relaxation.value(other.x[1, 1, 1])


def test_the_bound_holds_for_every_walk_where_the_point_is_fractional() -> None:
    model = odd_numbrix()
    relaxation = model.relax()
    assert all(walk[0][1] != 1 for walk in all_solutions("numbrix", [[0] * 3] * 3))
    assert 1 / 9 - 1e-6 <= relaxation.bound <= 1 + 1e-6
    whole = model.solve()
    assert (whole.status, whole.objective) == ("optimal", 0.0)
    values = relaxation.values("x").to_numpy()
    stray = sum(not math.isclose(v, round(v), abs_tol=1e-6) for v in values)
    nonzero = sum(abs(v) > 1e-6 for v in values)
    assert stray > 0
    assert relaxation.fractional == stray
    assert relaxation.fractionality == pytest.approx(stray / nonzero)


@pytest.mark.parametrize("board", ["1 . ./. . 6", "1 . ./. . .", ". . ./. 3 ."])
@pytest.mark.parametrize("sense", ["minimize", "maximize"])
def test_no_whole_point_is_better_than_the_bound(sense: str, board: str) -> None:
    model = build_model(Hidato(board))
    weights = np.random.default_rng(3).integers(-5, 6, len(model.x))
    getattr(model, sense)(model.x.dot(weights))
    bound, best = model.relax().bound, model.solve().objective
    assert best is not None
    assert bound <= best + 1e-6 if sense == "minimize" else bound >= best - 1e-6


def dual_value(model: Model, relaxation: Relaxation) -> float:
    """Weigh each row and bound with its dual, as the dual program does, and add up.

    In a minimum, a positive dual weighs the lower side and a negative one the
    upper side; in a maximum it is the other way round.
    """
    rows = np.concatenate([relaxation.duals(name).to_numpy() for name in model.rows])
    columns = np.concatenate(
        [relaxation.reduced_costs(name).to_numpy() for name in model.variables]
    )
    sign = -1.0 if model.maximise else 1.0
    value = model.offset
    for duals, lower, upper in (
        (rows, model.row_lower, model.row_upper),
        (columns, model.lower, model.upper),
    ):
        for dual, low, high in zip(duals, lower, upper, strict=True):
            if abs(dual) > 1e-9:
                side = low if sign * dual > 0 else high
                assert math.isfinite(side), "a dual of a side that is not there"
                value += dual * side
    return float(value)


@pytest.mark.parametrize("sense", ["minimize", "maximize"])
@pytest.mark.parametrize("board", [". .", "1 . ./. . 6", ". ./. .", "# 1/. ."])
def test_duals_are_those_of_the_dual_program(board: str, sense: str) -> None:
    """Stationarity c = A'y + d, and the value of the dual program is the bound."""
    model = build_model(Hidato(board))
    weights = np.random.default_rng(5).integers(-5, 6, len(model.x))
    getattr(model, sense)(model.x.dot(weights) + 2)
    relaxation = model.relax()
    rows = np.concatenate([relaxation.duals(name).to_numpy() for name in model.rows])
    reduced = relaxation.reduced_costs("x").to_numpy()
    assert model.model.matrix.T @ rows + reduced == pytest.approx(weights, abs=1e-7)
    assert dual_value(model.model, relaxation) == pytest.approx(relaxation.bound, abs=1e-6)


def test_labels_are_those_of_the_groups() -> None:
    model = build_model(Hidato("1 ./. ."))
    relaxation = model.relax()
    values = relaxation.values("x")
    assert isinstance(values, pd.Series)
    assert values.index.names == ["i", "j", "k"]
    assert list(values.index) == list(model.x.index)
    assert values.name == "x"
    duals = relaxation.duals("number")
    assert list(duals.index) == [1, 2, 3, 4]
    assert duals.index.name == "k"
    assert list(relaxation.duals("clue").index) == [(1, 1, 1)]


def test_unknown_groups_list_the_known() -> None:
    relaxation = pair().relax()
    with pytest.raises(UnknownOption, match="variable group 'y' is not known; known: x"):
        relaxation.values("y")
    with pytest.raises(UnknownOption, match="variable group 'y' is not known; known: x"):
        relaxation.reduced_costs("y")
    with pytest.raises(UnknownOption, match=r"constraint group 'x' is not known; known: cell, "):
        relaxation.duals("x")


def test_an_infeasible_relaxation_proves_the_board_infeasible_and_has_no_numbers() -> None:
    """2 and 3 are clues of cells that do not touch: x[1, 1, 2] = 1 needs a 3 beside it."""
    model = build_model(Hidato("2 . 3"))
    relaxation = model.relax()
    assert relaxation.status == "infeasible"
    for ask in (
        lambda: relaxation.bound,
        lambda: relaxation.fractional,
        lambda: relaxation.fractionality,
        lambda: relaxation.values("x"),
        lambda: relaxation.value(model.x[1, 1, 1]),
    ):
        with pytest.raises(NoSolution):
            ask()
    assert repr(relaxation) == "Relaxation(status=infeasible)"
    assert model.solve().status == "infeasible"


def test_relaxing_leaves_the_model_alone() -> None:
    model = pair()
    before = model.content_hash
    relaxation = model.relax()
    assert model.content_hash == before
    assert model.model.integer.all()
    assert not relaxation.model.integer.any()
    assert relaxation.integer.all()


def test_options_are_those_of_solve() -> None:
    with pytest.raises(UnknownOption, match="option 'limit' is not known"):
        pair().relax(limit=3)
    with pytest.raises(InvalidOption, match="seed must be"):
        pair().relax(seed=-1)


def test_a_solver_of_whole_numbers_alone_says_so() -> None:
    pytest.importorskip("ortools")
    with pytest.raises(UnsupportedModel):
        pair().relax("cpsat")


@pytest.mark.parametrize("what", ["duals", "reduced_costs"])
def test_a_solver_without_duals_says_who_has_them(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = pair()
    name = install(monkeypatch, FakeBackend([0.0, 1.0, 1.0, 0.0], objective=1.0))
    relaxation = model.relax(name)
    assert relaxation.bound == 1.0
    group = {"duals": "cell", "reduced_costs": "x"}[what]
    with pytest.raises(NoSolution, match=r"the solver gave no .*; 'highs' does"):
        getattr(relaxation, what)(group)


def test_a_point_at_a_limit_is_no_bound() -> None:
    def stopped(**fields: Any) -> Relaxation:
        raw = RawResult(Status.TIME_LIMIT, "", "fake", "", point=np.zeros(4), **fields)
        model = pair().model
        return Relaxation(model.relaxed(), model.integer, raw)

    with pytest.raises(NoSolution, match="ended with status time_limit: no bound"):
        _ = stopped(objective=0.0).bound
    assert stopped().fractionality == 0.0
