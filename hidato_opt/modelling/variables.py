"""Variable groups over index sets, and the layout of a model's columns."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from hidato_opt.core.errors import InvalidOption
from hidato_opt.modelling.expressions import FloatArray, LinearExpression
from hidato_opt.modelling.index import IndexSet, IntArray, as_positions


class VariableKind(StrEnum):
    """What values a variable may take between its bounds."""

    BINARY = "binary"
    INTEGER = "integer"
    CONTINUOUS = "continuous"


class Variable(LinearExpression):
    """One column of a model, usable in expressions; `column` is its place in the arrays."""

    __slots__ = ("column", "label", "name")

    def __init__(self, owner: object, name: str, label: Any, column: int) -> None:
        super().__init__(owner, [column], [1.0])
        self.name = name
        self.label = label
        self.column = column

    def __repr__(self) -> str:
        parts = self.label if isinstance(self.label, tuple) else (self.label,)
        return f"{self.name}[{', '.join(map(str, parts))}]"


class VariableArray:
    """Variables of one group, in the order of an index set.

    Attributes
    ----------
    owner : ColumnLayout
        The layout the columns belong to.
    name : str
        Name of the group.
    index : IndexSet
        Labels of the variables.
    columns : int array
        Their places in the model's arrays.
    taken : int array, optional
        Positions in `index` of the variables meant, where they are not all of it.
    """

    def __init__(
        self,
        owner: ColumnLayout,
        name: str,
        index: IndexSet,
        columns: IntArray,
        taken: IntArray | None = None,
    ) -> None:
        self.owner = owner
        self.name = name
        self.columns = columns
        self._source = index
        self._taken = taken
        self.columns.flags.writeable = False

    @cached_property
    def index(self) -> IndexSet:
        """Labels of the variables; made when asked for, as builders need most only as columns."""
        return self._source if self._taken is None else self._source.take(self._taken)

    def __len__(self) -> int:
        return len(self.columns)

    def __iter__(self) -> Iterator[Variable]:
        for label, column in zip(self.index, self.columns.tolist(), strict=True):
            yield Variable(self.owner, self.name, label, column)

    def __getitem__(self, key: Any) -> Any:
        """Return one `Variable` for a full label, a `VariableArray` where the key has a slice."""
        parts = key if isinstance(key, tuple) else (key,)
        if any(isinstance(part, slice) for part in parts):
            chosen = self.index.select(key)
            return self.take(chosen)
        if len(parts) == len(self.index.fields):
            position = int(self.index.positions(*([part] for part in parts))[0])
            if position >= 0:
                return Variable(
                    self.owner, self.name, self.index[position], int(self.columns[position])
                )
        raise InvalidOption(
            f"there is no variable {self.name}[{', '.join(map(str, parts))}]; "
            f"its indices are ({', '.join(self.index.fields)})"
        )

    def take(self, positions: npt.ArrayLike) -> VariableArray:
        """Return the variables at some positions of the index set, in that order, repeats kept."""
        chosen = as_positions(positions)
        return VariableArray(self.owner, self.name, self.index, self.columns[chosen], chosen)

    def sum(self) -> LinearExpression:
        """Add the variables up."""
        return LinearExpression(self.owner, self.columns, np.ones(len(self)))

    def dot(self, coefficients: npt.ArrayLike) -> LinearExpression:
        """Weigh the variables and add them up."""
        weights = np.broadcast_to(np.asarray(coefficients, dtype=np.float64), (len(self),))
        return LinearExpression(self.owner, self.columns, weights)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name}: {len(self)} x ({', '.join(self.index.fields)}))"


class VariableGroup(VariableArray):
    """All variables of one name: an index set, a kind and bounds; columns are consecutive."""

    def __init__(
        self,
        owner: ColumnLayout,
        name: str,
        index: IndexSet,
        kind: VariableKind,
        first: int,
    ) -> None:
        super().__init__(owner, name, index, _consecutive(first, len(index)))
        self.kind = kind
        self.first = first

    @property
    def span(self) -> slice:
        """The group's place in the model's arrays."""
        return slice(self.first, self.first + len(self.index))

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "columns"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.columns = _consecutive(self.first, len(self.index))
        self.columns.flags.writeable = False


def _consecutive(first: int, count: int) -> IntArray:
    return np.arange(first, first + count, dtype=np.int32)


class ColumnLayout:
    """Which group of variables owns which columns; what two related models share."""

    def __init__(self) -> None:
        self.groups: dict[str, VariableGroup] = {}
        self.size = 0

    def append(self, name: str, index: IndexSet, kind: VariableKind) -> VariableGroup:
        """Put a group behind the last one.

        Raises
        ------
        InvalidOption
            The name is taken, or is not an identifier.
        """
        if not name.isidentifier() or name.startswith("_"):
            raise InvalidOption(f"a variable group needs an identifier as its name, not {name!r}")
        if name in self.groups:
            raise InvalidOption(f"there is a variable group {name!r} already")
        group = VariableGroup(self, name, index, kind, self.size)
        self.groups[name] = group
        self.size += len(index)
        return group

    def group_of(self, column: int) -> VariableGroup:
        """Return the group that owns a column."""
        for group in self.groups.values():
            if group.first <= column < group.first + len(group.index):
                return group
        raise InvalidOption(f"there is no column {column}; the model has {self.size}")

    def variable(self, column: int) -> Variable:
        """Return the variable of a column."""
        group = self.group_of(column)
        return Variable(self, group.name, group.index[column - group.first], column)

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, ColumnLayout)
            and list(self.groups) == list(other.groups)
            and all(
                mine.kind == theirs.kind and mine.index == theirs.index
                for mine, theirs in zip(self.groups.values(), other.groups.values(), strict=True)
            )
        )

    __hash__ = None  # type: ignore[assignment]


def bound_arrays(
    name: str, lower: npt.ArrayLike, upper: npt.ArrayLike, size: int
) -> tuple[FloatArray, FloatArray]:
    """Spread lower and upper bounds, one or one each, over the variables or rows of a group.

    Raises
    ------
    InvalidOption
        An array has another length, or a bound is no number, or infinite on
        the wrong side.
    """
    spread = []
    for bound in (lower, upper):
        array = np.asarray(bound, dtype=np.float64)
        if array.ndim > 1 or (array.ndim == 1 and len(array) != size):
            raise InvalidOption(
                f"{name}: one bound, or {size}, not an array of shape {array.shape}"
            )
        spread.append(np.broadcast_to(array, (size,)).astype(np.float64))
    low, high = spread
    if not (np.all(low < np.inf) and np.all(high > -np.inf)):
        raise InvalidOption(
            f"{name}: a lower bound must be a number or -inf, an upper bound a number or inf"
        )
    return low, high
