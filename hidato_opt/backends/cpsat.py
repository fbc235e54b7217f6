"""CP-SAT of OR-Tools: whole-number models, as an optional extra.

A second opinion on every 0-1 and integer model, and often the fastest one on
puzzles.  It takes no real-valued variables and needs bounds on the others.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from hidato_opt.backends import cpsat_model
from hidato_opt.backends.base import Availability, Backend, RawResult, Session
from hidato_opt.backends.cpsat_run import CpSatRun
from hidato_opt.backends.threads import SolverThread
from hidato_opt.core.clock import Deadline, Stopwatch
from hidato_opt.core.errors import (
    BackendUnavailable,
    InvalidOption,
    SolveInterrupted,
    SolverFailed,
    UnknownOption,
)
from hidato_opt.core.options import RunOptions
from hidato_opt.core.status import Status
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.points import PartialPoint, checked_values
from hidato_opt.modelling.rows import RowBlock

INSTALL_LINE = 'pip install "hidato_opt[cpsat]"'
OLDEST_VERSION = (9, 15)
"""Earlier releases have other protocol buffers, and before 9.12 presolve loses hints."""

CONFLICTS_FOR_START = 500
"""What completing a partial start may cost; the default of 10 loses many on Hidato boards."""

_OF_RUN_OPTIONS = {
    "catch_sigint_signal": "Ctrl-C, which is taken care of",
    "log_search_progress": "log=True",
    "log_to_stdout": "log=True",
    "max_time_in_seconds": "time_limit",
    "num_search_workers": "threads",
    "num_workers": "threads",
    "random_seed": "seed",
    "relative_gap_limit": "gap",
}
"""Fields of ``SatParameters`` that a run option of ours sets."""


class CpSatBackend(Backend):
    """CP-SAT, through the Python package ortools.

    The solver's own options are the fields of ``SatParameters``, by their
    names, except those that the run options set.

    Examples
    --------
    >>> CpSatBackend().name
    'cpsat'
    """

    name: ClassVar[str] = "cpsat"

    def availability(self) -> Availability:
        """Say whether ortools can be imported, and which version it is."""
        try:
            module, version = _ortools()
        except BackendUnavailable as error:
            return Availability(self.name, usable=False, problem=str(error))
        return Availability(self.name, True, version, str(Path(module.__file__).parents[2]))

    def session(self, model: Model, options: RunOptions | None = None) -> CpSatSession:
        """Put a model into CP-SAT."""
        return CpSatSession(model, options or RunOptions())


class CpSatSession(Session):
    """A ``CpModel`` that grows by rows; every run searches it from the start.

    CP-SAT keeps nothing between two runs, so a start must be given anew.
    """

    def __init__(self, model: Model, options: RunOptions) -> None:
        super().__init__(model, options)
        self._module, self._version = _ortools()
        self._stage = f"CP-SAT {self._version}"
        self._parameters = _parameters(options.options)
        self._program: Any = None
        self._export_seconds = 0.0
        self._load()

    def close(self) -> None:
        """Drop the ``CpModel``."""
        self._program = None

    def _load(self) -> None:
        watch = Stopwatch()
        self._program = self._module.CpModel()
        cpsat_model.fill(self._program, self.model)
        self._export_seconds += watch.seconds()["total"]

    def _rows_added(self, block: RowBlock) -> None:
        watch = Stopwatch()
        cpsat_model.append_rows(self._program, self.model, self.model.num_rows - len(block))
        self._export_seconds += watch.seconds()["total"]

    def _run(self, start: PartialPoint | None, time_limit: float | None) -> RawResult:
        deadline = Deadline(time_limit)
        watch = Stopwatch()
        with watch.stage("export"):
            if start is None:
                self._program.clear_hints()
            else:
                cpsat_model.set_hint(self._program, start.columns, start.values)
            solver = self._solver(deadline.remaining(), start)
        run = CpSatRun(self._module, solver, self._program, echo=self.options.log)
        try:
            with watch.stage("solve"):
                thread = SolverThread("CP-SAT", run.search, solver.stop_search)
                thread.wait(deadline.remaining())
        except KeyboardInterrupt:
            result = self._result(run, start, watch, Status.INTERRUPTED)
            raise SolveInterrupted(result=result) from None
        finally:
            if run.response is None:
                self._load()  # a search that did not stop still reads the old one
        return self._result(run, start, watch, self._status(run, deadline, time_limit))

    def _solver(self, seconds: float | None, start: PartialPoint | None) -> Any:
        solver = self._module.CpSolver()
        parameters = solver.parameters
        parameters.num_workers = self.options.threads
        parameters.random_seed = self.options.seed
        parameters.relative_gap_limit = self.options.gap
        parameters.absolute_gap_limit = 0.0
        parameters.catch_sigint_signal = False
        if start is not None and not start.is_complete(self.model):
            parameters.hint_conflict_limit = CONFLICTS_FOR_START
        if seconds is not None:
            parameters.max_time_in_seconds = seconds
        if not parameters.merge_text_format(self._parameters):
            raise SolverFailed(f"CP-SAT does not read its own options: {self._parameters}")
        parameters.log_search_progress = self.options.log or start is not None
        parameters.log_to_stdout = False
        return solver

    def _status(self, run: CpSatRun, deadline: Deadline, time_limit: float | None) -> Status:
        response = run.response
        if response is None:
            return Status.TIME_LIMIT
        word = response.status.name
        if word == "MODEL_INVALID":
            raise InvalidOption(f"CP-SAT refuses an option: {response.solution_info}")
        if word == "INFEASIBLE":
            return Status.INFEASIBLE
        if word == "OPTIMAL":
            bound, objective = response.best_objective_bound, response.objective_value
            closed = abs(bound - objective) <= 1e-9 * max(1.0, abs(objective))
            return Status.OPTIMAL if closed else Status.GAP_LIMIT
        if deadline.expired:
            return Status.TIME_LIMIT
        return self._stopped_early(response, time_limit)

    def _stopped_early(self, response: Any, time_limit: float | None) -> Status:
        """Say why a run ended before its proof and before our clock; CP-SAT does not."""
        given = self.options.options
        found = response.status.name == "FEASIBLE"
        if response.num_conflicts >= given.get("max_number_of_conflicts", math.inf):
            return Status.NODE_LIMIT
        if found and given.get("stop_after_first_solution"):
            return Status.SOLUTION_LIMIT
        if "max_deterministic_time" in given:
            return Status.TIME_LIMIT
        # It also stops where it expects its next step, which it takes to be as long as the
        # longest so far, to outlast the limit; so at half of the limit at the earliest.
        if time_limit is not None and response.wall_time >= time_limit / 2:
            return Status.TIME_LIMIT
        if "max_memory_in_mb" in given:
            return Status.MEMORY_LIMIT
        return Status.FEASIBLE if found else Status.GAVE_UP

    def _result(
        self, run: CpSatRun, start: PartialPoint | None, watch: Stopwatch, status: Status
    ) -> RawResult:
        with watch.stage("read"):
            found = run.point()
            point = None if found is None else checked_values(self.model, found, self._stage)
            objective = None if point is None else self.model.objective_value(point)
            fate, reason = (None, "") if start is None else run.fate(start)
        seconds = watch.seconds()
        del seconds["total"]
        seconds["export"] += self._export_seconds
        self._export_seconds = 0.0
        return RawResult(
            status=status,
            native_status=run.native_status,
            backend=CpSatBackend.name,
            backend_version=self._version,
            objective=objective,
            bound=self._bound(run, status, objective),
            nodes=None if run.response is None else int(run.response.num_branches),
            seconds=seconds,
            warm_start=fate,
            warm_start_reason=reason,
            point=point,
        )

    def _bound(self, run: CpSatRun, status: Status, objective: float | None) -> float | None:
        if status is Status.OPTIMAL:
            return objective
        if status is Status.INFEASIBLE:
            return None
        if not self.model.cost.any():
            return self.model.offset
        return run.bound


def _ortools() -> tuple[Any, str]:
    """Import ``cp_model`` and tell the version of ortools."""
    try:
        version = importlib.metadata.version("ortools")
        module = importlib.import_module("ortools.sat.python.cp_model")
    except importlib.metadata.PackageNotFoundError:
        raise BackendUnavailable(
            f"the backend cpsat needs ortools, which is not installed: {INSTALL_LINE}"
        ) from None
    except ImportError as error:
        raise BackendUnavailable(
            f"ortools {version} cannot be imported ({error}); install it again: {INSTALL_LINE}"
        ) from error
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST_VERSION:
        oldest = ".".join(map(str, OLDEST_VERSION))
        raise BackendUnavailable(
            f"the backend cpsat needs ortools {oldest} or later, not {version}; "
            f"upgrade it: pip install --upgrade ortools"
        )
    return module, version


def _parameters(options: Mapping[str, Any]) -> str:
    """Check fields of ``SatParameters`` and write them in the text format."""
    if not options:
        return ""
    from ortools.sat.sat_parameters_pb2 import SatParameters

    message = SatParameters()
    known = message.DESCRIPTOR.fields_by_name
    for name, value in options.items():
        if name not in known:
            raise UnknownOption.of("CP-SAT option", name, known)
        if name in _OF_RUN_OPTIONS:
            raise InvalidOption(f"CP-SAT option {name!r} is set by {_OF_RUN_OPTIONS[name]}")
        is_switch = known[name].cpp_type == known[name].CPPTYPE_BOOL
        try:
            if value is None or isinstance(value, bool) != is_switch:
                raise TypeError(f"it takes {'True or False' if is_switch else 'another type'}")
            message.MergeFrom(SatParameters(**{name: value}))
        except (TypeError, ValueError) as error:
            raise InvalidOption(f"CP-SAT option {name!r} cannot be {value!r}: {error}") from error
    return str(message)
