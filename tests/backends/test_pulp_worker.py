"""The process in which PuLP runs, without the process: how both majors of PuLP are read."""

from __future__ import annotations

import pickle
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from conformance.models import columns, knapsack

from hidato_opt.backends.pulp_worker import JOB, REPORT, Job, _report, main, run_job
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.points import PartialPoint


def job(model: Model, limit: float | None = None, start: PartialPoint | None = None) -> Job:
    return Job(model, "HiGHS", {"msg": False, "threads": 1}, start, limit, time.time())


@pytest.mark.parametrize(
    ("status", "sol_status", "word", "has_solution"),
    [
        (1, 1, "Optimal", True),
        # a limit, with a point: PuLP 3 calls it optimal all the same
        (1, 2, "Stopped", True),
        (0, 0, "NotSolved", False),
        (0, -1, "NotSolved", False),
        (-1, -1, "Infeasible", False),
        (-2, -2, "Unbounded", False),
        (-3, -1, "Undefined", False),
    ],
)
def test_words_of_pulp_3(status: int, sol_status: int, word: str, has_solution: bool) -> None:
    problem = SimpleNamespace(sol_status=sol_status)
    report = _report(problem, status, np.zeros(1), at_limit=False)
    assert (report.status, report.has_solution) == (word, has_solution)
    assert report.bound is None


def test_words_of_pulp_4() -> None:
    stats = SimpleNamespace(status_str="NodeLimit", has_solution=True, best_bound=3.5, nodes=7)
    report = _report(None, stats, np.zeros(1), at_limit=True)
    assert (report.status, report.has_solution) == ("NodeLimit", True)
    assert (report.bound, report.nodes, report.at_limit) == (3.5, 7, True)


def test_optimum_with_values_in_the_order_of_the_columns() -> None:
    """PuLP 3 sorts its variables by name, where x_10 comes before x_2."""
    model = columns(11, upper=20.0)
    model = model.add([model.x[place] == place for place in range(1, 12)], name="fixed")
    report = run_job(job(model))
    assert report.status == "Optimal"
    assert report.has_solution
    assert report.values.tolist() == list(range(1, 12))
    assert not report.at_limit


def test_infeasible() -> None:
    model = columns(2, upper=5.0)
    report = run_job(job(model.add(2 * model.x[1] + 2 * model.x[2] == 3, name="odd")))
    assert report.status == "Infeasible"
    assert not report.has_solution


def test_time_that_is_gone_leaves_a_solver_no_more_than_a_moment() -> None:
    model = knapsack(30, items=120, dimensions=5).model()
    late = Job(model, "HiGHS", {"msg": False, "threads": 1}, None, 5.0, time.time() - 60)
    began = time.perf_counter()
    report = run_job(late)
    assert report.at_limit
    assert report.status != "Optimal"
    assert time.perf_counter() - began < 3


def test_start_is_set_within_the_bounds() -> None:
    """PuLP refuses a value beyond a bound, be it by a rounding error."""
    model = columns(2, upper=3.0).maximize(0)
    start = PartialPoint(np.arange(2), np.array([3.0 + 1e-9, -1e-9]))
    assert run_job(job(model, start=start)).has_solution


def test_main_reads_the_job_and_writes_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    instance = knapsack(3)
    Path(JOB).write_bytes(pickle.dumps(job(instance.model(), limit=60.0)))
    main()
    report = pickle.loads(Path(REPORT).read_bytes())
    assert float(np.array(instance.values) @ np.rint(report.values)) == instance.best
