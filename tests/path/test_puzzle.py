"""Boards and their rules, against a checker that was written without them."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hidato_opt import build_model
from hidato_opt.core.errors import InvalidPuzzle
from hidato_opt.core.puzzle import Cell
from hidato_opt.core.reading import loads
from hidato_opt.path.puzzle import Hidato, Numbrix, PathBoard
from path.brute import Drawn, Rows, drawn_boards, is_solution, touch

KINDS: dict[str, type[PathBoard]] = {"hidato": Hidato, "numbrix": Numbrix}


def board_of(drawn: Drawn) -> PathBoard:
    """Make the library's board of a drawn one."""
    return KINDS[drawn.kind]([["#" if cell == -1 else cell for cell in row] for row in drawn.board])


# making boards


@pytest.mark.parametrize(
    "cells",
    [
        [[1, 0, "#"], [None, 5, 0]],
        np.array([["1", ".", "#"], [".", "5", "."]]),
        np.array([[1, 0, "#"], [0, 5, 0]], dtype=object),
        pd.DataFrame([[1, np.nan, "#"], [np.nan, 5, np.nan]]),
        pd.DataFrame([["1", pd.NA, "#"], [pd.NA, "5", pd.NA]], dtype="string"),
        "1 . #\n. 5 .",
        "1 . #/. 5 .",
        "\ufeff1;;#\r\n;5;\r\n",
        ["1 . #", ". 5 ."],
    ],
    ids=lambda cells: type(cells).__name__,
)
def test_a_board_and_its_model_from_anything(cells: Any) -> None:
    expected = Hidato("1 . #/. 5 .")
    board = Hidato(cells)
    assert board == expected
    assert board.grid.tolist() == [[1, 0, -1], [0, 5, 0]]
    assert build_model(cells).puzzle == expected
    assert build_model(cells).content_hash == build_model(expected).content_hash


def test_a_board_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "b.txt"
    file.write_text("# name=inside; note=hard\n1 .\n. 4\n")
    assert Hidato(file) == Hidato([[1, 0], [0, 4]])
    assert Hidato(file).name == "inside"
    assert build_model(file).puzzle.name == "b"


def test_size_shape_and_clues_of_a_board_with_holes() -> None:
    board = Hidato("# 5 . . .\n# . 7 # 1")
    assert board.shape == (2, 5)
    assert board.size == 7
    assert board.clues == {5: (0, 1), 7: (1, 2), 1: (1, 4)}
    assert list(board.clues) == [5, 7, 1]
    assert all(type(number) is int for number in board.clues)
    assert repr(board) == "<Hidato: 2x5, N=7, 3 clues>"
    assert repr(Numbrix([[0]], name="b")) == "<Numbrix 'b': 1x1, N=1, 0 clues>"


def test_a_board_prints_as_board_text() -> None:
    board = Numbrix("# name=b; note=from a book\n10 . #\n. 2 .\n. . .\n# . .")
    assert str(board) == (
        "# kind=numbrix; name=b; note=from a book\n10  .  #\n .  2  .\n .  .  .\n #  .  ."
    )


@given(drawn_boards(), st.text(max_size=10), st.text(max_size=20))
def test_board_text_reads_back(drawn: Drawn, name: str, note: str) -> None:
    board = board_of(drawn)
    board.name, board.note = name, note
    again = loads(str(board))
    assert again == board
    assert type(again) is type(board)
    assert again.grid.tolist() == drawn.board


def test_boards_are_equal_by_kind_and_cells() -> None:
    assert Hidato([[1, 0]]) == Hidato("1 .", name="other")
    assert hash(Hidato([[1, 0]])) == hash(Hidato("1 ."))
    assert Hidato([[1, 0]]) != Numbrix([[1, 0]])
    assert Hidato([[1, 0]]) != Hidato([[1], [0]])
    assert Hidato([[1, 0]]) != Hidato([[1, 2]])
    assert Hidato([[1, 0]]) != [[1, 0]]
    assert len({Hidato([[1, 0]]), Hidato("1 ."), Hidato([[1], [0]])}) == 2


def test_a_board_is_read_only_wherever_it_goes() -> None:
    board = Hidato([[1, 0]], name="b")
    for twin in (
        board,
        copy.copy(board),
        copy.deepcopy(board),
        pickle.loads(pickle.dumps(board)),
    ):
        assert twin == board
        assert twin.name == "b"
        with pytest.raises(ValueError, match="read-only"):
            twin.grid[0, 1] = 2


def test_the_array_a_board_is_made_from_stays_free() -> None:
    cells = np.array([[1, 0]], dtype=np.int32)
    board = Hidato(cells)
    cells[0, 1] = 2
    assert board.grid.tolist() == [[1, 0]]


@pytest.mark.parametrize(
    ("cells", "place", "code", "words"),
    [
        ("1 3/. 3", (1, 1), "given-twice",
         "row 2, column 2: clue 3 is given twice, also in row 1, column 2"),
        ("1 ./. 9", (1, 1), "out-of-range",
         r"row 2, column 2: clue 9 is outside 1..4 \(the board has 4 open cells\)"),
        ("1 #/. 4", (1, 1), "out-of-range", r"clue 4 is outside 1..3"),
        ([[1, -3]], (0, 1), "out-of-range", "row 1, column 2: -3 is outside 1..N"),
        ("1 ./x 4", (1, 0), "not-a-number", "row 2, column 1: 'x' is not a number"),
        ("1 ./. 4 .", (1, None), "ragged-rows", "row 2: the row has 3 cells where the first has 2"),
        ("# #/# #", (None, None), "empty-board", "the board has no open cell"),
        ([], (None, None), "empty-board", "the board is empty"),
    ],
)  # fmt: skip
def test_malformed_boards_name_cell_and_rule(
    cells: Any, place: tuple[int | None, int | None], code: str, words: str
) -> None:
    with pytest.raises(InvalidPuzzle, match=words) as caught:
        Hidato(cells)
    error = caught.value
    assert ((error.row, error.column), error.code) == (place, code)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# kind=numbrix\n1", "the text says kind=numbrix, which is no hidato board"),
        (
            "# shape=cubes\n1",
            "lattice 'cubes' is not known for hidato; known: square, hex, tri, tri12",
        ),
        ("# k=2\n1", "a hidato board has no parameter 'k'"),
    ],
)
def test_headers_of_other_puzzles_are_refused(text: str, words: str) -> None:
    with pytest.raises(InvalidPuzzle, match=words):
        Hidato(text)


@pytest.mark.parametrize("cells", [[[2, 0, 0, 0, 1]], [[1, "#", 0]], [[1, 0, 2]]])
def test_a_board_without_a_solution_is_a_board(cells: Rows) -> None:
    assert Hidato(cells).size >= 2


# the rules


@pytest.mark.parametrize(
    ("board", "solution", "expected"),
    [
        ("1 . .", "1 2 3", []),
        ("# 1/2 .", "# 1/2 3", []),
        ("# 1/2 .", [[0, 1], [2, 3]], []),
        ("# 1/2 .", [[None, 1], [2, 3]], []),
        (". . .", "1 2 .", [("cell-empty", ((0, 2),)), ("number-missing", ())]),
        (". . .", "1 2 #", [("cell-empty", ((0, 2),)), ("number-missing", ())]),
        ("1 . .", ". 2 3", [("cell-empty", ((0, 0),)), ("number-missing", ())]),
        ("# 1/. .", "2 1/2 3", [("hole-filled", ((0, 0),))]),
        ("# 1/. .", "9 1/2 3", [("hole-filled", ((0, 0),))]),
        (". . .", "1 2 4", [("out-of-range", ((0, 2),)), ("number-missing", ())]),
        ("1 . .", "3 2 1", [("clue-changed", ((0, 0),))]),
        (". . .", "1 2 2", [("number-twice", ((0, 1), (0, 2))), ("number-missing", ())]),
        ("1 2 .", "1 2 2", [("number-twice", ((0, 1), (0, 2))), ("number-missing", ())]),
        (". . .", "1 1 1", [("number-twice", ((0, 0), (0, 1), (0, 2))),
                            ("number-missing", ()), ("number-missing", ())]),
        (". . .", "1 3 2", [("not-adjacent", ((0, 0), (0, 2)))]),
        (". . ./. . .", "1 2 4/6 5 3", []),
        (". . 1/2 . .", "4 3 1/2 5 6", [("not-adjacent", ((0, 2), (1, 0)))]),
        (". . ./. . .", "1 4 2/5 6 3", [("not-adjacent", ((0, 0), (0, 2)))]),
        (". . . .", "1 3 4 2", [("not-adjacent", ((0, 0), (0, 3))),
                                ("not-adjacent", ((0, 3), (0, 1)))]),
    ],
)  # fmt: skip
def test_each_broken_rule_of_a_hidato_by_code_and_cells(
    board: str, solution: Any, expected: list[tuple[str, tuple[Cell, ...]]]
) -> None:
    found = Hidato(board).verify(solution)
    assert [(violation.code, violation.cells) for violation in found] == expected


def test_diagonal_steps_are_moves_of_hidato_alone() -> None:
    assert Hidato(". ./. .").verify("1 3/4 2") == []
    found = Numbrix(". ./. .").verify("1 3/4 2")
    assert [(violation.code, violation.cells) for violation in found] == [
        ("not-adjacent", ((0, 0), (1, 1))),
        ("not-adjacent", ((0, 1), (1, 0))),
    ]


@pytest.mark.parametrize(
    ("solution", "messages"),
    [
        (". 2 3", ["row 1, column 1 has no number", "1 stands nowhere"]),
        ("1 3 2", ["1 in row 1, column 1 and 2 in row 1, column 3 are not a move apart"]),
        ("2 1 3", ["row 1, column 1 was given 1 and has 2",
                   "2 in row 1, column 1 and 3 in row 1, column 3 are not a move apart"]),
        ("1 2 2", ["2 stands in row 1, column 2 and row 1, column 3", "3 stands nowhere"]),
        ("1 2 4", ["4 in row 1, column 3 is outside 1..3", "3 stands nowhere"]),
    ],
)  # fmt: skip
def test_violations_in_words(solution: str, messages: list[str]) -> None:
    assert [violation.message for violation in Hidato("1 . .").verify(solution)] == messages


def test_cells_of_violations_are_plain_numbers() -> None:
    for violation in Hidato("# 1 . .").verify("1 1 9 ."):
        assert all(type(part) is int for cell in violation.cells for part in cell)


@pytest.mark.parametrize("kind", KINDS)
def test_moves_are_those_of_the_text(kind: str) -> None:
    board = KINDS[kind]([[0]])
    for down in range(-2, 3):
        for right in range(-2, 3):
            assert board.moves.is_move((5, 5), (5 + down, 5 + right)) == touch(
                kind, (5, 5), (5 + down, 5 + right)
            )


@given(drawn_boards())
def test_a_walk_over_all_cells_passes(drawn: Drawn) -> None:
    board = board_of(drawn)
    assert board.verify(drawn.solution) == []
    assert board.verify(board.read_solution(board.solution_text(drawn.solution))) == []


@given(drawn_boards(), st.data())
def test_one_changed_number_never_passes(drawn: Drawn, data: st.DataObject) -> None:
    cells = [(i, j) for i, row in enumerate(drawn.solution) for j, k in enumerate(row) if k]
    i, j = data.draw(st.sampled_from(cells))
    changed = [list(row) for row in drawn.solution]
    changed[i][j] = data.draw(st.integers(0, drawn.size + 2).filter(lambda k: k != changed[i][j]))
    assert board_of(drawn).verify(changed)


@given(drawn_boards(), st.data())
def test_swapped_numbers_pass_only_if_they_make_another_walk(
    drawn: Drawn, data: st.DataObject
) -> None:
    cells = [(i, j) for i, row in enumerate(drawn.solution) for j, k in enumerate(row) if k]
    (a, b), (c, d) = data.draw(st.sampled_from(cells)), data.draw(st.sampled_from(cells))
    swapped = [list(row) for row in drawn.solution]
    swapped[a][b], swapped[c][d] = swapped[c][d], swapped[a][b]
    expected = is_solution(drawn.kind, drawn.board, swapped)
    assert (board_of(drawn).verify(swapped) == []) == expected


@given(drawn_boards(max_rows=3, max_columns=3), st.data())
def test_verify_agrees_with_an_independent_checker(drawn: Drawn, data: st.DataObject) -> None:
    """Over permutations, mostly of boards of few cells, where many of them are solutions."""
    numbers = data.draw(st.permutations(range(1, drawn.size + 1)))
    if data.draw(st.booleans()):
        numbers = data.draw(
            st.lists(st.integers(0, drawn.size + 1), min_size=drawn.size, max_size=drawn.size)
        )
    rest = iter(numbers)
    solution = [[0 if cell == -1 else next(rest) for cell in row] for row in drawn.board]
    expected = is_solution(drawn.kind, drawn.board, solution)
    assert (board_of(drawn).verify(solution) == []) == expected


@pytest.mark.parametrize("solution", ["1 2", "1 2 3/4 5 6", "1/2/3"])
def test_a_solution_of_another_shape_is_no_solution_of_this_board(solution: str) -> None:
    with pytest.raises(
        InvalidPuzzle, match=r"the solution has . rows of . cells, the board 1 of 3"
    ):
        Hidato("1 . .").verify(solution)


def test_a_solution_with_something_that_is_no_number_names_the_cell() -> None:
    with pytest.raises(InvalidPuzzle, match="row 1, column 2: 'x' is not a number"):
        Hidato("1 . .").verify("1 x 3")


@pytest.mark.parametrize(
    "solution",
    [
        [[0, 1], [2, 3]],
        np.array([[0, 1], [2, 3]]),
        np.array([[np.nan, 1], [2, 3]]),
        pd.DataFrame([[None, 1], [2, 3]]),
        "# 1\n2 3",
        "# kind=hidato; note=the solution\n# 1/2 3",
    ],
    ids=lambda solution: type(solution).__name__,
)
def test_solutions_in_every_shape(solution: Any) -> None:
    board = Hidato("# 1/. .")
    assert board.verify(solution) == []


def test_solutions_as_text_and_json() -> None:
    board = Hidato("# 1/. .")
    solution = board.read_solution("# 1\n2 3")
    assert board.verify(solution) == []
    assert board.solution_text([[0, 1], [2, 3]]) == "# 1\n2 3"
    assert board.solution_text(solution) == "# 1\n2 3"
    assert board.solution_json(solution) == [[None, 1], [2, 3]]
    assert board.solution_json(np.array([[0, 1], [2, 3]])) == [[None, 1], [2, 3]]
    assert all(
        cell is None or type(cell) is int for row in board.solution_json(solution) for cell in row
    )
