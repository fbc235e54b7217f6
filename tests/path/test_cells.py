"""Cells from nested lists, arrays, DataFrames, text and files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hidato_opt.core.errors import InvalidPuzzle
from hidato_opt.core.text import BoardText, parse_board
from hidato_opt.path.cells import EMPTY, HOLE, grid_text, read_cells, to_grid

GRID = [[1, EMPTY, 3], [EMPTY, HOLE, 12]]


def grid_of(given_cells: Any) -> list[list[int]]:
    return to_grid(read_cells(given_cells).rows).tolist()


@pytest.mark.parametrize(
    "given_cells",
    [
        [[1, 0, 3], [0, "#", 12]],
        [[1, None, 3], [float("nan"), "#", 12.0]],
        [["1", ".", "3"], ["", "#", "12"]],
        [["01", "_", " 3 "], [" ", " # ", "012"]],
        ((1, 0, 3), (0, "#", 12)),
        [np.array([1, 0, 3]), np.array([0, "#", 12], dtype=object)],
        [[np.int64(1), np.float64("nan"), np.uint8(3)], [-0.0, "#", np.float32(12)]],
        [[1, pd.NA, 3], [pd.NaT, "#", 12]],
        "1 . 3\n. # 12",
        ["1 . 3", ". # 12"],
        ["1 . 3", [None, "#", 12]],
        "1,,3\n,#,12",
        np.array([["1", ".", "3"], [".", "#", "12"]]),
        np.array([[1, None, 3], [0, "#", 12]], dtype=object),
        np.array([["1", "", "3"], ["", "#", "12"]], dtype=np.dtypes.StringDType()),
        pd.DataFrame([[1, 0, 3], [0, "#", 12]]),
        pd.DataFrame([[1, None, 3], [None, "#", 12]]),
        pd.DataFrame([["1", None, "3"], [None, "#", "12"]], dtype="string"),
        pd.DataFrame([[1, 0, 3], [0, "#", 12]], index=["a", "b"], columns=["x", "y", "z"]),
        BoardText([["1", ".", "3"], [".", "#", "12"]]),
        (row for row in [[1, 0, 3], [0, "#", 12]]),
        ({1: "a", 0: "b", 3: "c"}, {0: "a", "#": "b", 12: "c"}),
    ],
    ids=lambda given_cells: type(given_cells).__name__,
)
def test_every_way_to_give_the_same_cells(given_cells: Any) -> None:
    assert grid_of(given_cells) == GRID


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint16", "float32", "float64"])
def test_arrays_and_frames_of_numbers(dtype: str) -> None:
    cells = [[1, 0, 3], [0, 5, 0]]
    assert grid_of(np.array(cells, dtype=dtype)) == cells
    assert grid_of(pd.DataFrame(cells, dtype=dtype)) == cells


def test_frames_with_missing_values() -> None:
    cells = [[1, 0, 3], [0, 5, 0]]
    with_nan = [[1, np.nan, 3], [np.nan, 5, np.nan]]
    assert grid_of(pd.DataFrame(with_nan)) == cells
    assert grid_of(pd.DataFrame(with_nan, dtype="Int64")) == cells
    assert grid_of(np.array(with_nan)) == cells
    assert grid_of(np.ma.masked_equal(cells, 0)) == cells


def test_a_file(tmp_path: Path) -> None:
    file = tmp_path / "b.txt"
    file.write_bytes(b"\xef\xbb\xbf# kind=hidato\r\n1 . 3\r\n. # 12\r\n")
    assert grid_of(file) == GRID


def test_the_grid_is_an_int32_array_of_rows_and_columns() -> None:
    grid = to_grid([["1", "."], [None, "#"], [0, 2]])
    assert (grid.dtype, grid.shape) == (np.int32, (3, 2))


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("x", "not-a-number"),
        ("1.0", "not-a-number"),
        ("-1", "not-a-number"),
        ("+1", "not-a-number"),
        ("1 2", "not-a-number"),
        ("##", "not-a-number"),
        ("²", "not-a-number"),
        ("٣", "not-a-number"),
        ("\ufeff1", "not-a-number"),
        (1.5, "not-a-number"),
        (float("inf"), "not-a-number"),
        (True, "not-a-number"),
        (np.True_, "not-a-number"),
        (1j, "not-a-number"),
        ([1], "not-a-number"),
        (b"1", "not-a-number"),
        (-1, "out-of-range"),
        (-2.0, "out-of-range"),
        (2**31, "out-of-range"),
        (1e20, "out-of-range"),
        ("00", "out-of-range"),
        ("9" * 25, "out-of-range"),
        ("9" * 5000, "out-of-range"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_what_is_no_cell_is_named_by_row_and_column(cell: Any, code: str) -> None:
    with pytest.raises(InvalidPuzzle, match=r"^row 2, column 3: ") as caught:
        to_grid([[1, 2, 3], [0, 0, cell]])
    assert (caught.value.row, caught.value.column, caught.value.code) == (1, 2, code)


def test_the_first_bad_cell_is_named() -> None:
    with pytest.raises(InvalidPuzzle, match="row 1, column 2: 'x' is not a number; a cell is"):
        to_grid([[1, "x"], ["y", 2]])


@pytest.mark.parametrize(
    ("rows", "row", "words"),
    [
        ([[1, 0], [0]], 1, "the row has 1 cells where the first has 2; write '.'"),
        ([[1, 0], [0, 0], [0, 0, 0]], 2, "the row has 3 cells where the first has 2"),
        ([[1], []], 1, "the row has 0 cells where the first has 1"),
        ([[], [1]], 1, "the row has 1 cells where the first has 0"),
    ],
)
def test_ragged_rows_are_named(rows: list[list[int]], row: int, words: str) -> None:
    with pytest.raises(InvalidPuzzle, match=f"^row {row + 1}: {words}") as caught:
        to_grid(rows)
    assert (caught.value.row, caught.value.column, caught.value.code) == (row, None, "ragged-rows")


@pytest.mark.parametrize(
    "empty", [[], [[]], [[], []], np.zeros((0, 3)), np.zeros((3, 0)), pd.DataFrame(), ""],
    ids=repr,
)  # fmt: skip
def test_no_cells_is_an_empty_board(empty: Any) -> None:
    with pytest.raises(InvalidPuzzle, match="the board is empty") as caught:
        grid_of(empty)
    assert caught.value.code == "empty-board"


@pytest.mark.parametrize(
    "array", [np.array(3), np.array([1, 2]), np.zeros((2, 2, 2)), pd.Series([1, 2])], ids=repr
)
def test_arrays_have_two_dimensions(array: Any) -> None:
    with pytest.raises(InvalidPuzzle, match="an array of cells has 2 dimensions, not "):
        read_cells(array)


@pytest.mark.parametrize("given_cells", [3, None, 2.5, True, {"a": [1]}, object()], ids=repr)
def test_what_has_no_rows_is_refused(given_cells: Any) -> None:
    with pytest.raises(InvalidPuzzle, match="cells are rows of values or board text, not "):
        read_cells(given_cells)


def test_a_row_that_is_none_is_named() -> None:
    with pytest.raises(InvalidPuzzle, match="row 2: 3 is not a row of cells"):
        read_cells([[1, 2], 3])


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidPuzzle, match=r"missing\.txt: cannot read the file: "):
        read_cells(tmp_path / "missing.txt")


def test_grid_text_aligns_columns() -> None:
    assert grid_text(np.array(GRID, dtype=np.int32)) == " 1  .  3\n .  # 12"


grids = st.integers(1, 5).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(HOLE, 2**31 - 1), min_size=width, max_size=width),
        min_size=1,
        max_size=5,
    )
)


@given(grids)
def test_grid_text_reads_back(cells: list[list[int]]) -> None:
    text = grid_text(np.array(cells, dtype=np.int32))
    assert to_grid(parse_board(f"# note=x\n{text}").rows).tolist() == cells
