"""Points of a model, complete or partial, checked against its bounds and rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hidato_opt.core.errors import InvalidOption, WrongAnswer
from hidato_opt.modelling.expressions import FloatArray
from hidato_opt.modelling.index import IntArray
from hidato_opt.modelling.model import BoolArray, Model

INTEGRALITY_TOLERANCE = 1e-5
"""How far from a whole number a solver's value of an integer variable may lie."""
ROW_TOLERANCE = 1e-6
"""How far a row may be broken, relative to the sum of its coefficients' sizes (at least 1)."""


@dataclass(frozen=True)
class PartialPoint:
    """Values for some or all columns of a model: a MIP start.

    Attributes
    ----------
    columns : int array
        Which columns have a value; none twice.
    values : float array of that length
        The values.
    """

    columns: IntArray
    values: FloatArray

    @classmethod
    def of(
        cls, model: Model, given: npt.ArrayLike | dict[int, float] | PartialPoint
    ) -> PartialPoint:
        """Read a point: an array with NaN where open, a dict from columns to values, or a point.

        Raises
        ------
        InvalidOption
            The array has another length than the model has columns, or a
            column is not of this model or occurs twice.
        """
        if isinstance(given, dict):
            given = cls.of_pairs(given.items())
        if isinstance(given, PartialPoint):
            columns, values = given.columns, given.values
        else:
            array = np.asarray(given, dtype=np.float64)
            if array.shape != (model.num_columns,):
                raise InvalidOption(
                    f"a start needs {model.num_columns} values (NaN where open), "
                    f"not an array of shape {array.shape}"
                )
            columns = np.flatnonzero(~np.isnan(array))
            values = array[columns]
        if len(columns) and not 0 <= columns.min() <= columns.max() < model.num_columns:
            raise InvalidOption(f"the start names a column that is not among {model.num_columns}")
        if len(np.unique(columns)) < len(columns):
            raise InvalidOption("the start names a column twice")
        return cls(columns, values)

    @classmethod
    def of_pairs(cls, pairs: Iterable[tuple[int, float]]) -> PartialPoint:
        """Make a point of (column, value) pairs."""
        listed = sorted(dict(pairs).items())
        return cls(
            np.array([column for column, _ in listed], dtype=np.int64),
            np.array([value for _, value in listed], dtype=np.float64),
        )

    def is_complete(self, model: Model) -> bool:
        """Whether every integer variable has a value (the rest is then an LP)."""
        given = np.zeros(model.num_columns, dtype=np.bool_)
        given[self.columns] = True
        return bool(given[model.integer].all())


def first_violation(model: Model, point: PartialPoint) -> str | None:
    """Name the first bound or row that a point breaks whatever the open columns are.

    For a complete point this is plain feasibility; for a partial one it is
    sound and not complete: None only says that no single row forbids it.

    Returns
    -------
    str or None
        What is broken, with the numbers, or None.

    Examples
    --------
    >>> from hidato_opt.modelling.constraints import exactly_one
    >>> from hidato_opt.modelling.index import IndexSet
    >>> from hidato_opt.modelling.builder import ModelBuilder
    >>> builder = ModelBuilder("pick one")
    >>> x = builder.add_variables("x", IndexSet.range("K", 1, 3), "binary")
    >>> builder.add_rows("one", exactly_one(x, by=()))
    >>> model = builder.build()
    >>> first_violation(model, PartialPoint.of_pairs([(0, 1), (1, 1)]))
    'row one[1] needs at least 1 and at most 1; the point makes it at least 2'
    >>> first_violation(model, PartialPoint.of_pairs([(0, 1)])) is None
    True
    """
    columns, values = point.columns, point.values
    outside = ~(  # worded so that NaN is outside
        (values >= model.lower[columns] - ROW_TOLERANCE)
        & (values <= model.upper[columns] + ROW_TOLERANCE)
        & np.isfinite(values)
    )
    outside |= model.integer[columns] & ~_is_whole(values)
    if outside.any():
        place = int(np.flatnonzero(outside)[0])
        column = int(columns[place])
        whole = "a whole number " if model.integer[column] else ""
        return (
            f"{model.layout.variable(column)!r} = {values[place]:g} is not {whole}"
            f"between {model.lower[column]:g} and {model.upper[column]:g}"
        )
    low, high = model.lower.copy(), model.upper.copy()
    low[columns] = high[columns] = values
    least, most, slack = _activity(model, low, high)
    broken = (least > model.row_upper + slack) | (most < model.row_lower - slack)
    if not broken.any():
        return None
    row = int(np.flatnonzero(broken)[0])
    reached = (
        f"at least {least[row]:g}"
        if least[row] > model.row_upper[row] + slack[row]
        else f"at most {most[row]:g}"
    )
    return (
        f"row {model.row_name(row)} needs {_range_words(model, row)}; the point makes it {reached}"
    )


def checked_values(model: Model, values: npt.ArrayLike, stage: str) -> FloatArray:
    """Round the integer variables of a solver's point and check it against the whole model.

    Parameters
    ----------
    model : Model
        The model the point is of.
    values : float array, one entry a column
        What the solver returned.
    stage : str
        Who returned it, for the error.

    Returns
    -------
    float array
        The point with exact integers.

    Raises
    ------
    WrongAnswer
        A value is not whole where it should be, or a bound or row is broken.
    """
    point = np.array(values, dtype=np.float64)
    stray = model.integer & ~_is_whole(point)
    if stray.any():
        column = int(np.flatnonzero(stray)[0])
        raise WrongAnswer(
            stage, f"{model.layout.variable(column)!r} = {point[column]:g} is not a whole number"
        )
    point[model.integer] = np.rint(point[model.integer])
    point += 0.0  # a solver's -0.0 becomes 0.0
    complaint = first_violation(model, PartialPoint(np.arange(len(point)), point))
    if complaint is not None:
        raise WrongAnswer(stage, f"the point it returned breaks the model: {complaint}")
    return point


def _is_whole(values: FloatArray) -> BoolArray:
    with np.errstate(invalid="ignore"):  # infinity is not whole
        whole: BoolArray = np.abs(values - np.rint(values)) <= INTEGRALITY_TOLERANCE
    return whole


def _activity(
    model: Model, low: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the least and the most that each row can be, and the tolerance it is allowed."""
    coefficients = model.coefficients
    row = np.repeat(np.arange(model.num_rows), np.diff(model.starts))
    present = coefficients != 0.0  # 0 times an infinite bound is no number
    low_terms = np.where(present, low[model.columns], 0.0)
    high_terms = np.where(present, high[model.columns], 0.0)
    positive = coefficients > 0

    def row_sums(terms: FloatArray) -> FloatArray:
        return np.bincount(row, terms, minlength=model.num_rows).astype(np.float64)

    least = row_sums(coefficients * np.where(positive, low_terms, high_terms))
    most = row_sums(coefficients * np.where(positive, high_terms, low_terms))
    scale = row_sums(np.abs(coefficients))
    return least, most, ROW_TOLERANCE * np.maximum(scale, 1.0)


def _range_words(model: Model, row: int) -> str:
    words = []
    if np.isfinite(model.row_lower[row]):
        words.append(f"at least {model.row_lower[row]:g}")
    if np.isfinite(model.row_upper[row]):
        words.append(f"at most {model.row_upper[row]:g}")
    return " and ".join(words)
