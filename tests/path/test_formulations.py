"""The formulation `assignment`, compared with the algebra of the text written out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hidato_opt import Hidato, Numbrix, PuzzleModel, build_model
from hidato_opt.core.errors import InvalidOption, InvalidPuzzle, UnknownOption
from hidato_opt.path.puzzle import PathBoard
from path.brute import Drawn, Rows, all_solutions, drawn_boards, open_cells, touch
from path.lp_text import LpText, lp_of, parse_lp

SQUARE = """
Minimize
 obj: 0 x_1_1_1
Subject To
 cell_1_1: x_1_1_1 + x_1_1_2 + x_1_1_3 + x_1_1_4 = 1
 cell_1_2: x_1_2_1 + x_1_2_2 + x_1_2_3 + x_1_2_4 = 1
 cell_2_1: x_2_1_1 + x_2_1_2 + x_2_1_3 + x_2_1_4 = 1
 cell_2_2: x_2_2_1 + x_2_2_2 + x_2_2_3 + x_2_2_4 = 1
 number_1: x_1_1_1 + x_1_2_1 + x_2_1_1 + x_2_2_1 = 1
 number_2: x_1_1_2 + x_1_2_2 + x_2_1_2 + x_2_2_2 = 1
 number_3: x_1_1_3 + x_1_2_3 + x_2_1_3 + x_2_2_3 = 1
 number_4: x_1_1_4 + x_1_2_4 + x_2_1_4 + x_2_2_4 = 1
 clue_1_2_3: x_1_2_3 = 1
 next_1_1_1: x_1_1_1 - x_1_2_2 - x_2_1_2 - x_2_2_2 <= 0
 next_1_1_2: x_1_1_2 - x_1_2_3 - x_2_1_3 - x_2_2_3 <= 0
 next_1_1_3: x_1_1_3 - x_1_2_4 - x_2_1_4 - x_2_2_4 <= 0
 next_1_2_1: x_1_2_1 - x_1_1_2 - x_2_1_2 - x_2_2_2 <= 0
 next_1_2_2: x_1_2_2 - x_1_1_3 - x_2_1_3 - x_2_2_3 <= 0
 next_1_2_3: x_1_2_3 - x_1_1_4 - x_2_1_4 - x_2_2_4 <= 0
 next_2_1_1: x_2_1_1 - x_1_1_2 - x_1_2_2 - x_2_2_2 <= 0
 next_2_1_2: x_2_1_2 - x_1_1_3 - x_1_2_3 - x_2_2_3 <= 0
 next_2_1_3: x_2_1_3 - x_1_1_4 - x_1_2_4 - x_2_2_4 <= 0
 next_2_2_1: x_2_2_1 - x_1_1_2 - x_1_2_2 - x_2_1_2 <= 0
 next_2_2_2: x_2_2_2 - x_1_1_3 - x_1_2_3 - x_2_1_3 <= 0
 next_2_2_3: x_2_2_3 - x_1_1_4 - x_1_2_4 - x_2_1_4 <= 0
Bounds
Binary
 x_1_1_1
 x_1_1_2
 x_1_1_3
 x_1_1_4
 x_1_2_1
 x_1_2_2
 x_1_2_3
 x_1_2_4
 x_2_1_1
 x_2_1_2
 x_2_1_3
 x_2_1_4
 x_2_2_1
 x_2_2_2
 x_2_2_3
 x_2_2_4
End
"""
"""`. 3 / . .` as the text has it: R = C = 2, N = 4, F_123 = 1, everything adjacent."""

WITH_HOLE = """
Minimize
 obj: 0 x_1_1_1
Subject To
 cell_1_1: x_1_1_1 + x_1_1_2 + x_1_1_3 = 1
 cell_1_3: x_1_3_1 + x_1_3_2 + x_1_3_3 = 1
 cell_2_2: x_2_2_1 + x_2_2_2 + x_2_2_3 = 1
 number_1: x_1_1_1 + x_1_3_1 + x_2_2_1 = 1
 number_2: x_1_1_2 + x_1_3_2 + x_2_2_2 = 1
 number_3: x_1_1_3 + x_1_3_3 + x_2_2_3 = 1
 clue_1_1_3: x_1_1_3 = 1
 clue_1_3_1: x_1_3_1 = 1
 next_1_1_1: x_1_1_1 - x_2_2_2 <= 0
 next_1_1_2: x_1_1_2 - x_2_2_3 <= 0
 next_1_3_1: x_1_3_1 - x_2_2_2 <= 0
 next_1_3_2: x_1_3_2 - x_2_2_3 <= 0
 next_2_2_1: x_2_2_1 - x_1_1_2 - x_1_3_2 <= 0
 next_2_2_2: x_2_2_2 - x_1_1_3 - x_1_3_3 <= 0
Bounds
Binary
 x_1_1_1
 x_1_1_2
 x_1_1_3
 x_1_3_1
 x_1_3_2
 x_1_3_3
 x_2_2_1
 x_2_2_2
 x_2_2_3
End
"""
"""`3 # 1 / # . #`: N = 3 is the number of open cells, and only diagonals lead on."""

WITHOUT_NEIGHBOURS = """
Minimize
 obj: 0 x_1_1_1
Subject To
 cell_1_1: x_1_1_1 + x_1_1_2 = 1
 cell_2_2: x_2_2_1 + x_2_2_2 = 1
 number_1: x_1_1_1 + x_2_2_1 = 1
 number_2: x_1_1_2 + x_2_2_2 = 1
 next_1_1_1: x_1_1_1 <= 0
 next_2_2_1: x_2_2_1 <= 0
Bounds
Binary
 x_1_1_1
 x_1_1_2
 x_2_2_1
 x_2_2_2
End
"""
"""`. # / # .` as a Numbrix: the sums over no neighbour are 0."""


def in_rows(board: Drawn) -> list[list[Any]]:
    return [["#" if cell == -1 else cell for cell in row] for row in board.board]


def board_of(drawn: Drawn) -> PathBoard:
    return {"hidato": Hidato, "numbrix": Numbrix}[drawn.kind](in_rows(drawn))


@pytest.mark.parametrize(
    ("board", "text"),
    [
        (Hidato(". 3/. ."), SQUARE),
        (Hidato("3 # 1/# . #"), WITH_HOLE),
        (Numbrix(". #/# ."), WITHOUT_NEIGHBOURS),
    ],
    ids=["2x2", "hole", "no neighbours"],
)
def test_model_is_the_text_written_out(board: PathBoard, text: str) -> None:
    said, expected = lp_of(build_model(board).model), parse_lp(text)
    assert said == expected
    assert list(said.rows) == list(expected.rows)


def algebra(drawn: Drawn) -> LpText:
    """Write the text's formulas out with plain loops; i, j and k count from 1."""
    cells = [(i + 1, j + 1) for i, j in open_cells(drawn.board)]
    size = len(cells)
    numbers = range(1, size + 1)
    rows: dict[str, tuple[dict[str, float], str]] = {}
    for i, j in cells:
        rows[f"cell_{i}_{j}"] = ({f"x_{i}_{j}_{k}": 1.0 for k in numbers}, "= 1")
    for k in numbers:
        rows[f"number_{k}"] = ({f"x_{i}_{j}_{k}": 1.0 for i, j in cells}, "= 1")
    for i, j in cells:
        k = drawn.board[i - 1][j - 1]
        if k > 0:
            rows[f"clue_{i}_{j}_{k}"] = ({f"x_{i}_{j}_{k}": 1.0}, "= 1")
    for i, j in cells:
        for k in range(1, size):
            terms = {f"x_{i}_{j}_{k}": 1.0}
            for r, c in cells:
                if touch(drawn.kind, (i, j), (r, c)):
                    terms[f"x_{r}_{c}_{k + 1}"] = -1.0
            rows[f"next_{i}_{j}_{k}"] = (terms, "<= 0")
    binary = [f"x_{i}_{j}_{k}" for i, j in cells for k in numbers]
    return LpText("Minimize", {binary[0]: 0.0}, rows, [], binary, [])


@given(drawn_boards())
def test_model_of_any_board_is_the_algebra(drawn: Drawn) -> None:
    assert lp_of(build_model(board_of(drawn)).model) == algebra(drawn)


@given(drawn_boards())
def test_sizes_are_those_of_the_docstring(drawn: Drawn) -> None:
    model = build_model(board_of(drawn)).model
    cells = open_cells(drawn.board)
    n = len(cells)
    f = sum(cell > 0 for row in drawn.board for cell in row)
    a = sum(touch(drawn.kind, one, other) for one in cells for other in cells)
    assert model.num_columns == n * n
    assert model.integer.all()
    assert model.num_rows == 2 * n + f + n * (n - 1)
    assert model.num_nonzeros == 2 * n * n + f + (n - 1) * (n + a)


def test_sizes_of_the_text_by_hand() -> None:
    """9x9: 81^2 binaries; 81 + 81 + 81 * 80 rows; a king's board has 544 ordered neighbours."""
    model = build_model(Hidato([[0] * 9] * 9)).model
    assert model.num_columns == 6561
    assert model.num_rows == 6642
    assert model.num_nonzeros == 2 * 6561 + 80 * (81 + 544)


def test_indices_count_from_one_as_in_the_text() -> None:
    model = build_model(Hidato("# 5 . . .\n# . 7 # 1"))
    assert repr(model.x[1, 2, 5]) == "x[1, 2, 5]"
    assert [repr(variable) for variable in model.x[2, 5, :]] == [
        f"x[2, 5, {k}]" for k in range(1, 8)
    ]
    for label in [(0, 1, 1), (1, 0, 1), (1, 2, 0), (1, 2, 8), (1, 1, 1), (3, 2, 1), (1, 2)]:
        with pytest.raises(InvalidOption, match="there is no variable x"):
            _ = model.x[label]


def test_groups_have_the_names_of_the_docstring() -> None:
    model = build_model(Hidato("1 ./. ."))
    assert list(model.variables) == ["x"]
    assert list(model.rows) == ["cell", "number", "clue", "next"]
    stats = model.stats
    assert stats.loc["cell", ["rows", "nonzeros"]].tolist() == [4, 16]
    assert stats.loc["number", ["rows", "nonzeros"]].tolist() == [4, 16]
    assert stats.loc["clue", ["rows", "nonzeros"]].tolist() == [1, 1]
    assert stats.loc["next", ["rows", "nonzeros"]].tolist() == [12, 48]


def test_an_unknown_formulation_lists_the_known() -> None:
    with pytest.raises(
        UnknownOption,
        match="hidato formulation 'tables' is not known; known: assignment, flow, segments, ",
    ):
        build_model("1 .", "tables")


# the models have exactly the solutions of the board


def solutions_of(model: PuzzleModel) -> Iterator[Rows]:
    """Solve, forbid what was found, solve again."""
    model = model.copy()
    while True:
        result = model.solve()
        if not result.has_solution:
            assert result.status == "infeasible"
            return
        found = result.solution.tolist()
        yield found
        chosen = [
            model.x[i + 1, j + 1, number]
            for i, row in enumerate(found)
            for j, number in enumerate(row)
            if number
        ]
        model.add(sum(chosen) <= len(chosen) - 1)


@pytest.mark.parametrize(
    ("kind", "board"),
    [
        ("hidato", [[0]]),
        ("hidato", [[0, 0, 0]]),
        ("hidato", [[0], [0], [0], [0]]),
        ("hidato", [[0, 0], [0, 0]]),
        ("numbrix", [[0, 0], [0, 0]]),
        ("numbrix", [[0, 0, 0], [0, 0, 0]]),
        ("hidato", [[0, -1], [0, 0]]),
        ("hidato", [[0, -1, 0], [-1, 0, -1], [0, -1, 3]]),
        ("hidato", [[1, 0, 0], [0, 0, 6]]),
        ("hidato", [[1, 0, 3], [0, 0, 0], [0, 0, 8]]),
        ("numbrix", [[0, 1, 0], [0, 0, 0], [0, 0, 0]]),
        ("numbrix", [[1, 0, 0], [0, 0, 0], [0, 0, 0]]),
    ],
)
def test_solutions_of_the_model_are_those_of_the_board(kind: str, board: Rows) -> None:
    drawn = Drawn(kind, board, [])
    expected = all_solutions(kind, board)
    found = list(solutions_of(build_model(board_of(drawn))))
    assert len(found) == len(expected)
    assert sorted(found) == sorted(expected)


def test_the_brute_force_knows_the_known_counts() -> None:
    """3x3 boards: 784 walks in all, 138 from a corner, 50 from an edge, 32 from the centre."""
    assert len(all_solutions("hidato", [[0, 0, 0]] * 3)) == 784
    assert 4 * 138 + 4 * 50 + 32 == 784
    for i, j, count in [(0, 0, 138), (0, 1, 50), (1, 1, 32)]:
        board = [[0] * 3 for _ in range(3)]
        board[i][j] = 1
        assert len(all_solutions("hidato", board)) == count


@settings(max_examples=20, deadline=None)
@given(drawn_boards(max_rows=3, max_columns=3, max_size=6), st.data())
def test_verdicts_on_boards_with_shuffled_clues_agree_with_brute_force(
    drawn: Drawn, data: st.DataObject
) -> None:
    clues = [cell for row in drawn.board for cell in row if cell > 0]
    shuffled = iter(data.draw(st.permutations(clues)))
    board = [[next(shuffled) if cell > 0 else cell for cell in row] for row in drawn.board]
    expected = all_solutions(drawn.kind, board)
    result = build_model(board_of(Drawn(drawn.kind, board, []))).solve()
    assert result.status == ("optimal" if expected else "infeasible")
    if expected:
        assert result.solution.tolist() in expected


# the codec


@given(drawn_boards())
def test_decode_of_encode_is_the_solution(drawn: Drawn) -> None:
    model = build_model(board_of(drawn))
    point = model.encode(drawn.solution)
    assert len(point.columns) == model.model.num_columns
    values = np.full(model.model.num_columns, np.nan)
    values[point.columns] = point.values
    assert values.sum() == drawn.size
    assert model.decode(values).tolist() == drawn.solution
    for i, j in open_cells(drawn.board):
        number = drawn.solution[i][j]
        assert values[model.x[i + 1, j + 1, number].column] == 1.0


def test_encode_of_a_part_settles_rows_and_columns_of_what_is_given() -> None:
    """2 in the first of three cells: nothing else stands there, and 2 stands nowhere else."""
    model = build_model(Hidato([[0, 0, 0]]))
    point = model.encode([[2, 0, None]])
    said = {
        repr(model.model.layout.variable(column)): value
        for column, value in zip(point.columns.tolist(), point.values.tolist(), strict=True)
    }
    assert said == {
        "x[1, 1, 1]": 0.0,
        "x[1, 1, 2]": 1.0,
        "x[1, 1, 3]": 0.0,
        "x[1, 2, 2]": 0.0,
        "x[1, 3, 2]": 0.0,
    }


def test_encode_of_nothing_leaves_everything_open() -> None:
    assert len(build_model("1 .").encode(". .").columns) == 0


@given(drawn_boards(), st.data())
def test_encode_of_a_part_agrees_with_the_whole(drawn: Drawn, data: st.DataObject) -> None:
    model = build_model(board_of(drawn))
    kept = data.draw(st.sets(st.integers(1, drawn.size)))
    part = [[number if number in kept else 0 for number in row] for row in drawn.solution]
    whole = np.zeros(model.model.num_columns)
    complete = model.encode(drawn.solution)
    whole[complete.columns] = complete.values
    point = model.encode(part)
    assert np.array_equal(point.values, whole[point.columns])
    assert len(np.unique(point.columns)) == len(point.columns)
    n, m = drawn.size, len(kept)
    assert len(point.columns) == n * n - (n - m) ** 2


@pytest.mark.parametrize(
    ("solution", "words"),
    [
        ([[1, 2]], "the solution has 1 rows of 2 cells, the board 2 of 2"),
        ([[1, 2], [3, 9]], r"a solution has numbers 1\.\.4, not 9"),
        ([[1, 2], [3, 4], [0, 0]], "the solution has 3 rows of 2 cells, the board 2 of 2"),
        ("1 2 3/. . .", "the solution has 2 rows of 3 cells, the board 2 of 2"),
    ],
)
def test_encode_refuses_what_is_no_solution_of_this_board(solution: Any, words: str) -> None:
    with pytest.raises(InvalidPuzzle, match=words):
        build_model("1 ./. .").encode(solution)


def test_decode_of_values_that_are_almost_whole() -> None:
    """Fault F22: int() would make 0 of 0.9999999."""
    model = build_model(Numbrix([[1, 0], [0, 0]]))
    values = np.zeros(16)
    for i, j, k in [(1, 1, 1), (1, 2, 2), (2, 2, 3), (2, 1, 4)]:
        values[model.x[i, j, k].column] = 0.9999999
    values[model.x[1, 1, 2].column] = 1e-7
    assert model.decode(values).tolist() == [[1, 2], [4, 3]]


def test_decode_leaves_cells_without_a_majority_empty() -> None:
    model = build_model(Hidato([[0, 0]]))
    assert model.decode(np.array([0.5, 0.5, 0.4, 0.6])).tolist() == [[0, 2]]


@pytest.mark.parametrize("values", [np.zeros(15), np.zeros(17), np.zeros((4, 4)), [], 3])
def test_decode_needs_a_value_for_each_variable(values: Any) -> None:
    with pytest.raises(InvalidOption, match="a point of the model has 16 values, not "):
        build_model("1 ./. .").decode(values)
