"""Index sets: named, finite, ordered sets of labels, as columns of arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from hidato_opt.core.errors import InvalidOption

IntArray = npt.NDArray[np.integer[Any]]
Label = Any
"""A label: one value, or a tuple of values where the set has several fields."""


class IndexSet:
    """A named finite set of labels, kept as one array a field.

    Labels keep the numbering of whoever made them (1-based rows, columns and
    numbers in the texts).  A set of several fields is a product, or a sparse
    subset of one; the order of the labels is the order of variables and rows.

    Parameters
    ----------
    name : str
        What the set is called in the algebra.
    fields : sequence of str
        Names of the label's parts.
    columns : sequence of array_like, one a field, all of one length
        Column ``f`` holds part ``f`` of every label.
    distinct : bool
        Whether the caller vouches that no label occurs twice; otherwise it is
        checked.

    Raises
    ------
    InvalidOption
        Columns of unequal length, or a label that occurs twice.

    Examples
    --------
    >>> I, K = IndexSet.range("I", 1, 2), IndexSet.range("K", 1, 3)
    >>> cells = IndexSet.product("IK", I, K)
    >>> list(cells)
    [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]
    >>> list(cells.where(cells.column("k") > cells.column("i"), "upper"))
    [(1, 2), (1, 3), (2, 3)]
    """

    def __init__(
        self,
        name: str,
        fields: Sequence[str],
        columns: Sequence[npt.ArrayLike],
        *,
        distinct: bool = False,
    ) -> None:
        self.name = name
        self.fields = tuple(fields)
        self.columns = tuple(_compact(np.asarray(column)) for column in columns)
        if len(self.fields) != len(self.columns) or not self.fields:
            raise InvalidOption(f"index set {name}: one column is needed for each of its fields")
        if len(set(self.fields)) != len(self.fields):
            raise InvalidOption(f"index set {name}: two of its fields have one name")
        if len({column.shape for column in self.columns}) != 1 or self.columns[0].ndim != 1:
            raise InvalidOption(f"index set {name}: columns must be 1-d and of one length")
        if not distinct and len(np.unique(self._codes)) < len(self):
            raise InvalidOption(f"index set {name}: a label occurs twice")

    @classmethod
    def range(cls, name: str, first: int, last: int) -> Self:
        """Make the set ``{first, ..., last}``; its field is the name in lower case."""
        return cls(name, [name.lower()], [np.arange(first, last + 1)], distinct=True)

    @classmethod
    def of(cls, name: str, labels: Iterable[Label], fields: Sequence[str] | None = None) -> Self:
        """Make a set of the labels given: single values, or tuples with their field names."""
        values = list(labels)
        if not values:
            empty = [np.empty(0, dtype=np.int32) for _ in fields or [name]]
            return cls(name, fields or [name.lower()], empty, distinct=True)
        if fields is None:
            return cls(name, [name.lower()], [values])
        if not all(isinstance(value, tuple) and len(value) == len(fields) for value in values):
            raise InvalidOption(
                f"index set {name}: every label must be a tuple of {len(fields)} values "
                f"({', '.join(fields)})"
            )
        return cls(name, fields, list(zip(*values, strict=True)))

    @classmethod
    def product(cls, name: str, *sets: IndexSet) -> Self:
        """Make the Cartesian product, the last set running fastest."""
        sizes = [len(part) for part in sets]
        columns: list[npt.NDArray[Any]] = []
        for place, part in enumerate(sets):
            before = int(np.prod(sizes[:place], dtype=np.int64))
            after = int(np.prod(sizes[place + 1 :], dtype=np.int64))
            columns += [np.tile(np.repeat(column, after), before) for column in part.columns]
        return cls(name, [f for part in sets for f in part.fields], columns, distinct=True)

    def where(self, mask: npt.ArrayLike, name: str | None = None) -> IndexSet:
        """Make the subset of the labels where `mask`, a bool for each label, is true."""
        return self.take(np.flatnonzero(np.asarray(mask, dtype=np.bool_)), name)

    def take(self, positions: npt.ArrayLike, name: str | None = None) -> IndexSet:
        """List the labels at some positions, in that order; a position may recur."""
        chosen = as_positions(positions)
        columns = [column[chosen] for column in self.columns]
        return IndexSet(name or self.name, self.fields, columns, distinct=True)

    def column(self, field: str) -> npt.NDArray[Any]:
        """Return one part of every label."""
        if field not in self.fields:
            raise InvalidOption(f"index set {self.name} has fields {self.fields}, not {field!r}")
        return self.columns[self.fields.index(field)]

    def positions(self, *columns: npt.ArrayLike) -> IntArray:
        """Find labels, given as one array a field; -1 where there is no such label.

        Examples
        --------
        >>> IndexSet.range("K", 3, 6).positions([3, 6, 7])
        array([ 0,  3, -1])
        """
        asked, known = self._encode(columns)
        if self._is_dense:
            return np.where(known, asked, -1)
        place = np.minimum(np.searchsorted(self._sorted_codes, asked), len(self) - 1)
        found = known & (self._sorted_codes[place] == asked)
        return np.where(found, self._order[place], -1)

    def select(self, key: Any) -> IntArray:
        """Find the positions that a key picks: a value, a slice of values or ``:`` for each field.

        A slice is half-open as in Python, over label values: ``2:4`` picks 2 and 3.
        """
        parts = key if isinstance(key, tuple) else (key,)
        if len(parts) != len(self.fields):
            raise InvalidOption(
                f"index set {self.name} takes {len(self.fields)} indices "
                f"({', '.join(self.fields)}), not {len(parts)}"
            )
        chosen = np.ones(len(self), dtype=np.bool_)
        for part, column in zip(parts, self.columns, strict=True):
            if not isinstance(part, slice):
                chosen &= column == part
                continue
            if part.step is not None:
                raise InvalidOption(f"index set {self.name}: a slice cannot have a step")
            for bound in (part.start, part.stop):
                if bound is not None and isinstance(bound, str) != (column.dtype.kind == "U"):
                    raise InvalidOption(
                        f"index set {self.name}: {bound!r} cannot bound a slice of labels "
                        f"such as {column[:1].tolist()}"
                    )
            if part.start is not None:
                chosen &= column >= part.start
            if part.stop is not None:
                chosen &= column < part.stop
        return np.flatnonzero(chosen)

    def group_by(self, fields: Sequence[str], name: str = "") -> tuple[IndexSet, IntArray]:
        """Project on some fields: the set of partial labels, and each label's place in it.

        Partial labels stand in the order of their first occurrence; no fields
        make one group of everything, labelled 1.
        """
        if not fields:
            return IndexSet.range(name or "all", 1, 1), np.zeros(len(self), dtype=np.int64)
        columns = [self.column(field) for field in fields]
        codes = _mixed_radix([_levels(column)[0] for column in columns], columns)[0]
        _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
        rank = np.empty(len(first), dtype=np.int64)
        rank[np.argsort(first, kind="stable")] = np.arange(len(first))
        first.sort()
        groups = IndexSet(
            name or "_".join(fields), fields, [column[first] for column in columns], distinct=True
        )
        return groups, rank[inverse]

    def __len__(self) -> int:
        return len(self.columns[0])

    def __getitem__(self, position: int) -> Label:
        label = tuple(column[position].item() for column in self.columns)
        return label if len(label) > 1 else label[0]

    def __iter__(self) -> Iterator[Label]:
        parts = [column.tolist() for column in self.columns]
        return iter(parts[0]) if len(parts) == 1 else zip(*parts, strict=True)

    def __contains__(self, label: Label) -> bool:
        parts = label if isinstance(label, tuple) else (label,)
        return len(parts) == len(self.fields) and bool(
            self.positions(*([part] for part in parts))[0] >= 0
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, IndexSet)
            and self.fields == other.fields
            and all(
                np.array_equal(mine, theirs)
                for mine, theirs in zip(self.columns, other.columns, strict=True)
            )
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"IndexSet({self.name}: {len(self)} x ({', '.join(self.fields)}))"

    def __getstate__(self) -> dict[str, Any]:
        return {name: self.__dict__[name] for name in ("name", "fields", "columns")}

    @cached_property
    def _level_values(self) -> list[tuple[npt.NDArray[Any], bool]]:
        return [_levels(column) for column in self.columns]

    def _encode(self, columns: Sequence[npt.ArrayLike]) -> tuple[IntArray, npt.NDArray[np.bool_]]:
        if len(columns) != len(self.fields):
            raise InvalidOption(f"index set {self.name} takes {len(self.fields)} columns")
        arrays = np.broadcast_arrays(*(np.asarray(column) for column in columns))
        return _mixed_radix([levels for levels, _ in self._level_values], arrays)

    @cached_property
    def _codes(self) -> IntArray:
        return self._encode(self.columns)[0]

    @cached_property
    def _is_dense(self) -> bool:
        size = 1
        for levels, _ in self._level_values:
            size *= len(levels)
        return size == len(self) and bool(np.array_equal(self._codes, np.arange(size)))

    @cached_property
    def _order(self) -> IntArray:
        return np.argsort(self._codes, kind="stable")

    @cached_property
    def _sorted_codes(self) -> IntArray:
        return self._codes[self._order]


def as_positions(positions: npt.ArrayLike) -> IntArray:
    """Read positions as an array; an empty list is one of no whole numbers, not of no floats."""
    chosen = np.asarray(positions)
    return chosen if chosen.size else chosen.astype(np.int64)


def _compact(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Hold whole numbers in 32 bits, anything else as texts, and make the array read-only."""
    if column.dtype.kind == "O":
        column = np.array(column.tolist())
    if column.dtype.kind in "iubf" and column.dtype != np.int32:
        with np.errstate(invalid="ignore"):
            narrow = column.astype(np.int32)
        if not np.array_equal(narrow, column):
            stray = column[narrow != column][0]
            raise InvalidOption(f"the label {stray} is not a whole number of at most 32 bits")
        column = narrow
    elif column.dtype.kind not in "iU":
        column = np.array([str(value) for value in column.tolist()], dtype=np.str_)
    view = column.view()
    view.flags.writeable = False
    return view


def _levels(column: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], bool]:
    """Return the sorted distinct values of a column, and whether they are consecutive numbers."""
    if column.dtype.kind == "i" and len(column):
        first, last = int(column.min()), int(column.max())
        if last - first < 4 * len(column):
            present = np.zeros(last - first + 1, dtype=np.bool_)
            present[column - first] = True
            values = np.flatnonzero(present).astype(np.int32) + np.int32(first)
            return values, len(values) == last - first + 1
    return np.unique(column), False


def _mixed_radix(
    levels: Sequence[npt.NDArray[Any]], columns: Sequence[npt.NDArray[Any]]
) -> tuple[IntArray, npt.NDArray[np.bool_]]:
    """Encode labels by their place in the product of the levels; say which are in it."""
    code = np.zeros(np.shape(columns[0]), dtype=np.int64)
    known = np.ones(code.shape, dtype=np.bool_)
    for values, column in zip(levels, columns, strict=True):
        if not len(values):
            return code, np.zeros(code.shape, dtype=np.bool_)
        column, comparable = _comparable(column, values)
        known &= comparable
        if values.dtype.kind == "i" and int(values[-1]) - int(values[0]) + 1 == len(values):
            place = column.astype(np.int64) - int(values[0])
            known &= (place >= 0) & (place < len(values))
        else:
            place = np.minimum(np.searchsorted(values, column), len(values) - 1)
            known &= values[place] == column
        code = code * len(values) + place
    return code, known


def _comparable(
    asked: npt.NDArray[Any], values: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
    """Bring what is asked for to the type of the values; say what can be among them at all.

    As in a dictionary, 2.0 finds 2, and neither 1.5 nor "2" finds a number.
    """
    if values.dtype.kind == "i":
        if asked.dtype.kind in "iub":
            return asked, np.ones(asked.shape, dtype=np.bool_)
        whole = np.zeros(asked.shape, dtype=np.bool_)
        if asked.dtype.kind == "f":
            whole = (np.abs(asked) < 2**53) & (asked == np.rint(asked))
        return np.where(whole, asked, values[0]).astype(np.int64), whole
    texts = np.array([isinstance(value, str) for value in asked.ravel().tolist()], dtype=np.bool_)
    texts = texts.reshape(asked.shape)
    return np.where(texts, asked, values[0]).astype(np.str_), texts
