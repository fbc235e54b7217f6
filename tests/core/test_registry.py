"""The registry of kinds, and the protocol that every kind answers to."""

from __future__ import annotations

import pytest

from hidato_opt.core.errors import UnknownOption
from hidato_opt.core.puzzle import Puzzle, Violation, cell_words
from hidato_opt.core.registry import DEFAULT_KIND, KINDS, kind_named


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_puzzle_class_of_that_kind_and_formulations(kind: str) -> None:
    entry = kind_named(kind)
    assert entry.puzzle_class().kind == kind
    assert entry.formulation_table()
    assert all(callable(formulation) for formulation in entry.formulation_table().values())


def test_path_kinds_have_the_text_model_as_default() -> None:
    for kind in ("hidato", "numbrix"):
        assert next(iter(kind_named(kind).formulation_table())) == "assignment"


def test_a_hidato_is_what_a_board_without_a_word_is() -> None:
    assert DEFAULT_KIND == "hidato"


def test_an_unknown_kind_lists_those_there_are() -> None:
    with pytest.raises(UnknownOption, match=r"kind 'sudoku' is not known; known: .*hidato"):
        kind_named("sudoku")


def test_a_board_answers_to_the_protocol() -> None:
    board = kind_named("hidato").puzzle_class()([[1]])
    assert isinstance(board, Puzzle)
    assert not isinstance([[1]], Puzzle)


def test_words_of_a_cell_and_a_violation() -> None:
    assert cell_words((0, 2)) == "row 1, column 3"
    assert str(Violation("cell-empty", "row 1, column 3 has no number", ((0, 2),))) == (
        "cell-empty: row 1, column 3 has no number"
    )
