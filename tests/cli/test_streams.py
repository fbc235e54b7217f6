"""The command as a process of its own: streams, encodings, Ctrl-C, and input that is nasty."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path
from typing import Any

import pytest

from hidato_opt import InvalidPuzzle, read_csv

COMMAND = [sys.executable, "-m", "hidato_opt"]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")


def run(*arguments: str | bytes, folder: Path, **options: Any) -> subprocess.CompletedProcess[str]:
    options = {"stdin": subprocess.DEVNULL, **options}
    if "input" in options:
        del options["stdin"]
    done = subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        timeout=60,
        **options,
    )
    assert "Traceback" not in done.stdout + done.stderr, done.stderr
    return done


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which ``hidato`` is the command."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash here")
    script = f'hidato() {{ "{sys.executable}" -m hidato_opt "$@"; }}\n{line}'
    done = subprocess.run(
        [bash, "-c", script], cwd=folder, capture_output=True, text=True, timeout=60
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text("1 .\n. 4\n")
    return tmp_path


def test_the_installed_script_runs(folder: Path) -> None:
    script = Path(sysconfig.get_path("scripts")) / "hidato-opt"
    if not script.exists():
        pytest.skip("the package is not installed here")
    done = subprocess.run([script, "solve", "a.txt"], cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("1 ")


def test_standard_input_of_a_pipe(folder: Path) -> None:
    done = run("solve", "-", folder=folder, input="# 5 . . .\n# . 7 # 1\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("# 5 4 3 2\n# 6 7 # 1\nhidato: optimal; ")


@POSIX
def test_standard_input_that_is_closed(folder: Path) -> None:
    done = shell("hidato solve - <&-; echo code $?", folder)
    assert done.stdout == "code 2\n"
    assert done.stderr == (
        "hidato-opt: standard input: there is no standard input to read a board from\n"
    )


@POSIX
def test_a_reader_that_has_left_is_no_proof_of_anything(folder: Path) -> None:
    done = shell('hidato solve a.txt | true; echo "${PIPESTATUS[0]}"', folder)
    assert (done.stdout, done.stderr) == ("3\n", "")


@POSIX
def test_a_reader_that_leaves_early_is_left_in_peace(folder: Path) -> None:
    done = shell(f"hidato solve {' '.join(['a.txt'] * 200)} | head -n 1", folder)
    assert (done.stdout[:2], done.stdout.count("\n"), done.stderr) == ("1 ", 1, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_no_proof_of_anything(folder: Path) -> None:
    done = shell("hidato solve a.txt > /dev/full; echo code $?", folder)
    assert done.stdout == "code 3\n"
    assert done.stderr.startswith("hidato-opt: cannot write the answer: ")


@POSIX
def test_standard_output_that_is_closed(folder: Path) -> None:
    done = shell("hidato solve a.txt >&-; echo code $?", folder)
    assert done.stdout == "code 0\n"


def test_names_that_are_no_text(folder: Path) -> None:
    name = b"\xff.txt"
    try:
        (folder / os.fsdecode(name)).write_text("1 .\n. 4\n")
    except (OSError, UnicodeError):
        pytest.skip("the file system takes no such name")
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    done = run("solve", name, b"\xfe.txt", folder=folder, env=environment)
    assert done.returncode == 2
    assert "\\udcff: optimal" in done.stdout
    assert "\\udcfe.txt: cannot read the file" in done.stderr
    done = run("solve", name, "--json", folder=folder, env=environment)
    assert json.loads(done.stdout)["name"] == "\udcff"


def test_names_in_other_scripts(folder: Path) -> None:
    (folder / "日本.txt").write_text("1 .\n. 4\n")
    done = run("solve", "日本.txt", folder=folder, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "optimal" in done.stdout


def test_log_goes_to_standard_error(folder: Path) -> None:
    done = run("solve", "a.txt", "--backend", "highs", "--log", folder=folder)
    assert done.returncode == 0
    assert done.stdout.startswith("1 ")
    assert "HiGHS" not in done.stdout
    assert "MIP has 22 rows; 16 cols" in done.stderr


@POSIX
@pytest.mark.parametrize("as_json", [False, True])
def test_ctrl_c_ends_within_a_second_with_130(folder: Path, as_json: bool) -> None:
    (folder / "hard.txt").write_text(". . . . . . . . . .\n" * 10)
    options = ["--json"] if as_json else []
    with subprocess.Popen(
        [*COMMAND, "solve", "a.txt", "hard.txt", "a.txt", "--backend", "highs", *options],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        began = time.perf_counter()
        assert process.stderr is not None
        assert process.stderr.readline() == "interrupted\n"
        spent = time.perf_counter() - began
        rest, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, "")
    assert spent < 3.0  # a second on a quiet machine
    if as_json:
        assert (json.loads(first)["status"], rest) == ("optimal", "")


NASTY = {
    "empty": b"",
    "blank": b" \n\t\n",
    "nul": b"1 \x00\n. 4",
    "control": b"1 \x1b[31m\n. 4",
    "latin": "1 é".encode("latin-1"),
    "utf16": "1 .\n. 4".encode("utf-16"),
    "binary": bytes(range(256)),
    "long number": b"1 " + b"9" * 10_000,
    "negative": b"1 -4",
    "float": b"1 4.0",
    "infinity": b"1 inf",
    "words": b"this is no board\nat all",
    "ragged": b"1 .\n.\n. . .",
    "trailing commas": b"1,.,\n.,4,\n",
    "mixed delimiters": b"1,.\n.;4\n",
    "holes": b"# #\n# #",
    "slashes": b"1 .//. 4",
    "header alone": b"# kind=hidato",
    "header twice": b"# kind=hidato\n# kind=hidato\n1 .",
    "header of another kind": b"# kind=sliding\n1 2\n3 nil",
    "header that contradicts itself": b"# kind=hidato; kind=numbrix\n1 .",
    "shape": b"# kind=hidato; shape=penrose\n1 .",
    "many columns": b". " * 3000 + b"x",
    "html": b"<html><body>404</body></html>",
    "json": b'{"board": [[1, 0], [0, 4]]}',
    "signpost": b"1:SE W\nN *",
    "wide digits": "1 \uff14".encode(),
    "zero width": "1 \u200b4".encode(),
    "out of range": b"1 .\n. 5",
    "twice": b"1 1\n. 4",
}


@pytest.mark.parametrize("ending", ["txt", "csv"])
def test_nasty_files_are_bad_input_each_by_a_line_of_its_own(folder: Path, ending: str) -> None:
    """One process for all: none stops the next, and the good one at the end is solved."""
    for name, content in NASTY.items():
        (folder / f"{name}.{ending}").write_bytes(content)
    names = [f"{name}.{ending}" for name in NASTY]
    done = run("solve", *names, "a.txt", "--json", folder=folder)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 2
    assert [entry["name"] for entry in said] == [*NASTY, "a"]
    assert [entry["status"] for entry in said] == ["error"] * len(NASTY) + ["optimal"]
    lines = done.stderr.splitlines()
    assert len(lines) == len(NASTY)
    for name, line in zip(names, lines, strict=True):
        assert line.startswith(f"hidato-opt: {name}")


@pytest.mark.parametrize("name", [n for n in NASTY if n not in ("latin", "utf16", "binary")])
def test_nasty_cells_of_an_instance_set(name: str, folder: Path) -> None:
    file = folder / "set.csv"
    file.write_bytes(b'name,board\nx,"' + NASTY[name].replace(b'"', b'""') + b'"\n')
    with pytest.raises(InvalidPuzzle, match=r"set\.csv, line "):
        read_csv(file)


@POSIX
def test_sigterm_stops_the_solver_and_removes_its_folder(folder: Path) -> None:
    """What a batch system sends: the process of CBC and its files go too."""
    (folder / "hard.txt").write_text(". . . . . . . . . .\n" * 10)
    (folder / "tmp").mkdir()
    with subprocess.Popen(
        [*COMMAND, "solve", "hard.txt", "--backend", "cbc"],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder / "tmp")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        deadline = time.perf_counter() + 20
        while not list((folder / "tmp").glob("*/model.mps")) and process.poll() is None:
            assert time.perf_counter() < deadline
            time.sleep(0.05)
        if process.poll() is not None:
            pytest.skip("there is no CBC on this machine")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=10)
    assert process.returncode == 143
    assert list((folder / "tmp").iterdir()) == []
