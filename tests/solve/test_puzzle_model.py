"""What `build_model` returns: constraints and objectives of one's own, branches, pickles."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from path.brute import Drawn, all_solutions, drawn_boards

from hidato_opt import Hidato, Numbrix, PuzzleModel, RunOptions, build_model, generate
from hidato_opt.backends.registry import backend_named
from hidato_opt.core.errors import (
    InvalidExpression,
    InvalidOption,
    InvalidPuzzle,
    UnknownOption,
)
from hidato_opt.modelling.constraints import at_most

BLANK = [[0, 0, 0], [0, 0, 0]]
"""Numbrix on 2x3: 16 walks, few enough to be listed."""


def numbrix() -> PuzzleModel:
    return build_model(Numbrix(BLANK))


def test_a_model_knows_its_puzzle_its_formulation_and_its_parts() -> None:
    board = Hidato("1 ./. 4", name="b")
    model = build_model(board)
    assert model.puzzle is board
    assert model.formulation == "assignment"
    assert build_model(board, "assignment").content_hash == model.content_hash
    assert model.x is model.variables["x"]
    assert model.rows["clue"].name == "clue"
    assert "x" in dir(model)
    assert "solve" in dir(model)
    assert model.build_seconds > 0
    assert isinstance(model.stats, pd.DataFrame)
    assert repr(model) == (
        "PuzzleModel(<Hidato 'b': 2x2, N=4, 2 clues>, assignment: "
        "Model(hidato assignment: 22 rows, 16 columns (16 integer), 82 non-zeros))"
    )


def test_an_attribute_that_is_not_there_is_an_attribute_error_that_lists_the_groups() -> None:
    model = build_model("1 .")
    with pytest.raises(AttributeError, match="no attribute or variable group 'y'; its groups"):
        _ = model.y
    with pytest.raises(AttributeError):
        _ = model._private


# more rows


def test_the_diagonal_of_the_issue() -> None:
    """At most one number k of 1..3 stands in (k, k); the 4x4 board itself allows all three."""
    model = build_model([[0] * 4] * 4)
    rows = model.model.num_rows
    model.add(sum(model.x[i, i, i] for i in range(1, 4)) <= 1, name="diagonal")
    assert model.model.num_rows == rows + 1
    assert list(model.rows)[-1] == "diagonal"
    model.add([model.x[i, i, i] + 0 >= 0 for i in range(1, 4)])
    assert list(model.rows)[-1] == "added_1"
    model.maximize(sum(model.x[i, i, i] for i in range(1, 4)))
    result = model.solve(time_limit=60)
    assert result.status == "optimal"
    assert result.objective == 1.0
    assert sum(result.solution[i, i] == i + 1 for i in range(3)) == 1


def test_blocks_of_rows_can_be_added() -> None:
    """At most one of the numbers 1 and 2 in the first row: 1 and 2 touch, so one is below."""
    model = numbrix()
    low = model.x.take([i for i, (r, _, k) in enumerate(model.x.index) if r == 1 and k <= 2])
    model.add(at_most(low, 1, by=()), name="low")
    result = model.solve()
    assert sum(int(number) in (1, 2) for number in result.solution[0]) <= 1


def test_rows_that_cannot_be_met_make_the_board_infeasible() -> None:
    model = numbrix()
    model.add(model.x[1, 2, 1] == 1, name="one")
    model.add(model.x[2, 2, 6] == 1, name="six")
    result = model.solve()
    walks = [s for s in all_solutions("numbrix", BLANK) if s[0][1] == 1 and s[1][1] == 6]
    assert walks == []
    assert (result.status, result.has_solution, result.proved_by) == (
        "infeasible",
        False,
        "backend",
    )


def test_a_name_of_rows_is_taken_once() -> None:
    model = numbrix()
    with pytest.raises(InvalidOption, match="there is a constraint group 'cell' already"):
        model.add(model.x[1, 1, 1] <= 0, name="cell")


def test_variables_of_another_board_are_refused_and_nothing_is_changed() -> None:
    model, other = numbrix(), build_model("1 .")
    before = model.content_hash
    for change in (
        lambda: model.add(other.x[1, 1, 1] <= 0),
        lambda: model.minimize(other.x[1, 1, 1]),
        lambda: model.maximize(other.x[1, 1, 1]),
        lambda: model.fix(other.x[1, 1, 1], 0),
    ):
        with pytest.raises(InvalidExpression, match="two models"):
            change()
    assert model.content_hash == before


# objectives


def weights(seed: int) -> dict[tuple[int, int, int], int]:
    draw = np.random.default_rng(seed)
    return {
        (i, j, k): int(draw.integers(-9, 10))
        for i in (1, 2)
        for j in (1, 2, 3)
        for k in range(1, 7)
    }


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("sense", ["minimize", "maximize"])
def test_the_best_of_all_walks_is_found(sense: str, seed: int) -> None:
    worth = weights(seed)
    values = [
        sum(worth[i + 1, j + 1, k] for i, row in enumerate(walk) for j, k in enumerate(row))
        for walk in all_solutions("numbrix", BLANK)
    ]
    model = numbrix()
    getattr(model, sense)(sum(w * model.x[label] for label, w in worth.items()) + 100)
    result = model.solve()
    best = (min if sense == "minimize" else max)(values) + 100
    assert result.status == "optimal"
    assert result.objective == pytest.approx(best)
    assert result.bound == pytest.approx(best)
    found = result.solution.tolist()
    assert best - 100 == sum(
        worth[i + 1, j + 1, k] for i, row in enumerate(found) for j, k in enumerate(row)
    )


def test_a_number_is_an_objective_and_anything_else_is_not() -> None:
    model = numbrix()
    model.maximize(7)
    assert model.solve().objective == 7.0
    with pytest.raises(InvalidOption, match="an objective is a linear expression or a number"):
        model.minimize("x")  # type: ignore[arg-type]  # that is the point


def test_a_gap_that_was_asked_for_is_no_proof() -> None:
    """A gap above the difference of any two values lets the first point pass."""
    model = numbrix()
    model.maximize(sum(w * model.x[label] for label, w in weights(1).items()) + 1000)
    result = model.solve(gap=1.0)
    assert result.status in ("gap_limit", "optimal")
    if result.status == "gap_limit":
        assert result.proved_by is None
    assert result.bound is not None
    assert result.objective is not None
    assert result.bound >= result.objective - 1e-6


# fixing, branches, pickles


def test_fix_leaves_the_walks_with_those_numbers() -> None:
    model = numbrix()
    model.fix(model.x[1, 2, 3], 1)
    model.fix(model.x[1, 1, :], [0, 0, 0, 0, 0, 1])
    walks = [s for s in all_solutions("numbrix", BLANK) if s[0][1] == 3 and s[0][0] == 6]
    result = model.solve()
    assert result.has_solution == bool(walks)
    assert not walks or result.solution.tolist() in walks


def test_fix_refuses_what_a_binary_cannot_be() -> None:
    model = numbrix()
    with pytest.raises(InvalidOption, match=r"x\[1, 1, 1\] cannot be fixed at 2"):
        model.fix(model.x[1, 1, 1], 2)
    with pytest.raises(InvalidOption, match=r"cannot be fixed at 0\.5"):
        model.fix(model.x[1, 1, 1], 0.5)


@pytest.mark.parametrize("copied", [lambda m: m.copy(), copy.copy, copy.deepcopy])
def test_branches_do_not_share_what_is_added(copied: Any) -> None:
    model = numbrix()
    twin = copied(model)
    assert isinstance(twin, PuzzleModel)
    assert twin.content_hash == model.content_hash
    before = model.content_hash
    twin.add(twin.x[1, 1, 1] == 1, name="start")
    twin.minimize(twin.x[1, 1, 1])
    assert model.content_hash == before
    assert "start" not in model.rows
    model.fix(model.x[1, 1, 2], 1)
    assert twin.solve().solution[0, 0] == 1
    assert model.solve().solution[0, 0] == 2


def test_a_variable_of_a_branch_belongs_to_both() -> None:
    model = numbrix()
    twin = model.copy()
    model.add(twin.x[1, 1, 1] == 1)
    assert model.solve().solution[0, 0] == 1


def test_a_model_pickles_with_what_was_added() -> None:
    model = build_model(Numbrix("# name=b; note=n\n. . ./. . ."))
    model.add(model.x[1, 1, 1] == 1, name="start")
    model.minimize(model.x[1, 2, 2] + 3)
    again = pickle.loads(pickle.dumps(model))
    assert again.content_hash == model.content_hash
    assert again.puzzle == model.puzzle
    assert (again.puzzle.name, again.formulation) == ("b", "assignment")
    assert again.solve().objective == model.solve().objective == 3.0
    again.add(again.x[1, 1, 1] + again.x[1, 2, 2] <= 2)
    model.add(again.x[1, 1, 1] <= 1)


def test_solving_changes_nothing() -> None:
    model = numbrix()
    before = model.content_hash
    first, second = model.solve(), model.solve()
    assert model.content_hash == before == first.model_hash == second.model_hash
    assert first.solution.tolist() == second.solution.tolist()


# running


def test_a_result_says_what_ran_and_how_long_each_stage_took() -> None:
    result = numbrix().solve("highs")
    assert (result.method, result.backend, result.formulation) == ("mip", "highs", "assignment")
    assert result.backend_version == backend_named("highs").availability().version
    assert {"build", "export", "solve", "read", "verify", "total"} == set(result.seconds)
    assert all(seconds >= 0 for seconds in result.seconds.values())
    assert result.warm_start is None


def test_options_are_checked_before_anything_runs() -> None:
    model = numbrix()
    with pytest.raises(UnknownOption, match="option 'timelimit' is not known; known: gap"):
        model.solve(timelimit=3)
    with pytest.raises(InvalidOption, match="time_limit must be"):
        model.solve(time_limit=-1)
    with pytest.raises(UnknownOption, match=r"backend 'gurobi' is not known; known: .*highs"):
        model.solve("gurobi")
    with pytest.raises(UnknownOption, match="HiGHS option 'nodes' is not known"):
        model.solve(options={"nodes": 3})


def test_numpy_numbers_are_options() -> None:
    assert numbrix().solve(seed=np.int64(3), time_limit=np.float32(30)).has_solution


@pytest.mark.parametrize(
    ("start", "fate"),
    [
        ([[1, 2, 3], [6, 5, 4]], {"accepted", "not_tried"}),
        ([[1, 2, 0], [0, 0, 0]], {"repaired", "not_tried"}),
        ([[None, 2, None], [None, None, None]], {"repaired", "not_tried"}),
        ([[1, 3, 2], [6, 5, 4]], {"rejected"}),
        ([[1, 1, 0], [0, 0, 0]], {"rejected"}),
        ([[7, 0, 0], [0, 0, 0]], {"rejected"}),
    ],
)
def test_starts_complete_partial_and_wrong(start: Any, fate: set[str]) -> None:
    result = numbrix().solve(warm_start=start)
    assert result.warm_start in fate
    assert result.warm_start_reason
    assert result.has_solution


def test_a_partial_start_need_not_repeat_the_clues() -> None:
    result = build_model(Hidato("1 . ./. . .")).solve(warm_start=[[0, 2, 0], [0, 0, 0]])
    assert result.warm_start != "rejected"


def test_a_start_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "start.txt"
    file.write_text("1 2 3\n6 5 4\n")
    assert numbrix().solve(warm_start=file).warm_start in ("accepted", "not_tried")


@pytest.mark.parametrize("start", [[[1, 2]], [[1, "x", 0], [0, 0, 0]]])
def test_a_start_that_is_no_solution_of_this_board_is_an_error(start: Any) -> None:
    with pytest.raises(InvalidPuzzle):
        numbrix().solve(warm_start=start)


def test_a_word_is_no_start_yet() -> None:
    with pytest.raises(UnknownOption, match="warm start 'backbite' is not known; known: a sol"):
        numbrix().solve(warm_start="backbite")


def test_a_start_that_breaks_a_row_of_the_users_own_is_rejected_by_name() -> None:
    model = numbrix()
    model.add(model.x[1, 1, 1] <= 0, name="elsewhere")
    result = model.solve(warm_start=[[1, 2, 3], [6, 5, 4]])
    assert result.warm_start == "rejected"
    assert "elsewhere[1]" in result.warm_start_reason
    assert result.solution[0, 0] != 1


# other libraries


@settings(max_examples=15)
@given(drawn_boards(max_rows=3, max_columns=3, max_size=7), st.booleans())
def test_to_highspy_has_names_and_the_same_verdict(drawn: Drawn, wrong: bool) -> None:
    import highspy

    model = build_model(
        {"hidato": Hidato, "numbrix": Numbrix}[drawn.kind](
            [["#" if cell == -1 else cell for cell in row] for row in drawn.board]
        )
    )
    if wrong:
        model.add(model.x.sum() <= drawn.size - 1, name="short")
    highs = model.to_highspy()
    lp = highs.getLp()
    assert (lp.num_col_, lp.num_row_) == (model.model.num_columns, model.model.num_rows)
    label = next(iter(model.x.index))
    assert lp.col_names_[0] == "x_" + "_".join(map(str, label))
    assert lp.row_names_[drawn.size] == "number_1"
    highs.setOptionValue("threads", RunOptions().threads)
    highs.run()
    expected = highspy.HighsModelStatus.kInfeasible if wrong else highspy.HighsModelStatus.kOptimal
    assert highs.getModelStatus() == expected
    assert (model.solve().status == "infeasible") == wrong
    if not wrong:
        values = np.rint(highs.getSolution().col_value)
        assert model.puzzle.verify(model.decode(values)) == []


def test_to_highspy_keeps_objective_and_bounds() -> None:
    model = numbrix()
    model.maximize(3 * model.x[1, 1, 6] + 5)
    model.fix(model.x[1, 2, 1], 1)
    highs = model.to_highspy()
    highs.run()
    assert highs.getInfo().objective_function_value == model.solve().objective


def test_to_pulp_has_the_same_best_value() -> None:
    import pulp

    model = build_model("1 ./. .")
    model.maximize(model.x.dot(range(16)))
    problem = model.to_pulp()
    assert isinstance(problem, pulp.LpProblem)
    names = [variable.name for variable in problem.variables()]
    assert len(names) == 16
    assert "x_1_1_1" in names


def test_values_that_are_no_numbers_are_refused() -> None:
    model = build_model([[1, 0]])
    with pytest.raises(InvalidOption, match="not NaN"):
        model.decode(np.full(4, np.nan))


@pytest.mark.parametrize("wrong", [None, 5])
def test_a_backend_that_is_no_name_lists_the_known(wrong: object) -> None:
    with pytest.raises(UnknownOption, match="known: cbc, cpsat, highs"):
        build_model([[1, 0]]).solve(wrong)


@pytest.mark.parametrize("formulation", ["assignment", "two-way", "flow", "segments", "successor"])
def test_a_reduced_model_is_smaller_and_has_the_same_verdict(formulation: str) -> None:
    board = generate("hidato", rows=4, cols=5, seed=4)
    full = build_model(board, formulation)
    reduced = build_model(board, formulation, reduce=True)
    assert reduced.model.num_columns < full.model.num_columns
    assert (reduced.solve().solution == full.solve().solution).all()
    impossible = build_model("2 . . . 1", formulation, reduce=True)
    assert impossible.solve().status == "infeasible"
