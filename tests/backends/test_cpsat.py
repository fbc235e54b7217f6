"""CP-SAT's options, statuses, starts and runs, where the conformance suite does not reach them."""

from __future__ import annotations

import importlib
import importlib.metadata
import logging
import signal
import sys
import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest
from conformance.models import columns, knapsack, market_split

from hidato_opt.backends.base import RawResult
from hidato_opt.backends.cpsat import CpSatBackend, CpSatSession
from hidato_opt.backends.cpsat_run import CpSatRun
from hidato_opt.core.errors import (
    BackendUnavailable,
    InvalidOption,
    SolveInterrupted,
    SolverFailed,
    UnknownOption,
)
from hidato_opt.core.options import RunOptions
from hidato_opt.core.status import Status, WarmStartFate
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.points import PartialPoint

needs_ortools = pytest.mark.skipif(
    not CpSatBackend().availability().usable, reason="ortools is not installed"
)

LOOSE = knapsack(60, items=25, dimensions=2)
"""Presolve does not settle it, and its first point is not the best."""


def solve(model: Model, start: Any = None, **options: Any) -> RawResult:
    return CpSatBackend().solve(model, RunOptions(**options), start)


@needs_ortools
@pytest.mark.parametrize("name", ["num_workers", "max_time_in_seconds", "log_to_stdout"])
def test_options_that_run_options_set_are_refused(name: str) -> None:
    with pytest.raises(InvalidOption, match=f"'{name}' is set by "):
        solve(columns(1, "binary"), options={name: 1})


@needs_ortools
def test_unknown_option_lists_the_fields() -> None:
    with pytest.raises(UnknownOption, match=r"'linearisation'.*linearization_level"):
        solve(columns(1, "binary"), options={"linearisation": 2})


@needs_ortools
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("linearization_level", "2"),
        ("linearization_level", 1.5),
        ("linearization_level", True),
        ("linearization_level", None),
        ("cp_model_presolve", 1),
        ("search_branching", "SOME_SEARCH"),
        ("ignore_subsolvers", 3),
        ("linearization_level", -1),  # of the right type: CP-SAT itself refuses it
    ],
)
def test_option_with_a_wrong_value(name: str, value: Any) -> None:
    with pytest.raises(InvalidOption, match=name):
        solve(columns(1, "binary"), options={name: value})


@needs_ortools
def test_options_reach_the_solver(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "hidato_opt.solver")
    given = {"search_branching": "FIXED_SEARCH", "linearization_level": 0}
    solve(columns(1, "binary"), seed=5, threads=2, gap=0.25, time_limit=30, log=True, options=given)
    (line,) = [text for text in caplog.messages if text.startswith("Parameters:")]
    for words in (
        "search_branching: FIXED_SEARCH",
        "linearization_level: 0",
        "random_seed: 5",
        "num_workers: 2",
        "relative_gap_limit: 0.25",
        "catch_sigint_signal: false",
        "log_to_stdout: false",
    ):
        assert words in line


@needs_ortools
def test_every_native_status_is_known() -> None:
    """A new member would need a line in the table of statuses."""
    helper = importlib.import_module("ortools.sat.python.cp_model_helper")
    names = set(helper.CpSolverStatus.__members__)
    assert names == {"UNKNOWN", "MODEL_INVALID", "FEASIBLE", "INFEASIBLE", "OPTIMAL"}


@needs_ortools
@pytest.mark.parametrize(
    ("model", "options", "status", "has_solution"),
    [
        (market_split(), {"max_number_of_conflicts": 1}, Status.NODE_LIMIT, False),
        (market_split(), {"max_deterministic_time": 0.001}, Status.TIME_LIMIT, False),
        (market_split(), {"stop_after_presolve": True}, Status.GAVE_UP, False),
        (LOOSE.model(), {"stop_after_first_solution": True}, Status.SOLUTION_LIMIT, True),
        (LOOSE.model(), {}, Status.OPTIMAL, True),
    ],
)
def test_why_a_run_stopped(
    model: Model, options: dict[str, Any], status: Status, has_solution: bool
) -> None:
    result = solve(model, options=options)
    assert (result.status, result.has_solution) == (status, has_solution)


@needs_ortools
@pytest.mark.parametrize(
    ("given", "wall_time", "status"),
    [
        ({"stop_after_first_solution": True}, 0.7, Status.TIME_LIMIT),
        ({"max_number_of_conflicts": 10}, 0.7, Status.TIME_LIMIT),
        ({"max_memory_in_mb": 9}, 0.7, Status.TIME_LIMIT),
        ({"max_memory_in_mb": 9}, 0.2, Status.MEMORY_LIMIT),
        ({}, 0.7, Status.TIME_LIMIT),
        ({}, 0.2, Status.GAVE_UP),
    ],
)
def test_why_a_run_without_a_point_stopped_before_its_limit_of_1_s(
    given: dict[str, Any], wall_time: float, status: Status
) -> None:
    """CP-SAT leaves up to half of a limit unused; an option counts only if it can be the cause."""
    response = SimpleNamespace(
        status=SimpleNamespace(name="UNKNOWN"), num_conflicts=3, wall_time=wall_time
    )
    with CpSatBackend().session(columns(1, "binary"), RunOptions(options=given)) as session:
        assert session._stopped_early(response, 1.0) == status


@needs_ortools
def test_gap_limit_is_told_from_optimal() -> None:
    result = solve(LOOSE.model(), gap=0.2)
    assert result.status == Status.GAP_LIMIT
    assert result.native_status == "OPTIMAL"
    assert result.objective < result.bound <= result.objective / (1 - 0.2)


@needs_ortools
def test_bound_of_a_run_without_a_point() -> None:
    """CP-SAT leaves its bound at 0 when it stops at once; the maximum of 9 - x is 9."""
    model = market_split()
    model = model.maximize(9 - model.x[1])
    at_once = solve(model, time_limit=0)
    assert at_once.status == Status.TIME_LIMIT
    assert at_once.bound is None
    later = solve(model, options={"max_number_of_conflicts": 1})
    assert later.bound is None or later.bound >= 8.0


@needs_ortools
def test_start_that_no_row_forbids_and_nothing_completes() -> None:
    """With s = 0 the three sums a + b = a + c = b + c = 1 need halves; with s = 1 they do not."""
    model = columns(4, "binary")
    a, b, c, s = (model.x[place] for place in range(1, 5))
    model = model.add([a + b == 1, a + c == 1, b + c - s <= 1, b + c + s >= 1], name="sums")
    result = solve(model, start=PartialPoint.of_pairs([(3, 0.0), (0, 0.0)]))
    assert result.status == Status.OPTIMAL
    assert result.warm_start in (WarmStartFate.NOT_TRIED, WarmStartFate.REJECTED)
    assert "keeps" in result.warm_start_reason


@needs_ortools
def test_start_of_a_run_that_ends_at_once_was_not_tried() -> None:
    """The verdict counts, not the sentence "complete and is feasible" that CP-SAT says before."""
    result = solve(LOOSE.model(), start=LOOSE.greedy(), time_limit=0)
    assert result.status == Status.TIME_LIMIT
    assert result.warm_start == WarmStartFate.NOT_TRIED


@needs_ortools
@pytest.mark.parametrize(
    ("start", "first", "line", "branches", "fate"),
    [
        ([1, 0, 1], [1, 0, 1], "#1 0.01s main", 0, WarmStartFate.ACCEPTED),
        ([1, 0, 0], [1, 0, 1], "#1 0.01s best:3 complete_hint", 0, WarmStartFate.ACCEPTED),
        ([1, 0, 0], [1, 0, 1], "#1 0.01s best:3 main [repaired]", 7, WarmStartFate.REPAIRED),
        ([1, 0, 0], [1, 0, 1], "#1 0.01s best:3 main", 7, WarmStartFate.NOT_TRIED),
        ([1, 0], [1, 0, 1], "#1 0.01s main", 7, WarmStartFate.REPAIRED),
        ([1, 1], [1, 0, 1], "#1 0.01s main [hint]", 7, WarmStartFate.REPAIRED),
        ([1, 1], [1, 0, 1], "#1 0.01s main [hint]", 0, WarmStartFate.NOT_TRIED),
        ([1, 1], [1, 0, 1], "#1 0.01s main", 7, WarmStartFate.REJECTED),
        ([1, 1], [1, 0, 1], "#Done 0.01s main", 0, WarmStartFate.NOT_TRIED),
        ([1, 1], None, "", 7, WarmStartFate.NOT_TRIED),
    ],
)
def test_fate_by_the_first_point_and_its_line(
    start: list[int], first: list[int] | None, line: str, branches: int, fate: WarmStartFate
) -> None:
    """Two values leave the third open; "[hint]" without a branch was presolve's doing."""
    module = importlib.import_module("ortools.sat.python.cp_model")
    solver = SimpleNamespace()
    run = CpSatRun(module, solver, None, echo=False)
    solver.log_callback(f"The solution hint is a sentence.\n{line}\n#2 0.02s main")
    for point in [] if first is None else [first, [0, 0, 0]]:
        run._take_point(point)
    run.response = SimpleNamespace(num_branches=branches)
    said, reason = run.fate(PartialPoint.of_pairs(enumerate(start)))
    assert said == fate
    assert "The solution hint is a sentence." in reason


@needs_ortools
def test_start_is_forgotten_by_the_next_run() -> None:
    model = LOOSE.model()
    with CpSatBackend().session(model) as session:
        assert session.solve(LOOSE.greedy()).warm_start == WarmStartFate.ACCEPTED
        assert session.solve().warm_start is None
        assert len(session._program.proto.solution_hint.vars) == 0


class Deaf:
    """A solver that neither keeps its limit nor stops when told to."""

    def solve(self, program: Any, recorder: Any) -> None:
        time.sleep(1.5)

    def stop_search(self) -> None:
        pass


@needs_ortools
def test_a_run_that_does_not_stop_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """The result says "time limit" in time, and the session can be used again."""
    monkeypatch.setattr("hidato_opt.backends.threads.STOP_AFTER", 0.1)
    monkeypatch.setattr("hidato_opt.backends.threads.ABANDON_AFTER", 0.3)
    model = LOOSE.model()
    with CpSatBackend().session(model) as session:
        with monkeypatch.context() as patch:
            patch.setattr(CpSatSession, "_solver", lambda *_: Deaf())
            began = time.perf_counter()
            result = session.solve(time_limit=0.2)
        assert time.perf_counter() - began < 1.2
        assert (result.status, result.native_status) == (Status.TIME_LIMIT, "still running")
        assert not result.has_solution
        assert session.solve(time_limit=60).status == Status.OPTIMAL


@needs_ortools
@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_keeps_the_incumbent_and_the_session() -> None:
    hard = knapsack(30, items=120, dimensions=5).model()
    with CpSatBackend().session(hard) as session:
        timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
        timer.start()
        with pytest.raises(SolveInterrupted) as caught:
            session.solve()
        timer.join()
        result = caught.value.result
        assert isinstance(result, RawResult)
        assert result.status == Status.INTERRUPTED
        assert result.objective == hard.objective_value(result.values)
        assert session.solve(time_limit=0).status == Status.TIME_LIMIT


@needs_ortools
def test_options_that_cannot_be_read_back_are_not_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hidato_opt.backends.cpsat._parameters", lambda _: "no_such_field: 1")
    with pytest.raises(SolverFailed, match="no_such_field"):
        solve(columns(1, "binary"))


class Broken:
    """A solver whose call fails."""

    def solve(self, program: Any, recorder: Any) -> None:
        raise RuntimeError("out of luck")

    def stop_search(self) -> None:
        pass


@needs_ortools
def test_an_exception_of_the_solver_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CpSatSession, "_solver", lambda *_: Broken())
    with pytest.raises(SolverFailed, match="CP-SAT failed: out of luck"):
        solve(columns(1, "binary"))


def test_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    with pytest.raises(BackendUnavailable, match=r'pip install "hidato_opt\[cpsat\]"'):
        CpSatBackend().session(columns(1, "binary"))
    found = CpSatBackend().availability()
    assert not found.usable
    assert 'pip install "hidato_opt[cpsat]"' in found.problem


def test_broken_package(monkeypatch: pytest.MonkeyPatch) -> None:
    def import_module(name: str) -> Any:
        raise ImportError("libortools.so.9: cannot open shared object file")

    monkeypatch.setattr(importlib.metadata, "version", lambda _: "9.15.1")
    monkeypatch.setattr(importlib, "import_module", import_module)
    assert "libortools.so.9" in CpSatBackend().availability().problem


def test_old_release(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda _: "9.14.6206")
    monkeypatch.setattr(importlib, "import_module", lambda _: None)
    found = CpSatBackend().availability()
    assert not found.usable
    assert "9.15 or later, not 9.14.6206" in found.problem
