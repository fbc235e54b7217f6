"""Results: two questions, never one word; JSON and text in the shapes of the design."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest

from hidato_opt.core.errors import NoSolution
from hidato_opt.core.result import Result, failure_json
from hidato_opt.core.status import Status, WarmStartFate
from hidato_opt.path.puzzle import Hidato

KEYS = [
    "name", "kind", "status", "has_solution", "verified", "solution", "objective", "bound",
    "method", "found_by", "proved_by", "backend", "backend_version", "formulation", "warm_start",
    "seconds", "error",
]  # fmt: skip
"""The keys of DESIGN's JSON, in its order; ``unique`` is there where it is asked."""

BOARD = Hidato([["#", 1], [0, 0]], name="b<1>")
FOUND = np.array([[0, 1], [3, 2]])
SOLVED = Result(
    BOARD,
    Status.OPTIMAL,
    objective=0.0,
    bound=0.0,
    found_by="backend",
    proved_by="backend",
    backend="highs",
    backend_version="1.16.0",
    formulation="assignment",
    warm_start=WarmStartFate.REPAIRED,
    seconds={"build": 0.25, "total": 1.23456789},
    verified=True,
    found=FOUND,
)
STOPPED = Result(BOARD, Status.TIME_LIMIT, bound=-math.inf, objective=math.nan)


def test_a_solution_is_there_or_asking_for_it_raises() -> None:
    assert SOLVED.has_solution
    assert SOLVED.solution is FOUND
    assert not STOPPED.has_solution
    with pytest.raises(NoSolution, match="ended with status time_limit and no solution; ask has_"):
        _ = STOPPED.solution


def test_json_has_the_keys_of_the_design_in_its_order() -> None:
    assert list(SOLVED.to_json()) == KEYS
    assert list(STOPPED.to_json()) == KEYS
    assert list(failure_json("b", "hidato", "no")) == KEYS


def test_json_of_a_solved_board() -> None:
    assert json.loads(json.dumps(SOLVED.to_json(), allow_nan=False)) == {
        "name": "b<1>",
        "kind": "hidato",
        "status": "optimal",
        "has_solution": True,
        "verified": True,
        "solution": [[None, 1], [3, 2]],
        "objective": 0.0,
        "bound": 0.0,
        "method": "mip",
        "found_by": "backend",
        "proved_by": "backend",
        "backend": "highs",
        "backend_version": "1.16.0",
        "formulation": "assignment",
        "warm_start": "repaired",
        "seconds": {"build": 0.25, "total": 1.234568},
        "error": None,
    }


def test_json_of_a_run_without_solution_has_null_and_no_infinity() -> None:
    said = json.loads(json.dumps(STOPPED.to_json(), allow_nan=False))
    assert said["solution"] is None
    assert (said["objective"], said["bound"]) == (None, None)
    assert (said["has_solution"], said["verified"]) == (False, False)


def test_json_of_a_failure() -> None:
    said = failure_json("b", None, "row 1: too long")
    assert (said["name"], said["kind"], said["status"]) == ("b", None, "error")
    assert (said["has_solution"], said["verified"], said["seconds"]) == (False, False, {})
    assert said["error"] == "row 1: too long"
    assert said["solution"] is None


def test_summary_says_how_the_run_ended() -> None:
    assert SOLVED.summary() == (
        "b<1>: optimal; highs 1.16.0, formulation assignment; 1.235 s; warm start repaired"
    )
    assert STOPPED.summary() == "b<1>: time_limit"
    assert Result(Hidato([[0]]), Status.INFEASIBLE).summary() == "hidato: infeasible"


def test_a_result_prints_as_a_board_and_its_summary() -> None:
    assert str(SOLVED) == f"# 1\n3 2\n{SOLVED.summary()}"
    assert str(STOPPED) == STOPPED.summary()


def test_notebooks_get_the_same_with_its_brackets_escaped() -> None:
    shown = SOLVED._repr_html_()
    assert shown.startswith("<pre>")
    assert "# 1\n3 2" in shown
    assert "b&lt;1&gt;: optimal" in shown


def test_results_pickle() -> None:
    again = pickle.loads(pickle.dumps(SOLVED))
    assert again.to_json() == SOLVED.to_json()
    assert again.puzzle == BOARD
