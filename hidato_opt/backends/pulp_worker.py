"""One solve through PuLP, in a process of its own.

The process is started by `PulpBackend` in the folder of the run; it reads
`JOB` and writes `REPORT`.  What the solver prints is the log.
"""

from __future__ import annotations

import pickle
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from hidato_opt.backends.pulp_model import problem_and_variables
from hidato_opt.modelling.expressions import FloatArray
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.points import PartialPoint

JOB, REPORT = "job.pickle", "report.pickle"
_LEAST_SECONDS = 0.01
_NEARLY = 0.99
"""Fraction of its time limit after which a solver may have stopped because of it."""

_PULP_3 = {0: "NotSolved", 1: "Optimal", -1: "Infeasible", -2: "Unbounded", -3: "Undefined"}
"""PuLP 3's status codes in the words of PuLP 4."""
_PULP_3_OPTIMAL, _PULP_3_FEASIBLE = 1, 2
"""PuLP 3's solution status where there is a solution, proven optimal or not."""


@dataclass(frozen=True)
class Job:
    """What is to be solved, and how.

    Attributes
    ----------
    model : Model
        The model.
    solver : str
        PuLP's name of the solver.
    arguments : dict
        Keywords for its constructor.
    start : PartialPoint or None
        Values to start from.
    limit : float or None
        Seconds, counted from `launched`.
    launched : float
        ``time.time()`` when the process was started.
    """

    model: Model
    solver: str
    arguments: dict[str, Any]
    start: PartialPoint | None
    limit: float | None
    launched: float


@dataclass(frozen=True)
class Report:
    """What PuLP said.

    Attributes
    ----------
    status : str
        Why the solver stopped, in a word of PuLP 4's ``LpSolveStatus``.
    has_solution : bool
        Whether PuLP says that there is a solution.
    values : float array, one entry a column
        The values of the variables, whatever they are worth; NaN where there is none.
    at_limit : bool
        Whether the solver used all of its time.
    version : str
        Version of PuLP.
    bound : float or None
    nodes : int or None
        Where PuLP tells.
    """

    status: str
    has_solution: bool
    values: FloatArray = field(repr=False)
    at_limit: bool
    version: str
    bound: float | None = None
    nodes: int | None = None


def run_job(job: Job) -> Report:
    """Build the problem, solve it, and report what PuLP says."""
    import pulp

    problem, variables = problem_and_variables(job.model)
    if job.start is not None:
        columns = job.start.columns
        # PuLP refuses what lies outside the bounds, be it by 1e-9.
        values = np.clip(job.start.values, job.model.lower[columns], job.model.upper[columns])
        for column, value in zip(columns.tolist(), values.tolist(), strict=True):
            variables[column].setInitialValue(value)
    arguments = dict(job.arguments)
    if job.limit is not None:
        left = job.limit - (time.time() - job.launched)
        arguments["timeLimit"] = max(left, _LEAST_SECONDS)
    solver = pulp.getSolver(job.solver, **arguments)
    begin = time.perf_counter()
    stats = problem.solve(solver)
    spent = time.perf_counter() - begin
    at_limit = job.limit is not None and spent >= _NEARLY * arguments["timeLimit"]
    found = [variable.varValue for variable in variables]
    return _report(
        problem,
        stats,
        np.array([np.nan if value is None else value for value in found], dtype=np.float64),
        at_limit=at_limit,
    )


def _report(problem: Any, stats: Any, values: FloatArray, *, at_limit: bool) -> Report:
    import pulp

    version = str(pulp.__version__)
    if not isinstance(stats, int):
        return Report(
            status=stats.status_str,
            has_solution=stats.has_solution,
            values=values,
            at_limit=at_limit,
            version=version,
            bound=stats.best_bound,
            nodes=stats.nodes,
        )
    proven = problem.sol_status == _PULP_3_OPTIMAL
    # PuLP 3 says "Optimal" of a solution that a limit has left unproven.
    status = "Stopped" if problem.sol_status == _PULP_3_FEASIBLE else _PULP_3[stats]
    has_solution = proven or problem.sol_status == _PULP_3_FEASIBLE
    return Report(status, has_solution, values, at_limit, version)


def main() -> None:
    """Do the job in the current folder."""
    job = pickle.loads(Path(JOB).read_bytes())
    Path(REPORT).write_bytes(pickle.dumps(run_job(job)))
