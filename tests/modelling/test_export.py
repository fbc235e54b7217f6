from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hidato_opt.core.errors import InvalidOption
from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.export import (
    LINE_WIDTH,
    checked_names,
    comment_lines,
    file_rows,
    number_text,
    texts_of,
)
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.names import NameTable
from modelling.tiny import INF, with_rows


@given(st.floats(allow_nan=False))
def test_numbers_read_back_bit_by_bit(value: float) -> None:
    assert float(number_text(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (-3.0, "-3"),
        (0.1, "0.1"),
        (1e15, "1000000000000000"),
        (1e16, "1e+16"),
        (INF, "inf"),
    ],
)
def test_whole_numbers_have_no_point(value: float, text: str) -> None:
    assert number_text(value) == text


@given(st.lists(st.sampled_from([0.5, -0.5, 1.0, 2.0])))
def test_an_array_is_written_number_by_number(values: list[float]) -> None:
    texts = texts_of(np.array(values, dtype=np.float64), number_text)
    assert texts.tolist() == [number_text(value) for value in values]


@pytest.fixture
def model() -> Model:
    """x1, x2 in 0..1 and a contradictory y1 in 2..1; rows ranged, free, equal, ranged."""
    builder = ModelBuilder("parts")
    builder.add_variables("x", IndexSet.range("K", 1, 2), "integer", 0, 1)
    builder.add_variables("y", IndexSet.range("K", 1, 1), "integer", 2, 1)
    return with_rows(
        builder.build(),
        [[1, 2, None], [None, None, 3], [None, 4, None], [5, None, 6]],
        [(1, 2), (-INF, INF), (3, 3), (0, 9)],
    )


def test_what_needs_no_splitting_is_not_copied() -> None:
    builder = ModelBuilder("plain")
    builder.add_variables("x", IndexSet.range("K", 1, 2), "integer", 0, 1)
    plain = builder.build()
    names = NameTable.of(plain)
    rows = file_rows(plain, names, np.zeros(0, dtype=np.bool_))
    assert rows.names is names.rows
    assert rows.coefficients is plain.coefficients


def test_two_sided_rows_and_contradictory_columns_are_split(model: Model) -> None:
    ranged = np.array([True, False, False, False])
    rows = file_rows(model, NameTable.of(model), ranged)
    assert rows.names == ["r_1", "r_2", "r_3", "r_4", "r_4__upper", "y_1__upper"]
    assert rows.lower.tolist() == [1.0, -INF, 3.0, 0.0, -INF, -INF]
    assert rows.upper.tolist() == [2.0, INF, 3.0, INF, 9.0, 1.0]
    assert rows.starts.tolist() == [0, 2, 3, 4, 6, 8, 9]
    assert rows.columns.tolist() == [0, 1, 2, 1, 0, 2, 0, 2, 2]
    assert rows.coefficients.tolist() == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 5.0, 6.0, 1.0]


def test_names_of_another_model_are_refused(model: Model) -> None:
    names = NameTable.of(model)
    assert checked_names(model, names) is names
    assert checked_names(model, None) == names
    with pytest.raises(InvalidOption, match="has 3 columns and 4 rows, the model 3 and 5"):
        checked_names(model.add(model.x[1] >= 1), names)


def test_comments_are_short_printable_ascii_lines() -> None:
    builder = ModelBuilder("näme\nof two lines")
    builder.add_variables("x", IndexSet.of("S", ["long " * 60, "a"]), "binary")
    model = builder.build()
    notes = ["first\nsecond", "word " * 60, "ünï"]
    lines = list(comment_lines("*", model, NameTable.of(model), notes))
    for line in lines:
        assert line.startswith("* ")
        assert line.endswith("\n")
        assert line[:-1].isascii()
        assert line[:-1].isprintable()
        assert len(line) <= LINE_WIDTH + 3
    assert lines[:4] == [
        "* model n\\xe4me\\nof two lines\n",
        "* 0 rows, 2 columns (2 integer), 0 non-zeros\n",
        "* first\n",
        "* second\n",
    ]
    assert "".join(lines).count("word") == 60
    assert "".join(lines).count("long") == 60
    assert "* \\xfcn\\xef\n" in lines
