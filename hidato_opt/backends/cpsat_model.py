"""A `Model` of arrays as a CP-SAT model: whole columns, rows with whole coefficients.

The protocol buffers are filled in bulk, a slice of the arrays a row.  Rows
over binaries that say "exactly one", "at most one", "at least one" or "not
all" become CP-SAT's own constraints of that name; on the Hidato assignment
model they load and solve about a quarter faster than the same linear rows.
"""

from __future__ import annotations

import math
from enum import IntEnum
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from hidato_opt.core.errors import UnsupportedModel
from hidato_opt.modelling.expressions import FloatArray
from hidato_opt.modelling.index import IntArray
from hidato_opt.modelling.model import Model

LARGEST_BOUND = 2**53
"""Up to here a float tells whole numbers apart, and CP-SAT adds some up without overflow."""
LARGEST_DENOMINATOR = 10**6
"""A coefficient is a fraction with at most this denominator, or the row cannot be scaled."""
BOUND_TOLERANCE = 1e-9
"""How far beyond a whole number a bound may lie and still mean that number."""
_NO_LOWER, _NO_UPPER = -(2**63), 2**63 - 1
_UNLIMITED = 2.0**62


class _RowKind(IntEnum):
    """What a row becomes."""

    LINEAR = 0
    NEVER = 1
    """No whole number lies between the row's bounds."""
    EXACTLY_ONE = 2
    AT_MOST_ONE = 3
    AT_LEAST_ONE = 4
    NOT_ALL = 5


def fill(program: Any, model: Model) -> None:
    """Put columns, objective and rows of a model into an empty ``CpModel``.

    Raises
    ------
    UnsupportedModel
        A column is real-valued or has no finite bounds, or a row or the
        objective has coefficients that no common factor makes whole.
    """
    lower, upper = _whole_bounds(model)
    crossed = lower > upper
    add = program.proto.variables.add
    for bounds in zip(lower.tolist(), np.maximum(lower, upper).tolist(), strict=True):
        add().domain.extend(bounds)
    if crossed.any():
        _forbid(program)
    _set_objective(program, model)
    append_rows(program, model, 0)


def append_rows(program: Any, model: Model, first: int) -> None:
    """Put the rows of a model from number `first` on behind those of a ``CpModel``.

    Raises
    ------
    UnsupportedModel
        A row has coefficients that no common factor makes whole, or CP-SAT
        cannot add them up in 64 bits.
    """
    starts = model.starts[first:].astype(np.int64)
    columns = model.columns[starts[0] :]
    coefficients, lower, upper = _whole_rows(model, first)
    starts -= starts[0]
    literals = np.where(coefficients > 0, columns, -columns - 1)
    kinds = _row_kinds(model, starts, columns, coefficients, lower, upper)
    add = program.proto.constraints.add
    terms, factors = columns.tolist(), coefficients.tolist()
    chosen, negated = literals.tolist(), (-literals - 1).tolist()
    ends = starts[1:].tolist()
    start = 0
    for kind, end, least, most in zip(
        kinds.tolist(), ends, lower.tolist(), upper.tolist(), strict=True
    ):
        if kind == _RowKind.LINEAR:
            linear = add().linear
            linear.vars.extend(terms[start:end])
            linear.coeffs.extend(factors[start:end])
            linear.domain.extend((least, most))
        elif kind == _RowKind.NEVER:
            _forbid(program)
        elif kind == _RowKind.EXACTLY_ONE:
            add().exactly_one.literals.extend(chosen[start:end])
        elif kind == _RowKind.AT_MOST_ONE:
            add().at_most_one.literals.extend(chosen[start:end])
        else:
            of_row = chosen if kind == _RowKind.AT_LEAST_ONE else negated
            add().bool_or.literals.extend(of_row[start:end])
        start = end
    complaint = program.validate()
    if complaint:
        raise UnsupportedModel(f"CP-SAT cannot take the model {model.name!r}: {complaint}")


def set_hint(program: Any, columns: IntArray, values: FloatArray) -> None:
    """Make values of some columns the hint of a ``CpModel``, in place of the last one."""
    program.clear_hints()
    hint = program.proto.solution_hint
    hint.vars.extend(columns.tolist())
    hint.values.extend(np.rint(values).astype(np.int64).tolist())


def _whole_bounds(model: Model) -> tuple[IntArray, IntArray]:
    real = np.flatnonzero(~model.integer)
    if len(real):
        raise UnsupportedModel(
            f"CP-SAT takes whole-number variables only, and {len(real)} of {model.name!r} are "
            f"real-valued, {model.layout.variable(int(real[0]))!r} first; use the backend highs or "
            f"cbc, or declare them integer"
        )
    reach = np.maximum(np.abs(model.lower), np.abs(model.upper))
    wide = np.flatnonzero(~(reach <= LARGEST_BOUND))
    if len(wide):
        column = int(wide[0])
        raise UnsupportedModel(
            f"CP-SAT needs bounds of at most 2**53 on every variable, and "
            f"{model.layout.variable(column)!r} has {model.lower[column]:g} to "
            f"{model.upper[column]:g}; give it bounds, or use the backend highs or cbc"
        )
    return _ceil(model.lower), _floor(model.upper)


def _ceil(bounds: FloatArray) -> IntArray:
    return np.ceil(bounds - BOUND_TOLERANCE).astype(np.int64)


def _floor(bounds: FloatArray) -> IntArray:
    return np.floor(bounds + BOUND_TOLERANCE).astype(np.int64)


def _forbid(program: Any) -> None:
    """Add a clause without literals: nothing satisfies it."""
    program.proto.constraints.add().bool_or.literals.extend([])


def _set_objective(program: Any, model: Model) -> None:
    columns = np.flatnonzero(model.cost)
    if not len(columns):
        return
    factor = _common_factor(model.cost[columns])
    if factor is None:
        raise UnsupportedModel(
            f"CP-SAT needs whole coefficients, and no common factor makes those of the objective "
            f"of {model.name!r} whole; multiply and round them, or use the backend highs or cbc"
        )
    sign = -1 if model.maximise else 1
    objective = program.proto.objective
    objective.vars.extend(columns.tolist())
    objective.coeffs.extend(np.rint(sign * factor * model.cost[columns]).astype(np.int64).tolist())
    # CP-SAT minimises the whole numbers and reports scaling_factor * (sum + offset).
    objective.offset = sign * factor * model.offset
    objective.scaling_factor = sign / factor


def _whole_rows(model: Model, first: int) -> tuple[IntArray, IntArray, IntArray]:
    """Scale the rows from `first` on until their coefficients are whole, and round the bounds."""
    starts = model.starts[first:]
    coefficients = model.coefficients[starts[0] :].copy()
    lower, upper = model.row_lower[first:].copy(), model.row_upper[first:].copy()
    broken = np.flatnonzero(coefficients != np.rint(coefficients))
    for row in np.unique(np.searchsorted(starts - starts[0], broken, side="right") - 1).tolist():
        span = slice(starts[row] - starts[0], starts[row + 1] - starts[0])
        factor = _common_factor(coefficients[span])
        if factor is None:
            raise UnsupportedModel(
                f"CP-SAT needs whole coefficients, and no common factor makes those of row "
                f"{model.row_name(first + row)} whole; multiply and round them, or use the "
                f"backend highs or cbc"
            )
        coefficients[span] = np.rint(coefficients[span] * factor)
        lower[row] = _scaled(lower[row], factor)
        upper[row] = _scaled(upper[row], factor)
    return (
        coefficients.astype(np.int64),
        _clipped(_ceil, lower),
        _clipped(_floor, upper),
    )


def _clipped(round_: Any, bounds: FloatArray) -> IntArray:
    """Round the bounds of rows; beyond 2**62 they are as good as none."""
    inside = np.abs(bounds) < _UNLIMITED
    outside = np.where(bounds > 0, _NO_UPPER, _NO_LOWER)
    return np.where(inside, round_(np.where(inside, bounds, 0.0)), outside)


def _common_factor(coefficients: FloatArray) -> int | None:
    """Return the least number that makes coefficients whole, None where it is none or too large."""
    factor = 1
    for coefficient in np.unique(coefficients).tolist():
        fraction = _fraction(coefficient)
        if fraction is None:
            return None
        factor = math.lcm(factor, fraction.denominator)
    largest = factor * float(np.abs(coefficients).max())
    return factor if largest <= LARGEST_BOUND else None


def _fraction(value: float) -> Fraction | None:
    """Read a float as the fraction that was meant: 0.1 is 1/10; None if there is no small one."""
    guess = Fraction(value).limit_denominator(LARGEST_DENOMINATOR)
    return guess if float(guess) == value else None


def _scaled(bound: float, factor: int) -> float:
    """Multiply a bound of a row without losing what its decimal digits meant."""
    if not math.isfinite(bound):
        return bound
    return float((_fraction(bound) or Fraction(bound)) * factor)


def _row_kinds(
    model: Model,
    starts: IntArray,
    columns: npt.NDArray[np.int32],
    coefficients: IntArray,
    lower: IntArray,
    upper: IntArray,
) -> IntArray:
    """Recognise what each row says of its literals ``x`` (coefficient 1) and ``1 - x`` (-1)."""
    size = len(starts) - 1
    boolean = ((model.lower >= 0.0) & (model.upper <= 1.0))[columns]
    row = np.repeat(np.arange(size), np.diff(starts))
    plus = np.bincount(row[boolean & (coefficients == 1)], minlength=size)
    minus = np.bincount(row[boolean & (coefficients == -1)], minlength=size)
    clean = plus + minus == np.diff(starts)
    # The sum of the literals is the row's activity + minus, between 0 and plus + minus.
    open_below, open_above = lower <= -minus, upper >= plus
    conditions = [
        lower > upper,
        clean & (lower == 1 - minus) & (upper == 1 - minus),
        clean & open_below & (upper == 1 - minus),
        clean & open_above & (lower == 1 - minus),
        clean & open_below & (upper == plus - 1),
    ]
    kinds = [
        _RowKind.NEVER,
        _RowKind.EXACTLY_ONE,
        _RowKind.AT_MOST_ONE,
        _RowKind.AT_LEAST_ONE,
        _RowKind.NOT_ALL,
    ]
    return np.select(conditions, [int(kind) for kind in kinds], int(_RowKind.LINEAR))
