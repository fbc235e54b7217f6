from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.constraints import cover, exactly_one
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.names import MAX_LENGTH, NameTable
from hidato_opt.modelling.rows import RowBlock

SAFE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
RESERVED = set(
    """
    max maximize maximise maximum min minimize minimise minimum st subject such that to free inf
    infinity bound bounds end gen general generals bin binary binaries int integer integers sos
    sos1 sos2 semi nan obj e name rows columns rhs ranges marker endata objsense
    """.split()  # noqa: SIM905  # forty quoted words read worse
)


def model_with(groups: dict[str, list[Any]], rows: dict[str, list[Any]] | None = None) -> Model:
    """A model with these labels; the fields of tuples are called a, b, c, of others k."""
    builder = ModelBuilder("names")
    for name, labels in groups.items():
        builder.add_variables(name, index_of(labels), "binary")
    model = builder.build()
    for name, labels in (rows or {}).items():
        model = model.add(RowBlock.from_terms(None, index_of(labels), [], [], [], 0, 1), name=name)
    return model


def index_of(labels: list[Any]) -> IndexSet:
    if labels and isinstance(labels[0], tuple):
        return IndexSet.of("L", labels, list("abc")[: len(labels[0])])
    return IndexSet.of("k", labels)


def test_readable_names_are_the_group_and_the_label() -> None:
    names = NameTable.of(
        model_with({"x": [(1, 2, 5), (10, 0, -3)], "y": ["red", "R2"]}, {"cell": [(1, 2)]})
    )
    assert names.columns == ["x_1_2_5", "x_10_0_m3", "y_red", "y_R2"]
    assert names.rows == ["cell_1_2"]
    assert names.header == [
        "x_a_b_c: x[a, b, c]",
        "y_k: y[k]",
        "cell_a_b: cell[a, b]",
        "m before a number is a minus sign",
    ]


def test_a_minus_sign_is_explained_only_where_there_is_one() -> None:
    assert NameTable.of(model_with({"x": [0, 1]})).header == ["x_k: x[k]"]


def test_short_names_are_numbers() -> None:
    model = model_with({"x": [5, 6], "y": ["a b"]}, {"r": [7, 8]})
    names = NameTable.short(model)
    assert names == NameTable(["x0", "x1", "x2"], ["r0", "r1"], [])


def test_two_groups_that_could_spell_one_name_do_not() -> None:
    names = NameTable.of(model_with({"x": [(1, 2), (3, 4)], "x_1": [2, 7]}))
    assert names.columns == ["x_1_2", "x_3_4", "col__2", "col__3"]
    assert names.header == [
        "x_a_b: x[a, b]",
        "x_1[k]: 2 numbered names, see below",
        "col__2: x_1[2]",
        "col__3: x_1[7]",
    ]


def test_groups_that_only_begin_alike_keep_their_names() -> None:
    # x_a_1 would be x[a, 1], but the first index of x is a number
    names = NameTable.of(model_with({"x": [(1, 2)], "x_a": [1], "x_1": [(1, 2)], "X_b": [1]}))
    assert names.columns == ["x_1_2", "x_a_1", "x_1_1_2", "X_b_1"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"x": [1]}, {"X": [2]}),
        ({"x": [("a", 1)]}, {"x_b": [2]}),
        ({"x_b": [2]}, {"x": [("a", 1)]}),
        ({"x": [(-1, 1)]}, {"x_m5": [2]}),
        ({"x": ["a"]}, {"X": [1]}),
    ],
)
def test_the_group_that_comes_first_keeps_its_names(
    first: dict[str, list[Any]], second: dict[str, list[Any]]
) -> None:
    names = NameTable.of(model_with({**first, **second}))
    assert not names.columns[0].startswith("col__")
    assert names.columns[1] == "col__1"


def test_rows_do_not_share_names_with_columns() -> None:
    names = NameTable.of(model_with({"x": [1, 2]}, {"x": [1], "X": [(1, 1)], "y": [1]}))
    assert names.columns == ["x_1", "x_2"]
    assert names.rows == ["row__0", "X_1_1", "y_1"]
    assert "row__0: x[1]" in names.header


def test_labels_that_are_no_ascii_words_are_numbered_and_listed() -> None:
    labels = ["ok", "a b", "", "ü", "a_b", "a-b", "tab\t", "'"]
    names = NameTable.of(model_with({"y": [1], "x": labels}))
    assert names.columns == ["y_1", "x_ok", *(f"col__{number}" for number in range(2, 9))]
    assert names.header[2:] == [
        "col__2: x['a b']",
        "col__3: x['']",
        r"col__4: x['\xfc']",
        "col__5: x['a_b']",
        "col__6: x['a-b']",
        r"col__7: x['tab\t']",
        """col__8: x["'"]""",
    ]


def test_labels_that_differ_in_case_alone_are_told_apart_by_number() -> None:
    names = NameTable.of(model_with({"x": ["a", "A", "b"]}))
    assert names.columns == ["x_a", "col__1", "x_b"]
    assert names.header == ["x_k: x[k]", "col__1: x['A']"]


def test_long_names_are_numbered() -> None:
    longest = "x" * (MAX_LENGTH - 2)
    names = NameTable.of(model_with({longest: [1, 10], "y": ["a" * 40, "b"]}))
    assert names.columns == [f"{longest}_1", "col__1", "col__2", "y_b"]
    assert NameTable.of(model_with({"z" * 40: [1]})).columns == ["col__0"]


def test_groups_whose_names_are_no_ascii_words_are_numbered() -> None:
    names = NameTable.of(
        model_with({"λ": [1], "x_": [1], "x__y": [1], "y": [1]}, {"my rows": [1], "9": [1], "": []})
    )
    assert names.columns == ["col__0", "col__1", "col__2", "y_1"]
    assert names.rows == ["row__0", "row__1"]
    assert r"\u03bb[k]: 1 numbered names, see below" in names.header
    assert "row__0: my rows[1]" in names.header


def test_rows_whose_labels_recur_are_told_apart_by_number() -> None:
    builder = ModelBuilder("twice")
    x = builder.add_variables("x", IndexSet.range("K", 1, 2), "binary")
    builder.add_rows("r", cover(x.take([0, 1, 0]), x.take([1, 0, 1]), [0, 1, 2]))
    names = NameTable.of(builder.build())
    assert names.rows == ["r_1", "r_2", "row__2"]
    assert names.header[-1] == "row__2: r[1]"


def test_empty_groups_do_no_harm() -> None:
    names = NameTable.of(model_with({"x": [], "y": [1]}))
    assert names.columns == ["y_1"]
    assert names.header == ["x_k: x[k]", "y_k: y[k]"]
    assert NameTable.of(ModelBuilder("empty").build()) == NameTable([], [], [])


@pytest.mark.parametrize("word", sorted(RESERVED | {"e5", "E12", "INF"}))
def test_no_name_is_a_word_of_the_file_formats(word: str) -> None:
    for label in (1, -1, "", word):
        is_taken = word in Model.__dataclass_fields__ or hasattr(Model, word)
        names = NameTable.of(model_with({"x" if is_taken else word: [label]}, {word: [label]}))
        for name in (*names.columns, *names.rows):
            assert name.lower() not in RESERVED
            assert not re.fullmatch("[eE][0-9]+", name)


part = st.integers(-3, 12) | st.integers(-(2**31), 2**31 - 1)
text = st.text(
    st.sampled_from("aAbB1m_ -ü") | st.characters(codec="utf-8", exclude_characters="\0"),
    max_size=5,
)
column_names = st.sampled_from(["x", "X", "x_1", "x_a", "x_1_2", "x_", "x__1", "col", "λ", "e5"])
row_names = column_names | st.text(st.characters(codec="utf-8"), min_size=1, max_size=4)


@st.composite
def labels_of_one_shape(draw: st.DrawFn) -> list[Any]:
    parts = draw(st.lists(st.sampled_from([part, text]), min_size=1, max_size=3))
    labels = st.tuples(*parts) if len(parts) > 1 else parts[0]
    return draw(st.lists(labels, unique=True, max_size=6))


def flat(groups: dict[str, list[Any]]) -> list[tuple[str, Any]]:
    return [(group, label) for group, labels in groups.items() for label in labels]


@given(
    st.dictionaries(column_names, labels_of_one_shape(), max_size=4),
    st.dictionaries(row_names, labels_of_one_shape(), max_size=3),
)
def test_any_labels_get_names_that_are_safe_and_distinct_and_explained(
    columns: dict[str, list[Any]], rows: dict[str, list[Any]]
) -> None:
    names = NameTable.of(model_with(columns, rows))
    entries = [
        (name, *entry)
        for given_names, groups in ((names.columns, columns), (names.rows, rows))
        for name, entry in zip(given_names, flat(groups), strict=True)
    ]
    assert len({name.lower() for name, _, _ in entries}) == len(entries)
    numbered = [re.match("((?:col|row)__[0-9]+):", line) for line in names.header]
    assert [match[1] for match in numbered if match] == [
        name for name, _, _ in entries if "__" in name
    ]
    for name, group, label in entries:
        assert SAFE.fullmatch(name)
        assert len(name) <= MAX_LENGTH <= 32 - len("__upper")
        if "__" not in name:
            parts = label if isinstance(label, tuple) else (label,)
            spelled = [str(p).replace("-", "m") if isinstance(p, int) else p for p in parts]
            assert name == "_".join([group, *spelled])
    for line in names.header:
        assert line.isascii()
        assert line.isprintable()


def test_the_same_model_gets_the_same_names() -> None:
    builder = ModelBuilder("same")
    x = builder.add_variables("x", IndexSet.of("S", ["a", "b c"]), "binary")
    builder.add_rows("r", exactly_one(x, by=()))
    model = builder.build()
    assert NameTable.of(model) == NameTable.of(model)
