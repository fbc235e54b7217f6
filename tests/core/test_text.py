"""Board text: what is accepted, what it means, and what is refused with advice."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hidato_opt.core.errors import InvalidPuzzle
from hidato_opt.core.text import (
    BoardText,
    format_cells,
    format_header,
    parse_board,
    parse_header,
    read_text,
)

TWO_BY_THREE = [["1", ".", "3"], [".", ".", "#"]]


@pytest.mark.parametrize(
    "text",
    [
        "1 . 3\n. . #",
        "1 . 3\n. . #\n",
        "\n\n1 . 3\n\n. . #\n\n",
        "  1 .   3  \n .  . #  ",
        "1 . 3\r\n. . #\r\n",
        "1 . 3\r. . #\r",
        "\ufeff1 . 3\n. . #",
        "1 . 3\n   \n\t\n. . #",
        "1\t.\t3\n.\t.\t#",
        "1\t.\t3\r\n\r\n.\t.\t#\r\n",
        "1 . 3\t\n.\t. #",
        "1,.,3\n.,.,#",
        "1, ., 3\n., ., #",
        "1;.;3\r\n.;.;#\r\n",
        "1 ; . ; 3\n. ; . ; #",
        "1 . 3/. . #",
        "1 . 3 / . . #",
        " 1 . 3/. . # \n",
        "1,.,3/.,.,#",
        "1;.;3/.;.;#",
        "1\t.\t3/.\t.\t#",
        "# kind=hidato\n1 . 3\n. . #",
        "# kind=hidato\r\n1 . 3/. . #",
        "\ufeff# kind=hidato\n\n1 . 3\n. . #",
        "#kind=hidato;\ttwo tabs\t\n1 . 3\n\t\n. . #",
    ],
)
def test_every_way_to_write_the_same_board(text: str) -> None:
    assert parse_board(text).rows == TWO_BY_THREE


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("1,,3\n,,4\n", [["1", "", "3"], ["", "", "4"]]),
        ("1,,3\n,,\n", [["1", "", "3"], ["", "", ""]]),
        ("\ufeff1,\n,3\n", [["1", ""], ["", "3"]]),
        ("1;.\n.;.\n", [["1", "."], [".", "."]]),
        ("1\t\t3\n\t\t4", [["1", "", "3"], ["", "", "4"]]),
        ("1\t\t3\n\t\t\n4\t\t", [["1", "", "3"], ["", "", ""], ["4", "", ""]]),
        ("\t\t\n1\t\t3", [["", "", ""], ["1", "", "3"]]),
        ("1,/,3", [["1", ""], ["", "3"]]),
        ("1", [["1"]]),
        ("# .\n. 1", [["#", "."], [".", "1"]]),
        ("# 5 . . ./# . 7 # 1", [["#", "5", ".", ".", "."], ["#", ".", "7", "#", "1"]]),
        ("#", [["#"]]),
    ],
)
def test_blank_cells_between_delimiters_and_boards_that_begin_with_a_hole(
    text: str, rows: list[list[str]]
) -> None:
    assert parse_board(text) == BoardText(rows)


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("1,.,\n.,4,\n", "','"),
        ("1;.;\n.;4;\n", "';'"),
        ("1\t.\t\n.\t4\t\n", "a tab"),
        ("1,2,", "','"),
        ("1,.,/.,4,", "','"),
    ],
)
def test_a_delimiter_behind_every_row_could_mean_two_boards(text: str, mark: str) -> None:
    with pytest.raises(InvalidPuzzle, match=f"every row ends with {mark}: write '.'") as caught:
        parse_board(text)
    assert caught.value.code == "trailing-delimiter"


@pytest.mark.parametrize("text", ["", "\n\n", "  \n\t\n", "\ufeff", "# kind=hidato\n", "#k=2"])
def test_no_row_is_an_empty_board(text: str) -> None:
    with pytest.raises(InvalidPuzzle, match="the board is empty") as caught:
        parse_board(text)
    assert caught.value.code == "empty-board"


@pytest.mark.parametrize(("text", "row"), [("1 .//. .", 1), ("/1 .", 0), ("1 . /", 1), ("/", 0)])
def test_nothing_between_slashes_is_named_by_row(text: str, row: int) -> None:
    with pytest.raises(InvalidPuzzle, match=f"row {row + 1}: there is nothing") as caught:
        parse_board(text)
    assert caught.value.row == row


def test_slashes_in_several_lines_are_no_row_ends() -> None:
    assert parse_board("1 ./. .\n. ./. .").rows == [["1", "./.", "."], [".", "./.", "."]]


@pytest.mark.parametrize(
    ("line", "parameters", "note"),
    [
        ("# kind=hidato", {"kind": "hidato"}, ""),
        ("#kind=hidato;k=2", {"kind": "hidato", "k": "2"}, ""),
        ("#  kind = hidato ; k= 2 ;", {"kind": "hidato", "k": "2"}, ""),
        ("# shape=hex", {"lattice": "hex"}, ""),
        ("# lattice=hex; shape=hex", {"lattice": "hex"}, ""),
        ("# name=a = b", {"name": "a = b"}, ""),
        ("# note=hard", {}, "hard"),
        ("# kind=hidato; note=a; by hand; N=49", {"kind": "hidato"}, "a; by hand; N=49"),
        ("# Kind=hidato", {}, "Kind=hidato"),
        ("# checked: status=unique, k=3 twice", {}, "checked: status=unique, k=3 twice"),
        ("# =5; ;;", {}, "=5"),
        ("# loops=no; goal=1 2; start=0 0; closed=yes",
         {"loops": "no", "goal": "1 2", "start": "0 0", "closed": "yes"}, ""),
    ],
)  # fmt: skip
def test_header_keys_aliases_and_notes(line: str, parameters: dict[str, str], note: str) -> None:
    assert parse_header(line) == (parameters, note)
    text = parse_board(f"{line}\n1 .")
    assert (text.parameters, text.note, text.rows) == (parameters, note, [["1", "."]])


@pytest.mark.parametrize(
    "line", ["# kind=hidato; kind=numbrix", "# shape=hex; lattice=square", "# k=2; k=3"]
)
def test_a_header_that_contradicts_itself_is_refused(line: str) -> None:
    with pytest.raises(InvalidPuzzle, match="the header says "):
        parse_header(line)


def test_saying_the_same_twice_is_no_contradiction() -> None:
    assert parse_header("# kind=hidato; kind=hidato") == ({"kind": "hidato"}, "")


def test_a_second_header_line_is_a_row_of_cells() -> None:
    assert parse_board("# kind=hidato\n# k=2\n1 .").rows == [["#", "k=2"], ["1", "."]]


@pytest.mark.parametrize(
    ("parameters", "note", "line"),
    [
        ({}, "", ""),
        ({"kind": "hidato"}, "", "# kind=hidato"),
        ({"kind": "hidato", "name": "b"}, "hard", "# kind=hidato; name=b; note=hard"),
        ({}, "a; k=3", "# note=a; note=k=3"),
        ({"name": "two\nlines; a semicolon"}, "", "# name=two lines a semicolon"),
        ({"name": "  "}, "", ""),
    ],
)
def test_format_header(parameters: dict[str, str], note: str, line: str) -> None:
    assert format_header(parameters, note) == line


words = st.text(
    st.characters(codec="utf-8", exclude_characters=";\ufeff"), min_size=1, max_size=8
).map(lambda word: " ".join(word.split()))


@given(words, st.lists(words, max_size=3).map(lambda pieces: "; ".join(filter(None, pieces))))
def test_a_header_reads_back_whatever_the_name_and_the_note(name: str, note: str) -> None:
    parameters = {"kind": "hidato", "name": name} if name else {"kind": "hidato"}
    assert parse_header(format_header(parameters, note)) == (parameters, note)


def test_format_cells_aligns_to_the_right() -> None:
    assert format_cells([["1", "."], ["#", "12"]]) == " 1  .\n # 12"


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_read_text_drops_the_byte_order_mark(start: bytes, tmp_path: Path) -> None:
    file = tmp_path / "b.txt"
    file.write_bytes(start + "é 1".encode())
    assert read_text(file) == "é 1"
    assert read_text(str(file)) == "é 1"


@pytest.mark.parametrize("name", ["missing.txt", "", "nul\0.txt", "x" * 300])
def test_a_file_that_cannot_be_read_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidPuzzle, match="cannot read the file: ") as caught:
        read_text(tmp_path / name)
    assert caught.value.source == str(tmp_path / name)


def test_a_file_in_another_encoding_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "b.txt"
    file.write_bytes("1 .".encode("utf-16"))
    with pytest.raises(InvalidPuzzle, match="cannot read the file: 'utf-8' codec"):
        read_text(file)
