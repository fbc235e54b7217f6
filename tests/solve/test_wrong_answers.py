"""Rule one: what a solver says is checked by the model and by the rules before anyone sees it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hidato_opt import Hidato, Numbrix, PuzzleModel, Result, WrongAnswer, build_model
from hidato_opt.core.errors import NoSolution
from hidato_opt.core.status import Status, WarmStartFate
from hidato_opt.modelling.formulation import Formulated
from solve.fakes import FakeBackend, install


def point_of(model: PuzzleModel, solution: list[list[int]]) -> Any:
    """Write numbers in cells as values of x, whether the rules like them or not."""
    values = np.zeros(model.model.num_columns)
    for i, row in enumerate(solution, start=1):
        for j, number in enumerate(row, start=1):
            if number:
                values[model.x[i, j, number].column] = 1.0
    return values


def answer(
    monkeypatch: pytest.MonkeyPatch, model: PuzzleModel, point: Any, **fields: Any
) -> Result:
    return model.solve(install(monkeypatch, FakeBackend(point, **fields)))


def test_a_right_point_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    model = build_model(Numbrix([[1, 0], [0, 0]]))
    result = answer(monkeypatch, model, point_of(model, [[1, 2], [4, 3]]), objective=0.0)
    assert result.solution.tolist() == [[1, 2], [4, 3]]
    assert (result.verified, result.found_by, result.proved_by) == (True, "backend", "backend")
    assert (result.backend, result.backend_version) == ("fake", "0.1")
    assert result.native_status == "as told"


def test_f22_values_that_are_almost_whole_are_rounded(monkeypatch: pytest.MonkeyPatch) -> None:
    model = build_model(Numbrix([[1, 0], [0, 0]]))
    point = 0.9999999 * point_of(model, [[1, 2], [4, 3]])
    assert answer(monkeypatch, model, point).solution.tolist() == [[1, 2], [4, 3]]


@pytest.mark.parametrize(
    ("solution", "words"),
    [
        ([[1, 3], [2, 4]], "row next"),
        ([[2, 1], [3, 4]], "row clue"),
        ([[1, 2], [3, 3]], "row number"),
        ([[1, 2], [3, 0]], "row cell"),
        ([[0, 0], [0, 0]], "row cell"),
    ],
)
def test_a_point_that_breaks_the_model_names_stage_and_row(
    solution: list[list[int]], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = build_model(Numbrix([[1, 0], [0, 0]]))
    with pytest.raises(WrongAnswer, match=words) as caught:
        answer(monkeypatch, model, point_of(model, solution))
    assert caught.value.stage == "fake 0.1 on formulation assignment"


@pytest.mark.parametrize("value", [0.5, 2.0, -1.0, np.nan, np.inf])
def test_a_value_that_no_binary_has_is_refused(
    value: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = build_model(Numbrix([[1, 0], [0, 0]]))
    point = point_of(model, [[1, 2], [4, 3]])
    point[model.x[1, 1, 1].column] = value
    with pytest.raises(WrongAnswer, match=r"x\[1, 1, 1\] = "):
        answer(monkeypatch, model, point)


def test_a_point_that_breaks_a_row_of_the_users_own_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = build_model(Numbrix([[1, 0], [0, 0]]))
    model.add(model.x[1, 2, 2] <= 0, name="no_two_there")
    with pytest.raises(WrongAnswer, match=r"row no_two_there\[1\]"):
        answer(monkeypatch, model, point_of(model, [[1, 2], [4, 3]]))


def test_a_point_outside_bounds_that_were_fixed_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = build_model(Numbrix([[1, 0], [0, 0]]))
    model.fix(model.x[2, 1, 2], 1)
    with pytest.raises(WrongAnswer, match=r"x\[1, 2, 2\]|x\[2, 1, 2\]"):
        answer(monkeypatch, model, point_of(model, [[1, 2], [4, 3]]))


def test_a_point_that_a_wrong_model_allows_still_fails_by_the_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The model of a king's board given to a board of side steps: only the rules can tell."""
    wrong = build_model(Hidato([[1, 0], [0, 0]]))
    model = PuzzleModel(
        Numbrix([[1, 0], [0, 0]]), "assignment", Formulated(wrong.model, wrong.codec)
    )
    with pytest.raises(WrongAnswer, match="its solution breaks a rule: not-adjacent") as caught:
        answer(monkeypatch, model, point_of(model, [[1, 3], [4, 2]]))
    assert caught.value.stage == "fake 0.1 on formulation assignment"


@pytest.mark.parametrize(
    "point", [np.zeros(15), np.zeros(17), np.zeros((4, 4)), np.zeros(0), np.array(1.0)], ids=repr
)
def test_a_point_of_another_shape_is_refused(point: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    model = build_model(Numbrix([[1, 0], [0, 0]]))
    with pytest.raises(WrongAnswer, match="it has 16 variables to give values to, not ") as caught:
        answer(monkeypatch, model, point)
    assert caught.value.stage.startswith("fake 0.1")


@pytest.mark.parametrize("status", [s for s in Status if s is not Status.OPTIMAL])
def test_a_run_without_a_point_has_no_solution_whatever_it_says(
    status: Status, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = answer(monkeypatch, build_model("1 ./. ."), None, status=status)
    assert (result.status, result.has_solution, result.verified) == (status, False, False)
    assert result.found_by is None
    assert result.proved_by == ("backend" if status in ("infeasible", "unbounded") else None)
    with pytest.raises(NoSolution, match=f"status {status}"):
        _ = result.solution


@pytest.mark.parametrize(
    "status",
    [Status.TIME_LIMIT, Status.NODE_LIMIT, Status.SOLUTION_LIMIT, Status.FEASIBLE],
)
def test_a_verified_point_of_a_constant_objective_is_optimal(
    status: Status, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = build_model(Numbrix([[1, 0], [0, 0]]))
    point = point_of(model, [[1, 2], [4, 3]])
    result = answer(monkeypatch, model, point, status=status, objective=0.0, bound=None)
    assert (result.status, result.bound, result.proved_by) == ("optimal", 0.0, "backend")


def test_with_an_objective_a_limit_stays_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    model = build_model(Numbrix([[1, 0], [0, 0]]))
    model.minimize(model.x[1, 2, 2] + 0)
    point = point_of(model, [[1, 2], [4, 3]])
    result = answer(monkeypatch, model, point, status=Status.TIME_LIMIT, objective=1.0, bound=0.0)
    assert (result.status, result.has_solution, result.verified) == ("time_limit", True, True)
    assert (result.objective, result.bound, result.proved_by) == (1.0, 0.0, None)


def test_what_the_backend_says_of_a_start_is_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    model = build_model(Numbrix([[1, 0], [0, 0]]))
    result = answer(
        monkeypatch,
        model,
        point_of(model, [[1, 2], [4, 3]]),
        warm_start=WarmStartFate.REPAIRED,
        warm_start_reason="it said so",
        nodes=7,
        seconds={"solve": 0.5},
    )
    assert (result.warm_start, result.warm_start_reason) == ("repaired", "it said so")
    assert result.nodes == 7
    assert result.seconds["solve"] == 0.5
    assert set(result.seconds) == {"build", "export", "solve", "verify", "total"}
