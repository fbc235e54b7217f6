"""Signpost: arrows, text with arrows, and verdicts."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hidato_opt import build_model
from hidato_opt.core.errors import InvalidPuzzle
from hidato_opt.core.reading import loads, read_csv
from hidato_opt.core.registry import kind_named
from hidato_opt.path.signpost import Signpost
from path.board_brute import COMPASS, points_to

TEXT = "1:E S/* W"
"""Right, down, left: the only way is 1 2 / 4 3."""


def test_arrows_clues_and_holes_are_read() -> None:
    board = Signpost("1:e # SW/* 2:nw N")
    assert board.arrows == [["E", "", "SW"], ["*", "NW", "N"]]
    assert board.grid.tolist() == [[1, -1, 0], [0, 2, 0]]
    assert board.clues == {1: (0, 0), 2: (1, 1)}
    assert repr(board) == "<Signpost: 2x3, N=5, 2 clues>"


@pytest.mark.parametrize("arrow", COMPASS)
def test_an_arrow_leads_to_every_cell_in_its_direction(arrow: str) -> None:
    cells = [["*"] * 5 for _ in range(5)]
    cells[2][2] = arrow
    board = Signpost(cells)
    down, right = COMPASS[arrow]
    expected = [] if arrow == "*" else [(2 + d * down, 2 + d * right) for d in (1, 2)]
    assert sorted(board.cells[b] for b in board.arcs[1].tolist()) == sorted(expected)
    assert set(board.arcs[0].tolist()) <= {12}


words = st.sampled_from(["#", *COMPASS])


@given(st.lists(st.lists(words, min_size=4, max_size=4), min_size=1, max_size=4))
def test_arcs_and_is_step_are_the_geometry(cells: list[list[str]]) -> None:
    if all(cell == "#" for row in cells for cell in row):
        return
    board = Signpost(cells)
    expected = [
        (a, b)
        for a, (i, j) in enumerate(board.cells)
        for b, there in enumerate(board.cells)
        if points_to(cells[i][j], (i, j), there)
    ]
    assert list(zip(*(part.tolist() for part in board.arcs), strict=True)) == expected
    every = range(board.size)
    assert [(a, b) for a in every for b in every if board.is_step(a, b)] == expected
    again = loads(str(board))
    assert again == board
    assert again.arrows == board.arrows


def test_moves_pass_over_holes_and_cells() -> None:
    board = Signpost("1:E # * W")
    assert board.verify("1 # 3 2") == []
    assert build_model(board).solve().solution.tolist() == [[1, 0, 3, 2]]


def test_text_row_pickle_and_registry(tmp_path: Path) -> None:
    board = Signpost(TEXT)
    assert kind_named("signpost").puzzle_class() is Signpost
    assert str(board) == "# kind=signpost\n1:E   S\n  *   W"
    file = tmp_path / "set.csv"
    file.write_text(f"kind,board\nsignpost,{TEXT}\n")
    assert read_csv(file) == [board]
    again = pickle.loads(pickle.dumps(board))
    assert again == board
    assert hash(again) == hash(board)
    assert again.arrows == board.arrows


def test_boards_differ_by_their_arrows() -> None:
    assert Signpost(TEXT) != Signpost("1:E S/* N")
    assert Signpost(TEXT) == Signpost([["1:E", "S"], ["*", "W"]])


@pytest.mark.parametrize("name", ["assignment", "two-way", "flow", "segments", "successor"])
def test_every_formulation_finds_the_only_way(name: str) -> None:
    result = build_model(Signpost(TEXT), name).solve()
    assert result.solution.tolist() == [[1, 2], [4, 3]]


@pytest.mark.parametrize("name", ["assignment", "two-way", "flow", "segments", "successor"])
def test_arrows_go_one_way(name: str) -> None:
    """Read against the arrows there would be a way: 2 of the second cell points to the first."""
    assert build_model(Signpost("1:W 2:W"), name).solve().status == "infeasible"


def test_rules_by_code_and_cells() -> None:
    found = Signpost(TEXT).verify("1 3/4 2")
    assert [(violation.code, violation.cells) for violation in found] == [
        ("not-adjacent", ((0, 0), (1, 1))),
        ("not-adjacent", ((1, 1), (0, 1))),
        ("not-adjacent", ((0, 1), (1, 0))),
    ]
    closed = Signpost("E S/N W", closed=True)
    assert closed.verify("1 2/4 3") == []
    assert [v.code for v in Signpost("E S/W W", closed=True).verify("1 2/4 3")] == ["not-adjacent"]


@pytest.mark.parametrize(
    ("cells", "place", "code"),
    [
        ([["1:E", "."]], (0, 1), "no-arrow"),
        ([["E", "W"], ["3", "W"]], (1, 0), "no-arrow"),
        ([["E", "UP"]], (0, 1), "no-arrow"),
        ([["1:", "W"]], (0, 0), "no-arrow"),
        ([["x:E", "W"]], (0, 0), "not-a-number"),
        ([["7:E", "W"]], (0, 0), "out-of-range"),
        ([["1:E", "1:W"]], (0, 1), "given-twice"),
    ],
)
def test_bad_cells_name_cell_and_rule(cells: Any, place: tuple[int, int], code: str) -> None:
    with pytest.raises(InvalidPuzzle) as caught:
        Signpost(cells)
    assert ((caught.value.row, caught.value.column), caught.value.code) == (place, code)
