"""``count``, ``explain`` and ``generate``."""

from __future__ import annotations

import pytest

import hidato_opt as ho
from cli.conftest import Run


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--board", "1 ./. 4"], 0, "board: 2\n"),
        (["--board", "1 . 3"], 0, "board: 1\n"),
        (["--board", "2 . . . 1"], 1, "board: 0\n"),
        (["--board", ". ./. .", "--limit", "3"], 0, "board: at least 3 (solution_limit)\n"),
        (["--board", "1 ./. 4", "--method", "mip"], 0, "board: 2\n"),
        (["--board", ". . . . . . ./" * 6 + "1", "--time-limit", "0"], 2, ""),
    ],
)
def test_count(run: Run, arguments: list[str], code: int, words: str) -> None:
    done = run("count", *arguments)
    assert (done.code, done.out) == (code, words)


def test_count_within_no_time_is_no_answer(run: Run) -> None:
    rows = "/".join([". . . . . . ."] * 7)
    done = run("count", "--board", rows, "--time-limit", "0")
    assert done.code == 3
    assert "at least 0 (time_limit)" in done.out


def test_count_as_json(run: Run) -> None:
    (said,) = run("count", "--board", "1 ./. 4", "--json").objects()
    assert (said["count"], said["exact"], said["unique"]) == (2, True, False)
    (said,) = run("count", "--board", "1 . 3", "--json").objects()
    assert said["unique"] is True


def test_explain(run: Run) -> None:
    done = run("explain", "--board", "1 . . 2 4")
    assert done.code == 1
    assert done.out == "board: no path has 1 in row 1, column 1 and 2 in row 1, column 4\n"
    assert run("explain", "--board", "1 . 3").code == 0
    (said,) = run("explain", "--board", "1 # .", "--json").objects()
    assert (said["explanation"], said["items"]) == ("board", [])


def test_what_generate_prints_is_a_board_with_one_solution(run: Run) -> None:
    done = run("generate", "numbrix", "--rows", "4", "--cols", "5", "--seed", "3")
    assert done.code == 0
    board = ho.loads(done.out)
    assert (board.kind, board.shape) == ("numbrix", (4, 5))
    assert ho.is_unique(board)
    assert run("generate", "numbrix", "--rows", "4", "--cols", "5", "--seed", "3").out == done.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["sudoku"], "kind 'sudoku' is not known"),
        (["path"], "kind 'path' is no board"),
        (["hidato", "--rows", "0"], "rows must be at least 1, not 0"),
        (["numgame", "--rows", "3", "--cols", "3"], "no path of numgame visits all cells"),
        (["hidato", "--lattice", "penrose"], "lattice 'penrose' is not known"),
        (["hidato", "--clues", "100"], "clues must lie between 0 and 81"),
    ],
)
def test_what_cannot_be_generated(run: Run, arguments: list[str], words: str) -> None:
    done = run("generate", *arguments)
    assert (done.code, done.out) == (2, "")
    assert words in done.err
