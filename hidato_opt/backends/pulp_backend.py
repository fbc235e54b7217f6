"""Any solver that PuLP finds, as ``pulp:NAME``.

PuLP's solvers disagree on time limits, Ctrl-C, temporary files and even on
what "Optimal" means, so each solve happens in a Python of its own: that one is
watched, interrupted and cleaned up after like any executable, and what it says
is taken for no more than it is worth.  This costs the start of a Python, about
half a second; `highs` and `cbc` have no such cost.
"""

from __future__ import annotations

import dataclasses
import pickle
import re
import shutil
import sys
import time
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from hidato_opt.backends.base import Availability, Backend, RawResult, Session
from hidato_opt.backends.cbc_files import INFEASIBLE_CRASH
from hidato_opt.backends.cbc_locate import Executable, banner_version
from hidato_opt.backends.process import (
    SOLVER_LOG,
    ProcessInterrupted,
    run_folder,
    run_process,
)
from hidato_opt.backends.pulp_solvers import (
    CBC_COMMANDS,
    check_options,
    constructor_arguments,
    solver_path,
    takes_start,
)
from hidato_opt.backends.pulp_worker import JOB, REPORT, Job, Report
from hidato_opt.core.clock import Deadline, Stopwatch
from hidato_opt.core.errors import (
    HidatoOptError,
    SolveInterrupted,
    SolverFailed,
    WrongAnswer,
)
from hidato_opt.core.options import RunOptions
from hidato_opt.core.status import Status, WarmStartFate
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.points import PartialPoint, checked_values
from hidato_opt.modelling.rows import RowBlock

_STATUSES = {
    "Optimal": Status.OPTIMAL,
    "Infeasible": Status.INFEASIBLE,
    "Unbounded": Status.UNBOUNDED,
    "TimeLimit": Status.TIME_LIMIT,
    "MemoryLimit": Status.MEMORY_LIMIT,
    "NodeLimit": Status.NODE_LIMIT,
    "GapLimit": Status.GAP_LIMIT,
    "SolutionLimit": Status.SOLUTION_LIMIT,
    "Interrupted": Status.INTERRUPTED,
}
"""PuLP's words for why a solver stopped; any other says no more than that something went wrong."""

_CBC_LIBRARIES = ("COINMP_DLL", "CyLP", "YAPOSIB")
"""CBC where it cannot be asked again without preprocessing: its "infeasible" is no proof."""

_PARTIAL_STARTS = ("HiGHS",)
"""Solvers to which PuLP sends a partial start as it is; to others it sends zeros for the rest."""

_FATES = {
    "MIPStart provided solution": WarmStartFate.ACCEPTED,
    "MIP start solution is feasible": WarmStartFate.ACCEPTED,
    "mipstart values could not be used": WarmStartFate.REJECTED,
    "cannot yield feasible solution": WarmStartFate.REJECTED,
}
"""What CBC and HiGHS say of a start."""

_INFINITE = 1e30
_HIGHS_VERSION = re.compile(r"^Running HiGHS (\S+)", re.MULTILINE)
_WORKER = (
    "import sys; sys.path[:] = sys.argv[1:]; "
    "from hidato_opt.backends.pulp_worker import main; main()"
)


class PulpBackend(Backend):
    """A solver by PuLP's name for it.

    Parameters
    ----------
    solver : str
        One of ``pulp.listSolvers()``.
    """

    name: ClassVar[str] = "pulp"

    def __init__(self, solver: str) -> None:
        self.solver = solver
        # The one backend that is several: its name is known with the instance only.
        self.name = f"pulp:{solver}"  # type: ignore[misc]

    def availability(self) -> Availability:
        """Ask PuLP whether it can run the solver."""
        import pulp

        try:
            path = solver_path(self.solver, {})
        except HidatoOptError as error:
            return Availability(self.name, usable=False, problem=str(error))
        return Availability(self.name, True, f"PuLP {pulp.__version__}", path)

    def session(self, model: Model, options: RunOptions | None = None) -> PulpSession:
        """Take a model; PuLP and the solver are started by each solve.

        Options are the arguments of the solver's constructor in PuLP, but for
        those that the run options stand for.
        """
        options = options or RunOptions()
        check_options(self.solver, options.options)
        path = solver_path(self.solver, options.options)
        is_cbc_2 = False
        if self.solver in CBC_COMMANDS:
            is_cbc_2 = Executable.checked(shutil.which(path) or path, "PuLP").is_unreliable
        return PulpSession(model, options, self.solver, is_cbc_2=is_cbc_2)


class PulpSession(Session):
    """A model for PuLP; every solve builds PuLP's problem anew."""

    def __init__(self, model: Model, options: RunOptions, solver: str, *, is_cbc_2: bool) -> None:
        super().__init__(model, options)
        self._solver = solver
        self._takes_start = takes_start(solver)
        self._arguments = constructor_arguments(solver, options)
        if is_cbc_2:
            # Its preprocessing loses points, see `hidato_opt.backends.cbc`.
            self._arguments = _with_preprocess(self._arguments, "off")

    def close(self) -> None:
        """Do nothing: there is nothing to free."""

    def _rows_added(self, block: RowBlock) -> None:
        pass

    def _run(self, start: PartialPoint | None, time_limit: float | None) -> RawResult:
        deadline = Deadline(time_limit)
        watch = Stopwatch()
        is_full = start is not None and len(start.columns) == self.model.num_columns
        fits = is_full or self._solver in _PARTIAL_STARTS
        sent = start if fits and self._takes_start else None
        result = self._ask(self.model, self._arguments, sent, deadline, watch)
        if result.status is Status.INFEASIBLE or result.native_status == "Undefined":
            result = self._settled(result, deadline, watch)
        if start is not None and sent is None:
            reason = (
                "PuLP would send zeros for the open values"
                if self._takes_start
                else f"PuLP's {self._solver} takes no start"
            )
            result = dataclasses.replace(
                result, warm_start=WarmStartFate.NOT_TRIED, warm_start_reason=reason
            )
        seconds = watch.seconds()
        del seconds["total"]
        return dataclasses.replace(result, seconds=seconds)

    def _ask(
        self,
        model: Model,
        arguments: dict[str, Any],
        start: PartialPoint | None,
        deadline: Deadline,
        watch: Stopwatch,
    ) -> RawResult:
        """Solve a model in a process of its own."""
        with run_folder() as folder:
            left = deadline.remaining()
            with watch.stage("export"):
                if start is not None:
                    arguments = {**arguments, "warmStart": True}
                job = Job(model, self._solver, arguments, start, left, time.time())
                (folder / JOB).write_bytes(pickle.dumps(job))
            try:
                with watch.stage("solve"):
                    finished = run_process(
                        [sys.executable, "-c", _WORKER, *sys.path],
                        folder,
                        limit=left,
                        # PuLP splits its command lines at blanks: no folder but this one.
                        environment=dict.fromkeys(("TMPDIR", "TMP", "TEMP"), "."),
                        on_line=SOLVER_LOG.info if self.options.log else None,
                    )
            except ProcessInterrupted as interrupt:
                stopped = self._stopped(Status.INTERRUPTED, "interrupted", interrupt.log)
                raise SolveInterrupted(f"pulp:{self._solver} was interrupted", stopped) from None
            with watch.stage("read"):
                if finished.overran:
                    native = "did not stop at its time limit and was stopped"
                    SOLVER_LOG.info("pulp:%s %s", self._solver, native)
                    return self._stopped(Status.TIME_LIMIT, native, finished.log)
                if finished.exit_code != 0:
                    if self._solver in CBC_COMMANDS and INFEASIBLE_CRASH in finished.log:
                        return self._stopped(Status.INFEASIBLE, INFEASIBLE_CRASH, finished.log)
                    raise SolverFailed(f"pulp:{self._solver} {finished.ending}", finished.log)
                report = _read_report(folder / REPORT, finished.log)
                return self._result(model, report, start, finished.log)

    def _settled(self, first: RawResult, deadline: Deadline, watch: Stopwatch) -> RawResult:
        """Ask whether there is a point at all, where "infeasible" may not mean that.

        PuLP 3 says "Infeasible" of what HiGHS leaves open as "unbounded or
        infeasible", PuLP 4 says "Undefined"; and CBC's verdicts need a second
        asking with the preprocessing the other way.
        """
        claims_infeasible = first.status is Status.INFEASIBLE
        if claims_infeasible and self._solver in _CBC_LIBRARIES:
            doubt = f"{first.native_status}, which cannot be confirmed through PuLP"
            return dataclasses.replace(first, status=Status.ERROR, native_status=doubt)
        is_cbc = self._solver in CBC_COMMANDS
        if claims_infeasible and not is_cbc and not self.model.cost.any():
            return first
        if deadline.expired:
            doubt = f"{first.native_status}; no time was left to confirm it"
            return dataclasses.replace(first, status=Status.TIME_LIMIT, native_status=doubt)
        arguments = self._arguments
        if is_cbc:
            is_off = "preprocess off" in arguments.get("options", ())
            arguments = _with_preprocess(arguments, "sos" if is_off else "off")
        without_objective = dataclasses.replace(
            self.model, cost=np.zeros(self.model.num_columns), offset=0.0
        )
        second = self._ask(without_objective, arguments, None, deadline, watch)
        native = f"{first.native_status}; asked again without objective: {second.native_status}"
        if second.status is Status.INFEASIBLE:
            return dataclasses.replace(first, status=Status.INFEASIBLE)
        if not second.has_solution:
            return dataclasses.replace(first, status=second.status, native_status=native)
        if not is_cbc and _can_be_unbounded(self.model):
            return dataclasses.replace(
                first, status=Status.INFEASIBLE_OR_UNBOUNDED, native_status=native
            )
        if not claims_infeasible:
            return dataclasses.replace(first, native_status=native)
        raise WrongAnswer(
            f"pulp:{self._solver} ({first.backend_version})",
            "it calls the model infeasible, but asked again without objective it finds a point; "
            "use the backend highs",
        )

    def _result(
        self, model: Model, report: Report, start: PartialPoint | None, log: str
    ) -> RawResult:
        version = _version(report.version, log)
        point = objective = None
        # What a solver of linear programs leaves behind at a limit is not feasible in general.
        if report.has_solution and (report.status == "Optimal" or model.integer.any()):
            values = np.where(
                np.isnan(report.values), np.clip(0.0, model.lower, model.upper), report.values
            )
            point = checked_values(model, values, f"pulp:{self._solver} ({version})")
            objective = model.objective_value(point)
        status = self._judged(model, report, objective)
        fate, reason = (None, "") if start is None else _fate(model, start, log)
        return RawResult(
            status,
            report.status,
            f"pulp:{self._solver}",
            version,
            objective=objective,
            bound=objective if status is Status.OPTIMAL else self._bound(report, status),
            nodes=report.nodes,
            warm_start=fate,
            warm_start_reason=reason,
            point=point,
        )

    def _judged(self, model: Model, report: Report, objective: float | None) -> Status:
        """Take PuLP's word for no more than it is worth."""
        status = _STATUSES.get(report.status, Status.ERROR)
        if objective is None:
            if status in (Status.OPTIMAL, Status.ERROR) and report.at_limit:
                return Status.TIME_LIMIT
            if status is Status.UNBOUNDED and model.integer.any():
                return Status.INFEASIBLE_OR_UNBOUNDED
            return Status.ERROR if status is Status.OPTIMAL else status
        if not model.cost.any():
            return Status.OPTIMAL
        if status in (Status.OPTIMAL, Status.ERROR) and report.at_limit:
            return Status.TIME_LIMIT
        if status is Status.OPTIMAL and self.options.gap:
            bound = np.inf if report.bound is None else report.bound
            closed = abs(objective - bound) <= 1e-9 * max(1.0, abs(objective))
            return Status.OPTIMAL if closed else Status.GAP_LIMIT
        return Status.FEASIBLE if status is Status.ERROR else status

    def _bound(self, report: Report, status: Status) -> float | None:
        """Return the bound that PuLP tells of, where there is one to be believed."""
        without = (Status.INFEASIBLE, Status.UNBOUNDED, Status.INFEASIBLE_OR_UNBOUNDED)
        # PuLP reads CBC's off the log, where it is wrong before the first node is done.
        if report.bound is None or status in without or self._solver in CBC_COMMANDS:
            return None
        return report.bound if abs(report.bound) < _INFINITE else None

    def _stopped(self, status: Status, native: str, log: str) -> RawResult:
        import pulp

        return RawResult(status, native, f"pulp:{self._solver}", _version(pulp.__version__, log))


def _with_preprocess(arguments: dict[str, Any], value: str) -> dict[str, Any]:
    """Return the arguments of a CBC with one more option, which counts for more than the others."""
    given = arguments.get("options") or []
    return {**arguments, "options": [*given, f"preprocess {value}"]}


def _read_report(path: Path, log: str) -> Report:
    try:
        report: Report = pickle.loads(path.read_bytes())
    except OSError as error:
        raise SolverFailed("PuLP ended without a report", log) from error
    return report


def _fate(model: Model, start: PartialPoint, log: str) -> tuple[WarmStartFate, str]:
    for line in log.splitlines():
        for words, fate in _FATES.items():
            if words in line:
                completed = fate is WarmStartFate.ACCEPTED and not start.is_complete(model)
                return WarmStartFate.REPAIRED if completed else fate, line.strip()
    return WarmStartFate.NOT_TRIED, "sent, but nothing was said of what became of it"


def _version(pulp_version: str, log: str) -> str:
    cbc, highs = banner_version(log), _HIGHS_VERSION.search(log)
    solver = f", CBC {cbc}" if cbc else f", HiGHS {highs[1]}" if highs else ""
    return f"PuLP {pulp_version}{solver}"


def _can_be_unbounded(model: Model) -> bool:
    """Say whether the bounds of the variables alone leave the objective without a limit."""
    cost = -model.cost if model.maximise else model.cost
    downwards = (cost > 0) & np.isneginf(model.lower)
    upwards = (cost < 0) & np.isposinf(model.upper)
    return bool((downwards | upwards).any())
