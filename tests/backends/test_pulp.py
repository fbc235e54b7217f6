"""``pulp:NAME``: what PuLP says is taken for no more than it is worth."""

from __future__ import annotations

import logging
import math
import pickle
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pulp
import pytest
from conformance.models import columns, knapsack, market_split, reported_infeasible, row

from hidato_opt.backends import cbc_locate, process, pulp_backend
from hidato_opt.backends.base import RawResult
from hidato_opt.backends.cbc_locate import find_cbc
from hidato_opt.backends.process import Finished
from hidato_opt.backends.pulp_backend import PulpBackend, PulpSession
from hidato_opt.backends.pulp_solvers import available_pulp_solvers
from hidato_opt.backends.pulp_worker import JOB, REPORT, Job, Report
from hidato_opt.backends.registry import backend_named
from hidato_opt.core.errors import (
    BackendUnavailable,
    InvalidOption,
    SolverFailed,
    UnknownOption,
    WrongAnswer,
)
from hidato_opt.core.options import RunOptions
from hidato_opt.core.status import Status, WarmStartFate
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.points import PartialPoint

HIGHS = PulpBackend("HiGHS")
IS_3 = pulp.__version__.startswith("3.")


@pytest.fixture
def cbc_options() -> dict[str, str]:
    """Options that make ``pulp:COIN_CMD`` take the CBC of this machine, wherever it is."""
    try:
        return {"path": find_cbc().path}
    except BackendUnavailable as error:
        pytest.skip(str(error))


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for temporary files with blanks in its path; it must be empty in the end."""
    place = tmp_path / "a folder of ours"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield place
    assert not list(place.iterdir())


# Which solvers there are, and what they take.


def test_unknown_solver_is_an_error_that_lists_those_of_pulp() -> None:
    with pytest.raises(UnknownOption, match=r"'GUROBBI' is not known; known: .*COIN_CMD.*HiGHS"):
        PulpBackend("GUROBBI").session(columns(1))
    told = backend_named("pulp:GUROBBI").availability()
    assert not told.usable
    assert "GUROBBI" in told.problem


def test_solver_that_is_not_here_is_unavailable() -> None:
    missing = sorted(set(pulp.listSolvers()) - set(available_pulp_solvers()))[0]
    with pytest.raises(BackendUnavailable, match=rf"{missing} but cannot run it .*HiGHS"):
        PulpBackend(missing).session(columns(1))
    assert not PulpBackend(missing).availability().usable


def test_solver_that_is_here_is_available() -> None:
    told = HIGHS.availability()
    assert told.usable
    assert told.name == "pulp:HiGHS"
    assert pulp.__version__ in told.version


@pytest.mark.parametrize(
    "name", ["gap", "timeLimit", "mip", "msg", "keepFiles", "warmStart", "solverParams", "self"]
)
def test_options_are_arguments_of_the_constructor_but_for_ours(name: str) -> None:
    with pytest.raises(UnknownOption, match=r"known: .*gapAbs"):
        HIGHS.session(columns(1), RunOptions(options={name: 1}))


@pytest.mark.skipif(not IS_3, reason="PuLP 4 has no CBC of its own")
def test_options_that_the_constructor_refuses_are_invalid() -> None:
    with pytest.raises(InvalidOption, match="PULP_CBC_CMD"):
        PulpBackend("PULP_CBC_CMD").session(columns(1), RunOptions(options={"path": "cbc"}))


def given_to_pulp(backend: PulpBackend, options: RunOptions, **named: object) -> dict[str, object]:
    """The arguments that the constructor of PuLP's solver would get."""
    jobs: list[Job] = []

    def run(command: Sequence[str], folder: Path, **_: object) -> Finished:
        jobs.append(pickle.loads((folder / JOB).read_bytes()))
        report = Report("Optimal", True, np.zeros(1), at_limit=False, version="0")
        (folder / REPORT).write_bytes(pickle.dumps(report))
        return Finished(0, "", overran=False)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pulp_backend, "run_process", run)
        backend.solve(columns(1, upper=1.0), options, **named)  # type: ignore[arg-type]
    (job,) = jobs
    return {key: value for key, value in job.arguments.items() if not key.startswith("_")}


def test_run_options_in_the_words_of_pulp() -> None:
    assert given_to_pulp(HIGHS, RunOptions(threads=2, gap=0.05, options={"gapAbs": 0.5})) == {
        "msg": True,
        "threads": 2,
        "gapRel": 0.05,
        "gapAbs": 0.5,
    }
    # HiGHS has a gap and threads of its own where nothing is said.
    assert given_to_pulp(HIGHS, RunOptions()) == {"msg": True, "threads": 1, "gapRel": 0.0}


def test_threads_of_cbc_are_said_only_where_there_are_several(
    cbc_options: dict[str, str],
) -> None:
    backend = PulpBackend("COIN_CMD")
    one = given_to_pulp(backend, RunOptions(options=cbc_options))
    two = given_to_pulp(backend, RunOptions(threads=2, options=cbc_options))
    assert "threads" not in one
    assert two["threads"] == 2


# What PuLP's words mean.


@pytest.fixture
def pretend(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let PuLP's process give prepared reports, one after the other."""

    def prepare(*reports: Report) -> None:
        waiting = list(reports)

        def run(command: Sequence[str], folder: Path, **_: object) -> Finished:
            (folder / REPORT).write_bytes(pickle.dumps(waiting.pop(0)))
            return Finished(0, "", overran=False)

        monkeypatch.setattr(pulp_backend, "run_process", run)

    return prepare


def said(
    status: str,
    values: Sequence[float] | None = None,
    *,
    at_limit: bool = False,
    bound: float | None = None,
) -> Report:
    """A report on a model of two variables; zeros where there is no solution, as PuLP has it."""
    points = np.array([0.0, 0.0] if values is None else values)
    return Report(status, values is not None, points, at_limit, "0", bound)


def two(kind: str = "integer", *, upper: float = 5.0, constant: bool = False) -> Model:
    """Return ``min 3 x1 + 2 x2, x1 + x2 >= 1``: 2 at (0, 1)."""
    model = columns(2, kind, upper=upper)
    model = model.add(model.x.sum() >= 1, name="least")
    return model.minimize(7 if constant else model.x.dot([3, 2]))


@pytest.mark.parametrize(
    ("report", "status"),
    [
        (said("Optimal", [0, 1]), Status.OPTIMAL),
        # "Optimal" is PuLP 3's word for a limit, too
        (said("Optimal", [1, 0], at_limit=True), Status.TIME_LIMIT),
        (said("Optimal", at_limit=True), Status.TIME_LIMIT),
        (said("Optimal"), Status.ERROR),
        (said("Stopped", [1, 0]), Status.FEASIBLE),
        (said("Stopped", [1, 0], at_limit=True), Status.TIME_LIMIT),
        (said("NotSolved"), Status.ERROR),
        (said("NotSolved", at_limit=True), Status.TIME_LIMIT),
        (said("TimeLimit"), Status.TIME_LIMIT),
        (said("TimeLimit", [1, 0]), Status.TIME_LIMIT),
        (said("NodeLimit", [1, 0]), Status.NODE_LIMIT),
        (said("SolutionLimit", [1, 0]), Status.SOLUTION_LIMIT),
        (said("GapLimit", [1, 0]), Status.GAP_LIMIT),
        (said("MemoryLimit"), Status.MEMORY_LIMIT),
        (said("Interrupted"), Status.INTERRUPTED),
        (said("Unbounded"), Status.INFEASIBLE_OR_UNBOUNDED),
        (said("NumericalError"), Status.ERROR),
        (said("IterationLimit"), Status.ERROR),
        (said("a word of PuLP 5"), Status.ERROR),
    ],
)
def test_words_of_pulp(pretend: Callable[..., None], report: Report, status: Status) -> None:
    pretend(report)
    result = HIGHS.solve(two())
    assert result.status == status
    assert result.has_solution == report.has_solution
    assert result.native_status == report.status


def test_values_without_a_solution_are_no_solution(pretend: Callable[..., None]) -> None:
    """Both majors leave zeros or an infeasible point in the variables."""
    pretend(Report("TimeLimit", False, np.array([0.0, 1.0]), True, "0"))
    assert not HIGHS.solve(two()).has_solution


def test_solution_that_breaks_the_model_is_a_wrong_answer(pretend: Callable[..., None]) -> None:
    pretend(said("Optimal", [0, 0]))
    with pytest.raises(WrongAnswer, match=r"pulp:HiGHS .*least"):
        HIGHS.solve(two())


def test_point_of_a_linear_program_at_a_limit_counts_for_nothing(
    pretend: Callable[..., None],
) -> None:
    pretend(said("TimeLimit", [0.0, 0.25], at_limit=True))
    result = HIGHS.solve(two("continuous"))
    assert result.status == Status.TIME_LIMIT
    assert not result.has_solution


def test_unbounded_linear_program_is_unbounded(pretend: Callable[..., None]) -> None:
    pretend(said("Unbounded"))
    assert HIGHS.solve(two("continuous")).status == Status.UNBOUNDED


@pytest.mark.parametrize("word", ["Stopped", "TimeLimit", "Optimal"])
def test_constant_objective_makes_any_point_optimal(
    pretend: Callable[..., None], word: str
) -> None:
    pretend(said(word, [1, 0], at_limit=True))
    assert HIGHS.solve(two(constant=True)).status == Status.OPTIMAL


@pytest.mark.parametrize(
    ("bound", "status"), [(None, Status.GAP_LIMIT), (1.9, Status.GAP_LIMIT), (2.0, Status.OPTIMAL)]
)
def test_optimal_within_a_gap_is_optimal_only_with_the_bound(
    pretend: Callable[..., None], bound: float | None, status: Status
) -> None:
    pretend(said("Optimal", [0, 1], bound=bound))
    assert HIGHS.solve(two(), RunOptions(gap=0.1)).status == status


@pytest.mark.parametrize(
    ("report", "bound"),
    [
        (said("TimeLimit", [1, 0], bound=1.5), 1.5),
        (said("TimeLimit", bound=1.5), 1.5),
        (said("TimeLimit", bound=-1e50), None),
        (said("Unbounded", bound=1.5), None),
        (said("Optimal", [0, 1], bound=1.5), 2.0),
    ],
)
def test_bound_is_told_where_it_means_something(
    pretend: Callable[..., None], report: Report, bound: float | None
) -> None:
    pretend(report)
    assert HIGHS.solve(two()).bound == bound


def test_bound_that_pulp_reads_off_the_log_of_cbc_is_not_believed(
    pretend: Callable[..., None], cbc_options: dict[str, str]
) -> None:
    pretend(said("TimeLimit", [1, 0], bound=11756061000.0))
    result = PulpBackend("COIN_CMD").solve(two(), RunOptions(options=cbc_options))
    assert result.bound is None


def test_variable_without_a_value_gets_one_within_its_bounds(pretend: Callable[..., None]) -> None:
    """PuLP leaves None where a variable stands in no row; 3 is nearest to 0 in 3 to 5."""
    pretend(said("Optimal", [math.nan, 1.0]))
    model = columns(2, lower=[3.0, 0.0], upper=5.0)
    assert HIGHS.solve(model).values.tolist() == [3.0, 1.0]


# "Infeasible", which may not mean that.


def test_infeasible_needs_a_second_no(pretend: Callable[..., None]) -> None:
    pretend(said("Infeasible"), said("Infeasible"))
    assert HIGHS.solve(two()).status == Status.INFEASIBLE


def test_infeasible_without_objective_needs_none(pretend: Callable[..., None]) -> None:
    pretend(said("Infeasible"))
    assert HIGHS.solve(two(constant=True)).status == Status.INFEASIBLE


@pytest.mark.parametrize("word", ["Infeasible", "Undefined"])
def test_unbounded_or_infeasible_is_told_apart(pretend: Callable[..., None], word: str) -> None:
    """PuLP 3 calls it "Infeasible"; without objective there is a point, or there is none."""
    model = two(upper=math.inf)
    model = model.maximize(model.x.sum())
    pretend(said(word), said("Optimal", [1, 0]))
    assert HIGHS.solve(model).status == Status.INFEASIBLE_OR_UNBOUNDED
    pretend(said(word), said("Infeasible"))
    assert HIGHS.solve(model).status == Status.INFEASIBLE


def test_infeasible_with_a_point_and_a_bounded_objective_is_a_wrong_answer(
    pretend: Callable[..., None],
) -> None:
    pretend(said("Infeasible"), said("Optimal", [1, 0]))
    with pytest.raises(WrongAnswer, match=r"infeasible.*finds a point"):
        HIGHS.solve(two())


def test_undefined_with_a_point_and_a_bounded_objective_stays_an_error(
    pretend: Callable[..., None],
) -> None:
    pretend(said("Undefined"), said("Optimal", [1, 0]))
    result = HIGHS.solve(two())
    assert result.status == Status.ERROR
    assert not result.has_solution


def test_infeasible_that_cannot_be_confirmed_is_no_verdict(pretend: Callable[..., None]) -> None:
    pretend(said("Infeasible"), said("TimeLimit"))
    result = HIGHS.solve(two())
    assert result.status == Status.TIME_LIMIT
    assert "Infeasible" in result.native_status


def test_infeasible_at_the_limit_is_no_verdict(pretend: Callable[..., None]) -> None:
    pretend(said("Infeasible"))
    assert HIGHS.solve(two(), RunOptions(time_limit=0)).status == Status.TIME_LIMIT


@pytest.mark.parametrize(
    ("version", "given", "first", "second"),
    [
        ("3.0", ["cuts off"], ["cuts off"], ["cuts off", "preprocess off"]),
        ("2.10.3", [], ["preprocess off"], ["preprocess off", "preprocess sos"]),
    ],
)
def test_infeasible_of_cbc_is_asked_again_with_the_preprocessing_the_other_way(
    monkeypatch: pytest.MonkeyPatch,
    cbc_options: dict[str, str],
    version: str,
    given: list[str],
    first: list[str],
    second: list[str],
) -> None:
    """CBC 2 goes without it; the other way shows the contradiction, also of an open objective."""
    jobs: list[Job] = []

    def run(command: Sequence[str], folder: Path, **_: object) -> Finished:
        jobs.append(pickle.loads((folder / JOB).read_bytes()))
        report = said("Infeasible") if len(jobs) == 1 else said("Optimal", [1, 0])
        (folder / REPORT).write_bytes(pickle.dumps(report))
        return Finished(0, "", overran=False)

    monkeypatch.setattr(pulp_backend, "run_process", run)
    monkeypatch.setattr(cbc_locate, "_version_at", lambda path, modified: version)
    options = RunOptions(options={**cbc_options, "options": given})
    model = two(upper=math.inf)
    with pytest.raises(WrongAnswer):
        PulpBackend("COIN_CMD").solve(model.maximize(model.x.sum()), options)
    assert [job.arguments.get("options", []) for job in jobs] == [first, second]
    assert jobs[0].model.cost.any()
    assert not jobs[1].model.cost.any()


@pytest.mark.parametrize("name", ["COIN_CMD", "PULP_CBC_CMD"])
def test_cbc_2_that_says_infeasible_and_crashes_is_understood(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Its words before the crash count, of nobody else's."""
    log = "Problem is infeasible - tightenPrimalBounds!\nPulpSolverError: Pulp: Error"
    monkeypatch.setattr(
        pulp_backend, "run_process", lambda *_, **__: Finished(1, log, overran=False)
    )
    if name not in pulp.listSolvers():
        pytest.skip("PuLP 4 has no CBC of its own")
    session = PulpSession(two(), RunOptions(), name, is_cbc_2=True)
    assert session.solve().status == Status.INFEASIBLE
    with pytest.raises(SolverFailed):
        HIGHS.solve(two())


# PuLP itself.


def test_answer_of_highs(temporary: Path) -> None:
    instance = knapsack(1)
    result = HIGHS.solve(instance.model(), RunOptions(time_limit=60))
    assert result.status == Status.OPTIMAL
    assert result.objective == instance.best
    assert result.backend == "pulp:HiGHS"
    assert result.backend_version.startswith(f"PuLP {pulp.__version__}, HiGHS ")


def test_market_split_ends_at_the_limit_without_a_point(temporary: Path) -> None:
    began = time.perf_counter()
    result = HIGHS.solve(market_split(), RunOptions(time_limit=2))
    assert time.perf_counter() - began < 4
    assert result.status == Status.TIME_LIMIT
    assert not result.has_solution
    assert result.objective is None


def test_limit_with_a_point_is_not_optimal(temporary: Path) -> None:
    model = knapsack(30, items=120, dimensions=5).model()
    result = HIGHS.solve(model, RunOptions(time_limit=2))
    assert result.status == Status.TIME_LIMIT
    assert result.has_solution
    assert result.bound is None or result.objective is None or result.bound >= result.objective


def test_cbc_with_blanks_in_the_folder(temporary: Path, cbc_options: dict[str, str]) -> None:
    """PuLP splits its command line at blanks (pulp#811), so that this needs our folder."""
    instance = knapsack(2)
    result = PulpBackend("COIN_CMD").solve(instance.model(), RunOptions(options=cbc_options))
    assert result.status == Status.OPTIMAL
    assert result.objective == instance.best
    assert ", CBC " in result.backend_version


def test_issue_662_is_optimal_whatever_cbc_it_is(cbc_options: dict[str, str]) -> None:
    """PuLP 3 writes 16200 as 1.62e+04, which the preprocessing of CBC 2.10 stumbles over."""
    result = PulpBackend("COIN_CMD").solve(reported_infeasible(1), RunOptions(options=cbc_options))
    assert result.status == Status.OPTIMAL
    assert result.objective == 0.0


def test_unbounded_integer_program_of_highs() -> None:
    """PuLP 3 calls it infeasible, PuLP 4 undefined."""
    model = columns(2)
    model = model.add(row(model.x, [1.0, -1.0], 1.0, 1.0), name="ray").maximize(model.x.sum())
    assert HIGHS.solve(model).status == Status.INFEASIBLE_OR_UNBOUNDED


def test_log_reaches_the_logger_and_nothing_else(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.INFO, logger="hidato_opt.solver"):
        HIGHS.solve(two(), RunOptions(log=True))
        loud = list(caplog.messages)
        caplog.clear()
        HIGHS.solve(two())
    assert any("Running HiGHS" in message for message in loud)
    assert caplog.messages == []
    assert capfd.readouterr() == ("", "")


def start_of(size: int) -> PartialPoint:
    return PartialPoint(np.arange(size), np.zeros(size))


def test_complete_start_through_cbc(cbc_options: dict[str, str]) -> None:
    instance = knapsack(40, items=24, dimensions=2)
    backend, options = PulpBackend("COIN_CMD"), RunOptions(options=cbc_options)
    result = backend.solve(instance.model(), options, start=instance.greedy())
    assert result.warm_start == WarmStartFate.ACCEPTED
    assert result.objective == instance.best


def test_partial_start_is_not_sent_as_zeros(cbc_options: dict[str, str]) -> None:
    instance = knapsack(40, items=24, dimensions=2)
    backend, options = PulpBackend("COIN_CMD"), RunOptions(options=cbc_options)
    result = backend.solve(instance.model(), options, start=start_of(5))
    assert result.warm_start == WarmStartFate.NOT_TRIED
    assert "zeros" in result.warm_start_reason
    assert result.objective == instance.best


def test_start_that_pulp_cannot_pass_on_is_not_tried() -> None:
    result = HIGHS.solve(knapsack(40, items=24, dimensions=2).model(), start=start_of(24))
    if IS_3:
        assert result.warm_start == WarmStartFate.NOT_TRIED
        assert "takes no start" in result.warm_start_reason
    else:
        assert result.warm_start == WarmStartFate.ACCEPTED


# When the process fails.


def solve_with_worker(
    monkeypatch: pytest.MonkeyPatch, code: str, options: RunOptions | None = None
) -> RawResult:
    monkeypatch.setattr(pulp_backend, "_WORKER", code)
    return HIGHS.solve(two(), options)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("print('so far', flush=True); import os; os.abort()", "was killed by signal SIGABRT"),
        ("print('so far'); raise SystemExit(7)", "ended with exit code 7"),
        ("print('so far')", "ended without a report"),
        ("raise ValueError('so far')", "ended with exit code 1"),
    ],
)
def test_crash_is_told_with_the_last_lines_of_the_log(
    monkeypatch: pytest.MonkeyPatch, temporary: Path, code: str, message: str
) -> None:
    with pytest.raises(SolverFailed, match=rf"(?s){message}.*last lines of its log:.*so far"):
        solve_with_worker(monkeypatch, code)


def test_process_that_hangs_is_killed(monkeypatch: pytest.MonkeyPatch, temporary: Path) -> None:
    monkeypatch.setattr(process, "PATIENCE", 0.5)
    began = time.perf_counter()
    result = solve_with_worker(
        monkeypatch, "import time; time.sleep(600)", RunOptions(time_limit=0.2)
    )
    assert time.perf_counter() - began < 3.2
    assert result.status == Status.TIME_LIMIT
    assert "did not stop" in result.native_status
