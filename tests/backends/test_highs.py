"""What is HiGHS's own in a run: its statuses, its points, what it does when told to stop."""

from __future__ import annotations

import math
import types
from typing import Any

import highspy
import numpy as np
import pytest

from hidato_opt.backends import highs as highs_module
from hidato_opt.backends.highs import STATUSES, HighsBackend, HighsSession
from hidato_opt.backends.highs_api import new_highs, pass_model
from hidato_opt.core.errors import (
    SolveInterrupted,
    SolverFailed,
    WrongAnswer,
)
from hidato_opt.core.options import RunOptions
from hidato_opt.core.status import Status
from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.constraints import exactly_one
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.rows import RowBlock


def pick(count: int = 3) -> Model:
    """Return ``max x1 + 2 x2 + ... `` of which exactly one: the last."""
    builder = ModelBuilder("pick one")
    x = builder.add_variables("x", IndexSet.range("K", 1, count), "binary")
    builder.add_rows("one", exactly_one(x, by=()))
    return builder.build().maximize(x.dot(range(1, count + 1)))


def real() -> Model:
    """Return ``min x, x >= 2`` over the real numbers."""
    builder = ModelBuilder("real")
    builder.add_variables("x", IndexSet.range("K", 1, 1), "continuous", lower=2.0)
    model = builder.build()
    return model.minimize(model.x[1])


# statuses


@pytest.mark.parametrize("native", highspy.HighsModelStatus.__members__)
def test_every_native_status_has_a_word(native: str) -> None:
    if native not in ("kMin", "kMax"):
        assert isinstance(STATUSES[native], Status)


def test_no_word_is_for_a_status_that_highs_does_not_have() -> None:
    assert set(STATUSES) <= set(highspy.HighsModelStatus.__members__)


def test_only_proofs_are_proofs() -> None:
    proofs = {native: status for native, status in STATUSES.items() if status.is_proof}
    assert proofs == {
        "kOptimal": Status.OPTIMAL,
        "kModelEmpty": Status.OPTIMAL,
        "kInfeasible": Status.INFEASIBLE,
        "kUnbounded": Status.UNBOUNDED,
    }
    assert STATUSES["kTimeLimit"] is Status.TIME_LIMIT
    assert STATUSES["kMemoryLimit"] is Status.MEMORY_LIMIT
    assert STATUSES["kUnknown"] is Status.ERROR


class NamedStatus:
    """Stands for a status that a small model does not bring about."""

    def __init__(self, name: str) -> None:
        self.name = name


def said(
    native: str, monkeypatch: pytest.MonkeyPatch, model: Model | None = None, **options: Any
) -> Any:
    """Solve, but let HiGHS call its end by another name."""
    session = HighsSession(model or pick(), RunOptions(**options))
    monkeypatch.setattr(session._highs, "getModelStatus", lambda: NamedStatus(native))
    with session:
        return session.solve()


@pytest.mark.parametrize("native", [n for n in STATUSES if n not in ("kNotset", "kModelEmpty")])
def test_points_come_with_statuses_that_can_have_one(
    native: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = said(native, monkeypatch)
    assert (result.status, result.native_status) == (STATUSES[native], native)
    assert result.has_solution == (
        STATUSES[native]
        not in (
            Status.ERROR,
            Status.INFEASIBLE,
            Status.INFEASIBLE_OR_UNBOUNDED,
            Status.UNBOUNDED,
        )
    )


def test_a_run_that_leaves_no_status_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    session = HighsSession(pick(), RunOptions())

    def run() -> None:
        session._lines.append("ERROR: something\n")

    monkeypatch.setattr(session._highs, "run", run)
    with session, pytest.raises(SolverFailed, match="without a status") as caught:
        session.solve()
    assert "ERROR: something" in str(caught.value)


def test_a_limit_of_solutions_is_one_of_nodes_where_that_was_set_and_reached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert said("kSolutionLimit", monkeypatch).status == "solution_limit"
    assert said("kSolutionLimit", monkeypatch, options={"mip_max_nodes": 0}).status == "node_limit"
    assert (
        said("kSolutionLimit", monkeypatch, options={"mip_max_nodes": 10**6}).status
        == "solution_limit"
    )


def test_an_interrupt_that_we_asked_for_is_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    session = HighsSession(pick(), RunOptions())
    run = session._highs.run

    def stopped_late() -> None:
        run()
        session._ask_to_stop()

    monkeypatch.setattr(session._highs, "run", stopped_late)
    monkeypatch.setattr(session._highs, "getModelStatus", lambda: NamedStatus("kInterrupt"))
    with session:
        assert session.solve().status == "time_limit"
    assert said("kInterrupt", monkeypatch).status == "interrupted"


@pytest.mark.parametrize(
    ("value", "bound", "gap", "status"),
    [
        (3.0, 3.0, 0.5, "optimal"),
        (3.0, 3.0 + 1e-12, 0.5, "optimal"),
        (3.0, 4.0, 0.5, "gap_limit"),
        (3.0, 3.001, 0.5, "gap_limit"),
        (3.0, 4.0, 0.0, "optimal"),
    ],
)
def test_optimal_within_a_gap_is_a_gap_limit(
    value: float, bound: float, gap: float, status: str
) -> None:
    info = types.SimpleNamespace(objective_function_value=value, mip_dual_bound=bound)
    with HighsSession(pick(), RunOptions(gap=gap)) as session:
        assert session._status("kOptimal", info) == status
    with HighsSession(real(), RunOptions(gap=gap)) as session:
        assert session._status("kOptimal", info) == "optimal"


def test_a_wrong_point_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    session = HighsSession(pick(), RunOptions())
    wrong = types.SimpleNamespace(value_valid=True, col_value=[1.0, 1.0, 0.0], dual_valid=False)
    monkeypatch.setattr(session._highs, "getSolution", lambda: wrong)
    with session, pytest.raises(WrongAnswer, match=r"HiGHS \(kOptimal\): .*row one"):
        session.solve()


# what is told to stop, and what does not


class Thread:
    """Stands for a run that does not end: waited for in vain, or until Ctrl-C."""

    is_running = True

    def __init__(self, name: str, work: Any, stop: Any) -> None:
        work()  # to its end, so that there is an incumbent
        self.stop = stop

    def wait(self, limit: float | None) -> bool:
        return False


class InterruptedThread(Thread):
    def wait(self, limit: float | None) -> bool:
        raise KeyboardInterrupt


def heavy() -> Model:
    """Return a knapsack that makes HiGHS report improving points."""
    draw = np.random.default_rng(0)
    builder = ModelBuilder("knapsack")
    x = builder.add_variables("x", IndexSet.range("K", 1, 30), "binary")
    weights = draw.integers(20, 60, 30)
    model = builder.build().add(x.dot(weights) <= int(weights.sum()) // 2, "weight")
    return model.maximize(x.dot(weights + draw.integers(0, 9, 30)))


def test_an_abandoned_run_is_a_time_limit_with_the_incumbent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(highs_module, "SolverThread", Thread)
    session = HighsSession(heavy(), RunOptions(options={"presolve": "off"}))
    result = session.solve(time_limit=0.1)
    assert (result.status, result.native_status) == ("time_limit", "stopped from outside")
    assert result.has_solution
    assert result.objective == session.model.objective_value(result.values)
    assert result.bound is None
    with pytest.raises(SolverFailed, match="did not stop at the limit of an earlier run"):
        session.solve()
    session.close()


def test_an_interrupted_run_keeps_the_incumbent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(highs_module, "SolverThread", InterruptedThread)
    session = HighsSession(heavy(), RunOptions(options={"presolve": "off"}))
    with pytest.raises(SolveInterrupted) as caught:
        session.solve()
    raw: Any = caught.value.result
    assert raw.status == "interrupted"
    assert raw.has_solution
    session.close()


def test_an_interrupted_run_without_incumbent_has_no_point(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(highs_module, "SolverThread", InterruptedThread)
    with pytest.raises(SolveInterrupted) as caught:
        HighsBackend().solve(real())
    raw: Any = caught.value.result
    assert (raw.has_solution, raw.objective) == (False, None)


def test_a_hard_run_is_stopped_by_our_clock_where_that_of_highs_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """HiGHS is told no limit here, so that only being asked to stop ends the run."""
    from conformance.models import market_split

    monkeypatch.setattr("hidato_opt.backends.threads.STOP_AFTER", 0.1)
    session = HighsSession(market_split(), RunOptions())
    setter = session._highs.setOptionValue

    def deaf(name: str, value: Any) -> Any:
        return setter(name, math.inf if name == "time_limit" else value)

    monkeypatch.setattr(session._highs, "setOptionValue", deaf)
    with session:
        result = session.solve(time_limit=0.5)
    assert (result.status, result.native_status) == ("time_limit", "kInterrupt")
    assert 0.5 < result.seconds["solve"] < 4.0


# models


def test_arrays_arrive_as_they_are() -> None:
    model = pick().add(pick().x[1] <= 0, name="not_the_first").fix(pick().x[3], 0)
    highs = new_highs()
    pass_model(highs, model)
    lp = highs.getLp()
    assert list(lp.col_cost_) == [1.0, 2.0, 3.0]
    assert list(lp.col_upper_) == [1.0, 1.0, 0.0]
    assert list(lp.row_lower_) == [1.0, -math.inf]
    assert list(lp.row_upper_) == [1.0, 0.0]
    assert lp.sense_ == highspy.ObjSense.kMaximize
    assert [kind == highspy.HighsVarType.kInteger for kind in lp.integrality_] == [True] * 3


def test_a_model_that_highs_refuses_is_a_failure() -> None:
    model = pick()
    broken = Model(**{**vars(model), "columns": np.array([0, 1, 99], dtype=np.int32)})
    with pytest.raises(SolverFailed, match="HiGHS refused the model Model"):
        HighsBackend().solve(broken)


def test_rows_that_highs_refuses_are_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    with HighsSession(pick(), RunOptions()) as session:
        monkeypatch.setattr(session._highs, "addRows", lambda *arrays: highspy.HighsStatus.kError)
        with pytest.raises(SolverFailed, match="HiGHS refused the added rows"):
            session.add_rows(exactly_one(session.model.x, by=()), "again")


def test_bound_and_nodes_of_a_linear_and_of_a_whole_model() -> None:
    linear, whole = HighsBackend().solve(real()), HighsBackend().solve(pick())
    assert (linear.objective, linear.bound, linear.nodes) == (2.0, 2.0, None)
    assert linear.reduced_costs is not None
    assert whole.bound == pytest.approx(3.0)
    assert whole.nodes is not None
    assert whole.nodes >= 0
    assert whole.row_duals is None


# the corners of a run


@pytest.mark.parametrize(("lower", "status"), [(0.0, "optimal"), (1.0, "infeasible")])
def test_a_model_without_columns_is_decided_by_its_rows(lower: float, status: str) -> None:
    builder = ModelBuilder("nothing")
    none = np.empty(0, dtype=np.int64)
    only = IndexSet.range("row", 1, 1)
    builder.add_rows(
        "row", RowBlock.from_terms(builder.layout, only, none, none, [], lower, np.inf)
    )
    result = HighsBackend().solve(builder.build().minimize(3.0))
    assert (result.status, result.native_status) == (status, "kModelEmpty")
    assert result.has_solution == (status == "optimal")
    assert result.objective == (3.0 if status == "optimal" else None)


def test_log_lines_go_to_logging_where_asked(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", logger="hidato_opt.solver"):
        HighsBackend().solve(pick(), RunOptions(log=False))
        assert caplog.records == []
        HighsBackend().solve(pick(), RunOptions(log=True))
    assert any("MIP has 1 row" in record.message for record in caplog.records)
    assert all("\n" not in record.message for record in caplog.records)


@pytest.mark.parametrize(
    ("line", "values", "fate"),
    [
        ("MIP start solution is feasible, objective value is 3", [0, 0, 1], "accepted"),
        ("MIP start solution is feasible, objective value is 3", [0, np.nan, 1], "repaired"),
        (
            "User-supplied values of discrete variables cannot yield feasible solution",
            [0, 0, 1],
            "rejected",
        ),
        ("Presolve: Optimal", [0, 0, 1], "not_tried"),
    ],
)
def test_the_fate_of_a_start_is_read_from_the_log(
    line: str, values: list[float], fate: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with HighsSession(pick(), RunOptions()) as session:
        run = session._highs.run

        def talk() -> None:
            run()
            session._lines[:] = ["before\n", f"{line}\n"]

        monkeypatch.setattr(session._highs, "run", talk)
        result = session.solve(start=values)
    assert result.warm_start == fate
    assert result.warm_start_reason
    assert (result.warm_start_reason == line) == (fate != "not_tried")


def test_a_run_knows_nothing_of_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither its incumbent, which added rows may forbid, nor that it was told to stop."""

    class Idle(Thread):
        def __init__(self, name: str, work: Any, stop: Any) -> None:
            self.stop = stop

    with HighsSession(heavy(), RunOptions(options={"presolve": "off"})) as session:
        assert session.solve().has_solution
        session._ask_to_stop()
        session._lines.append("MIP start solution is feasible")
        with monkeypatch.context() as patch:
            patch.setattr(session._highs, "getModelStatus", lambda: NamedStatus("kInterrupt"))
            patch.setattr(session._highs, "run", lambda: None)
            result = session.solve(start=np.zeros(30))
        assert (result.status, result.warm_start) == ("interrupted", "not_tried")
        monkeypatch.setattr(highs_module, "SolverThread", Idle)
        assert not session.solve(time_limit=0.1).has_solution
