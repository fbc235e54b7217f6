"""``hidato-opt solve``: boards from everywhere, exit codes, text and JSON."""

from __future__ import annotations

import logging
from importlib import import_module
from pathlib import Path

import pytest

from cli.conftest import KEYS, Run
from hidato_opt.core.result import Result
from hidato_opt.core.status import Status
from hidato_opt.path.puzzle import Hidato

PIPELINE = import_module("hidato_opt.solve.pipeline")
UNIQUE = "# 5 . . .\n# . 7 # 1\n"
SOLVED = "# 5 4 3 2\n# 6 7 # 1\n"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    (tmp_path / "unique.txt").write_text(UNIQUE)
    (tmp_path / "infeasible.txt").write_text("1 # .\n")
    (tmp_path / "bad.txt").write_text("1 3\n. 3\n")
    (tmp_path / "set.csv").write_text("name,kind,board,stars\na,hidato,1 2 .,3\nb,numbrix,. 3,1\n")
    (tmp_path / "set2.csv").write_text("name;kind;board\na;hidato;1 2 .\nb;numbrix;. ./1 .\n")


def test_a_solved_board_is_shown_with_a_line_on_the_run(run: Run) -> None:
    done = run("solve", "unique.txt", "--backend", "highs")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(SOLVED + "unique: optimal; highs ")
    assert done.out.count("\n") == 3


def test_without_a_backend_the_line_says_which_stage_decided(run: Run) -> None:
    assert run("solve", "unique.txt").out.startswith(SOLVED + "unique: optimal; by deduction; ")


def test_a_bad_file_does_not_stop_the_next(run: Run) -> None:
    done = run("solve", "bad.txt", "missing.txt", ".", "unique.txt")
    assert done.code == 2
    assert done.out.startswith(SOLVED)
    assert [line.split(": ")[1] for line in done.err.splitlines()] == [
        "bad.txt",
        "missing.txt",
        ".",
    ]
    assert done.err.splitlines()[0] == (
        "hidato-opt: bad.txt: row 2, column 2: clue 3 is given twice, also in row 1, column 2"
    )


def test_json_is_one_object_a_line_with_the_keys_of_the_design(run: Run) -> None:
    files = ["unique.txt", "infeasible.txt", "bad.txt", "missing.txt"]
    done = run("solve", *files, "--backend", "highs", "--json")
    said = done.objects()
    assert [list(entry) for entry in said] == [KEYS] * 4
    solved, infeasible, bad, missing = said
    assert (solved["name"], solved["kind"], solved["status"]) == ("unique", "hidato", "optimal")
    assert solved["solution"] == [[None, 5, 4, 3, 2], [None, 6, 7, None, 1]]
    assert (solved["has_solution"], solved["verified"], solved["error"]) == (True, True, None)
    assert (solved["method"], solved["found_by"], solved["proved_by"]) == (
        "mip",
        "backend",
        "backend",
    )
    assert (solved["backend"], solved["formulation"]) == ("highs", "assignment")
    assert solved["seconds"]["total"] > 0
    assert (infeasible["status"], infeasible["solution"]) == ("infeasible", None)
    assert infeasible["error"] is None
    assert (bad["name"], bad["status"]) == ("bad", "error")
    assert "row 2, column 2" in bad["error"]
    assert missing["name"] == "missing"
    assert "cannot read" in missing["error"]


def test_errors_are_objects_with_the_same_keys_whatever_their_cause(run: Run) -> None:
    for arguments in (
        ["--board", ""],
        ["--board", "1 .", "--kind", "sudoku"],
        ["--board", "1 .", "--backend", "gurobi"],
        ["--board", "1 .", "--seed", "-1"],
        [],
    ):
        done = run("solve", *arguments, "--json")
        assert done.code == 2
        (said,) = done.objects()
        assert list(said) == KEYS
        assert said["status"] == "error"
        assert said["error"]
        assert said["error"] in done.err


def test_a_board_from_standard_input(run: Run) -> None:
    done = run("solve", "-", stdin=b"\xef\xbb\xbf# name=mine\r\n# 5 . . .\r\n# . 7 # 1\r\n")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"{SOLVED}mine: optimal")


@pytest.mark.parametrize(
    ("stdin", "words"),
    [
        (b"", "standard input: the board is empty"),
        (b"1 x", "standard input: row 1, column 2: 'x' is not a number"),
        (b"\xff\xfe1\x00", "standard input: cannot read it: 'utf-8' codec"),
        (None, "standard input: there is no standard input to read a board from"),
    ],
)
def test_standard_input_that_is_no_board(run: Run, stdin: bytes | None, words: str) -> None:
    done = run("solve", "-", "--json", stdin=stdin)
    assert (done.code, done.objects()[0]["status"]) == (2, "error")
    assert done.err.startswith(f"hidato-opt: {words}")


def test_a_board_inline(run: Run) -> None:
    assert run("solve", "--board", "# 5 . . ./# . 7 # 1").out.startswith(SOLVED)
    done = run("solve", "--board", "1 3/4 2", "--kind", "numbrix")
    assert done.code == 1
    assert done.out.startswith("numbrix: infeasible; by deduction; ")
    assert run("solve", "--board", "1 3/4 2").code == 0


def test_an_inline_board_and_files_together(run: Run) -> None:
    done = run("solve", "unique.txt", "--board", "1 x", "--json")
    assert (done.code, [e["status"] for e in done.objects()]) == (2, ["error", "optimal"])
    done = run("solve", "unique.txt", "--board", "1 .", "--json")
    assert [entry["name"] for entry in done.objects()] == ["", "unique"]


@pytest.mark.parametrize("name", ["set.csv", "set2.csv"])
def test_an_instance_set(run: Run, name: str) -> None:
    done = run("solve", name, "--json")
    if name == "set.csv":
        assert (done.code, done.objects()[0]["error"][:20]) == (2, "set.csv, line 3: row")
        return
    said = done.objects()
    assert done.code == 0
    assert [(entry["name"], entry["kind"]) for entry in said] == [("a", "hidato"), ("b", "numbrix")]
    assert said[0]["solution"] == [[1, 2, 3]]


def test_kind_is_no_way_to_change_an_instance_set(run: Run) -> None:
    done = run("solve", "set2.csv", "--kind", "numbrix")
    assert done.code == 2
    assert done.err == (
        "hidato-opt: set2.csv: 'a' is a hidato board and not numbrix: "
        "an instance set says it in a column 'kind'\n"
    )


def test_kind_does_not_overrule_a_header(run: Run, tmp_path: Path) -> None:
    (tmp_path / "n.txt").write_text("# kind=numbrix\n1 .\n")
    assert run("solve", "n.txt", "--kind", "numbrix").code == 0
    assert run("solve", "n.txt", "--kind", "hidato").code == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--backend", "gurobi"], "backend 'gurobi' is not known; known: cbc, cpsat, highs, pulp"),
        (["--formulation", "x"], "hidato formulation 'x' is not known; known: assignment, flow"),
        (["--method", "magic"], "method 'magic' is not known; known: auto, mip"),
        (["--time-limit", "-1"], "time_limit must be a number of at least 0 (seconds), not -1.0"),
        (["--time-limit", "nan"], "time_limit must be a number of at least 0 (seconds), not nan"),
        (["--time-limit", "-inf"], "time_limit must be"),
        (["--threads", "0"], "threads must be a whole number of at least 1, not 0"),
        (["--seed", "-1"], "seed must be a whole number of at least 0, not -1"),
        (["--gap", "-1"], "gap must be"),
        (["--option", "presolve"], "--option takes NAME=VALUE, not 'presolve'"),
        (["--option", "=on"], "--option takes NAME=VALUE, not '=on'"),
        (["--option", "presolve=maybe"], "HiGHS option 'presolve' cannot be 'maybe'"),
        (["--option", "mip_max_nodes=[1]"], "HiGHS option 'mip_max_nodes' cannot be [1]"),
        (["--option", "mip_max_nodes=null"], "HiGHS option 'mip_max_nodes' cannot be None"),
        (["--option", "nodes=1"], "HiGHS option 'nodes' is not known"),
        (["--option", "threads=2"], "HiGHS option 'threads' is set by threads"),
        (["--warm-start", "missing.txt"], "missing.txt: cannot read the file"),
        (["--warm-start", "infeasible.txt"], "the solution has 1 rows of 3 cells, the board 2"),
    ],
)
def test_bad_options_are_named(run: Run, arguments: list[str], words: str) -> None:
    done = run("solve", "unique.txt", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"hidato-opt: unique.txt: {words}")


@pytest.mark.parametrize(
    "arguments",
    [["--bogus"], ["--time-limit", "soon"], ["--threads", "1.5"], ["--seed"], ["--kind"]],
)
def test_options_that_cannot_be_read_are_bad_input(run: Run, arguments: list[str]) -> None:
    done = run("solve", "unique.txt", *arguments)
    assert (done.code, done.out) == (2, "")
    assert "Error" in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--time-limit", "inf"],
        ["--time-limit", "30"],
        ["--seed", "3", "--gap", "0.1"],
        ["--option", "presolve=off", "--option", "mip_max_nodes=1000"],
        ["--option", "mip_heuristic_effort=0.5", "--option", "mip_detect_symmetry=false"],
        ["--method", "mip"],
        ["--backend", "highs", "--formulation", "assignment"],
    ],
)
def test_options_that_are_taken(run: Run, arguments: list[str]) -> None:
    done = run("solve", "unique.txt", *arguments)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(SOLVED)


@pytest.mark.parametrize(
    ("arguments", "method"),
    [
        ([], "auto"),
        (["--method", "mip"], "mip"),
        (["--backend", "highs"], "mip"),
        (["--formulation", "assignment"], "mip"),
        (["--method", "auto", "--backend", "highs"], "auto"),
    ],
)
def test_naming_a_backend_or_a_formulation_means_mip(
    run: Run, arguments: list[str], method: str
) -> None:
    (said,) = run("solve", "unique.txt", "--json", *arguments).objects()
    assert said["method"] == method


def test_what_the_options_become(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = {}

    def record(puzzle: Hidato, **options: object) -> Result:
        taken.update(options)
        return Result(puzzle, Status.TIME_LIMIT)

    monkeypatch.setattr(PIPELINE, "solve", record)
    assert run("solve", "--board", "1").code == 3
    assert taken == {
        "method": "auto",
        "backend": "highs",
        "formulation": None,
        "warm_start": None,
        "time_limit": 60.0,
        "threads": 1,
        "seed": 0,
        "gap": 0.0,
        "log": False,
        "options": {},
    }
    run("solve", "--board", "1", "--time-limit", "inf", "--option", "a=1", "--option", "b=x=y",
        "--option", "c=true", "--option", "d=1e-3", "--option", "e=",
        "--option", 'f="1"')  # fmt: skip
    assert taken["time_limit"] is None
    assert taken["options"] == {"a": 1, "b": "x=y", "c": True, "d": 0.001, "e": "", "f": "1"}


def test_a_start_from_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "start.txt").write_text(SOLVED)
    (said,) = run("solve", "unique.txt", "--warm-start", "start.txt", "--json").objects()
    assert said["warm_start"] in ("accepted", "not_tried")
    (tmp_path / "start.txt").write_text(SOLVED.replace("4 3 2", "3 4 2"))
    (said,) = run("solve", "unique.txt", "--warm-start", "start.txt", "--json").objects()
    assert (said["warm_start"], said["status"]) == ("rejected", "optimal")


def test_log_shows_what_the_solver_says(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    logger = logging.getLogger("hidato_opt.solver")
    monkeypatch.setattr(logger, "handlers", [])
    monkeypatch.setattr(logger, "level", logging.NOTSET)
    done = run("solve", "--board", "1 ./. 4", "--backend", "highs", "--log")
    assert done.code == 0
    assert "MIP has 22 rows; 16 cols" in done.err
    assert "MIP has" not in done.out
