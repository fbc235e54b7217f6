"""What the LP and the MPS writer share: comments, numbers, and rows that need splitting."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hidato_opt.core.errors import InvalidOption
from hidato_opt.modelling.expressions import FloatArray
from hidato_opt.modelling.model import BoolArray, Model
from hidato_opt.modelling.names import NameTable

TextArray = npt.NDArray[np.object_]
"""Texts behind references, so that a million equal ones cost a million references."""

LINE_WIDTH = 100
"""Lines are folded at about this width; HiGHS reads LP lines of at most 560 characters."""
BLOCK = 50_000
"""How many terms are turned into text at a time."""
OBJECTIVE = "obj"
"""Name of the objective row; the name of a real row has an underscore or a number in it."""
CONSTANT = "objective__constant"
"""Name of the column fixed at 1 that carries the objective's constant."""
UPPER = "__upper"
"""Behind the name of a row or column: the row that holds its upper bound alone."""


@dataclass(frozen=True)
class FileRows:
    """The rows as a file can say them, in compressed sparse rows.

    Attributes
    ----------
    names : list of str
        A name for each row.
    starts, columns, coefficients : arrays
        The terms.
    lower, upper : float arrays, one entry a row
        Bounds of the rows.
    """

    names: list[str]
    starts: npt.NDArray[Any]
    columns: npt.NDArray[Any]
    coefficients: FloatArray
    lower: FloatArray
    upper: FloatArray


def checked_names(model: Model, names: NameTable | None) -> NameTable:
    """Return the names to write, readable ones by default.

    Raises
    ------
    InvalidOption
        The table is not as long as the model has columns and rows.
    """
    if names is None:
        return NameTable.of(model)
    if (len(names.columns), len(names.rows)) != (model.num_columns, model.num_rows):
        raise InvalidOption(
            f"the name table has {len(names.columns)} columns and {len(names.rows)} rows, the "
            f"model {model.num_columns} and {model.num_rows}; make it of the model to be written"
        )
    return names


def comment_lines(mark: str, model: Model, names: NameTable, notes: Sequence[str]) -> Iterator[str]:
    """Write the header: what the model is, the notes, and the name table."""
    size = (
        f"{model.num_rows} rows, {model.num_columns} columns "
        f"({int(model.integer.sum())} integer), {model.num_nonzeros} non-zeros"
    )
    lines = [f"model {model.name}", size]
    lines += [line for note in notes for line in note.splitlines()]
    if names.header:
        lines += ["names:", *(f"  {line}" for line in names.header)]
    for line in lines:
        printable = line if line.isascii() and line.isprintable() else ascii(line)[1:-1]
        pieces = [printable]
        if len(printable) > LINE_WIDTH:
            pieces = textwrap.wrap(
                printable, LINE_WIDTH, subsequent_indent="      ", drop_whitespace=False
            )
        for piece in pieces:
            yield f"{mark} {piece.rstrip()}\n"


def number_text(value: float) -> str:
    """Write a number so that it reads back bit by bit, a whole one without a point.

    Examples
    --------
    >>> [number_text(value) for value in (1.0, -0.1, 1e30)]
    ['1', '-0.1', '1e+30']
    """
    return str(int(value)) if abs(value) < 1e16 and value.is_integer() else repr(value)


def texts_of(values: FloatArray, write: Callable[[float], str]) -> TextArray:
    """Write each number of an array; equal ones are written once and share their text."""
    distinct, inverse = np.unique(values, return_inverse=True)
    texts: TextArray = np.array([write(value) for value in distinct.tolist()], dtype=np.object_)
    return texts[inverse]


def file_rows(model: Model, names: NameTable, ranged: BoolArray) -> FileRows:
    """Split what a file cannot say in one row; nothing is copied where there is no need.

    A row between two bounds keeps the lower one and gets a second row, named
    ``..__upper``, for the other, unless `ranged` says that the format can hold
    both.  A column whose lower bound exceeds its upper one (so that the model
    is infeasible; CBC refuses to read it) gets a row for the upper bound.

    Parameters
    ----------
    model : Model
        The model to be written.
    names : NameTable
        Its names.
    ranged : bool array, one entry a row
        Whether the format can hold two different bounds of the row.
    """
    split = np.flatnonzero(is_two_sided(model.row_lower, model.row_upper) & ~ranged)
    crossed = np.flatnonzero(model.lower > model.upper)
    if not len(split) and not len(crossed):
        return FileRows(
            names.rows,
            model.starts,
            model.columns,
            model.coefficients,
            model.row_lower,
            model.row_upper,
        )
    source = np.concatenate([np.arange(model.num_rows), split])
    order = np.argsort(source, kind="stable")
    source, is_second = source[order], order >= model.num_rows
    lengths = np.diff(model.starts)[source]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    terms = np.arange(starts[-1]) + np.repeat(model.starts[source] - starts[:-1], lengths)
    lower = np.where(is_second, -np.inf, model.row_lower[source])
    upper = np.where(np.isin(source, split) & ~is_second, np.inf, model.row_upper[source])
    row_names = [
        names.rows[row] + UPPER if second else names.rows[row]
        for row, second in zip(source.tolist(), is_second.tolist(), strict=True)
    ]
    return FileRows(
        row_names + [names.columns[column] + UPPER for column in crossed.tolist()],
        np.concatenate([starts, starts[-1] + np.arange(1, len(crossed) + 1)]),
        np.concatenate([model.columns[terms], crossed]),
        np.concatenate([model.coefficients[terms], np.ones(len(crossed))]),
        np.concatenate([lower, np.full(len(crossed), -np.inf)]),
        np.concatenate([upper, model.upper[crossed]]),
    )


def is_two_sided(lower: FloatArray, upper: FloatArray) -> BoolArray:
    """Say which rows have two different finite bounds."""
    ranged: BoolArray = np.isfinite(lower) & np.isfinite(upper) & (lower != upper)
    return ranged


def column_bounds(model: Model) -> tuple[FloatArray, FloatArray]:
    """Return the bounds to write: without the upper ones that `file_rows` made rows of."""
    return model.lower, np.where(model.lower > model.upper, np.inf, model.upper)


def is_plain_binary(model: Model) -> BoolArray:
    """Say which columns are integers between 0 and 1."""
    binary: BoolArray = model.integer & (model.lower == 0.0) & (model.upper == 1.0)
    return binary
