"""The backend ``cbc`` where CBC crashes, hangs, lies or is interrupted; most CBCs are scripts."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import psutil
import pytest
from conformance.models import columns

from hidato_opt.backends import process
from hidato_opt.backends.cbc import CbcBackend
from hidato_opt.core.errors import SolveInterrupted, SolverFailed, WrongAnswer
from hidato_opt.core.options import RunOptions
from hidato_opt.core.status import Status
from hidato_opt.modelling.model import Model

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="scripts as executables, signals")

HEAD = f"""#!{sys.executable}
import os, signal, struct, sys, time
print("Welcome to the CBC MILP Solver")
print("Version: 0.1 ", flush=True)
if "-quit" in sys.argv:
    sys.exit()
again = "-preprocess" in sys.argv

def answer(line, *values):
    with open(sys.argv[sys.argv.index("-solution") + 1], "w") as text:
        text.write(line + "\\n")
    numbers = [0.0, 0.0, 0.0, *values, *(0.0 for _ in values)]
    with open(sys.argv[sys.argv.index("-saveSolution") + 1], "wb") as binary:
        binary.write(struct.pack(f"ii{{len(numbers)}}d", 1, len(values), *numbers))
"""
"""A CBC of our own: it introduces itself, and can write an answer for a model of one row."""

STUBBORN = """
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("my process", os.getpid(), flush=True)
time.sleep(600)
"""

Fake = Callable[[str], CbcBackend]


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Fake]:
    """Make a backend of the body of a script; no temporary file may be left in the end."""
    place = tmp_path / "temporary files"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))

    def make(body: str) -> CbcBackend:
        path = tmp_path / "cbc"
        path.write_text(HEAD + body)
        path.chmod(0o755)
        return CbcBackend(path)

    yield make
    assert not list(place.iterdir())


@pytest.fixture
def model() -> Model:
    """Exactly one of two binaries, the second one if possible."""
    made = columns(2, "binary")
    return made.add(made.x.sum() == 1, name="one").minimize(made.x.dot([3, 2]))


def test_answer_of_a_script_is_read(fake: Fake, model: Model) -> None:
    result = fake("answer('Optimal - objective value 2', 0, 1)").solve(model)
    assert result.status == Status.OPTIMAL
    assert result.values.tolist() == [0.0, 1.0]
    assert result.objective == result.bound == 2.0
    assert result.backend_version == "0.1"


def test_cbc_that_hangs_is_killed_within_five_seconds(
    fake: Fake, model: Model, caplog: pytest.LogCaptureFixture
) -> None:
    backend = fake(STUBBORN)
    began = time.perf_counter()
    with caplog.at_level(logging.INFO, logger="hidato_opt.solver"):
        result = backend.solve(model, RunOptions(time_limit=0.2, log=True))
    assert time.perf_counter() - began < 5.2
    assert result.status == Status.TIME_LIMIT
    assert not result.has_solution
    assert "did not stop" in result.native_status
    (line,) = (message for message in caplog.messages if message.startswith("my process"))
    assert not psutil.pid_exists(int(line.split()[-1]))
    assert any("did not stop at its limit" in message for message in caplog.messages)


def test_point_of_a_run_that_had_to_be_stopped_is_kept(
    fake: Fake, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "PATIENCE", 0.2)
    body = """
try:
    time.sleep(600)
except KeyboardInterrupt:
    answer("Stopped on iterations - objective value 3", 1, 0)
"""
    result = fake(body).solve(model, RunOptions(time_limit=0.2))
    assert result.status == Status.TIME_LIMIT
    assert result.values.tolist() == [1.0, 0.0]
    assert result.objective == 3.0


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("print('so far'); sys.exit(139)", "ended with exit code 139"),
        (
            "print('so far', flush=True); os.kill(os.getpid(), signal.SIGSEGV)",
            "was killed by signal SIGSEGV",
        ),
        ("print('so far')", "wrote no solution file"),
        ("print('so far'); answer('who knows?', 0, 1)", "cannot read .* 'who knows\\?'"),
        ("print('so far'); answer('')", "cannot read"),
        ("print('so far'); answer('Optimal', 0)", "cut short"),
        (
            "print('so far'); answer('Optimal', 0, 1); os.remove('answer.bin')",
            "wrote no solution file",
        ),
        (
            "print('No match for Rens - ? for list of ...\\nso far'); answer('Optimal', 0, 1)",
            "does not know Rens",
        ),
    ],
)
def test_failure_is_told_with_the_last_lines_of_the_log(
    fake: Fake, model: Model, body: str, message: str
) -> None:
    with pytest.raises(SolverFailed, match=rf"(?s){message}.*last lines of its log:.*so far"):
        fake(body).solve(model)


@pytest.mark.parametrize(
    ("values", "complaint"),
    [("0, 0", "one"), ("1, 1", "one"), ("0.5, 0.5", "not a whole number"), ("2, -1", "x\\[1\\]")],
)
def test_point_that_breaks_the_model_is_a_wrong_answer(
    fake: Fake, model: Model, values: str, complaint: str
) -> None:
    with pytest.raises(WrongAnswer, match=f"cbc 0.1: .*{complaint}"):
        fake(f"answer('Optimal - objective value 2', {values})").solve(model)


def test_infeasible_and_then_not_is_an_error_that_names_both(fake: Fake, model: Model) -> None:
    body = """
if again:
    answer("Stopped on time - objective value 2", 0, 1)
else:
    answer("Integer infeasible - objective value 0", 0, 0)
"""
    with pytest.raises(WrongAnswer) as caught:
        fake(body).solve(model, RunOptions(time_limit=9))
    told = str(caught.value)
    assert "cbc 0.1" in told
    assert "'Integer infeasible - objective value 0'" in told
    assert "'Stopped on time - objective value 2'" in told
    assert 'pip install "hidato_opt[cbc]"' in told


def test_infeasible_twice_is_infeasible(fake: Fake, model: Model) -> None:
    result = fake("answer('Integer infeasible - objective value 0', 0, 0)").solve(model)
    assert result.status == Status.INFEASIBLE
    assert not result.has_solution


@pytest.mark.parametrize("again", ["again", "not again"])
def test_infeasible_before_a_crash_is_a_verdict(fake: Fake, model: Model, again: str) -> None:
    """CBC 2 without preprocessing says so and then crashes; the other run must agree."""
    body = f"""
if {again}:
    print("Problem is infeasible - tightenPrimalBounds!", flush=True)
    os.kill(os.getpid(), signal.SIGSEGV)
answer("Integer infeasible - objective value 0", 0, 0)
"""
    result = fake(body).solve(model)
    assert result.status == Status.INFEASIBLE


def test_infeasible_that_cannot_be_confirmed_in_time_is_no_verdict(
    fake: Fake, model: Model
) -> None:
    body = """
if again:
    answer("Stopped on time (no integer solution - continuous used) - objective value 0", 0, 0)
else:
    answer("Integer infeasible - objective value 0", 0, 0)
"""
    result = fake(body).solve(model)
    assert result.status == Status.TIME_LIMIT
    assert not result.has_solution
    assert "Integer infeasible" in result.native_status
    assert "no integer solution" in result.native_status


def test_infeasible_at_the_limit_is_no_verdict(fake: Fake, model: Model, tmp_path: Path) -> None:
    body = f"""
time.sleep(0.3)
with open({str(tmp_path / "runs")!r}, "a") as runs:
    runs.write("run ")
answer("Integer infeasible - objective value 0", 0, 0)
"""
    result = fake(body).solve(model, RunOptions(time_limit=0.2))
    assert result.status == Status.TIME_LIMIT
    assert "no time was left" in result.native_status
    assert (tmp_path / "runs").read_text() == "run "


def test_start_is_not_sent_with_the_second_question(
    fake: Fake, model: Model, tmp_path: Path
) -> None:
    """The fate of the start is that of the first run."""
    body = f"""
with open({str(tmp_path / "runs")!r}, "a") as runs:
    runs.write(f"{{'-mips' in sys.argv}} ")
print("Cbc0045I Warning: mipstart values could not be used to build a solution.")
answer("Integer infeasible - objective value 0", 0, 0)
"""
    result = fake(body).solve(model, start=np.array([np.nan, 1.0]))
    assert (tmp_path / "runs").read_text() == "True False "
    assert result.warm_start == "rejected"


def test_interrupt_kills_even_a_stubborn_cbc(
    fake: Fake, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log line of the script is where Ctrl-C comes."""
    seen: list[str] = []

    def interrupt(line: str) -> None:
        if line.startswith("my process"):
            seen.append(line)
            raise KeyboardInterrupt

    monkeypatch.setattr(process.SOLVER_LOG, "info", interrupt)
    began = time.perf_counter()
    with pytest.raises(SolveInterrupted) as caught:
        fake(STUBBORN).solve(model, RunOptions(log=True))
    assert time.perf_counter() - began < 2
    assert not psutil.pid_exists(int(seen[0].split()[-1]))
    result = caught.value.result
    assert getattr(result, "status", None) == Status.INTERRUPTED
    assert not getattr(result, "has_solution", True)


PROGRAM = """
import sys
sys.path.append(sys.argv[1])
from conformance.models import knapsack, market_split
from hidato_opt.backends.cbc import CbcBackend
from hidato_opt.core.errors import SolveInterrupted

hard = knapsack(30, items=120, dimensions=5)
model = hard.model() if sys.argv[2] == "points" else market_split()
try:
    CbcBackend().solve(model)
except SolveInterrupted as interruption:
    result = interruption.result
    print(result.status, result.has_solution, result.backend_version)
"""


@pytest.mark.parametrize("to_group", [False, True], ids=["to_python", "to_group"])
@pytest.mark.parametrize("points", ["points", "none"])
def test_ctrl_c_ends_within_a_second_and_leaves_nothing(
    tmp_path: Path, points: str, to_group: bool
) -> None:
    """A signal to Python alone, or, as from a terminal, to Python and all that is of its group."""
    told = CbcBackend().availability()
    if not told.usable:
        pytest.skip(told.problem)
    tests = str(Path(__file__).resolve().parents[1])
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, tests, points],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        start_new_session=True,
    )
    try:
        cbc = wait_for_child(program.pid)
        time.sleep(0.7)
        began = time.perf_counter()
        (os.killpg if to_group else os.kill)(program.pid, signal.SIGINT)
        words, _ = program.communicate(timeout=10)
        assert time.perf_counter() - began < 1.0
        assert program.returncode == 0
        assert words.split() == ["interrupted", str(points == "points"), *told.version.split()]
        assert not cbc.is_running()
        assert not list(tmp_path.iterdir())
    finally:
        program.kill()
        program.communicate()


def wait_for_child(pid: int) -> psutil.Process:
    until = time.perf_counter() + 20
    while time.perf_counter() < until:
        for child in psutil.Process(pid).children():
            with suppress(psutil.Error):  # it may have been a short one, and be gone
                if "model.mps" in child.cmdline():
                    return child
        time.sleep(0.02)
    pytest.fail("CBC was not started")
