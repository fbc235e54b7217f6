"""Reading puzzles: files, text, CSV instance sets, or anything a puzzle can be made of."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hidato_opt.core.errors import HidatoOptError, InvalidPuzzle
from hidato_opt.core.puzzle import Puzzle
from hidato_opt.core.registry import DEFAULT_KIND, kind_named
from hidato_opt.core.text import (
    HEADER_ALIASES,
    HEADER_KEYS,
    BoardText,
    parse_board,
    read_text,
)


def loads(text: str, *, kind: str | None = None, name: str = "") -> Puzzle:
    """Read a puzzle from board text.

    Parameters
    ----------
    text : str
        Board text: see :func:`hidato_opt.core.text.parse_board`.
    kind : str, optional
        The kind of puzzle; default what the header says, else ``hidato``.
    name : str, optional
        What the puzzle is called in results.

    Raises
    ------
    InvalidPuzzle
        The text does not describe such a puzzle.
    UnknownOption
        There is no such kind.

    Examples
    --------
    >>> loads("1 . 3/. . .").size
    6
    """
    return _make(parse_board(text), kind, name)


def read(path: str | os.PathLike[str], *, kind: str | None = None) -> Puzzle:
    """Read a puzzle from a file of board text; its name is the file's.

    Raises
    ------
    InvalidPuzzle
        The file cannot be read, or does not describe a puzzle.
    """
    file = Path(path)
    text = read_text(file)
    if is_instance_set(text):
        raise InvalidPuzzle(
            "this is an instance set of many boards: read_csv reads it", source=str(file)
        )
    try:
        return loads(text, kind=kind, name=file.stem)
    except InvalidPuzzle as error:
        raise error.found_in(str(file)) from None


def is_instance_set(text: str) -> bool:
    """Say whether text is a CSV instance set: its first line names a column ``board``."""
    first = text.lstrip("\ufeff").split("\n", 1)[0]
    return any(
        "board" in (word.strip().strip('"') for word in first.split(mark)) for mark in ",;\t"
    )


def read_csv(path: str | os.PathLike[str]) -> list[Puzzle]:
    """Read an instance set: columns ``name``, ``kind``, ``board``, and parameters.

    The ``board`` column holds board text with ``/`` between rows; the
    delimiter is ``,``, ``;`` or a tab, whichever the first line has.  A cell
    that contains it stands in quotes.  Rows without any content are passed over.

    Raises
    ------
    InvalidPuzzle
        The file cannot be read, has no ``board`` column, or a row is no
        puzzle (the message names the line).
    """
    text = read_text(path)
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.DictReader(
        io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True
    )
    try:
        reader.fieldnames = [name.strip() for name in reader.fieldnames or []]
        if "board" not in reader.fieldnames:
            raise InvalidPuzzle("an instance set needs a column 'board'")
        return [from_row(row) for row in reader if any(row.values())]
    except InvalidPuzzle as error:
        raise error.found_in(f"{path}, line {max(1, reader.line_num)}") from None
    except (HidatoOptError, csv.Error) as error:
        raise InvalidPuzzle(str(error), source=f"{path}, line {reader.line_num}") from None


def from_row(row: Mapping[str, Any], *, kind: str | None = None) -> Puzzle:
    """Make a puzzle of one row of an instance set; columns that mean nothing to it are ignored.

    Parameters
    ----------
    row : mapping of str to object
        ``board`` with board text; ``name``, ``kind`` and parameters as in a header line.
    kind : str, optional
        The kind of puzzle; default what the row says, else ``hidato``.

    Examples
    --------
    >>> from_row({"name": "tiny", "kind": "numbrix", "board": "1 ./. .", "stars": 3})
    <Numbrix 'tiny': 2x2, N=4, 1 clues>
    """
    if None in row:  # how csv.DictReader says it
        raise InvalidPuzzle(
            "the row has more cells than there are columns; "
            "put quotes around a cell that contains the delimiter"
        )
    if not isinstance(row.get("board"), str):
        raise InvalidPuzzle("the row has no board text in its column 'board'")
    text = parse_board(row["board"])
    parameters = dict(text.parameters)
    note = text.note
    for column in (*HEADER_KEYS, *HEADER_ALIASES):
        key, value = HEADER_ALIASES.get(column, column), str(row.get(column, "")).strip()
        if row.get(column) is None or value in ("", "nan"):
            continue
        if key == "note":
            note = value
        elif key != "name" and parameters.get(key, value) != value:
            raise InvalidPuzzle(
                f"the column {column!r} says {value}, another place {key}={parameters[key]}"
            )
        else:
            parameters[key] = value
    return _make(BoardText(text.rows, parameters, note), kind, "")


def as_puzzle(given: Any, *, kind: str | None = None) -> Puzzle:
    """Take a puzzle as it is, or make one of whatever describes it.

    Parameters
    ----------
    given : Puzzle, str, os.PathLike, mapping, array, DataFrame or nested lists
        Text is board text; to read a file, give a `pathlib.Path` or use
        `read`.  A mapping is a row of an instance set.
    kind : str, optional
        What to make of cells or text without a header; default ``hidato``.
    """
    if isinstance(given, Puzzle):
        return given
    if isinstance(given, str):
        return loads(given, kind=kind)
    if isinstance(given, os.PathLike):
        return read(given, kind=kind)
    if isinstance(given, Mapping):
        return from_row(given, kind=kind)
    puzzle: Puzzle = kind_named(kind or DEFAULT_KIND).puzzle_class()(given)
    return puzzle


def _make(text: BoardText, kind: str | None, name: str) -> Puzzle:
    word = kind or text.parameters.get("kind", DEFAULT_KIND)
    puzzle: Puzzle = kind_named(word).puzzle_class().from_text(text, name=name)
    return puzzle
