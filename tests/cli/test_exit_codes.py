"""Exit codes: what every end of ``hidato-opt solve`` tells a script."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from cli.conftest import Run
from hidato_opt import cli_support
from hidato_opt.core.errors import (
    BackendUnavailable,
    NoSolution,
    SolveInterrupted,
    SolverFailed,
    Undecided,
    WrongAnswer,
)
from hidato_opt.core.result import Result
from hidato_opt.core.status import Status
from hidato_opt.path.puzzle import Hidato

PIPELINE = import_module("hidato_opt.solve.pipeline")


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    (tmp_path / "unique.txt").write_text("# 5 . . .\n# . 7 # 1\n")
    (tmp_path / "infeasible.txt").write_text("1 # .\n")
    (tmp_path / "bad.txt").write_text("1 3\n. 3\n")
    (tmp_path / "hard.txt").write_text(". . . . . . . . . .\n" * 10)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["unique.txt"], 0),
        (["infeasible.txt"], 1),
        (["bad.txt"], 2),
        (["hard.txt", "--time-limit", "0"], 3),
        (["unique.txt", "--backend", "pulp:XPRESS"], 4),
    ],
)
def test_exit_codes(run: Run, arguments: list[str], code: int) -> None:
    done = run("solve", *arguments)
    assert done.code == code
    assert bool(done.err) == (code in (2, 4))


STATUSES = {
    "unique": Status.OPTIMAL,
    "infeasible": Status.INFEASIBLE,
    "hard": Status.TIME_LIMIT,
    "broken": Status.ERROR,
}


@pytest.mark.parametrize(
    ("files", "code"),
    [
        (["unique", "unique"], 0),
        (["unique", "infeasible"], 1),
        (["infeasible", "unique"], 1),
        (["hard", "infeasible"], 3),
        (["infeasible", "hard", "unique"], 3),
        (["hard", "bad"], 2),
        (["bad", "hard", "infeasible"], 2),
        (["bad", "broken", "hard"], 4),
        (["broken", "bad"], 4),
    ],
)
def test_the_gravest_of_several_boards_counts(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, files: list[str], code: int
) -> None:
    def solve(puzzle: Hidato, **_: object) -> Result:
        status = STATUSES[puzzle.name]
        return Result(puzzle, status, found=[[1, 2]] if status is Status.OPTIMAL else None)

    monkeypatch.setattr(PIPELINE, "solve", solve)
    for name in STATUSES:
        (tmp_path / f"{name}.txt").write_text("1 2\n")
    done = run("solve", *[f"{name}.txt" for name in files])
    assert done.code == code
    assert done.out.count("1 2\n") == files.count("unique")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (BackendUnavailable("install it"), 4),
        (SolverFailed("it crashed"), 4),
        (WrongAnswer("highs", "a row is broken"), 4),
        (MemoryError(), 4),
        (NoSolution("none"), 3),
        (Undecided("a limit"), 3),
        (SolveInterrupted(), 130),
        (KeyboardInterrupt(), 130),
    ],
)
def test_what_goes_wrong_inside_is_an_exit_code_and_a_line(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int
) -> None:
    def fail(*_: object, **__: object) -> Result:
        raise error

    monkeypatch.setattr(PIPELINE, "solve", fail)
    done = run("solve", "unique.txt")
    assert (done.code, done.out) == (code, "")
    words = {130: "interrupted\n"}.get(code, "hidato-opt: unique.txt: ")
    assert done.err.startswith(words)
    assert "memory" in done.err or not isinstance(error, MemoryError)


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (Status.INFEASIBLE, 1),
        (Status.ERROR, 4),
        *(
            (status, 3)
            for status in Status
            if status not in (Status.OPTIMAL, Status.INFEASIBLE, Status.ERROR)
        ),
    ],
)
def test_exit_code_of_every_status_without_a_solution(
    run: Run, monkeypatch: pytest.MonkeyPatch, status: Status, code: int
) -> None:
    monkeypatch.setattr(PIPELINE, "solve", lambda puzzle, **_: Result(puzzle, status))
    done = run("solve", "--board", "1")
    assert (done.code, done.out) == (code, f"hidato: {status}\n")


def test_a_solution_at_a_limit_is_a_solution(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        PIPELINE,
        "solve",
        lambda puzzle, **_: Result(puzzle, Status.TIME_LIMIT, found=[[1]], verified=True),
    )
    assert run("solve", "--board", "1").code == 0


def test_ctrl_c_while_reading_is_an_interrupt_and_no_proof(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli_support, "read", stop)
    done = run("solve", "unique.txt")
    assert (done.code, done.err) == (130, "interrupted\n")
