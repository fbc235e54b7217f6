"""Models as free MPS files that HiGHS and CBC read to the same problem."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TextIO

import numpy as np

from hidato_opt.modelling.export import (
    BLOCK,
    CONSTANT,
    OBJECTIVE,
    FileRows,
    TextArray,
    checked_names,
    column_bounds,
    comment_lines,
    file_rows,
    is_plain_binary,
    is_two_sided,
    number_text,
    texts_of,
)
from hidato_opt.modelling.expressions import FloatArray
from hidato_opt.modelling.model import BoolArray, Model
from hidato_opt.modelling.names import MAX_LENGTH, NameTable

_NO_LIMIT = "-1e30"
_NEGATED = "this file minimises the negative of an objective that is to be maximised"


def write_mps(
    model: Model, stream: TextIO, *, names: NameTable | None = None, notes: Sequence[str] = ()
) -> None:
    """Write a model in free MPS format; the same model gives the same bytes.

    * An objective to be maximised is written with its sign changed, and a
      comment says so: CBC 2.10 passes over ``OBJSENSE`` without a word.
    * Integer columns always have explicit bounds, for the default differs.
    * A row between two bounds goes to ``RANGES``, or becomes two rows where the
      width would not give back the second bound to the last bit.
    * A row without bounds is kept, as ``>= -1e30``.
    * A model without columns gets one, fixed at 1, that carries the objective's
      constant: HiGHS gives no verdict on the rows of a model without columns.

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
    >>> write_mps(builder.build().minimize(3 * x[1]), sys.stdout)
    * model pick
    * 1 rows, 2 columns (2 integer), 2 non-zeros
    * names:
    *   x_k: x[k]
    *   one_all: one[all]
    NAME pick FREE
    ROWS
     N obj
     L one_1
    COLUMNS
     MARKER 'MARKER' 'INTORG'
     x_1 obj 3
     x_1 one_1 1
     x_2 one_1 1
     MARKER 'MARKER' 'INTEND'
    RHS
     RHS one_1 1
    BOUNDS
     BV BND x_1
     BV BND x_2
    ENDATA
    """
    names = checked_names(model, names)
    rows = file_rows(model, names, _fits_ranges(model.row_lower, model.row_upper))
    stream.writelines(
        comment_lines("*", model, names, [*notes, _NEGATED] if model.maximise else notes)
    )
    stream.write(f"NAME {_problem_name(model.name)} FREE\n")
    stream.writelines(_row_lines(rows))
    stream.writelines(_column_lines(model, rows, names))
    stream.writelines(_rhs_lines(model, rows))
    stream.writelines(_range_lines(rows))
    stream.writelines(_bound_lines(model, names))
    stream.write("ENDATA\n")


def _problem_name(name: str) -> str:
    return re.sub("[^A-Za-z0-9]+", "_", name).strip("_")[:MAX_LENGTH] or "model"


def _fits_ranges(lower: FloatArray, upper: FloatArray) -> BoolArray:
    """Say of which rows a file with one bound and the width gives both back to the last bit."""
    return _fits_from_lower(lower, upper) | _fits_from_upper(lower, upper)


def _fits_from_lower(lower: FloatArray, upper: FloatArray) -> BoolArray:
    with np.errstate(invalid="ignore"):  # what it says of infinite bounds is not used
        fits: BoolArray = (lower < upper) & (lower + (upper - lower) == upper)
    return fits


def _fits_from_upper(lower: FloatArray, upper: FloatArray) -> BoolArray:
    with np.errstate(invalid="ignore"):
        fits: BoolArray = (lower < upper) & (upper - (upper - lower) == lower)
    return fits


def _sense(rows: FileRows) -> TextArray:
    """Return E, G or L for each row; a ranged row starts from the bound that fits."""
    lower, upper = rows.lower, rows.upper
    from_upper = np.isinf(lower) | (is_two_sided(lower, upper) & ~_fits_from_lower(lower, upper))
    sense = np.where(from_upper & np.isfinite(upper), "L", "G")
    return np.where(lower == upper, "E", sense).astype(np.object_)


def _row_lines(rows: FileRows) -> Iterator[str]:
    yield f"ROWS\n N {OBJECTIVE}\n"
    for sense, name in zip(_sense(rows).tolist(), rows.names, strict=True):
        yield f" {sense} {name}\n"


def _column_lines(model: Model, rows: FileRows, names: NameTable) -> Iterator[str]:
    """Write the terms column by column, the objective's first, integer columns in markers."""
    yield "COLUMNS\n"
    per_column = np.bincount(rows.columns, minlength=model.num_columns)
    listed = np.flatnonzero((model.cost != 0.0) | (per_column == 0))
    cost = -model.cost[listed] if model.maximise else model.cost[listed]
    row_of = np.repeat(np.arange(len(rows.names)), np.diff(rows.starts))
    columns = np.concatenate([listed, rows.columns])
    order = np.argsort(columns, kind="stable")
    columns = columns[order]
    row_of = np.concatenate([np.full(len(listed), len(rows.names)), row_of])[order]
    texts = texts_of(np.concatenate([cost, rows.coefficients])[order], number_text)
    column_names = np.array(names.columns, dtype=np.object_)
    row_names = np.array([*rows.names, OBJECTIVE], dtype=np.object_)
    is_integer = model.integer[columns]
    ends = [*(np.flatnonzero(is_integer[1:] != is_integer[:-1]) + 1).tolist(), len(columns)]
    first = 0
    for end in ends:
        integer = end > first and bool(is_integer[first])
        if integer:
            yield " MARKER 'MARKER' 'INTORG'\n"
        for start in range(first, end, BLOCK):
            block = slice(start, min(start + BLOCK, end))
            for column, row, text in zip(
                column_names[columns[block]].tolist(),
                row_names[row_of[block]].tolist(),
                texts[block].tolist(),
                strict=True,
            ):
                yield f" {column} {row} {text}\n"
        if integer:
            yield " MARKER 'MARKER' 'INTEND'\n"
        first = end
    if not model.num_columns:
        yield f" {CONSTANT} {OBJECTIVE} {number_text(_constant(model))}\n"


def _constant(model: Model) -> float:
    return -model.offset if model.maximise else model.offset


def _rhs_lines(model: Model, rows: FileRows) -> Iterator[str]:
    yield "RHS\n"
    if model.offset and model.num_columns:
        # The right-hand side of the objective is what is taken off it.
        yield f" RHS {OBJECTIVE} {number_text(-_constant(model))}\n"
    sides = np.where(_sense(rows) == "L", rows.upper, rows.lower)
    texts = texts_of(sides, number_text)
    for place in np.flatnonzero(sides).tolist():
        text = _NO_LIMIT if np.isinf(sides[place]) else texts[place]
        yield f" RHS {rows.names[place]} {text}\n"


def _range_lines(rows: FileRows) -> Iterator[str]:
    ranged = np.flatnonzero(is_two_sided(rows.lower, rows.upper))
    if len(ranged):
        yield "RANGES\n"
    texts = texts_of(rows.upper[ranged] - rows.lower[ranged], number_text)
    for place, text in zip(ranged.tolist(), texts.tolist(), strict=True):
        yield f" RNG {rows.names[place]} {text}\n"


def _bound_lines(model: Model, names: NameTable) -> Iterator[str]:
    """Write every bound but those of real columns from 0 upwards, the default everywhere."""
    yield "BOUNDS\n"
    lower, upper = column_bounds(model)
    binary = is_plain_binary(model)
    default = (lower == 0.0) & np.isinf(upper) & ~model.integer
    low_texts, up_texts = texts_of(lower, number_text), texts_of(upper, number_text)
    for place in np.flatnonzero(~default).tolist():
        name, low, up = names.columns[place], low_texts[place], up_texts[place]
        if binary[place]:
            yield f" BV BND {name}\n"
        elif low == up:
            yield f" FX BND {name} {low}\n"
        elif (low, up) == ("-inf", "inf"):
            yield f" FR BND {name}\n"
        else:
            yield f" MI BND {name}\n" if low == "-inf" else f" LO BND {name} {low}\n"
            yield f" PL BND {name}\n" if up == "inf" else f" UP BND {name} {up}\n"
    if not model.num_columns:
        yield f" FX BND {CONSTANT} 1\n"
