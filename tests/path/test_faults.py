"""Faults seen in other solvers of path puzzles, each with its input and the right answer.

F16 is a hexagonal board, a later part of the library; F24 (10x10 without a
clue, fast) is for the search and its heuristics, and slow for the model alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from hidato_opt import Result, build_model, loads, solve, verify
from hidato_opt.core.errors import InvalidPuzzle, NoSolution
from hidato_opt.path.puzzle import Numbrix
from path.brute import all_solutions


@dataclass(frozen=True)
class Fault:
    """A board, what is right about it, and its solution where there is one only."""

    name: str
    kind: str
    text: str
    status: str
    solution: str | None = None


FAULTS = [
    # 1 and 2 need not touch
    Fault("F01", "hidato", "2 . . . 1", "infeasible"),
    # the path wraps round the end of a row
    Fault("F02", "hidato", ". . 1\n2 . .", "infeasible"),
    # compared with one stored solution
    Fault("F03", "numbrix", "1 .\n. .", "several"),
    # no search for a second solution
    Fault("F04", "hidato", "1 .\n. 4", "several"),
    # each gap between clues filled by itself
    Fault("F05", "hidato", "# 5 . . .\n# . 7 # 1", "unique", "# 5 4 3 2\n# 6 7 # 1"),
    # 1 or N not given
    Fault("F06", "numbrix", ". 3 . .", "unique", "4 3 2 1"),
    # the last number taken for the largest clue
    Fault("F07", "numbrix", "1 2 .", "unique", "1 2 3"),
    # N = rows * columns in spite of holes
    Fault("F08", "hidato", "1 # .\n. . 5", "unique", "1 # 4\n2 3 5"),
    # rows and columns mixed up
    Fault("F09", "numbrix", "1 .\n. .\n. 6", "unique", "1 2\n4 3\n5 6"),
    # one row; one column is its mirror image
    Fault("F10", "numbrix", ". 2 . .", "unique", "1 2 3 4"),
    Fault("F10, a column", "numbrix", ".\n2\n.\n.", "unique", "1\n2\n3\n4"),
    Fault("F10b", "numbrix", ".", "unique", "1"),
    # a board that falls apart
    Fault("F13", "numbrix", "1 # .", "infeasible"),
    # parity: 1 on the colour with fewer cells
    Fault("F14", "numbrix", ". 1 .\n. . .\n. . .", "infeasible"),
    # the path may cross itself
    Fault("F15", "hidato", "1 3\n4 2", "unique", "1 3\n4 2"),
    # blank cells between commas
    Fault("F17", "numbrix", "1,,3\n,,\n", "unique", "1 2 3\n6 5 4"),
    # a byte-order mark glued to the first cell
    Fault("F18", "numbrix", "\ufeff1,\n,3\n", "several"),
    # semicolons
    Fault("F19", "numbrix", "1;.\n.;.\n", "several"),
    # a blank line counted as a row
    Fault("F20", "hidato", "1 .\n\n. 4\n", "several"),
]


def all_by_cuts(fault: Fault) -> list[list[list[int]]]:
    """List every solution that HiGHS finds of the model when those before are cut off."""
    model = build_model(loads(fault.text, kind=fault.kind))
    found: list[list[list[int]]] = []
    while True:
        result = model.solve("highs")
        if not result.has_solution:
            assert (result.status, result.proved_by) == ("infeasible", "backend")
            return found
        assert (result.status, result.verified) == ("optimal", True)
        found.append(result.solution.tolist())
        cells = [
            model.x[i + 1, j + 1, int(number)]
            for (i, j), number in np.ndenumerate(result.solution)
            if number
        ]
        model.add(sum(cells) <= len(cells) - 1)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_status_and_solution(fault: Fault) -> None:
    board = loads(fault.text, kind=fault.kind)
    found = all_by_cuts(fault)
    expected = all_solutions(fault.kind, board.grid.tolist())
    assert sorted(found) == sorted(expected)
    counts = {"infeasible": len(found) == 0, "unique": len(found) == 1, "several": len(found) > 1}
    assert counts[fault.status]
    if fault.solution is not None:
        assert board.verify(fault.solution) == []
        assert board.solution_text(np.array(found[0])).split() == fault.solution.split()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("F01", "2 3 4 5 1"),
        ("F02", "4 3 1\n2 5 6"),
    ],
)
def test_wrong_answers_of_others_are_refused(name: str, text: str) -> None:
    fault = next(fault for fault in FAULTS if fault.name == name)
    assert verify(fault.text, text)


@pytest.mark.parametrize("solution", ["1 2\n4 3", "1 4\n2 3"])
def test_f03_both_solutions_pass(solution: str) -> None:
    assert loads("1 .\n. .", kind="numbrix").verify(solution) == []


def test_f09_the_clues_are_where_they_were_given() -> None:
    assert loads("1 .\n. .\n. 6", kind="numbrix").clues == {1: (0, 0), 6: (2, 1)}  # type: ignore[attr-defined]  # a path board


def test_f11_a_number_given_twice_is_invalid_and_both_cells_are_named() -> None:
    with pytest.raises(InvalidPuzzle) as caught:
        loads("1 3\n. 3")
    assert "row 2, column 2" in str(caught.value)
    assert "row 1, column 2" in str(caught.value)
    assert caught.value.code == "given-twice"


def test_f12_a_number_beyond_the_open_cells_is_invalid() -> None:
    with pytest.raises(InvalidPuzzle, match=r"row 2, column 2: clue 9 is outside 1\.\.4"):
        loads("1 .\n. 9")


def test_f20_ragged_rows_are_not_filled_up() -> None:
    with pytest.raises(InvalidPuzzle, match="row 2: the row has 1 cells where the first has 2"):
        loads("1 .\n4\n")


def test_f21_a_limit_is_a_limit_and_has_no_grid() -> None:
    result = solve([[0] * 10] * 10, method="mip", time_limit=0.01)
    assert result.status == "time_limit"
    assert not result.has_solution
    assert not result.verified
    assert result.proved_by is None
    with pytest.raises(NoSolution):
        _ = result.solution
    assert result.to_json()["solution"] is None


def solved_with_start(start: str) -> Result:
    result = build_model(loads("1 .\n. .", kind="numbrix")).solve(
        "highs", warm_start=Numbrix(". .\n. .").read_solution(start)
    )
    assert result.status == "optimal"
    assert result.solution.tolist() in ([[1, 2], [4, 3]], [[1, 4], [2, 3]])
    return result


def test_f23_a_wrong_start_is_refused_by_rule_and_cell_and_the_answer_is_right() -> None:
    result = solved_with_start("1 3\n2 4")
    assert result.warm_start == "rejected"
    assert result.warm_start_reason == (
        "the start breaks a rule: not-adjacent: 2 in row 2, column 1 and 3 in row 1, column 2 "
        "are not a move apart"
    )


@pytest.mark.parametrize(
    ("start", "code"),
    [("2 1\n3 4", "clue-changed"), ("1 2\n2 3", "number-twice"), ("1 2\n. 5", "out-of-range")],
)
def test_f23_other_wrong_starts(start: str, code: str) -> None:
    result = solved_with_start(start)
    assert result.warm_start == "rejected"
    assert result.warm_start_reason.startswith(f"the start breaks a rule: {code}: ")


def test_f23_a_right_start_is_used() -> None:
    """On a board that presolve does not settle: rows from left to right and back again."""
    snake = [[1, 2, 3, 4], [8, 7, 6, 5], [9, 10, 11, 12], [16, 15, 14, 13]]
    result = build_model([[0] * 4] * 4).solve("highs", warm_start=snake)
    assert result.warm_start == "accepted"
    assert result.solution.tolist() == snake
