"""Cells of a path board: what may be written in one, and arrays of them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from hidato_opt.core.errors import InvalidPuzzle
from hidato_opt.core.text import BoardText, format_cells, parse_board, read_text

Grid = npt.NDArray[np.int32]
"""Cells as whole numbers: a clue or number, `EMPTY`, or `HOLE`; shape (rows, columns)."""

EMPTY = 0
HOLE = -1
_WORDS = {".": EMPTY, "": EMPTY, "0": EMPTY, "_": EMPTY, "#": HOLE}


def read_cells(given: Any) -> BoardText:
    """Bring whatever describes cells into rows of values, with the header if it is text.

    Parameters
    ----------
    given : str, os.PathLike, DataFrame, array of shape (rows, columns), or iterable of rows
        Board text, a file of it, or cells; a row may itself be a line of text.
    """
    if isinstance(given, BoardText):
        return given
    if isinstance(given, str):
        return parse_board(given)
    if isinstance(given, os.PathLike):
        return parse_board(read_text(given))
    if hasattr(given, "to_numpy"):
        given = given.to_numpy(dtype=object)
    if isinstance(given, np.ndarray):
        if given.ndim != 2:
            raise InvalidPuzzle(f"an array of cells has 2 dimensions, not {given.ndim}")
        return BoardText(given.tolist())
    if not isinstance(given, Iterable) or isinstance(given, dict):
        raise InvalidPuzzle(f"cells are rows of values or board text, not {given!r}")
    rows = []
    for number, row in enumerate(given):
        if isinstance(row, str):
            rows.append(row.split())
        elif isinstance(row, Iterable):
            rows.append(list(row))
        else:
            raise InvalidPuzzle(f"{row!r} is not a row of cells", row=number)
    return BoardText(rows)


def to_grid(rows: list[list[Any]]) -> Grid:
    """Read rows of cells into an array.

    Parameters
    ----------
    rows : list of list
        Cells: a positive whole number (also as text or a float), 0, None, NaN,
        ``.``, ``_`` or nothing for empty, ``#`` for a hole.

    Raises
    ------
    InvalidPuzzle
        There is no cell, a row has another length than the first, or a cell
        is none of these.

    Examples
    --------
    >>> to_grid([["1", "."], [None, "#"]]).tolist()
    [[1, 0], [0, -1]]
    """
    if not any(rows):
        raise InvalidPuzzle("the board is empty: there is no cell", code="empty-board")
    width = len(rows[0])
    for number, row in enumerate(rows):
        if len(row) != width:
            raise InvalidPuzzle(
                f"the row has {len(row)} cells where the first has {width}; "
                f"write '.' for an empty cell and '#' for a hole",
                row=number,
                code="ragged-rows",
            )
    values = [[_cell(cell, i, j) for j, cell in enumerate(row)] for i, row in enumerate(rows)]
    return np.array(values, dtype=np.int32)


def grid_text(grid: Grid) -> str:
    """Write an array of cells as board text, without a header."""
    words = {EMPTY: ".", HOLE: "#"}
    return format_cells([[words.get(cell, str(cell)) for cell in row] for row in grid.tolist()])


def _cell(cell: Any, row: int, column: int) -> int:
    if cell is None:
        return EMPTY
    if isinstance(cell, str):
        word = cell.strip()
        if word in _WORDS:
            return _WORDS[word]
        if word.isascii() and word.isdigit():
            # int() refuses a text of thousands of digits
            return _in_range(int(word) if len(word) < 20 else 0, cell, row, column)
    elif isinstance(cell, int | np.integer) and not isinstance(cell, bool):
        return EMPTY if cell == 0 else _in_range(int(cell), cell, row, column)
    elif isinstance(cell, float | np.floating):
        if np.isnan(cell):
            return EMPTY
        if cell == int(cell) if np.isfinite(cell) else False:
            return EMPTY if cell == 0 else _in_range(int(cell), cell, row, column)
    elif type(cell).__name__ in ("NAType", "NaTType"):
        return EMPTY
    raise InvalidPuzzle(
        f"{cell!r} is not a number; a cell is a whole number, '.' (empty) or '#' (hole)",
        row=row,
        column=column,
        code="not-a-number",
    )


def _in_range(number: int, cell: Any, row: int, column: int) -> int:
    if 0 < number <= np.iinfo(np.int32).max:
        return number
    raise InvalidPuzzle(
        f"{cell} is outside 1..N; an empty cell is 0 or '.', a hole is '#'",
        row=row,
        column=column,
        code="out-of-range",
    )
