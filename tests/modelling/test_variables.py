from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from hidato_opt.core.errors import InvalidOption
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.variables import (
    ColumnLayout,
    Variable,
    VariableArray,
    VariableGroup,
    VariableKind,
    bound_arrays,
)

PAIRS = IndexSet.of("P", [(1, 1), (1, 3), (2, 1)], fields=["i", "k"])


@pytest.fixture
def layout() -> ColumnLayout:
    """Two variables y, then three x on a sparse set of pairs: columns 2, 3 and 4."""
    layout = ColumnLayout()
    layout.append("y", IndexSet.of("S", ["a", "b"]), VariableKind.CONTINUOUS)
    layout.append("x", PAIRS, VariableKind.BINARY)
    return layout


def test_groups_take_consecutive_columns(layout: ColumnLayout) -> None:
    x = layout.groups["x"]
    assert layout.size == 5
    assert x.columns.tolist() == [2, 3, 4]
    assert x.span == slice(2, 5)
    assert x.kind == "binary"


def test_a_full_label_is_one_variable(layout: ColumnLayout) -> None:
    variable = layout.groups["x"][1, 3]
    assert isinstance(variable, Variable)
    assert (variable.name, variable.label, variable.column) == ("x", (1, 3), 3)
    assert repr(variable) == "x[1, 3]"
    assert repr(layout.groups["y"]["b"]) == "y[b]"


def test_a_slice_is_an_array_of_variables(layout: ColumnLayout) -> None:
    x = layout.groups["x"]
    row = x[1, :]
    assert isinstance(row, VariableArray)
    assert row.columns.tolist() == [2, 3]
    assert list(row.index) == [(1, 1), (1, 3)]
    assert x[:, 2:].columns.tolist() == [3]
    assert x[:, 1].columns.tolist() == [2, 4]
    assert len(x[:, 9]) == 0
    assert layout.groups["y"][:].columns.tolist() == [0, 1]
    assert row[1, 3].column == 3


@pytest.mark.parametrize("key", [(1, 2), 1, (1, 3, 1), (1.5, 3), ("1", 3), (3, 3)])
def test_a_label_that_is_not_there_raises(layout: ColumnLayout, key: Any) -> None:
    with pytest.raises(InvalidOption, match=r"there is no variable x\[.*\]; .* \(i, k\)"):
        layout.groups["x"][key]


def test_iteration_gives_variables_in_order(layout: ColumnLayout) -> None:
    assert [repr(variable) for variable in layout.groups["x"]] == ["x[1, 1]", "x[1, 3]", "x[2, 1]"]


def test_take_keeps_order_and_repeats(layout: ColumnLayout) -> None:
    chosen = layout.groups["x"].take([2, 0, 2])
    assert chosen.columns.tolist() == [4, 2, 4]
    assert list(chosen.index) == [(2, 1), (1, 1), (2, 1)]
    columns, coefficients = chosen.sum().terms()
    assert columns.tolist() == [2, 4]
    assert coefficients.tolist() == [1.0, 2.0]


def test_dot_weighs_each_variable(layout: ColumnLayout) -> None:
    x = layout.groups["x"]
    assert x.dot([1, 0.5, -2]).terms()[1].tolist() == [1.0, 0.5, -2.0]
    assert x.dot(3).terms()[1].tolist() == [3.0, 3.0, 3.0]


def test_columns_of_a_group_are_read_only_also_out_of_a_pickle(layout: ColumnLayout) -> None:
    twin = pickle.loads(pickle.dumps(layout))
    for group in (layout.groups["x"], layout.groups["x"][1, :], twin.groups["x"]):
        with pytest.raises(ValueError, match="read-only"):
            group.columns[0] = 0


def test_a_column_leads_back_to_its_variable(layout: ColumnLayout) -> None:
    assert repr(layout.variable(1)) == "y[b]"
    assert repr(layout.variable(4)) == "x[2, 1]"
    assert layout.group_of(2).name == "x"
    for column in (-1, 5):
        with pytest.raises(InvalidOption, match=f"no column {column}; the model has 5"):
            layout.variable(column)


def test_layouts_are_equal_by_names_kinds_and_labels(layout: ColumnLayout) -> None:
    twin = pickle.loads(pickle.dumps(layout))
    assert twin == layout
    assert twin.groups["x"].columns.tolist() == [2, 3, 4]
    other = ColumnLayout()
    other.append("y", IndexSet.of("S", ["a", "b"]), VariableKind.CONTINUOUS)
    assert other != layout
    other.append("x", PAIRS, VariableKind.INTEGER)
    assert other != layout
    assert layout != "layout"
    with pytest.raises(TypeError, match="unhashable"):
        hash(layout)


def test_groups_show_name_size_and_fields(layout: ColumnLayout) -> None:
    x = layout.groups["x"]
    assert isinstance(x, VariableGroup)
    assert repr(x) == "VariableGroup(x: 3 x (i, k))"
    assert repr(x[1, :]) == "VariableArray(x: 2 x (i, k))"


@pytest.mark.parametrize("name", ["", "1x", "a b", "x-y", "_x", "x["])
def test_a_name_that_is_no_attribute_is_refused(layout: ColumnLayout, name: str) -> None:
    with pytest.raises(InvalidOption, match="needs an identifier as its name"):
        layout.append(name, PAIRS, VariableKind.BINARY)


def test_a_name_is_given_once(layout: ColumnLayout) -> None:
    with pytest.raises(InvalidOption, match="a variable group 'x' already"):
        layout.append("x", PAIRS, VariableKind.BINARY)


def test_bounds_are_spread_over_a_group() -> None:
    lower, upper = bound_arrays("x", -np.inf, [1, 2, 3], 3)
    assert lower.tolist() == [-np.inf] * 3
    assert upper.tolist() == [1.0, 2.0, 3.0]
    lower[0] = 0.0  # the caller's own copy


@pytest.mark.parametrize("bound", [[1, 2], [[1, 2, 3]], []])
def test_bounds_of_another_length_are_refused(bound: Any) -> None:
    with pytest.raises(InvalidOption, match="x: one bound, or 3, not an array of shape"):
        bound_arrays("x", bound, np.inf, 3)


@pytest.mark.parametrize(
    ("lower", "upper"), [(np.nan, 1), (0, np.nan), (np.inf, np.inf), (-np.inf, -np.inf)]
)
def test_what_is_no_bound_is_refused(lower: float, upper: float) -> None:
    with pytest.raises(InvalidOption, match="x: a lower bound must be a number or -inf"):
        bound_arrays("x", lower, upper, 3)
