from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given, settings

from hidato_opt.core.errors import InvalidOption
from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.constraints import at_most_one
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.lp_format import write_lp
from hidato_opt.modelling.model import Model
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
from modelling.texts import lp_text, without_comments, written
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
    path = folder / "model.lp"
    with path.open("w") as stream:
        write_lp(model, stream, names=names)
    return path


def test_every_shape_of_column_and_row_as_text() -> None:
    model = every_shape()
    model = model.maximize(2 * model.n[1] - model.y[1] + 0.5)
    assert lp_text(model, notes=("a note",)).rstrip("\n") == written(
        r"""
        \ model every shape
        \ 7 rows, 12 columns (6 integer), 9 non-zeros
        \ a note
        \ names:
        \   n_k: n[k]
        \   y_k: y[k]
        \   r_r: r[r]
        Maximize
         obj: 2 n_1 - y_1 + 0 y_4 + 0 y_5 + 0.5 objective__constant
        Subject To
         r_1: n_1 - n_2 + 0.1 y_1 = 1
         r_2: - 2 n_3 <= 4
         r_3: n_4 + 1e-05 n_5 >= -2
         r_4: n_6 + 3 y_2 >= -1
         r_4__upper: n_6 + 3 y_2 <= 2.5
         r_5: y_3 >= -inf
         r_6: 0 n_1 <= 0
         r_7: 0 n_1 >= 1
         y_6__upper: y_6 <= 1
        Bounds
         n_2 = 1
         -3 <= n_3 <= -1
         n_4 >= 0
         n_5 free
         -inf <= n_6 <= 7
         y_2 free
         -inf <= y_3 <= -1.5
         0 <= y_4 <= 0.3
         y_5 = 2
         y_6 >= 2
         objective__constant = 1
        General
         n_2
         n_3
         n_4
         n_5
         n_6
        Binary
         n_1
        End
        """
    )


def test_a_model_without_anything_as_text() -> None:
    assert without_comments(lp_text(ModelBuilder("").build())).rstrip("\n") == written(
        """
        Minimize
         obj: 0 objective__constant
        Subject To
        Bounds
         objective__constant = 1
        End
        """
    )


def test_short_names_make_a_file_without_a_name_table() -> None:
    model = every_shape()
    text = lp_text(model, names=NameTable.short(model))
    assert "names:" not in text
    assert " r3: x5 + 3 x7 >= -1\n r3__upper: x5 + 3 x7 <= 2.5\n" in text


def test_names_of_another_model_are_refused() -> None:
    with pytest.raises(InvalidOption, match="make it of the model to be written"):
        lp_text(every_shape(), names=NameTable.short(worded_model()))


def test_long_rows_are_folded_between_terms(tmp_path: Path) -> None:
    builder = ModelBuilder("long")
    x = builder.add_variables("x", IndexSet.range("K", 1, 1000), "binary")
    builder.add_rows("one", at_most_one(x, by=()))
    model = builder.build().maximize(x.dot([0.1 * k for k in range(1, 1001)]))
    text = lp_text(model)
    assert max(map(len, text.splitlines())) <= 110
    rows = text[text.index("Subject To\n") + 11 : text.index("Bounds\n")]
    assert " ".join(rows.split()) == f"one_1: {' + '.join(f'x_{k}' for k in range(1, 1001))} <= 1"
    path = file_of(model, tmp_path)
    assert highs_verdict(highs_of_file(path)).agrees(Verdict("optimal", 100.0))
    assert cbc_verdict(path).agrees(Verdict("optimal", 100.0))


def test_the_same_model_writes_the_same_bytes() -> None:
    assert lp_text(every_shape()) == lp_text(every_shape())


@pytest.mark.parametrize("size", [1, 2, 3])
def test_rows_are_the_same_however_many_are_written_at_a_time(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    expected = lp_text(every_shape())
    monkeypatch.setattr("hidato_opt.modelling.lp_format._ROWS_AT_A_TIME", size)
    assert lp_text(every_shape()) == expected


@given(exact_models())
def test_every_number_reads_back_to_the_last_bit(tmp_path: Path, model: Model) -> None:
    names = NameTable.of(model)
    assert algebra_of_file(file_of(model, tmp_path, names)) == as_algebra(model, names)


@given(tiny_models(whole=True))
def test_highs_finds_what_brute_force_finds(tmp_path: Path, model: Model) -> None:
    assert highs_verdict(highs_of_file(file_of(model, tmp_path))).agrees(brute_force(model))


@settings(max_examples=30)
@given(tiny_models(whole=True))
def test_cbc_finds_what_brute_force_finds(tmp_path: Path, model: Model) -> None:
    assert cbc_verdict(file_of(model, tmp_path)).agrees(brute_force(model))


@given(tiny_models())
def test_highs_reads_mixed_and_unbounded_models(tmp_path: Path, model: Model) -> None:
    assume(model.num_columns)  # without columns, HiGHS has no verdict on arrays
    expected = highs_verdict(highs_of_arrays(model))
    assert highs_verdict(highs_of_file(file_of(model, tmp_path))).agrees(expected)


@settings(max_examples=30)
@given(tiny_models(bounded=True))
def test_cbc_reads_mixed_models(tmp_path: Path, model: Model) -> None:
    assume(model.num_columns)
    expected = highs_verdict(highs_of_arrays(model))
    assert cbc_verdict(file_of(model, tmp_path)).agrees(expected)


def test_words_of_the_format_may_name_groups(tmp_path: Path) -> None:
    model = worded_model()
    path = file_of(model, tmp_path)
    names = NameTable.of(model)
    assert names.rows[0] == "st_1_1"
    assert algebra_of_file(path) == as_algebra(model, names)
    assert highs_verdict(highs_of_file(path)) == Verdict("optimal", len(WORDS))
    assert cbc_verdict(path) == Verdict("optimal", len(WORDS))


SMALL = {
    "an unmet row without terms": ([[None, None]], [(1, INF)], Verdict("infeasible")),
    "a met row without terms": ([[None, None]], [(0, 0)], Verdict("optimal", 10.0)),
    "a row without bounds": ([[1, 1]], [(-INF, INF)], Verdict("optimal", 10.0)),
    "contradictory bounds of a row": ([[1, 1]], [(2, 1)], Verdict("infeasible")),
    "two bounds": ([[1, 2]], [(3, 3.5)], Verdict("optimal", 12.0)),
    "no rows": ([], [], Verdict("optimal", 10.0)),
}


@pytest.mark.parametrize(("lines", "bounds", "verdict"), SMALL.values(), ids=SMALL.keys())
def test_small_cases_worked_out_by_hand(
    tmp_path: Path,
    lines: list[list[float | None]],
    bounds: list[tuple[float, float]],
    verdict: Verdict,
) -> None:
    """Minimise x1 + x2 + 10 over whole numbers in 0..3: x1 = x2 = 1 where x1 + 2 x2 = 3."""
    builder = ModelBuilder("by hand")
    x = builder.add_variables("x", IndexSet.range("K", 1, 2), "integer", 0, 3)
    model = with_rows(builder.build(), lines, bounds).minimize(x.sum() + 10)
    path = file_of(model, tmp_path)
    assert highs_verdict(highs_of_file(path)).agrees(verdict)
    assert cbc_verdict(path).agrees(verdict)


@pytest.mark.parametrize(
    ("bounds", "verdict"),
    [([], Verdict("optimal", 7.0)), ([(1, INF)], Verdict("infeasible"))],
)
def test_a_model_without_columns_keeps_its_constant_and_its_rows(
    tmp_path: Path, bounds: list[tuple[float, float]], verdict: Verdict
) -> None:
    model = with_rows(ModelBuilder("none").build(), [[] for _ in bounds], bounds).maximize(7)
    path = file_of(model, tmp_path)
    assert highs_verdict(highs_of_file(path)).agrees(verdict)
    assert cbc_verdict(path).agrees(verdict)
