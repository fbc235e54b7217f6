"""The `Model`: plain arrays with named groups of columns and rows, and its builder."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hidato_opt.core.errors import InvalidOption
from hidato_opt.modelling.expressions import (
    Constraint,
    FloatArray,
    LinearExpression,
    as_expression,
    common_owner,
)
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.rows import RowBlock
from hidato_opt.modelling.variables import (
    ColumnLayout,
    Variable,
    VariableArray,
    VariableGroup,
)

if TYPE_CHECKING:
    import pandas as pd
    import scipy.sparse

Int32Array = npt.NDArray[np.int32]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class RowGroup:
    """A named family of rows: their labels and where they start."""

    name: str
    index: IndexSet
    first: int

    @property
    def span(self) -> slice:
        """The group's place in the row arrays."""
        return slice(self.first, self.first + len(self.index))


@dataclass(frozen=True, eq=False)
class Model:
    """A mixed-integer program ``min/max c x + c0, l <= A x <= u, lb <= x <= ub``.

    A model is immutable: `add`, `minimize`, `maximize`, `fix` and `relaxed`
    return a new one that shares the arrays they leave alone.  It pickles.
    A variable group is an attribute: ``model.x[1, 2, 5]`` is a `Variable`,
    ``model.x[1, 2, :]`` a `VariableArray`.

    Attributes
    ----------
    name : str
        Name of the model.
    layout : ColumnLayout
        Groups of columns.
    rows : dict of str to RowGroup
        Groups of rows, in order.
    lower, upper : float arrays, one entry a column
        Bounds.
    integer : bool array, one entry a column
        Whether the variable is integer.
    cost : float array, one entry a column; offset : float; maximise : bool
        The objective.
    starts, columns, coefficients : arrays
        The matrix in compressed sparse rows.
    row_lower, row_upper : float arrays, one entry a row
        Bounds of the rows.
    """

    name: str
    layout: ColumnLayout
    rows: dict[str, RowGroup]
    lower: FloatArray
    upper: FloatArray
    integer: BoolArray
    cost: FloatArray
    offset: float
    maximise: bool
    starts: Int32Array
    columns: Int32Array
    coefficients: FloatArray
    row_lower: FloatArray
    row_upper: FloatArray

    def __post_init__(self) -> None:
        for array in self._arrays():
            array.flags.writeable = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    def __getattr__(self, name: str) -> VariableGroup:
        if not name.startswith("_"):
            groups = self.layout.groups
            if name in groups:
                return groups[name]
            raise AttributeError(
                f"the model has no attribute or variable group {name!r}; "
                f"its groups are {', '.join(groups)}"
            )
        raise AttributeError(name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.layout.groups]

    @property
    def variables(self) -> dict[str, VariableGroup]:
        """The variable groups by name."""
        return self.layout.groups

    @property
    def num_columns(self) -> int:
        """Number of variables."""
        return len(self.lower)

    @property
    def num_rows(self) -> int:
        """Number of constraints."""
        return len(self.row_lower)

    @property
    def num_nonzeros(self) -> int:
        """Number of terms in all constraints."""
        return len(self.columns)

    @property
    def nbytes(self) -> int:
        """Bytes held by the arrays."""
        return sum(array.nbytes for array in self._arrays())

    @property
    def matrix(self) -> scipy.sparse.csr_array:
        """The constraint matrix as a SciPy sparse array."""
        from scipy.sparse import csr_array

        return csr_array(
            (self.coefficients, self.columns, self.starts), (self.num_rows, self.num_columns)
        )

    @property
    def stats(self) -> pd.DataFrame:
        """A row for each group of variables and of constraints, with its size.

        The columns are ``what`` (``variables`` or ``constraints``), ``rows``,
        ``columns`` and ``nonzeros``; a variable group counts the non-zeros of
        its columns.
        """
        import pandas as pd

        per_column = np.bincount(self.columns, minlength=self.num_columns)
        records = [
            ("variables", name, 0, len(group.index), int(per_column[group.span].sum()))
            for name, group in self.variables.items()
        ]
        for name, rows in self.rows.items():
            span = rows.span
            first, last = int(self.starts[span.start]), int(self.starts[span.stop])
            used = len(np.unique(self.columns[first:last]))
            records.append(("constraints", name, len(rows.index), used, last - first))
        frame = pd.DataFrame(records, columns=["what", "group", "rows", "columns", "nonzeros"])
        return frame.set_index("group")

    @cached_property
    def content_hash(self) -> str:
        """A hash of names, labels and arrays: equal for equal models, across processes."""
        digest = hashlib.sha256()
        for group in self.variables.values():
            _feed(digest, group.name, group.kind.value, group.index)
        for rows in self.rows.values():
            _feed(digest, rows.name, "", rows.index)
        digest.update(repr((self.offset, self.maximise)).encode())
        for array in self._arrays():
            digest.update(repr((array.dtype.str, array.shape)).encode())
            digest.update(array.tobytes())
        return digest.hexdigest()

    def add(
        self, constraints: Constraint | Iterable[Constraint] | RowBlock, name: str | None = None
    ) -> Model:
        """Return the model with one more group of rows.

        Parameters
        ----------
        constraints : Constraint, iterable of Constraint, or RowBlock
            What to add.
        name : str, optional
            Name of the group (default ``added_1``, ``added_2``, ...).

        Raises
        ------
        InvalidOption
            The name is taken.
        InvalidExpression
            A variable belongs to another model.
        """
        name = name or self._free_name()
        if name in self.rows:
            raise InvalidOption(
                f"there is a constraint group {name!r} already; choose another name"
            )
        if isinstance(constraints, RowBlock):
            block = constraints
        elif isinstance(constraints, Iterable):
            block = RowBlock.from_constraints(list(constraints), name)
        else:
            block = RowBlock.from_constraints([constraints], name)
        common_owner(self.layout, block.owner)
        return dataclasses.replace(
            self,
            rows={**self.rows, name: RowGroup(name, block.index, self.num_rows)},
            **stack_rows(self.starts, self.columns, self.coefficients, [block]),
            row_lower=np.concatenate([self.row_lower, block.lower]),
            row_upper=np.concatenate([self.row_upper, block.upper]),
        )

    def minimize(self, expression: LinearExpression | float) -> Model:
        """Return the model with this objective, to be minimised."""
        return self._with_objective(expression, maximise=False)

    def maximize(self, expression: LinearExpression | float) -> Model:
        """Return the model with this objective, to be maximised."""
        return self._with_objective(expression, maximise=True)

    def fix(self, variables: Variable | VariableArray, values: npt.ArrayLike) -> Model:
        """Return the model with some variables held at values by their bounds.

        Raises
        ------
        InvalidOption
            A value lies outside the variable's bounds, or is not whole for an
            integer variable.
        """
        common_owner(self.layout, variables.owner)
        if isinstance(variables, Variable):
            chosen = np.array([variables.column])
        else:
            chosen = variables.columns
        fixed = np.broadcast_to(np.asarray(values, dtype=np.float64), chosen.shape)
        outside = ~((fixed >= self.lower[chosen]) & (fixed <= self.upper[chosen]))
        outside |= ~np.isfinite(fixed)
        outside |= self.integer[chosen] & (fixed != np.rint(fixed))
        if outside.any():
            place = int(np.flatnonzero(outside)[0])
            column = int(chosen[place])
            raise InvalidOption(
                f"{self.layout.variable(column)!r} cannot be fixed at {fixed[place]:g}: "
                f"its range is {self.lower[column]:g} to {self.upper[column]:g}"
            )
        lower, upper = self.lower.copy(), self.upper.copy()
        lower[chosen] = upper[chosen] = fixed
        return dataclasses.replace(self, lower=lower, upper=upper)

    def relaxed(self) -> Model:
        """Return the linear relaxation: the same model with every variable real-valued."""
        return dataclasses.replace(self, integer=np.zeros(self.num_columns, dtype=np.bool_))

    def objective_value(self, values: npt.ArrayLike) -> float:
        """Evaluate the objective at a point."""
        return float(self.cost @ np.asarray(values, dtype=np.float64)) + self.offset

    def row_name(self, row: int) -> str:
        """Name a row by its group and label, as ``cell[1, 2]``."""
        for group in self.rows.values():
            if group.first <= row < group.first + len(group.index):
                label = group.index[row - group.first]
                parts = label if isinstance(label, tuple) else (label,)
                return f"{group.name}[{', '.join(map(str, parts))}]"
        raise InvalidOption(f"there is no row {row}; the model has {self.num_rows}")

    def __repr__(self) -> str:
        return (
            f"Model({self.name}: {self.num_rows} rows, {self.num_columns} columns "
            f"({int(self.integer.sum())} integer), {self.num_nonzeros} non-zeros)"
        )

    def _with_objective(self, expression: LinearExpression | float, *, maximise: bool) -> Model:
        objective = as_expression(expression)
        if objective is None:
            raise InvalidOption(
                f"an objective is a linear expression or a number, not {expression!r}"
            )
        common_owner(self.layout, objective.owner)
        cost = np.zeros(self.num_columns)
        columns, coefficients = objective.terms()
        if not np.isfinite([*coefficients, objective.constant]).all():
            raise InvalidOption("an objective needs finite coefficients and a finite constant")
        cost[columns] = coefficients
        return dataclasses.replace(self, cost=cost, offset=objective.constant, maximise=maximise)

    def _free_name(self) -> str:
        number = 1
        while f"added_{number}" in self.rows:
            number += 1
        return f"added_{number}"

    def _arrays(self) -> tuple[npt.NDArray[Any], ...]:
        return (
            self.lower,
            self.upper,
            self.integer,
            self.cost,
            self.starts,
            self.columns,
            self.coefficients,
            self.row_lower,
            self.row_upper,
        )


def stack_rows(
    starts: Int32Array, columns: Int32Array, coefficients: FloatArray, blocks: list[RowBlock]
) -> dict[str, Any]:
    """Put blocks of rows behind a matrix; the result are fields of `Model`."""
    ends = [starts]
    count = int(starts[-1])
    for block in blocks:
        ends.append((block.starts[1:] + count).astype(np.int32))
        count += block.nonzeros
    if count > np.iinfo(np.int32).max:
        raise InvalidOption(f"{count} non-zeros are more than solvers can index")
    return {
        "starts": np.concatenate(ends),
        "columns": np.concatenate([columns, *(block.columns.astype(np.int32) for block in blocks)]),
        "coefficients": np.concatenate([coefficients, *(block.coefficients for block in blocks)]),
    }


def _feed(digest: Any, name: str, kind: str, index: IndexSet) -> None:
    digest.update(repr((name, kind, index.fields, len(index))).encode())
    for column in index.columns:
        digest.update(column.dtype.str.encode())
        digest.update(column.tobytes())
