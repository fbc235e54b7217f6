"""Ctrl-C during a solve: within a second, with the incumbent, and as a KeyboardInterrupt."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import textwrap
import time
from typing import Any

import numpy as np
import pytest

from hidato_opt import Numbrix, build_model
from hidato_opt.backends import registry
from hidato_opt.backends.base import RawResult
from hidato_opt.core.errors import SolveInterrupted, WrongAnswer
from hidato_opt.core.result import Result
from hidato_opt.core.status import Status
from solve.fakes import FakeBackend, FakeSession, install

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")

HARD = textwrap.dedent(
    """
    import json
    import hidato_opt as ho
    model = ho.build_model([[0] * 10] * 10)
    print("ready", flush=True)
    try:
        result = model.solve()
    except KeyboardInterrupt as error:
        stopped = error.result
        print(json.dumps({
            "class": type(error).__name__,
            "status": stopped.status,
            "has_solution": stopped.has_solution,
            "verified": stopped.verified,
            "name": type(stopped).__name__,
        }), flush=True)
    else:
        print(json.dumps({"class": None, "status": result.status}), flush=True)
    """
)
"""10x10 without a clue, which HiGHS does not solve in twenty seconds."""


def interrupted(script: str, after: float) -> tuple[dict[str, Any], float]:
    """Run a script, send Ctrl-C some time after it is ready, return its word and the seconds."""
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        began = time.perf_counter()
        said: dict[str, Any] = json.loads(process.stdout.readline())
        spent = time.perf_counter() - began
        assert process.communicate(timeout=30) == ("", "")
    assert process.returncode == 0
    return said, spent


@pytest.mark.parametrize("after", [0.3, 2.0])
def test_ctrl_c_stops_highs_within_a_second(after: float) -> None:
    said, spent = interrupted(HARD, after)
    assert said["class"] == "SolveInterrupted"
    assert said["status"] == "interrupted"
    assert said["name"] == "Result"
    assert spent < 3.0  # a second on a quiet machine


def raising(point: Any) -> FakeBackend:
    """Return a backend that is interrupted when it holds a point."""

    class Interrupted(FakeSession):
        def _run(self, start: object, time_limit: float | None) -> RawResult:
            raise SolveInterrupted(result=self._result)

    class Backend(FakeBackend):
        def session(self, model: Any, options: Any = None) -> FakeSession:
            return Interrupted(model, options, self.result)

    return Backend(point, Status.INTERRUPTED)


def test_the_incumbent_of_an_interrupted_run_is_kept_and_verified(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = build_model(Numbrix([[1, 0], [0, 0]]))
    model.minimize(model.x[1, 2, 2] + 0)
    point = np.zeros(16)
    for i, j, k in [(1, 1, 1), (1, 2, 2), (2, 2, 3), (2, 1, 4)]:
        point[model.x[i, j, k].column] = 1
    with pytest.raises(SolveInterrupted) as caught:
        model.solve(install(monkeypatch, raising(point)))
    result = caught.value.result
    assert isinstance(result, Result)
    assert (result.status, result.verified) == ("interrupted", True)
    assert result.solution.tolist() == [[1, 2], [4, 3]]


def test_a_wrong_incumbent_is_not_kept_either(monkeypatch: pytest.MonkeyPatch) -> None:
    model = build_model(Numbrix([[1, 0], [0, 0]]))
    with pytest.raises(WrongAnswer):
        model.solve(install(monkeypatch, raising(np.ones(16))))


def test_an_interrupt_without_a_result_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    backend = raising(None)
    backend.result = None  # type: ignore[assignment]  # interrupted before it had one
    with pytest.raises(SolveInterrupted) as caught:
        build_model("1 .").solve(install(monkeypatch, backend))
    assert caught.value.result is None
    assert "fake" in registry.BACKENDS
