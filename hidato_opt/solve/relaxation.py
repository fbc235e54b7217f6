"""The linear relaxation of a puzzle's model, solved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hidato_opt.backends.base import RawResult
from hidato_opt.core.errors import NoSolution, UnknownOption
from hidato_opt.core.status import Status
from hidato_opt.modelling.expressions import FloatArray, LinearExpression, common_owner
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.model import Model

if TYPE_CHECKING:
    import pandas as pd

FRACTIONAL_TOLERANCE = 1e-6
"""How far from a whole number a value counts as fractional."""


@dataclass(frozen=True)
class Relaxation:
    """The solved linear relaxation of a model.

    Attributes
    ----------
    model : Model
        The relaxed model.
    integer : bool array, one entry a column
        Which variables are integer in the model itself.
    raw : RawResult
        What the solver said.
    """

    model: Model
    integer: np.ndarray[tuple[int], np.dtype[np.bool_]]
    raw: RawResult

    @property
    def status(self) -> Status:
        """Why the solver stopped; ``infeasible`` proves the model itself infeasible."""
        return self.raw.status

    @property
    def bound(self) -> float:
        """The LP bound: no point of the model is better.

        Raises
        ------
        NoSolution
            The relaxation was not solved to optimality.
        """
        if self.raw.status is not Status.OPTIMAL or self.raw.objective is None:
            raise NoSolution(f"the relaxation ended with status {self.raw.status}: no bound")
        return self.raw.objective

    @property
    def fractional(self) -> int:
        """How many integer variables have a fractional value."""
        values = self.raw.values[self.integer]
        return int((np.abs(values - np.rint(values)) > FRACTIONAL_TOLERANCE).sum())

    @property
    def fractionality(self) -> float:
        """Share of fractional values among the non-zero integer variables, 0 to 1."""
        values = self.raw.values[self.integer]
        nonzero = int((np.abs(values) > FRACTIONAL_TOLERANCE).sum())
        return self.fractional / nonzero if nonzero else 0.0

    def value(self, expression: LinearExpression) -> float:
        """Evaluate a variable or an expression at the LP point."""
        common_owner(self.model.layout, expression.owner)
        columns, coefficients = expression.terms()
        return float(coefficients @ self.raw.values[columns]) + expression.constant

    def values(self, group: str) -> pd.Series[float]:
        """Return the values of a group of variables, by label."""
        return _series(self.raw.values, self.model, group)

    def reduced_costs(self, group: str) -> pd.Series[float]:
        """Return the reduced costs of a group of variables, by label."""
        return _series(_given(self.raw.reduced_costs, "reduced costs"), self.model, group)

    def duals(self, group: str) -> pd.Series[float]:
        """Return the duals of a group of constraints, by label."""
        if group not in self.model.rows:
            raise UnknownOption.of("constraint group", group, self.model.rows)
        rows = self.model.rows[group]
        return _labelled(_given(self.raw.row_duals, "duals")[rows.span], rows.index, group)

    def __repr__(self) -> str:
        if not self.raw.has_solution:
            return f"Relaxation(status={self.status})"
        return (
            f"Relaxation(status={self.status}, bound={self.raw.objective:g}, "
            f"{self.fractional} fractional values)"
        )


def _given(array: FloatArray | None, what: str) -> FloatArray:
    if array is None:
        raise NoSolution(f"the solver gave no {what}; 'highs' does for a solved relaxation")
    return array


def _series(array: FloatArray, model: Model, group: str) -> pd.Series[float]:
    if group not in model.variables:
        raise UnknownOption.of("variable group", group, model.variables)
    variables = model.variables[group]
    return _labelled(array[variables.span], variables.index, group)


def _labelled(array: FloatArray, index: IndexSet, name: str) -> pd.Series[float]:
    import pandas as pd

    labels = (
        pd.MultiIndex.from_arrays(index.columns, names=index.fields)
        if len(index.fields) > 1
        else pd.Index(index.columns[0], name=index.fields[0])
    )
    return pd.Series(array, index=labels, name=name)
