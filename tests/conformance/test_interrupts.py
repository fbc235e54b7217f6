"""Ctrl-C: the run stops within a second, and leaves neither a process nor a file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from hidato_opt.backends.base import Backend

PROGRAM = """
import sys, time
sys.path.append(sys.argv[2])
from conformance.models import knapsack, market_split
from hidato_opt.backends.registry import backend_named
from hidato_opt.core.errors import SolveInterrupted

model = knapsack(30, items=120, dimensions=5).model() if sys.argv[3] == "points" else market_split()
backend = backend_named(sys.argv[1])
with backend.session(model) as session:
    print("ready", flush=True)
    try:
        result = session.solve()
    except SolveInterrupted as interruption:
        result = interruption.result
        print(result.status, result.has_solution, flush=True)
    else:
        print("not interrupted:", result.status, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
@pytest.mark.parametrize(
    "has_points",
    [
        pytest.param(True, marks=pytest.mark.needs("last words"), id="incumbent"),
        pytest.param(False, id="no_incumbent"),
    ],
)
def test_ctrl_c(backend: Backend, tmp_path: Path, has_points: bool) -> None:
    """The interruption carries the status, and the incumbent if there was one."""
    tests = str(Path(__file__).resolve().parents[1])
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, backend.name, tests, "points" if has_points else "none"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(1.2)
        children = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGINT)
        began = time.perf_counter()
        words = process.stdout.readline().split()
        assert time.perf_counter() - began < 1.2
        assert process.wait(timeout=10) == 0
        assert words == ["interrupted", str(has_points)]
        _, alive = psutil.wait_procs(children, timeout=1)
        assert not alive
        assert not list(tmp_path.iterdir())
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
