"""Files, instance sets, and whatever else a puzzle can be made of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hidato_opt.core.errors import HidatoOptError, InvalidPuzzle, UnknownOption
from hidato_opt.core.reading import as_puzzle, from_row, loads, read, read_csv
from hidato_opt.path.puzzle import Hidato, Numbrix

BOARD = [[1, 0], [0, 4]]
PIECES = st.sampled_from(
    ["1", "2", "12", ".", "#", "_", "x", " ", " ", ";", ",", "\t", "/", "\n", "\n", "\r\n",
     "\ufeff", "=", "kind=", "hidato", "numbrix", "name=", "shape=square", "k=2", '"', "\0"]
)  # fmt: skip
"""What board text is made of, and a little more."""


def is_board_or_refused(make: Callable[[], Any]) -> None:
    """Say that there is a board that reads back, or an error of ours, and nothing third."""
    try:
        board = make()
    except HidatoOptError:
        return
    assert board.size >= 1
    assert loads(str(board)) == board


def write(folder: Path, name: str, text: str | bytes) -> Path:
    file = folder / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_loads_takes_the_kind_from_the_caller_the_header_or_else_hidato() -> None:
    assert loads("1 ./. 4") == Hidato(BOARD)
    assert loads("1 ./. 4", kind="numbrix") == Numbrix(BOARD)
    assert loads("# kind=numbrix\n1 ./. 4") == Numbrix(BOARD)
    assert loads("# kind=numbrix\n1 ./. 4", kind="numbrix") == Numbrix(BOARD)


def test_two_different_kinds_are_refused() -> None:
    with pytest.raises(InvalidPuzzle, match="the text says kind=numbrix, which is no hidato board"):
        loads("# kind=numbrix\n1 ./. 4", kind="hidato")


@pytest.mark.parametrize(("text", "kind"), [("1 .", "sudoku"), ("# kind=sudoku\n1 .", None)])
def test_an_unknown_kind_lists_those_there_are(text: str, kind: str | None) -> None:
    with pytest.raises(UnknownOption, match=r"kind 'sudoku' is not known; known: .*numbrix"):
        loads(text, kind=kind)


def test_loads_names_the_board_by_the_caller_or_the_header() -> None:
    assert loads("1 .", name="mine").name == "mine"
    assert loads("# name=theirs\n1 .").name == "theirs"
    assert loads("1 .").name == ""


def test_read_names_the_board_by_its_file(tmp_path: Path) -> None:
    file = write(tmp_path, "tiny.txt", b"\xef\xbb\xbf# kind=numbrix; name=other\r\n1 .\r\n. 4\r\n")
    board = read(file)
    assert board == Numbrix(BOARD)
    assert board.name == "tiny"
    assert read(str(file)) == board


def test_read_names_the_file_and_the_cell_of_an_error(tmp_path: Path) -> None:
    file = write(tmp_path, "bad.txt", "1 3\n. 3\n")
    with pytest.raises(InvalidPuzzle) as caught:
        read(file)
    assert str(caught.value).startswith(f"{file}: row 2, column 2: clue 3 is given twice")
    error = caught.value
    assert (error.row, error.column, error.code, error.source) == (1, 1, "given-twice", str(file))


def test_a_folder_is_no_board(tmp_path: Path) -> None:
    with pytest.raises(InvalidPuzzle, match="cannot read the file"):
        read(tmp_path)


CSV_ROWS = [
    ["name", "kind", "board", "stars"],
    ["a", "hidato", "1 ./. 4", "3"],
    ["b", "numbrix", "1 . 3/. . .", ""],
]


def csv_text(delimiter: str = ",", end: str = "\n") -> str:
    return end.join(delimiter.join(row) for row in CSV_ROWS) + end


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"], ids=["", "bom"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", " ; ", ", "])
def test_read_csv_with_any_delimiter_and_line_ending(
    delimiter: str, end: str, start: bytes, tmp_path: Path
) -> None:
    file = write(tmp_path, "set.csv", start + csv_text(delimiter, end).encode())
    first, second = read_csv(file)
    assert first == Hidato(BOARD)
    assert second == Numbrix([[1, 0, 3], [0, 0, 0]])
    assert (first.name, second.name) == ("a", "b")


@pytest.mark.parametrize(
    ("text", "board"),
    [
        ('board\n"1,.,3/.,.,."\n', Hidato([[1, 0, 3], [0, 0, 0]])),
        ('board;x\n"1;.;3/.;.;.";y\n', Hidato([[1, 0, 3], [0, 0, 0]])),
        ('name,board\na,"1 2\n4 3"\n', Hidato([[1, 2], [4, 3]])),
        ('name,board\r\na,"1 2\r\n4 3"\r\n', Hidato([[1, 2], [4, 3]])),
        ("board\n# kind=numbrix\n", None),
        ('board,name\n"# kind=numbrix\n1 .",n\n', Numbrix([[1, 0]])),
        ("shape,kind,board\nsquare,numbrix,1 .\n", Numbrix([[1, 0]])),
        ("kind,board\n,1 .\n", Hidato([[1, 0]])),
        ("kind,board,note\nhidato,1 .,\n", Hidato([[1, 0]])),
        ("\u2028,board\nx,1 .\n", Hidato([[1, 0]])),
        ("board\n1 ./. .", Hidato([[1, 0], [0, 0]])),
        ("board\n1 .\x0c\n", Hidato([[1, 0]])),
    ],
)
def test_boards_of_an_instance_set(text: str, board: Hidato | None, tmp_path: Path) -> None:
    file = write(tmp_path, "set.csv", text)
    if board is None:
        with pytest.raises(InvalidPuzzle, match="line 2: the board is empty"):
            read_csv(file)
    else:
        assert read_csv(file) == [board]


@pytest.mark.parametrize("blank", ["", "  ", ";;", " ; ; "])
def test_rows_without_content_are_passed_over(blank: str, tmp_path: Path) -> None:
    file = write(tmp_path, "set.csv", f"name;kind;board\na;;1 .\n{blank}\nb;;2 .\n{blank}\n")
    assert [board.name for board in read_csv(file)] == ["a", "b"]


def test_an_instance_set_may_be_empty(tmp_path: Path) -> None:
    assert read_csv(write(tmp_path, "set.csv", "name,board\n")) == []


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("name,board\na,1 .\nb,1 x\n", 3, "row 1, column 2: 'x' is not a number"),
        ("name,board\na,1 .\n\nb,1 1\n", 4, "row 1, column 2: clue 1 is given twice"),
        ("kind,board\nsudoku,1 .\n", 2, "kind 'sudoku' is not known"),
        ("name,board\na\n", 2, "no board text"),
        ("name,board\na,\n", 2, "the board is empty"),
        ("board\n1,.,3/.,.,.\n", 2, "more cells than there are columns; put quotes"),
        ("name,board\na,1 .,\n", 2, "more cells than there are columns"),
        ("shape,board\ncubes,1 .\n", 2, "lattice 'cubes' is not known"),
        ("k,board\n2,1 .\n", 2, "no parameter 'k'"),
        ('kind,board\nnumbrix,"# kind=hidato\n1 ."\n', 3, "another place kind=hidato"),
        ("shape,lattice,board\nhex,square,1 .\n", 2, "another place lattice=square"),
        ('board\n"1 .\n', 1, "unexpected end of data"),
        ('name,board\n"a"x,1 .\n', 1, "expected after"),
    ],
)
def test_a_bad_row_is_named_by_file_and_line(
    text: str, line: int, words: str, tmp_path: Path
) -> None:
    file = write(tmp_path, "set.csv", text)
    with pytest.raises(InvalidPuzzle, match=words) as caught:
        read_csv(file)
    assert caught.value.source == f"{file}, line {line}"


def test_a_bad_row_keeps_the_cell_in_its_fields(tmp_path: Path) -> None:
    file = write(tmp_path, "set.csv", "board\n1 ./. 9\n")
    with pytest.raises(InvalidPuzzle) as caught:
        read_csv(file)
    error = caught.value
    assert (error.row, error.column, error.code) == (1, 1, "out-of-range")


@pytest.mark.parametrize("text", ["", "\n", "1 . 3\n. . .\n", "name,kind\na,hidato\n"])
def test_a_set_without_a_board_column_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidPuzzle, match="line 1: an instance set needs a column 'board'"):
        read_csv(write(tmp_path, "set.csv", text))


def test_a_field_beyond_the_limit_of_the_csv_module_is_an_error_of_ours(tmp_path: Path) -> None:
    file = write(tmp_path, "set.csv", f"board\n{'. ' * 70_000}\n")
    with pytest.raises(InvalidPuzzle, match="field larger than field limit"):
        read_csv(file)


@pytest.mark.parametrize(
    ("row", "board", "name"),
    [
        ({"board": "1 ./. 4"}, Hidato(BOARD), ""),
        ({"board": "1 ./. 4", "name": " a ", "kind": "numbrix"}, Numbrix(BOARD), "a"),
        ({"board": "# kind=numbrix; name=h\n1 ./. 4", "stars": 3}, Numbrix(BOARD), "h"),
        ({"board": "# name=h\n1 ./. 4", "name": "r"}, Hidato(BOARD), "r"),
        ({"board": "1 ./. 4", "kind": None, "name": float("nan")}, Hidato(BOARD), ""),
        ({"board": "1 ./. 4", "kind": "", "shape": "square"}, Hidato(BOARD), ""),
    ],
)
def test_from_row(row: dict[str, Any], board: Hidato, name: str) -> None:
    made = from_row(row)
    assert made == board
    assert made.name == name


def test_from_row_keeps_the_note_of_the_row_or_of_the_header() -> None:
    assert from_row({"board": "# note=old\n1", "note": "new"}).note == "new"
    assert from_row({"board": "# note=old\n1", "note": None}).note == "old"


def test_rows_of_csv_dictreader_with_too_many_cells_are_refused() -> None:
    with pytest.raises(InvalidPuzzle, match="put quotes around"):
        from_row({"board": "1", None: ["."]})  # type: ignore[dict-item]  # what the reader makes


@pytest.mark.parametrize("row", [{}, {"board": None}, {"board": [[1]]}, {"board": float("nan")}])
def test_from_row_needs_board_text(row: dict[str, Any]) -> None:
    with pytest.raises(InvalidPuzzle, match="no board text in its column 'board'"):
        from_row(row)


def test_as_puzzle_takes_whatever_describes_a_board(tmp_path: Path) -> None:
    file = write(tmp_path, "b.txt", "1 .\n. 4\n")
    for cells in (
        Hidato(BOARD),
        BOARD,
        ((1, None), (float("nan"), "4")),
        "1 ./. 4",
        file,
        np.array(BOARD),
        pd.DataFrame(BOARD),
        {"board": "1 ./. 4"},
        (row for row in BOARD),
    ):
        assert as_puzzle(cells) == Hidato(BOARD)


def test_as_puzzle_makes_another_kind_on_request(tmp_path: Path) -> None:
    file = write(tmp_path, "b.txt", "1 .\n. 4\n")
    for cells in (BOARD, "1 ./. 4", file, {"board": "1 ./. 4"}):
        assert as_puzzle(cells, kind="numbrix") == Numbrix(BOARD)


def test_as_puzzle_refuses_a_row_of_another_kind() -> None:
    with pytest.raises(InvalidPuzzle, match="kind=hidato, which is no numbrix board"):
        as_puzzle({"board": "1 .", "kind": "hidato"}, kind="numbrix")


def test_as_puzzle_leaves_a_puzzle_alone() -> None:
    board = Numbrix(BOARD)
    assert as_puzzle(board) is board


@pytest.mark.parametrize("given", [3, None, 1.5, object()])
def test_as_puzzle_says_what_it_was_given(given: object) -> None:
    with pytest.raises(InvalidPuzzle, match="cells are rows of values or board text, not "):
        as_puzzle(given)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_any_text_is_a_board_or_refused(text: str) -> None:
    is_board_or_refused(lambda: loads(text))
    is_board_or_refused(lambda: loads(text, kind="numbrix"))
    is_board_or_refused(lambda: from_row({"board": text, "name": text, "note": text}))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.tuples(inner)
            | st.dictionaries(st.text(max_size=2), inner, max_size=2)
        ),
        max_leaves=12,
    )
)
def test_any_nest_of_values_is_a_board_or_refused(given_cells: Any) -> None:
    is_board_or_refused(lambda: as_puzzle(given_cells))


def test_reading_an_instance_set_as_one_board_points_to_read_csv(tmp_path: Path) -> None:
    with pytest.raises(InvalidPuzzle, match="this is an instance set of many boards: read_csv"):
        read(write(tmp_path, "set.txt", "name;board\nx;1 .\n"))
