"""`solve` and `verify`: the calls that need nothing but a board."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from path.brute import Drawn, drawn_boards, is_solution

import hidato_opt as ho

TEXT = "1 . ./. . 6"


def boards(folder: Path) -> list[Any]:
    file = folder / "b.txt"
    file.write_text(TEXT.replace("/", "\n"))
    cells = [[1, 0, 0], [0, 0, 6]]
    return [
        ho.Hidato(cells),
        cells,
        np.array(cells),
        pd.DataFrame([[1, np.nan, np.nan], [np.nan, np.nan, 6]]),
        TEXT,
        file,
        {"name": "row", "kind": "hidato", "board": TEXT},
    ]


def test_every_way_to_give_a_board_is_solved_and_verified(tmp_path: Path) -> None:
    for board in boards(tmp_path):
        result = ho.solve(board)
        assert (result.status, result.verified) == ("optimal", True)
        assert is_solution("hidato", [[1, 0, 0], [0, 0, 6]], result.solution.tolist())
        assert ho.verify(board, result.solution) == []
        assert ho.verify(board, str(result).rpartition("\n")[0]) == []


@settings(max_examples=25)
@given(drawn_boards())
def test_boards_made_from_a_walk_are_solved(drawn: Drawn) -> None:
    cells = [["#" if cell == -1 else cell for cell in row] for row in drawn.board]
    result = ho.solve({"hidato": ho.Hidato, "numbrix": ho.Numbrix}[drawn.kind](cells))
    assert result.status == "optimal"
    assert is_solution(drawn.kind, drawn.board, result.solution.tolist())


def test_an_infeasible_board_is_a_result_and_no_error() -> None:
    result = ho.solve("1 # .")
    assert (result.status, result.has_solution) == ("infeasible", False)
    assert (result.found_by, result.proved_by) == (None, "deduction")
    assert str(result).startswith("hidato: infeasible; by deduction; ")


def test_the_result_says_which_method_ran_and_counts_the_whole_call() -> None:
    auto, mip = ho.solve(TEXT), ho.solve(TEXT, method="mip")
    assert (auto.method, mip.method) == ("auto", "mip")
    for result in (auto, mip):
        stages = [seconds for name, seconds in result.seconds.items() if name != "total"]
        assert result.seconds["total"] >= sum(stages)


def test_names_that_are_not_known_list_the_known() -> None:
    with pytest.raises(ho.UnknownOption, match="method 'fast' is not known; known: auto, mip"):
        ho.solve(TEXT, method="fast")
    with pytest.raises(ho.UnknownOption, match="hidato formulation 'tables'"):
        ho.solve(TEXT, formulation="tables")
    with pytest.raises(ho.UnknownOption, match="backend 'gurobi'"):
        ho.solve(TEXT, backend="gurobi")
    with pytest.raises(ho.UnknownOption, match="option 'limit'"):
        ho.solve(TEXT, limit=3)


def test_options_reach_the_solver() -> None:
    result = ho.solve([[0] * 8] * 8, options={"mip_max_nodes": 0, "presolve": "off"}, seed=3)
    assert result.status in ("node_limit", "optimal")
    result = ho.solve(TEXT, warm_start=[[1, 3, 4], [2, 5, 6]])
    assert result.warm_start in ("accepted", "not_tried")


def test_malformed_boards_are_errors() -> None:
    with pytest.raises(ho.InvalidPuzzle, match="clue 9 is outside"):
        ho.solve("1 ./. 9")
    with pytest.raises(ho.InvalidPuzzle, match="clue 9 is outside"):
        ho.verify("1 ./. 9", "1 2/3 4")


def test_an_option_that_makes_another_model_is_refused() -> None:
    with pytest.raises(ho.InvalidOption, match="it changes the model; use relax"):
        ho.solve([[0, 0, 0]] * 3, options={"solve_relaxation": True})
