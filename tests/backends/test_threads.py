"""A solver in a thread: waiting, giving up, Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import pytest

from hidato_opt.backends import threads
from hidato_opt.backends.threads import SolverThread
from hidato_opt.core.errors import SolverFailed


def obedient() -> tuple[Callable[[], None], Callable[[], None]]:
    """Return a run that goes on until it is stopped, and what stops it."""
    told = threading.Event()

    def work() -> None:
        told.wait(30)

    return work, told.set


def test_waits_for_the_end() -> None:
    done: list[int] = []
    thread = SolverThread("solver", lambda: done.append(1), lambda: None)
    assert thread.wait(10)
    assert done == [1]
    assert not thread.is_running


def test_passes_a_failure_on() -> None:
    def work() -> None:
        raise ValueError("bad luck")

    with pytest.raises(SolverFailed, match="solver failed: bad luck"):
        SolverThread("solver", work, lambda: None).wait(10)


def test_stops_a_run_that_is_past_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "STOP_AFTER", 0.1)
    began = time.perf_counter()
    assert SolverThread("solver", *obedient()).wait(0.1)
    assert 0.2 <= time.perf_counter() - began < 2.0


def test_leaves_a_run_that_does_not_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "STOP_AFTER", 0.1)
    monkeypatch.setattr(threads, "ABANDON_AFTER", 0.3)
    work, end = obedient()
    thread = SolverThread("solver", work, lambda: None)
    assert not thread.wait(0.1)
    assert thread.is_running
    end()


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_stops_the_run_and_waits_for_it() -> None:
    """Python before 3.13 takes a thread for ended when Ctrl-C comes while it is joined."""
    thread = SolverThread("solver", *obedient())
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        thread.wait(None)
    assert not thread.is_running
    timer.join()


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "INTERRUPT_GRACE", 0.2)
    work, end = obedient()
    stops: list[float] = []
    thread = SolverThread("solver", work, lambda: stops.append(time.perf_counter()))
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    began = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        thread.wait(None)
    assert time.perf_counter() - began < 2.0
    assert thread.is_running
    assert len(stops) > 1  # a request before the run has begun may be lost
    end()
    timer.join()


def test_a_run_that_was_left_is_stopped_before_the_interpreter_ends() -> None:
    """A solver that calls Python back while that is ending would abort the process."""
    script = """
import threading, time
from hidato_opt.backends import threads
threads.ABANDON_AFTER = 0.0
told = threading.Event()

def work():
    told.wait(30)
    time.sleep(0.3)
    print("stopped", flush=True)

print(threads.SolverThread("solver", work, told.set).wait(0.0), flush=True)
"""
    began = time.perf_counter()
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout, run.stderr) == (0, "False\nstopped\n", "")
    assert time.perf_counter() - began < 10
