"""A small vocabulary of linear expressions for constraints that users add."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt

from hidato_opt.core.errors import InvalidExpression
from hidato_opt.modelling.index import IntArray

FloatArray = npt.NDArray[np.float64]
_NO_COLUMNS: IntArray = np.empty(0, dtype=np.int64)
_NO_COEFFICIENTS: FloatArray = np.empty(0, dtype=np.float64)

_ages = count()


class LinearExpression:
    """A linear expression ``sum_j a_j x_j + constant`` over the columns of one model.

    Expressions come from variables (``model.x[1, 2, 5]``), from ``+``, ``-``
    and ``*`` with numbers, from :func:`sum` and from ``VariableArray.sum()``.
    ``<=``, ``>=`` and ``==`` make a `Constraint`.  Sums are kept as a tree of
    their parts and only flattened when read, so that summing n terms costs
    O(n).

    Parameters
    ----------
    owner : object or None
        The column layout of the model; None for a plain number.
    columns, coefficients : arrays of one length
        The terms; a column may occur more than once.
    constant : float
        The constant part.
    """

    __slots__ = ("_age", "_coefficients", "_columns", "_parts", "constant", "owner")
    __array_ufunc__ = None  # so that a numpy number on the left leaves the sum to us

    def __init__(
        self,
        owner: object | None,
        columns: npt.ArrayLike = _NO_COLUMNS,
        coefficients: npt.ArrayLike = _NO_COEFFICIENTS,
        constant: float = 0.0,
    ) -> None:
        self.owner = owner
        self._columns = np.asarray(columns, dtype=np.int64)
        self._coefficients = np.asarray(coefficients, dtype=np.float64)
        self._parts: tuple[tuple[LinearExpression, float], ...] = ()
        self.constant = float(constant)
        self._age = next(_ages)

    def terms(self) -> tuple[IntArray, FloatArray]:
        """Return the columns in ascending order and their coefficients, like terms gathered."""
        columns: list[IntArray] = []
        coefficients: list[FloatArray] = []
        # The youngest first: no part is read before all that contain it, so each is read once.
        factors = {self._age: 1.0}
        waiting = [(-self._age, self)]
        while waiting:
            age, expression = heapq.heappop(waiting)
            factor = factors[-age]
            columns.append(expression._columns)
            coefficients.append(factor * expression._coefficients)
            for part, weight in expression._parts:
                if part._age not in factors:
                    heapq.heappush(waiting, (-part._age, part))
                factors[part._age] = factors.get(part._age, 0.0) + factor * weight
        distinct, inverse = np.unique(np.concatenate(columns), return_inverse=True)
        gathered = np.zeros(len(distinct), dtype=np.float64)
        np.add.at(gathered, inverse, np.concatenate(coefficients))
        return distinct, gathered

    def _combine(self, other: object, factor: float) -> LinearExpression:
        term = _expression(other)
        owner = common_owner(self.owner, term.owner)
        result = LinearExpression(owner, constant=self.constant + factor * term.constant)
        result._parts = ((self, 1.0), (term, factor))
        return result

    def __add__(self, other: object) -> LinearExpression:
        return self._combine(other, 1.0)

    __radd__ = __add__

    def __sub__(self, other: object) -> LinearExpression:
        return self._combine(other, -1.0)

    def __rsub__(self, other: object) -> LinearExpression:
        return (-self)._combine(other, 1.0)

    def __neg__(self) -> LinearExpression:
        return self * -1

    def __mul__(self, factor: object) -> LinearExpression:
        if isinstance(factor, LinearExpression):
            raise InvalidExpression("a product of two expressions is not linear")
        if not isinstance(factor, int | float | np.integer | np.floating):
            raise InvalidExpression(f"{factor!r} is not a number")
        result = LinearExpression(self.owner, constant=self.constant * float(factor))
        result._parts = ((self, float(factor)),)
        return result

    __rmul__ = __mul__

    def __truediv__(self, divisor: object) -> LinearExpression:
        if not isinstance(divisor, int | float | np.integer | np.floating):
            raise InvalidExpression(f"division by {divisor!r} is not linear; divide by a number")
        return self * (1.0 / float(divisor))

    def __le__(self, other: object) -> Constraint:
        return _compare(self, other, -np.inf, 0.0)

    def __ge__(self, other: object) -> Constraint:
        return _compare(self, other, 0.0, np.inf)

    def __eq__(self, other: object) -> Constraint:  # type: ignore[override]
        return _compare(self, other, 0.0, 0.0)

    def __ne__(self, other: object) -> Constraint:  # type: ignore[override]
        raise InvalidExpression("'!=' is not linear; use a no-good cut, or two cases with a binary")

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        columns, coefficients = self.terms()
        words = [f"{a:g} [{j}]" for j, a in zip(columns.tolist(), coefficients, strict=True)]
        if self.constant or not words:
            words.append(f"{self.constant:g}")
        return f"LinearExpression({' + '.join(words)})"


@dataclass(frozen=True, eq=False)
class Constraint:
    """One row ``lower <= a x <= upper``; an expression's constant is moved into the bounds."""

    owner: object | None
    columns: IntArray
    coefficients: FloatArray
    lower: float
    upper: float

    def __bool__(self) -> bool:
        raise InvalidExpression(
            "a constraint has no truth value: write 'lo <= e <= hi' as two constraints, "
            "and compare variables by their labels"
        )


def as_expression(value: Any) -> LinearExpression | None:
    """Read a number or an expression as an expression; None for anything else."""
    if isinstance(value, LinearExpression):
        return value
    if isinstance(value, int | float | np.integer | np.floating):
        return LinearExpression(None, constant=float(value))
    return None


def _expression(value: object) -> LinearExpression:
    term = as_expression(value)
    if term is None:
        raise InvalidExpression(f"{value!r} is neither a number nor a linear expression")
    return term


def common_owner(first: object | None, second: object | None) -> object | None:
    """Return the column layout that two expressions share.

    Raises
    ------
    InvalidExpression
        They belong to two models with different variables.
    """
    if first is None or second is None:
        return second if first is None else first
    if first is not second and first != second:
        raise InvalidExpression("the expression mixes variables of two models")
    return first


def total(terms: Iterable[Any]) -> LinearExpression:
    """Add up expressions; the same as :func:`sum`, and an expression even for no terms.

    Examples
    --------
    >>> total([]).constant
    0.0
    """
    return sum(terms, LinearExpression(None))


def _compare(left: LinearExpression, right: object, lower: float, upper: float) -> Constraint:
    difference = left - _expression(right)
    columns, coefficients = difference.terms()
    return Constraint(
        difference.owner,
        columns,
        coefficients,
        lower - difference.constant,
        upper - difference.constant,
    )
