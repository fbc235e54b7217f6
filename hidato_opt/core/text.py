"""Board text: an optional header line, then a line for each row of cells.

The format is shared by all families; what a cell means is theirs.  See
`parse_board` for what is accepted.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from hidato_opt.core.errors import InvalidPuzzle

HEADER_KEYS = (
    "kind", "k", "loops", "goal", "lattice", "start", "closed", "links", "note", "name",
)  # fmt: skip
"""Keys of the header line that mean something; everything else is kept as note."""

HEADER_ALIASES = {"shape": "lattice"}
"""Other names of header keys."""

_DELIMITERS = (";", ",", "\t")


@dataclass(frozen=True)
class BoardText:
    """A parsed board text: its parameters, and its cells as strings.

    Attributes
    ----------
    parameters : dict
        Known header keys (``note`` excepted) and their values.
    note : str
        Everything of the header that is not a known key.
    rows : list of list of str
        The cells; an empty string is a blank cell of a delimited text.
    """

    rows: list[list[str]]
    parameters: dict[str, str] = field(default_factory=dict)
    note: str = ""


def read_text(path: str | os.PathLike[str]) -> str:
    """Read a file of text in UTF-8, without its byte-order mark.

    Raises
    ------
    InvalidPuzzle
        The file cannot be read, or is no such text.
    """
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:  # ValueError: not UTF-8, or no name of a file
        raise InvalidPuzzle(f"cannot read the file: {error}", source=str(path)) from None


def parse_header(line: str) -> tuple[dict[str, str], str]:
    """Split ``# key=value; key=value`` into known parameters and a note.

    Examples
    --------
    >>> parse_header("# kind=hidato; shape=square; checked here: unique, N=49")
    ({'kind': 'hidato', 'lattice': 'square'}, 'checked here: unique, N=49')
    """
    parameters: dict[str, str] = {}
    notes: list[str] = []
    for piece in line.lstrip("#").split(";"):
        key, equals, value = (part.strip() for part in piece.partition("="))
        key = HEADER_ALIASES.get(key, key)
        if equals and key == "note":
            notes.append(value)
        elif equals and key in HEADER_KEYS:
            if parameters.get(key, value) != value:
                raise InvalidPuzzle(f"the header says {key}={parameters[key]} and {key}={value}")
            parameters[key] = value
        elif piece.strip():
            notes.append(piece.strip())
    return parameters, "; ".join(note for note in notes if note)


def format_header(parameters: dict[str, str], note: str = "") -> str:
    """Write a header line that `parse_header` reads back; empty if there is nothing to say.

    A line break or semicolon in a value becomes a blank, for it would end the value.
    """
    pieces = list(parameters.items()) + [("note", piece) for piece in note.split(";")]
    words = [(key, " ".join(value.replace(";", " ").split())) for key, value in pieces]
    said = "; ".join(f"{key}={value}" for key, value in words if value)
    return f"# {said}" if said else ""


def parse_board(text: str) -> BoardText:
    r"""Read board text into cells.

    A first line that starts with ``#`` and contains ``=`` is a header.  The
    cells of a row are separated by blanks, or by one of ``;``, ``,`` or tab,
    the same in the whole text; between delimiters nothing is an empty cell.
    Rows are lines, or pieces between ``/`` where the board is a single line.
    Blank lines, a byte-order mark and any line ending are accepted.

    Raises
    ------
    InvalidPuzzle
        There are no cells, or every row ends with the delimiter (which may
        mean one more empty column, or not).

    Examples
    --------
    >>> parse_board("1 . 3/. . #").rows
    [['1', '.', '3'], ['.', '.', '#']]
    >>> parse_board("\ufeff1,,3\r\n,,\r\n").rows
    [['1', '', '3'], ['', '', '']]
    """
    lines = [line.strip("\r\n ") for line in re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))]
    parameters: dict[str, str] = {}
    note = ""
    first = next(filter(str.strip, lines), "")
    if first.startswith("#") and "=" in first:
        parameters, note = parse_header(first)
        lines = lines[lines.index(first) + 1 :]
    # where tabs stand between cells, a line of nothing else is a row of empty ones
    blank = " " if any("\t" in line.strip() for line in lines) else None
    lines = [line for line in lines if line.strip(blank)]
    if len(lines) == 1 and "/" in lines[0]:
        lines = [piece.strip(" ") for piece in lines[0].split("/")]
        if "" in lines:
            raise InvalidPuzzle("there is nothing between two '/'", row=lines.index(""))
    if not lines:
        raise InvalidPuzzle("the board is empty: there is no row of cells", code="empty-board")
    return BoardText(_split_cells(lines), parameters, note)


def _split_cells(lines: list[str]) -> list[list[str]]:
    for delimiter in _DELIMITERS:
        if not any(delimiter in line for line in lines):
            continue
        rows = [[cell.strip() for cell in line.split(delimiter)] for line in lines]
        if delimiter == "\t" and any(" " in cell for row in rows for cell in row):
            break
        if all(len(row) > 1 and row[-1] == "" for row in rows):
            mark = "a tab" if delimiter == "\t" else repr(delimiter)
            raise InvalidPuzzle(
                f"every row ends with {mark}: write '.' for an empty last cell, "
                f"or drop the delimiter at the end",
                code="trailing-delimiter",
            )
        return rows
    return [line.split() for line in lines if line.strip()]


def format_cells(rows: list[list[str]]) -> str:
    """Write cells in columns of equal width, right-aligned, a line for each row.

    Examples
    --------
    >>> print(format_cells([["1", "."], ["#", "12"]]))
     1  .
     # 12
    """
    width = max((len(cell) for row in rows for cell in row), default=1)
    return "\n".join(" ".join(cell.rjust(width) for cell in row) for row in rows)
