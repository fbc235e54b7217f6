from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hidato_opt.core.errors import InvalidExpression, InvalidOption
from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.rows import RowBlock

ROWS = IndexSet.range("R", 1, 4)
halves = st.integers(-6, 6).map(lambda number: number / 2)


def as_dict(block: RowBlock) -> dict[tuple[int, int], float]:
    """Read the terms back, and check that rows and columns ascend."""
    entries = {}
    for row in range(len(block)):
        columns = block.columns[block.starts[row] : block.starts[row + 1]].tolist()
        assert columns == sorted(set(columns))
        for place, column in enumerate(columns, start=int(block.starts[row])):
            entries[row, column] = float(block.coefficients[place])
    assert len(entries) == block.nonzeros
    return entries


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5), halves)))
def test_loose_terms_are_sorted_and_added_up(terms: list[tuple[int, int, float]]) -> None:
    expected: dict[tuple[int, int], float] = {}
    for row, column, value in terms:
        expected[row, column] = expected.get((row, column), 0.0) + value
    rows, columns, values = zip(*terms, strict=True) if terms else ((), (), ())
    block = RowBlock.from_terms(None, ROWS, rows, columns, values, 0.0, 1.0)
    assert as_dict(block) == expected
    assert len(block) == 4


def test_one_coefficient_serves_all_terms_and_rows_without_terms_stay() -> None:
    block = RowBlock.from_terms(None, ROWS, [0, 3], [7, 7], 2.5, [1, 2, 3, 4], np.inf)
    assert block.starts.tolist() == [0, 1, 1, 1, 2]
    assert block.coefficients.tolist() == [2.5, 2.5]
    assert block.lower.tolist() == [1.0, 2.0, 3.0, 4.0]
    assert block.upper.tolist() == [np.inf] * 4


@pytest.mark.parametrize(
    ("rows", "columns", "coefficients", "lower", "upper", "message"),
    [
        ([4], [0], [1.0], 0, 1, "R: a term stands in row 4 of 4"),
        ([-1, 0], [0, 0], [1.0, 1.0], 0, 1, "R: a term stands in row -1 of 4"),
        ([0, 1], [0], [1.0], 0, 1, "need one length"),
        ([0], [0], [1.0, 2.0], 0, 1, "need one length"),
        ([0], [0], [np.nan], 0, 1, "a coefficient is not a finite number"),
        ([0], [0], np.inf, 0, 1, "a coefficient is not a finite number"),
        ([0], [0], [1.0], [0, 0], 1, "R: one bound, or 4"),
        ([0], [0], [1.0], 0, np.nan, "an upper bound a number or inf"),
    ],
)
def test_terms_that_make_no_rows_are_refused(
    rows: Any, columns: Any, coefficients: Any, lower: Any, upper: Any, message: str
) -> None:
    with pytest.raises(InvalidOption, match=message):
        RowBlock.from_terms(None, ROWS, rows, columns, coefficients, lower, upper)


def test_constraints_become_numbered_rows() -> None:
    builder = ModelBuilder("m")
    x = builder.add_variables("x", IndexSet.range("K", 1, 3), "binary")
    block = RowBlock.from_constraints([x[1] + 2 * x[3] <= 4, x[2] >= 1], "pair")
    assert list(block.index) == [1, 2]
    assert block.index.fields == ("row",)
    assert as_dict(block) == {(0, 0): 1.0, (0, 2): 2.0, (1, 1): 1.0}
    assert block.lower.tolist() == [-np.inf, 1.0]
    assert block.upper.tolist() == [4.0, np.inf]
    assert block.owner is builder.layout


def test_no_constraints_make_no_rows() -> None:
    block = RowBlock.from_constraints([], "none")
    assert len(block) == 0
    assert block.nonzeros == 0
    assert block.owner is None


def test_only_constraints_of_one_model_make_a_block() -> None:
    first, second = ModelBuilder("one"), ModelBuilder("two")
    x = first.add_variables("x", IndexSet.range("K", 1, 2), "binary")
    y = second.add_variables("y", IndexSet.range("K", 1, 2), "binary")
    with pytest.raises(InvalidExpression, match="mixes variables of two models"):
        RowBlock.from_constraints([x[1] <= 1, y[1] <= 1], "mixed")
    with pytest.raises(InvalidOption, match="write 'expression <= number'"):
        RowBlock.from_constraints([x[1]], "bare")
