"""Blocks of rows: what a constraint builder returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hidato_opt.core.errors import InvalidOption
from hidato_opt.modelling.expressions import Constraint, FloatArray, common_owner
from hidato_opt.modelling.index import IndexSet, IntArray
from hidato_opt.modelling.variables import bound_arrays


@dataclass(frozen=True)
class RowBlock:
    """Rows ``lower <= A x <= upper`` over an index set, in compressed sparse rows.

    Attributes
    ----------
    owner : object or None
        Column layout that `columns` count in.
    index : IndexSet
        A label for each row.
    starts : int array, one longer than the index
        Row ``r`` owns the terms ``starts[r]:starts[r + 1]``.
    columns, coefficients : arrays of one length
        The terms; no column occurs twice in a row.
    lower, upper : float arrays, one entry a row
        Bounds of the row; ``-inf`` and ``inf`` where there is none.
    """

    owner: object | None
    index: IndexSet
    starts: IntArray
    columns: IntArray
    coefficients: FloatArray
    lower: FloatArray
    upper: FloatArray

    def __len__(self) -> int:
        return len(self.index)

    @property
    def nonzeros(self) -> int:
        """Number of terms in all rows."""
        return len(self.columns)

    @classmethod
    def from_terms(
        cls,
        owner: object | None,
        index: IndexSet,
        rows: npt.ArrayLike,
        columns: npt.ArrayLike,
        coefficients: npt.ArrayLike,
        lower: npt.ArrayLike,
        upper: npt.ArrayLike,
    ) -> RowBlock:
        """Make a block of loose terms; those of one row and column are added up.

        Parameters
        ----------
        owner : object or None
            Column layout that `columns` count in.
        index : IndexSet
            A label for each row; a row without terms is kept.
        rows, columns : int arrays of one length
            Place of each term.
        coefficients : float array of that length, or one number
            Value of each term.
        lower, upper : float arrays with an entry a row, or one number
            Bounds of the rows.
        """
        size = len(index)
        row, column = _whole(rows), _whole(columns)
        value = np.asarray(coefficients, dtype=np.float64)
        if row.shape != column.shape or value.shape not in ((), row.shape):
            raise InvalidOption(
                f"{index.name}: rows, columns and coefficients need one length, "
                f"not {row.shape}, {column.shape} and {value.shape}"
            )
        if not np.isfinite(value).all():
            raise InvalidOption(f"{index.name}: a coefficient is not a finite number")
        low, high = bound_arrays(index.name, lower, upper, size)
        if len(row) and not 0 <= row.min() <= row.max() < size:
            stray = row.min() if row.min() < 0 else row.max()
            raise InvalidOption(f"{index.name}: a term stands in row {stray} of {size}")
        value = np.broadcast_to(value, row.shape)
        width = int(column.max()) + 1 if len(column) else 1
        place = row * np.int64(width) + column
        if len(place) > 1 and not np.all(place[1:] > place[:-1]):
            order = np.argsort(place)
            place, value = place[order], value[order]
            fresh = np.concatenate(([True], place[1:] != place[:-1]))
            if not fresh.all():
                value = np.add.reduceat(value, np.flatnonzero(fresh))
                place = place[fresh]
        return cls(owner, index, *_rows_of_places(place, width, size), value, low, high)

    @classmethod
    def of_differences(
        cls,
        owner: object | None,
        index: IndexSet,
        plus: tuple[npt.ArrayLike, npt.ArrayLike],
        minus: tuple[npt.ArrayLike, npt.ArrayLike],
        lower: npt.ArrayLike,
        upper: npt.ArrayLike,
    ) -> RowBlock:
        """Make a block of terms +1 and -1; for these it is faster than `from_terms`.

        Parameters
        ----------
        plus, minus : pairs of int arrays of one length
            Rows and columns of the terms +1 and of the terms -1.
        owner, index, lower, upper
            As for `from_terms`.
        """
        size = len(index)
        rows = [_whole(plus[0]), _whole(minus[0])]
        columns = [_whole(plus[1]), _whole(minus[1])]
        width = 1 + max((int(part.max()) for part in columns if len(part)), default=0)
        above = rows[0] * np.int64(width) + columns[0]
        below = rows[1] * np.int64(width) + columns[1]
        place = np.sort(np.concatenate([above, below]))
        if (place[1:] == place[:-1]).any() or (
            len(place) and not 0 <= place[0] <= place[-1] < size * width
        ):
            signs = np.repeat([1.0, -1.0], [len(above), len(below)])
            both = (np.concatenate(rows), np.concatenate(columns))
            return cls.from_terms(owner, index, *both, signs, lower, upper)
        value = np.full(len(place), -1.0)
        value[np.searchsorted(place, above)] = 1.0
        low, high = bound_arrays(index.name, lower, upper, size)
        return cls(owner, index, *_rows_of_places(place, width, size), value, low, high)

    @classmethod
    def from_constraints(cls, constraints: list[Constraint], name: str) -> RowBlock:
        """Make a block of single constraints, labelled 1, 2, ... in the order given."""
        owner: object | None = None
        for constraint in constraints:
            if not isinstance(constraint, Constraint):
                raise InvalidOption(
                    f"{name}: {constraint!r} is not a constraint; write 'expression <= number'"
                )
            owner = common_owner(owner, constraint.owner)
        lengths = [len(constraint.columns) for constraint in constraints]
        return cls.from_terms(
            owner,
            IndexSet(name, ["row"], [np.arange(1, len(constraints) + 1)], distinct=True),
            np.repeat(np.arange(len(constraints)), lengths),
            np.concatenate([[], *(constraint.columns for constraint in constraints)]),
            np.concatenate([[], *(constraint.coefficients for constraint in constraints)]),
            [constraint.lower for constraint in constraints],
            [constraint.upper for constraint in constraints],
        )


def _rows_of_places(place: IntArray, width: int, size: int) -> tuple[IntArray, IntArray]:
    """Take sorted places ``row * width + column`` apart: starts of the rows, and columns."""
    row = place // width
    starts = np.zeros(size + 1, dtype=np.int32)
    np.cumsum(np.bincount(row, minlength=size), out=starts[1:])
    return starts, (place - row * width).astype(np.int32)


def _whole(numbers: npt.ArrayLike) -> npt.NDArray[np.integer[Any]]:
    """Take whole numbers as they are stored; an empty list has none of another kind."""
    array = np.asarray(numbers)
    return array if array.dtype.kind == "i" else array.astype(np.int64)
