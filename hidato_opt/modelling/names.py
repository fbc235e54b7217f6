"""Names of columns and rows in LP and MPS files, and the table that explains them.

A name is made of ASCII letters, digits and underscores, starts with a letter
and has at most 25 characters, so that a writer can put ``__upper`` behind it
and stay within 32.  All names of a model, columns and rows together, are
distinct even where case is ignored.  None is a word of the file formats,
because each contains an underscore or is a letter with a number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.model import Model

MAX_LENGTH = 25
"""Longest name made here."""

_STEM = re.compile(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*")
_TEXT = re.compile(r"[A-Za-z0-9]+")
_NUMBER = re.compile(r"m?[0-9]+")
_Piece = re.Pattern[str] | str


@dataclass(frozen=True)
class NameTable:
    r"""The name of every column and row, and lines that say how to read them.

    Attributes
    ----------
    columns, rows : list of str
        A name for each column and each row, in the order of the arrays.
    header : list of str
        How the names of each group read, then a line for each name that does
        not say its label.

    Examples
    --------
    >>> from hidato_opt.modelling.constraints import exactly_one
    >>> from hidato_opt.modelling.builder import ModelBuilder
    >>> builder = ModelBuilder("pick")
    >>> pairs = IndexSet.of("P", [(1, -1), (1, 2)], fields=["i", "j"])
    >>> x = builder.add_variables("x", pairs, "binary")
    >>> builder.add_rows("one", exactly_one(x, by=["i"]))
    >>> names = NameTable.of(builder.build())
    >>> names.columns, names.rows
    (['x_1_m1', 'x_1_2'], ['one_1'])
    >>> print(*names.header, sep="\n")
    x_i_j: x[i, j]
    one_i: one[i]
    m before a number is a minus sign
    """

    columns: list[str]
    rows: list[str]
    header: list[str]

    @classmethod
    def of(cls, model: Model) -> NameTable:
        """Make readable names: the group's name and the parts of the label, as ``x_1_2_5``.

        A negative number -5 is written ``m5``.  A column or row is numbered
        instead (``col__17``, ``row__17``: its place in the model's arrays) and
        listed in the header where a readable name is too long, is no ASCII
        word, or could be taken for another's: ``x_1_2`` is ``x[1, 2]`` and
        then not ``x_1[2]``.  The group that comes first keeps its names.
        """
        namer = _Namer()
        columns = [
            name
            for group in model.variables.values()
            for name in namer.name("col", group.name, group.index, group.first)
        ]
        rows = [
            name
            for group in model.rows.values()
            for name in namer.name("row", group.name, group.index, group.first)
        ]
        return cls(columns, rows, namer.header())

    @classmethod
    def short(cls, model: Model) -> NameTable:
        """Make the shortest names, ``x0, x1, ...`` and ``r0, r1, ...``, for programs to read."""
        return cls(
            [f"x{column}" for column in range(model.num_columns)],
            [f"r{row}" for row in range(model.num_rows)],
            [],
        )


@dataclass
class _Namer:
    """Gives names group by group and remembers what the header has to say."""

    patterns: list[list[_Piece]] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)
    has_minus: bool = False

    def name(self, prefix: str, group: str, index: IndexSet, first: int) -> list[str]:
        """Name the labels of one group; `first` is the place of the first."""
        pattern: list[_Piece] = [
            *group.lower().split("_"),
            *(_NUMBER if _is_whole(column) else _TEXT for column in index.columns),
        ]
        names = [""] * len(index)
        if _STEM.fullmatch(group) and not any(_overlap(pattern, other) for other in self.patterns):
            self.patterns.append(pattern)
            names = _readable(group, index)
        fields = [_plain(name) for name in index.fields]
        signature = f"{_plain(group)}[{', '.join(fields)}]"
        if any(names) or not names:
            self.groups.append(f"{'_'.join([_plain(group), *fields])}: {signature}")
            self.has_minus = self.has_minus or any(map(_has_minus, index.columns))
        else:
            self.groups.append(f"{signature}: {len(index)} numbered names, see below")
        for place in (place for place, name in enumerate(names) if not name):
            label = index[place]
            parts = label if isinstance(label, tuple) else (label,)
            names[place] = f"{prefix}__{first + place}"
            self.listed.append(f"{names[place]}: {_plain(group)}[{', '.join(map(ascii, parts))}]")
        return names

    def header(self) -> list[str]:
        """Return the lines of the name table."""
        minus = ["m before a number is a minus sign"] if self.has_minus else []
        return [*self.groups, *minus, *self.listed]


def _readable(group: str, index: IndexSet) -> list[str]:
    """Spell labels behind the group's name; an empty string where that will not do."""
    parts: list[list[Any]] = []
    for column in index.columns:
        values = column.tolist()
        if not _is_whole(column):
            values = [value if _TEXT.fullmatch(value) else "_" for value in values]
        elif _has_minus(column):
            values = [str(value).replace("-", "m") for value in values]
        parts.append(values)
    template = group + "_%s" * len(parts)
    names = [template % label for label in zip(*parts, strict=True)]
    if all(map(_is_whole, index.columns)) and len(set(names)) == len(names):
        return [name if len(name) <= MAX_LENGTH else "" for name in names]
    seen: set[str] = set()
    for place, name in enumerate(names):
        folded = name.lower()
        if "__" in name or len(name) > MAX_LENGTH or folded in seen:
            names[place] = ""
        seen.add(folded)
    return names


def _is_whole(column: npt.NDArray[Any]) -> bool:
    return column.dtype.kind == "i"


def _has_minus(column: npt.NDArray[Any]) -> bool:
    return _is_whole(column) and len(column) > 0 and bool(column.min() < 0)


def _overlap(first: list[_Piece], second: list[_Piece]) -> bool:
    """Say whether two groups could spell the same name, case ignored."""
    return len(first) == len(second) and all(map(_meet, first, second))


def _meet(one: _Piece, other: _Piece) -> bool:
    if isinstance(one, str):
        return one == other if isinstance(other, str) else bool(other.fullmatch(one))
    return _meet(other, one) if isinstance(other, str) else True


def _plain(text: str) -> str:
    """Escape what is not printable ASCII."""
    return ascii(text)[1:-1]
