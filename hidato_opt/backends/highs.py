"""HiGHS through highspy: the arrays of a `Model` go in as they are.

The run is in a thread of its own (highspy lets go of the interpreter lock), so
that Ctrl-C and our own clock stop it; HiGHS by itself ignores the first and
may overrun the second.
"""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from typing import Any

import numpy as np

from hidato_opt.backends.base import Availability, Backend, RawResult, Session
from hidato_opt.backends.highs_api import (
    highspy_version,
    import_highspy,
    new_highs,
    pass_model,
    set_options,
)
from hidato_opt.backends.threads import SolverThread
from hidato_opt.core.errors import BackendUnavailable, SolveInterrupted, SolverFailed
from hidato_opt.core.options import RunOptions
from hidato_opt.core.status import Status, WarmStartFate
from hidato_opt.modelling.expressions import FloatArray
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.points import PartialPoint, checked_values
from hidato_opt.modelling.rows import RowBlock

STATUSES: dict[str, Status] = {
    "kOptimal": Status.OPTIMAL,
    "kModelEmpty": Status.OPTIMAL,
    "kInfeasible": Status.INFEASIBLE,
    "kUnbounded": Status.UNBOUNDED,
    "kUnboundedOrInfeasible": Status.INFEASIBLE_OR_UNBOUNDED,
    "kObjectiveBound": Status.GAP_LIMIT,
    "kObjectiveTarget": Status.GAP_LIMIT,
    "kTimeLimit": Status.TIME_LIMIT,
    "kIterationLimit": Status.NODE_LIMIT,
    "kSolutionLimit": Status.SOLUTION_LIMIT,
    "kMemoryLimit": Status.MEMORY_LIMIT,
    "kInterrupt": Status.INTERRUPTED,
    "kHighsInterrupt": Status.INTERRUPTED,
    "kUnknown": Status.ERROR,
    "kNotset": Status.ERROR,
    "kLoadError": Status.ERROR,
    "kModelError": Status.ERROR,
    "kPresolveError": Status.ERROR,
    "kSolveError": Status.ERROR,
    "kPostsolveError": Status.ERROR,
}
"""Our status for each ``HighsModelStatus``."""

_WITHOUT_POINT = (
    Status.ERROR,
    Status.INFEASIBLE,
    Status.INFEASIBLE_OR_UNBOUNDED,
    Status.UNBOUNDED,
)
_START_ACCEPTED = "MIP start solution is feasible"
_START_REJECTED = "cannot yield feasible solution"
_log = logging.getLogger("hidato_opt.solver")


class HighsBackend(Backend):
    """HiGHS: linear and mixed-integer models, warm starts, rows added between runs.

    Examples
    --------
    >>> from hidato_opt.modelling.constraints import exactly_one
    >>> from hidato_opt.modelling.index import IndexSet
    >>> from hidato_opt.modelling.builder import ModelBuilder
    >>> builder = ModelBuilder("pick one")
    >>> x = builder.add_variables("x", IndexSet.range("K", 1, 3), "binary")
    >>> builder.add_rows("one", exactly_one(x, by=()))
    >>> model = builder.build().maximize(x.dot([1, 5, 2]))
    >>> result = HighsBackend().solve(model)
    >>> result.status.value, result.objective, result.values.tolist()
    ('optimal', 5.0, [0.0, 1.0, 0.0])
    """

    name = "highs"

    def availability(self) -> Availability:
        """Say whether highspy is there, and which release."""
        try:
            highspy = import_highspy()
        except BackendUnavailable as error:
            return Availability(self.name, usable=False, problem=str(error))
        return Availability(
            self.name, usable=True, version=highspy_version(highspy), path=str(highspy.__file__)
        )

    def session(self, model: Model, options: RunOptions | None = None) -> HighsSession:
        """Hand a model to HiGHS; see `Backend.session`."""
        return HighsSession(model, options or RunOptions())


class HighsSession(Session):
    """A model inside HiGHS, which keeps it between runs; only new rows travel."""

    def __init__(self, model: Model, options: RunOptions) -> None:
        super().__init__(model, options)
        self._highspy = import_highspy()
        self._highs = new_highs()
        self._stop_asked = False
        self._abandoned = False
        self._lines: list[str] = []
        self._incumbent: FloatArray | None = None
        set_options(self._highs, options)
        pass_model(self._highs, model)
        self._subscribe()

    def close(self) -> None:
        """Free the model that HiGHS holds."""
        if not self._abandoned:
            # dropped in a cycle with its callbacks, a session finds highspy's side gone
            with suppress(ReferenceError):
                self._highs.clearCallbacks()
            self._highs.clear()

    def _rows_added(self, block: RowBlock) -> None:
        status = self._highs.addRows(
            len(block),
            block.lower,
            block.upper,
            block.nonzeros,
            block.starts[:-1].astype(np.int32),
            block.columns.astype(np.int32),
            block.coefficients,
        )
        if status != self._highspy.HighsStatus.kOk:
            raise SolverFailed("HiGHS refused the added rows", "".join(self._lines))

    def _run(self, start: PartialPoint | None, time_limit: float | None) -> RawResult:
        if self._abandoned:
            raise SolverFailed("HiGHS did not stop at the limit of an earlier run; start afresh")
        began = time.perf_counter()
        self._lines.clear()
        self._incumbent = None
        self._stop_asked = False
        limit = self._highspy.kHighsInf if time_limit is None else float(time_limit)
        self._highs.setOptionValue("time_limit", limit)
        if start is not None:
            # the last act before the run: any later change of the model drops it silently
            self._highs.setSolution(len(start.columns), start.columns, start.values)
        thread = SolverThread("HiGHS", self._highs.run, self._ask_to_stop)
        try:
            self._abandoned = not thread.wait(time_limit)
        except KeyboardInterrupt:
            self._abandoned = thread.is_running
            seconds = time.perf_counter() - began
            result = self._stopped_result(Status.INTERRUPTED, seconds, start)
            raise SolveInterrupted(result=result) from None
        seconds = time.perf_counter() - began
        if self._abandoned:
            return self._stopped_result(Status.TIME_LIMIT, seconds, start)
        return self._read(seconds, start)

    def _read(self, seconds: float, start: PartialPoint | None) -> RawResult:
        highs, highspy = self._highs, self._highspy
        began = time.perf_counter()
        native = highs.getModelStatus().name
        if native == "kNotset":
            raise SolverFailed("HiGHS returned without a status", "".join(self._lines))
        info = highs.getInfo()
        solution = highs.getSolution()
        is_mip = bool(self.model.integer.any())
        status = self._status(native, info)
        point: FloatArray | None = None
        if native == "kModelEmpty":
            point = self._empty_point()
            status = Status.INFEASIBLE if point is None else Status.OPTIMAL
        elif (
            status not in _WITHOUT_POINT
            and solution.value_valid
            and info.primal_solution_status == highspy.kSolutionStatusFeasible
        ):
            point = checked_values(self.model, solution.col_value, f"HiGHS ({native})")
        objective = None if point is None else self.model.objective_value(point)
        bound = _finite(info.mip_dual_bound) if is_mip else None
        if status is Status.OPTIMAL and not is_mip:
            bound = objective
        duals = solution.dual_valid and not is_mip
        return RawResult(
            status=status,
            native_status=native,
            backend=HighsBackend.name,
            backend_version=highspy_version(highspy),
            objective=objective,
            bound=bound,
            nodes=max(0, info.mip_node_count) if is_mip else None,
            seconds={"solve": seconds, "read": time.perf_counter() - began},
            **self._fate(start),
            row_duals=np.array(solution.row_dual) if duals else None,
            reduced_costs=np.array(solution.col_dual) if duals else None,
            point=point,
        )

    def _status(self, native: str, info: Any) -> Status:
        status = STATUSES[native]
        node_limit = self.options.options.get("mip_max_nodes")
        if status is Status.SOLUTION_LIMIT and node_limit is not None:
            reached = info.mip_node_count >= node_limit
            return Status.NODE_LIMIT if reached else status
        if status is Status.INTERRUPTED and self._stop_asked:
            return Status.TIME_LIMIT
        if status is Status.OPTIMAL and self.options.gap > 0 and self.model.integer.any():
            distance = abs(info.objective_function_value - info.mip_dual_bound)
            if distance > 1e-9 * max(1.0, abs(info.objective_function_value)):
                return Status.GAP_LIMIT
        return status

    def _stopped_result(
        self, status: Status, seconds: float, start: PartialPoint | None
    ) -> RawResult:
        """Report a run that was left to itself, or interrupted, by what it told on the way."""
        point = self._incumbent
        if point is not None:
            point = checked_values(self.model, point, "HiGHS (incumbent)")
        return RawResult(
            status=status,
            native_status="stopped from outside",
            backend=HighsBackend.name,
            backend_version=highspy_version(self._highspy),
            objective=None if point is None else self.model.objective_value(point),
            seconds={"solve": seconds},
            **self._fate(start),
            point=point,
        )

    def _fate(self, start: PartialPoint | None) -> dict[str, Any]:
        """Read from the log what became of the MIP start."""
        if start is None:
            return {}
        for line in self._lines:
            if _START_REJECTED in line:
                return _fate(WarmStartFate.REJECTED, line)
            if _START_ACCEPTED in line:
                complete = start.is_complete(self.model)
                fate = WarmStartFate.ACCEPTED if complete else WarmStartFate.REPAIRED
                return _fate(fate, line)
        return _fate(WarmStartFate.NOT_TRIED, "HiGHS ended without a word on the start")

    def _empty_point(self) -> FloatArray | None:
        """Return the point of a model without columns, unless a row forbids it."""
        empty = (self.model.row_lower <= 0) & (self.model.row_upper >= 0)
        return np.empty(0) if empty.all() else None

    def _subscribe(self) -> None:
        highs = self._highs
        highs.cbLogging += self._take_log
        highs.cbMipImprovingSolution += self._take_incumbent
        for interrupt in (highs.cbMipInterrupt, highs.cbSimplexInterrupt, highs.cbIpmInterrupt):
            interrupt += self._interrupt

    def _take_log(self, event: Any) -> None:
        self._lines.append(event.message)
        if self.options.log:
            for line in event.message.splitlines():
                _log.info("%s", line)

    def _take_incumbent(self, event: Any) -> None:
        self._incumbent = np.array(event.data_out.mip_solution, dtype=np.float64)

    def _interrupt(self, event: Any) -> None:
        if self._stop_asked:
            event.interrupt()

    def _ask_to_stop(self) -> None:
        self._stop_asked = True


def _fate(fate: WarmStartFate, reason: str) -> dict[str, Any]:
    return {"warm_start": fate, "warm_start_reason": reason.strip()}


def _finite(number: float) -> float | None:
    return float(number) if np.isfinite(number) else None
