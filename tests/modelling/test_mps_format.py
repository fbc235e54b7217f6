from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings

from hidato_opt.core.errors import InvalidOption
from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.mps_format import write_mps
from hidato_opt.modelling.names import NameTable
from modelling.readers import (
    Verdict,
    algebra_of_file,
    as_algebra,
    brute_force,
    cbc_verdict,
    highs_of_arrays,
    highs_of_file,
    highs_verdict,
)
from modelling.texts import mps_text, without_comments, written
from modelling.tiny import (
    INF,
    WORDS,
    every_shape,
    exact_models,
    tiny_models,
    with_rows,
    worded_model,
)


def file_of(model: Model, folder: Path, names: NameTable | None = None) -> Path:
    path = folder / "model.mps"
    with path.open("w") as stream:
        write_mps(model, stream, names=names)
    return path


def in_file(model: Model, verdict: Verdict) -> Verdict:
    """What a file says of a model: the negative of an objective that is to be maximised."""
    return verdict.negated() if model.maximise else verdict


def test_every_shape_of_column_and_row_as_text() -> None:
    model = every_shape()
    model = model.maximize(2 * model.n[1] - model.y[1] + 0.5)
    assert mps_text(model, notes=("a note",)).rstrip("\n") == written(
        """
        * model every shape
        * 7 rows, 12 columns (6 integer), 9 non-zeros
        * a note
        * this file minimises the negative of an objective that is to be maximised
        * names:
        *   n_k: n[k]
        *   y_k: y[k]
        *   r_r: r[r]
        NAME every_shape FREE
        ROWS
         N obj
         E r_1
         L r_2
         G r_3
         G r_4
         G r_5
         L r_6
         G r_7
         L y_6__upper
        COLUMNS
         MARKER 'MARKER' 'INTORG'
         n_1 obj -2
         n_1 r_1 1
         n_2 r_1 -1
         n_3 r_2 -2
         n_4 r_3 1
         n_5 r_3 1e-05
         n_6 r_4 1
         MARKER 'MARKER' 'INTEND'
         y_1 obj 1
         y_1 r_1 0.1
         y_2 r_4 3
         y_3 r_5 1
         y_4 obj 0
         y_5 obj 0
         y_6 y_6__upper 1
        RHS
         RHS obj 0.5
         RHS r_1 1
         RHS r_2 4
         RHS r_3 -2
         RHS r_4 -1
         RHS r_5 -1e30
         RHS r_7 1
         RHS y_6__upper 1
        RANGES
         RNG r_4 3.5
        BOUNDS
         BV BND n_1
         FX BND n_2 1
         LO BND n_3 -3
         UP BND n_3 -1
         LO BND n_4 0
         PL BND n_4
         FR BND n_5
         MI BND n_6
         UP BND n_6 7
         FR BND y_2
         MI BND y_3
         UP BND y_3 -1.5
         LO BND y_4 0
         UP BND y_4 0.3
         FX BND y_5 2
         LO BND y_6 2
         PL BND y_6
        ENDATA
        """
    )


def test_a_model_without_anything_as_text() -> None:
    assert without_comments(mps_text(ModelBuilder("").build().minimize(3))).rstrip("\n") == written(
        """
        NAME model FREE
        ROWS
         N obj
        COLUMNS
         objective__constant obj 3
        RHS
        BOUNDS
         FX BND objective__constant 1
        ENDATA
        """
    )


@pytest.mark.parametrize(
    ("name", "in_the_file"),
    [("", "model"), ("Ü", "model"), ("9 x 9, ü!", "9_x_9"), ("a" * 50, "a" * 25)],
)
def test_the_name_of_the_problem_is_one_ascii_word(name: str, in_the_file: str) -> None:
    assert f"\nNAME {in_the_file} FREE\n" in mps_text(ModelBuilder(name).build())


def test_ranges_are_only_used_where_they_are_exact() -> None:
    """In binary, -0.8 + 0.7 is -0.1 rounded the other way, and neither end gives back 0.9."""
    width = -0.1 - -0.8
    assert -0.8 + width != -0.1
    assert -0.1 - width == -0.8
    assert 0.9 - (0.9 - -0.2) != -0.2
    assert -0.2 + (0.9 - -0.2) != 0.9
    builder = ModelBuilder("ranges")
    builder.add_variables("y", IndexSet.range("K", 1, 1), "continuous")
    bounds = [(1, 3), (-0.8, -0.1), (-0.2, 0.9)]
    text = without_comments(mps_text(with_rows(builder.build(), [[1], [1], [1]], bounds)))
    assert text[text.index("ROWS") : text.index("COLUMNS")].split() == (
        ["ROWS", "N", "obj", "G", "r_1", "L", "r_2", "G", "r_3", "L", "r_3__upper"]
    )
    assert text[text.index("RHS") : text.index("BOUNDS")].splitlines() == [
        "RHS",
        " RHS r_1 1",
        " RHS r_2 -0.1",
        " RHS r_3 -0.2",
        " RHS r_3__upper 0.9",
        "RANGES",
        " RNG r_1 2",
        f" RNG r_2 {width!r}",
    ]


def test_names_of_another_model_are_refused() -> None:
    with pytest.raises(InvalidOption, match="make it of the model to be written"):
        mps_text(every_shape(), names=NameTable.short(worded_model()))


def test_short_names_make_a_file_without_a_name_table() -> None:
    model = every_shape()
    text = mps_text(model, names=NameTable.short(model))
    assert "names:" not in text
    assert " x11 x11__upper 1\n" in text


def test_the_same_model_writes_the_same_bytes() -> None:
    assert mps_text(every_shape()) == mps_text(every_shape())


@given(exact_models())
def test_every_number_reads_back_to_the_last_bit(tmp_path: Path, model: Model) -> None:
    names = NameTable.of(model)
    expected = as_algebra(model, names)
    if model.maximise:
        expected = expected.negated()
    assert algebra_of_file(file_of(model, tmp_path, names)) == expected


@given(tiny_models())
def test_columns_and_rows_keep_their_order(tmp_path: Path, model: Model) -> None:
    assume(model.num_columns)
    lp = highs_of_file(file_of(model, tmp_path, NameTable.short(model))).getLp()
    assert list(lp.col_names_) == [f"x{column}" for column in range(model.num_columns)]
    rows = [name for name in lp.row_names_ if not name.endswith("__upper")]
    assert rows == [f"r{row}" for row in range(model.num_rows)]


@given(tiny_models(whole=True))
def test_highs_finds_what_brute_force_finds(tmp_path: Path, model: Model) -> None:
    expected = in_file(model, brute_force(model))
    assert highs_verdict(highs_of_file(file_of(model, tmp_path))).agrees(expected)


@settings(max_examples=30)
@given(tiny_models(whole=True))
def test_cbc_finds_what_brute_force_finds(tmp_path: Path, model: Model) -> None:
    expected = in_file(model, brute_force(model))
    assert cbc_verdict(file_of(model, tmp_path)).agrees(expected)


@given(tiny_models())
def test_highs_reads_mixed_and_unbounded_models(tmp_path: Path, model: Model) -> None:
    assume(model.num_columns)  # without columns, HiGHS has no verdict on arrays
    expected = in_file(model, highs_verdict(highs_of_arrays(model)))
    assert highs_verdict(highs_of_file(file_of(model, tmp_path))).agrees(expected)


@settings(max_examples=30)
@given(tiny_models(bounded=True))
def test_cbc_reads_mixed_models(tmp_path: Path, model: Model) -> None:
    assume(model.num_columns)
    expected = in_file(model, highs_verdict(highs_of_arrays(model)))
    assert cbc_verdict(file_of(model, tmp_path)).agrees(expected)


def test_words_of_the_format_may_name_groups(tmp_path: Path) -> None:
    model = worded_model()
    path = file_of(model, tmp_path)
    names = NameTable.of(model)
    assert algebra_of_file(path) == as_algebra(model, names)
    assert highs_verdict(highs_of_file(path)) == Verdict("optimal", len(WORDS))
    assert cbc_verdict(path) == Verdict("optimal", len(WORDS))


SMALL = {
    "an unmet row without terms": ([[None, None]], [(1, INF)], Verdict("infeasible")),
    "a met row without terms": ([[None, None]], [(0, 0)], Verdict("optimal", -16.0)),
    "a row without bounds": ([[1, 1]], [(-INF, INF)], Verdict("optimal", -16.0)),
    "contradictory bounds of a row": ([[1, 1]], [(2, 1)], Verdict("infeasible")),
    "two exact bounds": ([[1, 2]], [(3, 3.5)], Verdict("optimal", -13.0)),
    "two bounds that are not": ([[0.1, 0.2]], [(-0.2, 0.9)], Verdict("optimal", -16.0)),
    "no rows": ([], [], Verdict("optimal", -16.0)),
}


@pytest.mark.parametrize(("lines", "bounds", "verdict"), SMALL.values(), ids=SMALL.keys())
def test_small_cases_worked_out_by_hand(
    tmp_path: Path,
    lines: list[list[float | None]],
    bounds: list[tuple[float, float]],
    verdict: Verdict,
) -> None:
    """Maximise x1 + x2 + 10 over whole numbers in 0..3: x1 = 3, x2 = 0 where x1 + 2 x2 = 3."""
    builder = ModelBuilder("by hand")
    x = builder.add_variables("x", IndexSet.range("K", 1, 2), "integer", 0, 3)
    model = with_rows(builder.build(), lines, bounds).maximize(x.sum() + 10)
    path = file_of(model, tmp_path)
    assert highs_verdict(highs_of_file(path)).agrees(verdict)
    assert cbc_verdict(path).agrees(verdict)


@pytest.mark.parametrize(
    ("bounds", "verdict"),
    [([], Verdict("optimal", -7.0)), ([(1, INF)], Verdict("infeasible"))],
)
def test_a_model_without_columns_keeps_its_constant_and_its_rows(
    tmp_path: Path, bounds: list[tuple[float, float]], verdict: Verdict
) -> None:
    model = with_rows(ModelBuilder("none").build(), [[] for _ in bounds], bounds).maximize(7)
    path = file_of(model, tmp_path)
    assert highs_verdict(highs_of_file(path)).agrees(verdict)
    assert cbc_verdict(path).agrees(verdict)


def test_integer_and_real_columns_may_alternate_and_fill_several_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hidato_opt.modelling.mps_format.BLOCK", 2)
    builder = ModelBuilder("blocks")
    for name, kind in [("a", "integer"), ("b", "continuous"), ("c", "integer")]:
        builder.add_variables(name, IndexSet.range("K", 1, 3), kind, 0, 5)
    lines: list[list[float | None]] = [
        [float(9 * row + place) for place in range(1, 10)] for row in range(3)
    ]
    model = with_rows(builder.build(), lines, [(0, INF)] * 3)
    names = NameTable.of(model)
    assert algebra_of_file(file_of(model, tmp_path, names)) == as_algebra(model, names)
    assert np.diff(model.integer.astype(int)).tolist() == [0, 0, -1, 0, 0, 1, 0, 0]
