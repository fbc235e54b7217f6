"""Models as LP files (CPLEX dialect) that HiGHS and CBC read to the same problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TextIO

import numpy as np

from hidato_opt.modelling.export import (
    CONSTANT,
    LINE_WIDTH,
    OBJECTIVE,
    FileRows,
    TextArray,
    checked_names,
    column_bounds,
    comment_lines,
    file_rows,
    is_plain_binary,
    number_text,
    texts_of,
)
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.names import NameTable

_ROWS_AT_A_TIME = 1_000
"""How many rows are turned into text at a time."""


def write_lp(
    model: Model, stream: TextIO, *, names: NameTable | None = None, notes: Sequence[str] = ()
) -> None:
    r"""Write a model in LP format; the same model gives the same bytes.

    * The objective's constant is the coefficient of a column fixed at 1: CBC
      does not add up constants as others do.  A model without columns gets
      that column too.
    * A row between two bounds becomes two rows, for HiGHS and CBC read no
      other form of it.
    * A row without terms is written ``0 x >= 1`` with the first column, and a
      column in no row stands in the objective with its 0, or it would be lost.
    * Integer columns always have explicit bounds, for the default differs.

    Readers number columns as they meet them, which need not be the model's
    order: go by the names.

    Parameters
    ----------
    model : Model
        The model.
    stream : text stream
        Where to write; everything is ASCII.
    names : NameTable, optional
        The names to use (default ``NameTable.of(model)``).
    notes : sequence of str
        Further comment lines for the header.

    Raises
    ------
    InvalidOption
        The name table is not of this model.

    Examples
    --------
    >>> import sys
    >>> from hidato_opt.modelling.constraints import at_most_one
    >>> from hidato_opt.modelling.index import IndexSet
    >>> from hidato_opt.modelling.builder import ModelBuilder
    >>> builder = ModelBuilder("pick")
    >>> x = builder.add_variables("x", IndexSet.range("K", 1, 2), "binary")
    >>> builder.add_rows("one", at_most_one(x, by=()))
    >>> write_lp(builder.build().maximize(3 * x[1] + 0.5), sys.stdout)
    \ model pick
    \ 1 rows, 2 columns (2 integer), 2 non-zeros
    \ names:
    \   x_k: x[k]
    \   one_all: one[all]
    Maximize
     obj: 3 x_1 + 0.5 objective__constant
    Subject To
     one_1: x_1 + x_2 <= 1
    Bounds
     objective__constant = 1
    Binary
     x_1
     x_2
    End
    """
    names = checked_names(model, names)
    rows = file_rows(model, names, np.zeros(model.num_rows, dtype=np.bool_))
    column_names = np.array(names.columns or [CONSTANT], dtype=np.object_)
    stream.writelines(comment_lines("\\", model, names, notes))
    stream.write("Maximize\n" if model.maximise else "Minimize\n")
    stream.write(_objective_line(model, rows, column_names))
    stream.write("Subject To\n")
    stream.writelines(_row_lines(rows, column_names))
    stream.write("Bounds\n")
    stream.writelines(_bound_lines(model, names))
    binary = is_plain_binary(model)
    for section, chosen in (("General", model.integer & ~binary), ("Binary", binary)):
        if chosen.any():
            stream.write(f"{section}\n")
            stream.writelines(f" {name}\n" for name in column_names[chosen].tolist())
    stream.write("End\n")


def _signed_text(coefficient: float) -> str:
    """Write what stands before a name: a sign, and a number unless it is one."""
    size = abs(coefficient)
    return ("- " if coefficient < 0.0 else "+ ") + ("" if size == 1.0 else f"{number_text(size)} ")


def _objective_line(model: Model, rows: FileRows, column_names: TextArray) -> str:
    used = np.bincount(rows.columns, minlength=model.num_columns)
    listed = np.flatnonzero((model.cost != 0.0) | (used == 0))
    terms = (texts_of(model.cost[listed], _signed_text) + column_names[listed]).tolist()
    if model.offset or not model.num_columns:
        terms.append(_signed_text(model.offset) + CONSTANT)
    return _folded(f"{OBJECTIVE}:", terms or [f"0 {column_names[0]}"]) + "\n"


def _row_lines(rows: FileRows, column_names: TextArray) -> Iterator[str]:
    signed = texts_of(rows.coefficients, _signed_text)
    sense = np.where(rows.lower == rows.upper, "=", np.where(np.isinf(rows.upper), ">=", "<="))
    sides = texts_of(np.where(np.isinf(rows.upper), rows.lower, rows.upper), number_text)
    tails = (" " + sense.astype(np.object_) + " " + sides + "\n").tolist()
    starts = rows.starts.tolist()
    for first in range(0, len(rows.names), _ROWS_AT_A_TIME):
        block = range(first, min(first + _ROWS_AT_A_TIME, len(rows.names)))
        span = slice(starts[block.start], starts[block.stop])
        words = (signed[span] + column_names[rows.columns[span]]).tolist()
        for row in block:
            terms = words[starts[row] - span.start : starts[row + 1] - span.start]
            yield _folded(f"{rows.names[row]}:", terms or [f"0 {column_names[0]}"]) + tails[row]


def _folded(head: str, terms: list[str]) -> str:
    """Put terms on as many lines as they need, without the first plus sign."""
    line = f" {head} {' '.join(terms).removeprefix('+ ')}"
    if len(line) <= LINE_WIDTH:
        return line
    size = max(1, LINE_WIDTH // (max(map(len, terms)) + 1))
    lines = [" ".join(terms[start : start + size]) for start in range(0, len(terms), size)]
    return "\n  ".join([f" {head} {lines[0].removeprefix('+ ')}", *lines[1:]])


def _bound_lines(model: Model, names: NameTable) -> Iterator[str]:
    """Write every bound but those of binaries and of real columns from 0 upwards."""
    lower, upper = column_bounds(model)
    default = is_plain_binary(model) | ((lower == 0.0) & np.isinf(upper) & ~model.integer)
    low_texts, up_texts = texts_of(lower, number_text), texts_of(upper, number_text)
    for place in np.flatnonzero(~default).tolist():
        name, low, up = names.columns[place], low_texts[place], up_texts[place]
        if low == up:
            yield f" {name} = {low}\n"
        elif (low, up) == ("-inf", "inf"):
            yield f" {name} free\n"
        elif up == "inf":
            yield f" {name} >= {low}\n"
        else:
            yield f" {low} <= {name} <= {up}\n"
    if model.offset or not model.num_columns:
        yield f" {CONSTANT} = 1\n"
