"""Errors: what their messages say, and that they survive a trip to another process."""

from __future__ import annotations

import pickle

import pytest

from hidato_opt.core import errors
from hidato_opt.core.errors import (
    BackendUnavailable,
    HidatoOptError,
    InvalidExpression,
    InvalidOption,
    InvalidPuzzle,
    NoSolution,
    SolveInterrupted,
    SolverFailed,
    Undecided,
    UnknownOption,
    UnsupportedModel,
    WrongAnswer,
)

EVERY_ERROR = [
    HidatoOptError("something"),
    InvalidPuzzle("a rule", row=0, column=2, code="out-of-range", source="b.txt"),
    InvalidPuzzle("a rule"),
    InvalidOption("an option"),
    UnknownOption.of("kind", "x", ["hidato"]),
    InvalidExpression("not linear"),
    BackendUnavailable("install it"),
    UnsupportedModel("real variables"),
    SolverFailed("it crashed", "line 1\nline 2"),
    NoSolution("none"),
    WrongAnswer("highs 1.16.0", "a row is broken"),
    Undecided("time limit"),
]


def test_the_list_above_is_complete() -> None:
    made = {type(error) for error in EVERY_ERROR}
    there = {
        value
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, BaseException)
    }
    assert there - made == {SolveInterrupted}


@pytest.mark.parametrize("error", EVERY_ERROR, ids=lambda error: type(error).__name__)
def test_one_except_clause_catches_all(error: HidatoOptError) -> None:
    assert isinstance(error, HidatoOptError)
    assert not isinstance(error, ValueError | KeyboardInterrupt)


@pytest.mark.parametrize("error", EVERY_ERROR, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickling_keeps_class_message_and_fields(error: HidatoOptError, protocol: int) -> None:
    again = pickle.loads(pickle.dumps(error, protocol))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_invalid_puzzle_says_rows_and_columns_from_one_and_keeps_them_from_zero() -> None:
    error = InvalidPuzzle("'x' is not a number", row=0, column=2, code="not-a-number")
    assert str(error) == "row 1, column 3: 'x' is not a number"
    assert (error.row, error.column, error.code, error.rule, error.source) == (
        0,
        2,
        "not-a-number",
        "'x' is not a number",
        None,
    )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "too long"),
        ({"row": 3}, "row 4: too long"),
        ({"column": 0}, "column 1: too long"),
        ({"source": "b.txt"}, "b.txt: too long"),
        ({"source": "b.txt", "row": 0, "column": 0}, "b.txt: row 1, column 1: too long"),
    ],
)
def test_invalid_puzzle_names_what_it_knows(fields: dict[str, object], message: str) -> None:
    assert str(InvalidPuzzle("too long", **fields)) == message  # type: ignore[arg-type]  # a table


def test_invalid_puzzle_found_in_a_file_keeps_the_rest() -> None:
    error = InvalidPuzzle("a rule", row=1, column=2, code="given-twice").found_in("b.txt")
    assert str(error) == "b.txt: row 2, column 3: a rule"
    assert (error.row, error.column, error.code) == (1, 2, "given-twice")


def test_unknown_option_lists_the_known_names_in_order() -> None:
    error = UnknownOption.of("backend", "gurobbi", ["highs", "cbc"])
    assert str(error) == "backend 'gurobbi' is not known; known: cbc, highs"


def test_solver_failed_shows_the_last_twenty_lines_of_the_log() -> None:
    log = "\n".join(f"line {number}" for number in range(1, 31)) + "\n\n"
    lines = str(SolverFailed("it crashed", log)).splitlines()
    assert lines[:2] == ["it crashed", "last lines of its log:"]
    assert lines[2:] == [f"line {number}" for number in range(11, 31)]


def test_solver_failed_without_a_log_is_its_message() -> None:
    assert str(SolverFailed("it crashed", "\n")) == "it crashed"


def test_wrong_answer_names_the_stage() -> None:
    error = WrongAnswer("highs 1.16.0", "a row is broken")
    assert str(error) == "highs 1.16.0: a row is broken"
    assert (error.stage, error.complaint) == ("highs 1.16.0", "a row is broken")


def test_an_interrupt_is_not_swallowed_by_except_exception() -> None:
    error = SolveInterrupted(result=3)
    assert isinstance(error, KeyboardInterrupt)
    assert not isinstance(error, Exception)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.result) == ("interrupted", 3)
