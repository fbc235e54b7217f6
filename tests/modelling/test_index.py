from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hidato_opt.core.errors import InvalidOption
from hidato_opt.modelling.index import IndexSet

FIELDS = ("i", "j", "s")
numbers = st.integers(-5, 5) | st.sampled_from([-(2**31), 2**31 - 1, 1000])
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=3)


@st.composite
def label_lists(draw: st.DrawFn) -> list[tuple[Any, ...]]:
    """Distinct labels of three fields, two of numbers and one of texts, in any order."""
    return draw(st.lists(st.tuples(numbers, numbers, texts), unique=True, min_size=1, max_size=12))


def test_a_range_is_inclusive_and_names_its_field() -> None:
    K = IndexSet.range("K", 3, 6)
    assert list(K) == [3, 4, 5, 6]
    assert K.fields == ("k",)
    assert len(K) == 4
    assert list(IndexSet.range("K", 2, 1)) == []


def test_a_product_runs_the_last_set_fastest() -> None:
    pairs = IndexSet.of("P", [(5, "a"), (-1, "b")], fields=["n", "s"])
    cube = IndexSet.product("PK", pairs, IndexSet.range("K", 1, 2))
    assert cube.fields == ("n", "s", "k")
    assert list(cube) == [(5, "a", 1), (5, "a", 2), (-1, "b", 1), (-1, "b", 2)]


def test_a_product_with_an_empty_set_is_empty() -> None:
    empty = IndexSet.product("IK", IndexSet.range("I", 1, 3), IndexSet.range("K", 1, 0))
    assert len(empty) == 0
    assert (1, 1) not in empty
    assert empty.positions([1], [1]).tolist() == [-1]


def test_labels_without_fields_are_single_values() -> None:
    colours = IndexSet.of("Colour", ["red", "blue"])
    assert colours.fields == ("colour",)
    assert colours[1] == "blue"
    assert "green" not in colours


@pytest.mark.parametrize("fields", [None, ["i", "j"]])
def test_no_labels_make_an_empty_set(fields: list[str] | None) -> None:
    empty = IndexSet.of("E", [], fields)
    assert len(empty) == 0
    assert empty.fields == (("e",) if fields is None else ("i", "j"))
    groups, places = empty.group_by(empty.fields[:1])
    assert len(groups) == 0
    assert len(places) == 0


def test_where_and_take_keep_the_order_asked_for() -> None:
    K = IndexSet.range("K", 1, 5)
    odd = K.where(K.column("k") % 2 == 1, "odd")
    assert odd.name == "odd"
    assert list(odd) == [1, 3, 5]
    assert list(K.take([4, 0, 0])) == [5, 1, 1]
    assert list(K.take([])) == []
    assert K.where(np.zeros(5)).name == "K"


@given(label_lists())
def test_positions_are_those_of_a_dictionary(labels: list[tuple[Any, ...]]) -> None:
    where = {label: place for place, label in enumerate(labels)}
    index = IndexSet.of("S", labels, FIELDS)
    asked = [*labels, *((i, j, "absent") for i, j, _ in labels), (99, 99, labels[0][2])]
    found = index.positions(*zip(*asked, strict=True))
    assert found.tolist() == [where.get(label, -1) for label in asked]
    assert list(index) == labels
    assert [index[place] for place in range(len(index))] == labels
    assert [label in index for label in asked] == [label in where for label in asked]


@given(st.sets(st.tuples(st.integers(1, 4), st.integers(-2, 1)), min_size=1))
def test_sparse_sets_of_small_numbers_find_what_is_there(labels: set[tuple[int, int]]) -> None:
    index = IndexSet.of("S", sorted(labels), ["i", "j"])
    grid = [(i, j) for i in range(-1, 7) for j in range(-4, 4)]
    found = index.positions(*zip(*grid, strict=True))
    order = sorted(labels)
    assert found.tolist() == [order.index(label) if label in labels else -1 for label in grid]


@given(label_lists(), st.data())
def test_a_key_of_values_and_slices_picks_what_a_loop_picks(
    labels: list[tuple[Any, ...]], data: st.DataObject
) -> None:
    index = IndexSet.of("S", labels, FIELDS)
    key = []
    for place in range(3):
        values = st.sampled_from([label[place] for label in labels])
        bound = st.none() | values
        key.append(data.draw(values | st.builds(slice, bound, bound)))

    def is_picked(label: tuple[Any, ...]) -> bool:
        for part, value in zip(key, label, strict=True):
            if not isinstance(part, slice):
                if part != value:
                    return False
            elif (part.start is not None and value < part.start) or (
                part.stop is not None and value >= part.stop
            ):
                return False
        return True

    expected = [place for place, label in enumerate(labels) if is_picked(label)]
    assert index.select(tuple(key)).tolist() == expected


@given(label_lists(), st.permutations(FIELDS), st.integers(1, 3))
def test_groups_are_those_of_a_dictionary_in_order_of_first_occurrence(
    labels: list[tuple[Any, ...]], order: list[str], size: int
) -> None:
    fields = order[:size]
    index = IndexSet.of("S", labels, FIELDS)
    reference: dict[tuple[Any, ...], list[int]] = {}
    for place, label in enumerate(labels):
        part = tuple(label[FIELDS.index(field)] for field in fields)
        reference.setdefault(part, []).append(place)
    groups, places = index.group_by(fields)
    assert groups.fields == tuple(fields)
    assert groups.name == "_".join(fields)
    assert [part if size > 1 else (part,) for part in groups] == list(reference)
    for number, members in enumerate(reference.values()):
        assert np.flatnonzero(places == number).tolist() == members


def test_no_fields_make_one_group_of_everything() -> None:
    groups, places = IndexSet.range("K", 1, 3).group_by(())
    assert list(groups) == [1]
    assert places.tolist() == [0, 0, 0]


@pytest.mark.parametrize("label", [1.5, "2", "a", float("nan"), float("inf"), None, 2**40, (1, 2)])
def test_a_label_of_another_type_is_not_in_a_set_of_numbers(label: Any) -> None:
    assert label not in IndexSet.range("K", 1, 3)
    assert label not in IndexSet.of("S", [1, 100, 10_000])


@pytest.mark.parametrize("label", [5, 5.0, None, "6"])
def test_a_label_of_another_type_is_not_in_a_set_of_texts(label: Any) -> None:
    assert label not in IndexSet.of("S", ["5", "a", "None"])


def test_equal_numbers_find_each_other_as_in_a_dictionary() -> None:
    K = IndexSet.range("K", 1, 3)
    assert K.positions(np.array([3.0, 2.5])).tolist() == [2, -1]
    assert K.positions(np.array([True])).tolist() == [0]
    texts = IndexSet.of("S", ["x", "y"])
    assert texts.positions(np.array(["y", 3, None], dtype=object)).tolist() == [1, -1, -1]


def test_positions_broadcast_their_columns() -> None:
    cells = IndexSet.product("IJ", IndexSet.range("I", 1, 2), IndexSet.range("J", 1, 2))
    assert cells.positions([[1], [2]], [1, 2]).tolist() == [[0, 1], [2, 3]]


@pytest.mark.parametrize("wrong", [2**31, -(2**31) - 1, 1.5, float("nan"), float("inf")])
def test_a_number_that_cannot_be_kept_is_refused_and_not_folded(wrong: float) -> None:
    with pytest.raises(InvalidOption, match=f"label {wrong} is not a whole number of at most 32"):
        IndexSet.of("S", [1, wrong])


def test_labels_of_tables_keep_their_type() -> None:
    columns = [
        np.array([1.0, 2.0]),
        np.array([3, 4], dtype=object),
        np.array(["a", "b"], dtype=object),
        np.array(["2024-01-01", "2024-01-02"], dtype="datetime64[D]"),
    ]
    index = IndexSet("S", ["f", "o", "s", "d"], columns)
    assert list(index) == [(1, 3, "a", "2024-01-01"), (2, 4, "b", "2024-01-02")]
    assert all(type(part) is int for part in index[0][:2])


def test_columns_are_read_only_whatever_becomes_of_the_callers_array() -> None:
    mine = np.array([1, 2, 3], dtype=np.int32)
    index = IndexSet("K", ["k"], [mine])
    with pytest.raises(ValueError, match="read-only"):
        index.column("k")[0] = 7
    assert mine.flags.writeable


def test_equality_is_of_fields_and_labels_and_not_of_names() -> None:
    K = IndexSet.range("K", 1, 2)
    assert IndexSet("other", ["k"], [[1, 2]]) == K
    assert IndexSet("K", ["other"], [[1, 2]]) != K
    assert IndexSet("K", ["k"], [[2, 1]]) != K
    assert K != [1, 2]
    with pytest.raises(TypeError, match="unhashable"):
        hash(K)


@given(label_lists())
def test_a_copy_through_pickle_finds_the_same_labels(labels: list[tuple[Any, ...]]) -> None:
    index = IndexSet.of("S", labels, FIELDS)
    assert labels[0] in index  # fills the look-up tables, which are not carried along
    twin = pickle.loads(pickle.dumps(index))
    assert twin == index
    assert twin.name == "S"
    assert twin.positions(*zip(*labels, strict=True)).tolist() == list(range(len(labels)))


def test_a_set_says_how_large_it_is() -> None:
    assert repr(IndexSet.of("P", [(1, 2)], ["i", "j"])) == "IndexSet(P: 1 x (i, j))"


@pytest.mark.parametrize(
    ("fields", "columns", "message"),
    [
        (["i"], [[1, 2, 1]], "a label occurs twice"),
        (["i", "j"], [[1, 1], [2, 2]], "a label occurs twice"),
        (["i", "j"], [[1, 2]], "one column is needed for each of its fields"),
        ([], [], "one column is needed for each of its fields"),
        (["i", "i"], [[1], [2]], "two of its fields have one name"),
        (["i", "j"], [[1, 2], [1]], "1-d and of one length"),
        (["i"], [[[1, 2]]], "1-d and of one length"),
    ],
)
def test_what_is_no_set_of_labels_is_refused(
    fields: list[str], columns: list[Any], message: str
) -> None:
    with pytest.raises(InvalidOption, match=f"index set S: .*{message}"):
        IndexSet("S", fields, columns)


@pytest.mark.parametrize("labels", [[(1, 2), (1,)], [1, 2], [(1, 2, 3)]])
def test_labels_must_be_tuples_as_long_as_the_fields(labels: list[Any]) -> None:
    with pytest.raises(InvalidOption, match=r"every label must be a tuple of 2 values \(i, j\)"):
        IndexSet.of("S", labels, ["i", "j"])


def test_keys_that_do_not_fit_are_refused() -> None:
    cells = IndexSet.product("IJ", IndexSet.range("I", 1, 2), IndexSet.range("J", 1, 2))
    with pytest.raises(InvalidOption, match=r"takes 2 indices \(i, j\), not 1"):
        cells.select(1)
    with pytest.raises(InvalidOption, match="a slice cannot have a step"):
        cells.select((slice(None, None, 2), 1))
    with pytest.raises(InvalidOption, match="'a' cannot bound a slice of labels"):
        cells.select((slice("a", None), 1))
    with pytest.raises(InvalidOption, match="2 cannot bound a slice of labels"):
        IndexSet.of("S", ["a"]).select(slice(None, 2))
    with pytest.raises(InvalidOption, match="takes 2 columns"):
        cells.positions([1])
    with pytest.raises(InvalidOption, match=r"has fields \('i', 'j'\), not 'k'"):
        cells.column("k")
    assert (1, 2, 3) not in cells
