"""External processes: folder, group, live log, deadline, and nothing left behind."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from hidato_opt.backends import process
from hidato_opt.backends.process import (
    Finished,
    ProcessInterrupted,
    run_folder,
    run_process,
)
from hidato_opt.core.errors import BackendUnavailable

posix = pytest.mark.skipif(sys.platform == "win32", reason="process groups and signals of POSIX")

STUBBORN = """
import os, signal, subprocess, sys, time
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(os.getpid(), child.pid, flush=True)
time.sleep(600)
"""
"""Ignores every polite request, and so does its child."""


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def assert_gone(pids: Iterable[int]) -> None:
    """The processes are no more, or about to go: a killed grandchild has no parent to wait for."""
    until = time.perf_counter() + 1
    for pid in pids:
        with suppress(psutil.NoSuchProcess):
            stray = psutil.Process(pid)
            while stray.status() != psutil.STATUS_ZOMBIE:
                assert time.perf_counter() < until, stray
                time.sleep(0.01)


@pytest.fixture(params=["terminal", "pipe"])
def channel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How the output comes: a pseudo-terminal, or a pipe where there are none."""
    if request.param == "pipe":
        monkeypatch.setattr(process, "_terminal", lambda: (None, None))
    elif sys.platform == "win32":
        pytest.skip("there are no pseudo-terminals")
    return str(request.param)


@pytest.mark.usefixtures("channel")
def test_tells_output_and_exit_code(tmp_path: Path) -> None:
    code = (
        "import sys; print('out\\n\\nout', flush=True); print('err', file=sys.stderr); sys.exit(3)"
    )
    finished = run_process(python(code), tmp_path)
    assert finished.log == "out\n\nout\nerr"
    assert finished.exit_code == 3
    assert finished.ending == "ended with exit code 3"
    assert not finished.overran


@pytest.mark.usefixtures("channel")
def test_long_output_arrives_whole_and_in_order(tmp_path: Path) -> None:
    lines: list[str] = []
    finished = run_process(
        python("for i in range(50_000): print(i, 'x' * 20)"), tmp_path, on_line=lines.append
    )
    assert lines == [f"{i} {'x' * 20}" for i in range(50_000)]
    assert finished.log.splitlines() == lines


@posix
def test_lines_arrive_while_the_process_runs(tmp_path: Path) -> None:
    """The child waits for what we do on its first line, which it does not flush."""
    code = """
import os, time
print("first")
until = time.time() + 20
while not os.path.exists("go") and time.time() < until:
    time.sleep(0.01)
print("go" if os.path.exists("go") else "nobody came")
"""
    finished = run_process(
        python(code), tmp_path, on_line=lambda line: (tmp_path / "go").touch() or None
    )
    assert finished.log.splitlines() == ["first", "go"]


def test_runs_in_the_folder_without_input(tmp_path: Path) -> None:
    code = "import os, sys; print(os.path.realpath('.')); print(repr(sys.stdin.read()))"
    finished = run_process(python(code), tmp_path)
    assert finished.log.splitlines() == [os.path.realpath(tmp_path), "''"]


def test_environment_is_added_to_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HIDATO_OPT_OURS", "kept")
    code = "import os; print(os.environ['HIDATO_OPT_OURS'], os.environ['HIDATO_OPT_NEW'])"
    finished = run_process(python(code), tmp_path, environment={"HIDATO_OPT_NEW": "added"})
    assert finished.log == "kept added"


def test_output_that_is_not_text_is_no_error(tmp_path: Path) -> None:
    code = r"import sys; sys.stdout.buffer.write(b'caf\xe9\n')"
    assert run_process(python(code), tmp_path).log == "caf\N{REPLACEMENT CHARACTER}"


@posix
def test_death_by_signal_is_told_by_name(tmp_path: Path) -> None:
    code = "import os, signal; print('so far', flush=True); os.kill(os.getpid(), signal.SIGSEGV)"
    finished = run_process(python(code), tmp_path)
    assert finished.exit_code == -11
    assert finished.ending == "was killed by signal SIGSEGV"
    assert finished.log == "so far"


def test_unknown_signals_have_a_number() -> None:
    assert Finished(-250, "", overran=False).ending == "was killed by signal 250"


def test_what_cannot_be_started_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(BackendUnavailable, match="no_such_solver cannot be run"):
        run_process([str(tmp_path / "no_such_solver")], tmp_path)


@posix
def test_what_is_no_program_is_unavailable(tmp_path: Path) -> None:
    program = tmp_path / "solver"
    program.write_bytes(b"\x7fELF of another machine")
    program.chmod(0o755)
    with pytest.raises(BackendUnavailable, match="Exec format error"):
        run_process([str(program)], tmp_path)


@posix
@pytest.mark.usefixtures("channel")
def test_stubborn_process_is_killed_with_its_children(tmp_path: Path) -> None:
    began = time.perf_counter()
    finished = run_process(python(STUBBORN), tmp_path, limit=0.2)
    assert time.perf_counter() - began < 5.2
    assert finished.overran
    assert finished.exit_code == -9
    pids = [int(word) for word in finished.log.split()]
    assert len(pids) == 2
    assert_gone(pids)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the time that is granted to a process after its limit."""
    monkeypatch.setattr(process, "PATIENCE", 0.5)


@posix
@pytest.mark.usefixtures("impatient")
def test_process_over_its_limit_may_write_down_what_it_has(tmp_path: Path) -> None:
    code = """
import time
try:
    time.sleep(600)
except KeyboardInterrupt:
    time.sleep(0.2)
    open("answer", "w").write("what there is")
"""
    finished = run_process(python(code), tmp_path, limit=0.1)
    assert finished.overran
    assert (tmp_path / "answer").read_text() == "what there is"


def test_process_within_the_grace_period_is_let_be(tmp_path: Path) -> None:
    finished = run_process(python("import time; time.sleep(0.6)"), tmp_path, limit=0.1)
    assert not finished.overran
    assert finished.exit_code == 0


@posix
def test_orphan_that_holds_the_output_is_not_waited_for(tmp_path: Path) -> None:
    code = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
"""
    began = time.perf_counter()
    finished = run_process(python(code), tmp_path)
    assert time.perf_counter() - began < 5
    assert finished.exit_code == 0
    assert_gone([int(finished.log)])


@posix
@pytest.mark.usefixtures("impatient")
def test_process_that_closes_its_output_is_still_watched(tmp_path: Path) -> None:
    code = "import os, time; os.close(1); os.close(2); time.sleep(600)"
    began = time.perf_counter()
    finished = run_process(python(code), tmp_path, limit=0.1)
    assert finished.overran
    assert time.perf_counter() - began < 3.6


@posix
def test_error_of_the_caller_ends_the_process(tmp_path: Path) -> None:
    pids: list[int] = []

    def fail(line: str) -> None:
        pids.extend(int(word) for word in line.split())
        raise ValueError("of the caller")

    began = time.perf_counter()
    with pytest.raises(ValueError, match="of the caller"):
        run_process(python(STUBBORN), tmp_path, on_line=fail)
    assert time.perf_counter() - began < 3
    assert len(pids) == 2
    assert_gone(pids)


@posix
def test_interrupt_ends_even_a_stubborn_process_within_a_second(tmp_path: Path) -> None:
    pids: list[int] = []
    stopped_at: list[float] = []

    def interrupt(line: str) -> None:
        pids.extend(int(word) for word in line.split())
        stopped_at.append(time.perf_counter())
        raise KeyboardInterrupt

    with pytest.raises(ProcessInterrupted) as caught:
        run_process(python(STUBBORN), tmp_path, on_line=interrupt)
    assert time.perf_counter() - stopped_at[0] < 1
    assert caught.value.log == " ".join(map(str, pids))
    assert len(pids) == 2
    assert_gone(pids)


def test_folder_is_removed_whatever_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "with a blank"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    with run_folder() as folder:
        assert folder.parent == place
        (folder / "file").touch()
    assert not list(place.iterdir())

    def fail() -> None:
        with run_folder() as folder:
            (folder / "file").touch()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert not list(place.iterdir())
