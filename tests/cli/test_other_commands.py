"""``hidato-opt check``, ``build``, ``doctor``, and what stands before a command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from path.lp_text import lp_of, parse_lp

import hidato_opt
from cli.conftest import Run
from hidato_opt import build_model
from hidato_opt.backends import doctor
from hidato_opt.backends.base import Availability
from hidato_opt.backends.doctor import Checkup

BOARD = "# 5 . . .\n# . 7 # 1\n"
SOLUTION = "# 5 4 3 2\n# 6 7 # 1\n"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text(BOARD)
    (tmp_path / "right.txt").write_text(SOLUTION)
    (tmp_path / "wrong.txt").write_text("# 5 3 4 2\n# 6 7 # 1\n")
    (tmp_path / "shape.txt").write_text("1 2 3\n")


# check


def test_a_right_solution_passes(run: Run) -> None:
    done = run("check", "b.txt", "right.txt")
    assert (done.code, done.out, done.err) == (0, "b.txt: passed\n", "")
    (said,) = run("check", "b.txt", "right.txt", "--json").objects()
    assert said == {"name": "b", "kind": "hidato", "passed": True, "violations": [], "error": None}


def test_a_solution_may_write_holes_as_zeros(run: Run, tmp_path: Path) -> None:
    (tmp_path / "zeros.txt").write_text(SOLUTION.replace("#", "0"))
    assert run("check", "b.txt", "zeros.txt").code == 0


def test_what_solve_prints_passes_check(run: Run, tmp_path: Path) -> None:
    shown = run("solve", "b.txt").out.rpartition("b: ")[0]
    (tmp_path / "shown.txt").write_text(shown)
    assert run("check", "b.txt", "shown.txt").code == 0


def test_a_wrong_solution_fails_with_each_rule_it_breaks(run: Run) -> None:
    """3 and 4 changed places: 2 and 3 are two apart, 4 and 5 as well."""
    done = run("check", "b.txt", "wrong.txt")
    assert (done.code, done.err) == (1, "")
    assert done.out.splitlines() == [
        "not-adjacent: 2 in row 1, column 5 and 3 in row 1, column 3 are not a move apart",
        "not-adjacent: 4 in row 1, column 4 and 5 in row 1, column 2 are not a move apart",
    ]
    done = run("check", "b.txt", "wrong.txt", "--json")
    (said,) = done.objects()
    assert (done.code, said["passed"], said["error"]) == (1, False, None)
    assert said["violations"][0] == {
        "code": "not-adjacent",
        "message": "2 in row 1, column 5 and 3 in row 1, column 3 are not a move apart",
        "cells": [[0, 4], [0, 2]],
    }


@pytest.mark.parametrize(
    ("board", "solution", "words"),
    [
        ("b.txt", "shape.txt", "b.txt: the solution has 1 rows of 3 cells, the board 2 of 5"),
        ("b.txt", "missing.txt", "b.txt: missing.txt: cannot read the file"),
        ("b.txt", ".", "b.txt: .: cannot read the file"),
        ("missing.txt", "right.txt", "missing.txt: cannot read the file"),
    ],
)
def test_what_cannot_be_checked_is_bad_input(
    run: Run, board: str, solution: str, words: str
) -> None:
    done = run("check", board, solution, "--json")
    assert done.code == 2
    assert done.err.startswith(f"hidato-opt: {words}")
    (said,) = done.objects()
    assert list(said) == ["name", "kind", "passed", "violations", "error"]
    assert (said["passed"], said["violations"]) == (None, None)
    assert words.partition(": ")[2] in said["error"]


def test_a_cell_of_a_solution_that_is_no_number_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("# 5 4 x 2\n# 6 7 # 1\n")
    done = run("check", "b.txt", "x.txt")
    assert done.code == 2
    assert done.err.startswith("hidato-opt: b.txt: x.txt: row 1, column 4: 'x' is not a number")


def test_the_board_from_standard_input(run: Run) -> None:
    done = run("check", "-", "right.txt", stdin=BOARD.encode())
    assert (done.code, done.out) == (0, "standard input: passed\n")


def test_check_needs_both(run: Run) -> None:
    assert run("check", "b.txt").code == 2
    assert run("check").code == 2


# build


@pytest.mark.parametrize("ending", [".lp", ".mps"])
def test_build_writes_a_file(run: Run, tmp_path: Path, ending: str) -> None:
    done = run("build", "b.txt", "--out", f"model{ending}")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith(f"written: model{ending}\n")
    text = (tmp_path / f"model{ending}").read_text()
    if ending == ".lp":
        assert parse_lp(text) == lp_of(build_model(BOARD).model)
    else:
        assert text.rstrip().endswith("ENDATA")


def test_build_shows_the_size(run: Run) -> None:
    """N = 7 and 3 clues: 49 columns, 14 + 3 + 42 rows.

    Eleven pairs of cells touch: 3 in the first row, 1 in the second, 7 between them.
    """
    done = run("build", "b.txt", "--json")
    (said,) = done.objects()
    model = build_model(BOARD)
    assert (said["rows"], said["columns"]) == (59, 49)
    assert said["nonzeros"] == 2 * 49 + 3 + 6 * (7 + 2 * 11)
    assert (said["name"], said["kind"], said["formulation"]) == ("b", "hidato", "assignment")
    assert (said["hash"], said["out"], said["error"]) == (model.content_hash, None, None)
    assert [(g["group"], g["rows"]) for g in said["groups"]] == [
        ("x", 0),
        ("cell", 7),
        ("number", 7),
        ("clue", 3),
        ("next", 42),
    ]
    text = run("build", "b.txt").out
    assert text.startswith("Model(hidato assignment: 59 rows, 49 columns (49 integer), ")
    assert "next" in text


def test_build_says_what_it_wrote_in_json(run: Run, tmp_path: Path) -> None:
    (said,) = run("build", "b.txt", "--out", "m.lp", "--json").objects()
    assert said["out"] == "m.lp"
    assert (tmp_path / "m.lp").exists()


@pytest.mark.parametrize(
    ("out", "words"),
    [
        ("m.txt", "a model is written as .lp or .mps, not '.txt'"),
        ("m", "a model is written as .lp or .mps, not ''"),
        ("missing/m.lp", "cannot write the model: "),
        ("b.txt/m.lp", "cannot write the model: "),
    ],
)
def test_build_refuses_other_places(run: Run, tmp_path: Path, out: str, words: str) -> None:
    before = sorted(tmp_path.rglob("*"))
    done = run("build", "b.txt", "--out", out)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"hidato-opt: b.txt: {words}")
    assert sorted(tmp_path.rglob("*")) == before


def test_build_writes_one_board_to_one_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("1 .\n")
    done = run("build", "b.txt", "c.txt", "--out", "m.lp")
    assert done.code == 2
    assert "c.txt: --out takes one board; m.lp holds the first already" in done.err
    assert parse_lp((tmp_path / "m.lp").read_text()) == lp_of(build_model(BOARD).model)


def test_build_of_several_boards_and_of_none(run: Run) -> None:
    assert len(run("build", "b.txt", "b.txt", "--json").objects()) == 2
    assert run("build").code == 2
    done = run("build", "--board", "1 .", "--formulation", "fly")
    assert (done.code, done.err[:40]) == (2, "hidato-opt: board: hidato formulation 'f")


# doctor


def test_doctor_finds_highs_healthy(run: Run) -> None:
    done = run("doctor", "--json")
    said = {entry["backend"]: entry for entry in done.objects()}
    assert done.code == 0
    assert {"highs", "cbc", "cpsat"} <= set(said)
    keys = ["backend", "usable", "healthy", "version", "path", "seconds", "problem"]
    assert all(list(entry) == keys for entry in said.values())
    highs = said["highs"]
    assert (highs["usable"], highs["healthy"], highs["problem"]) == (True, True, "")
    assert "highspy" in highs["path"]


def checkups(*healthy: bool) -> list[Checkup]:
    names = ["highs", "cbc", "cpsat"]
    return [
        Checkup(
            Availability(name, usable=True, version="1.2", path="/there" if ok else ""),
            healthy=ok,
            seconds=0.25,
            problem="" if ok else "pip install it",
        )
        for name, ok in zip(names, healthy, strict=True)
    ]


def test_doctor_as_text(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "checkup_all", lambda: checkups(True, False, True))
    done = run("doctor")
    assert (done.code, done.err) == (0, "")
    assert [line.split() for line in done.out.splitlines()] == [
        ["highs", "1.2", "toys", "solved", "in", "0.250", "s", "/there"],
        ["cbc", "1.2", "not", "usable"],
        ["pip", "install", "it"],
        ["cpsat", "1.2", "toys", "solved", "in", "0.250", "s", "/there"],
    ]


def test_doctor_fails_where_the_default_backend_does(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "checkup_all", lambda: checkups(False, True, True))
    assert run("doctor").code == 4
    assert json.loads(run("doctor", "--json").out.splitlines()[0])["healthy"] is False


# before a command


def test_version(run: Run) -> None:
    done = run("--version")
    assert (done.code, done.out) == (0, f"hidato_opt {hidato_opt.__version__}\n")


@pytest.mark.parametrize("command", [[], ["solve"], ["check"], ["build"], ["doctor"]])
def test_help(run: Run, command: list[str]) -> None:
    done = run(*command, "--help")
    assert done.code == 0
    assert "Usage: " in done.out
    if not command:
        assert "Exit codes: 0 solved" in " ".join(done.out.split())
        for name in ("solve", "check", "build", "doctor"):
            assert name in done.out


@pytest.mark.parametrize("arguments", [["nonsense"], ["--nonsense"], ["solve", "--nonsense"]])
def test_what_is_not_there_is_bad_input(run: Run, arguments: list[str]) -> None:
    assert run(*arguments).code == 2


def test_the_solution_from_standard_input(run: Run) -> None:
    assert run("check", "b.txt", "-", stdin=b"# 5 4 3 2\n# 6 7 # 1\n").code == 0


def test_an_instance_set_is_known_by_its_content(run: Run, tmp_path: Path) -> None:
    (tmp_path / "set.data").write_text("name,board\nx,1 . 3\n")
    (tmp_path / "none.csv").write_text("name,board\n")
    assert run("build", "set.data", "--json").objects()[0]["name"] == "x"
    done = run("build", "none.csv")
    assert (done.code, done.out) == (2, "")
    assert "the instance set has no board" in done.err
