"""CBC through PuLP, where PuLP stops at the command line.

PuLP's ``COIN_CMD`` gives the look-up of the executable and the wording of the
options.  The model file, the process and the reading of the answer are ours:
through PuLP a model takes 20 times longer to build, start values that were
left open are sent as zeros, blanks in the path of the temporary folder break
the command, Ctrl-C leaves the process and its files behind, and a run without
an incumbent returns zeros as if they were a solution.  ``pulp:COIN_CMD`` is
PuLP's own way, for those who want to compare.

The preprocessing of CBC 2 loses points: it calls some feasible models
infeasible (the five binaries of PuLP's issue 662 are one) and some points
optimal that are not.  So CBC 2 goes without it, unless the option
``preprocess`` says otherwise; Hidato boards are solved as fast.  And whatever
the version, a verdict of "infeasible" is asked for again with the
preprocessing the other way: if the second run finds a point, that is a
`WrongAnswer`, and if it runs out of time, so has the solve.
"""

from __future__ import annotations

import dataclasses
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

from hidato_opt.backends.base import Availability, Backend, RawResult, Session
from hidato_opt.backends.cbc_files import (
    INFEASIBLE_CRASH,
    Verdict,
    model_row_duals,
    read_bound,
    read_fate,
    read_first_line,
    read_nodes,
    read_numbers,
    read_verdict,
    write_start,
)
from hidato_opt.backends.cbc_locate import (
    INSTALL,
    UNRELIABLE,
    Executable,
    banner_version,
    find_cbc,
)
from hidato_opt.backends.cbc_options import command_words
from hidato_opt.backends.process import (
    SOLVER_LOG,
    Finished,
    ProcessInterrupted,
    run_folder,
    run_process,
)
from hidato_opt.core.clock import Deadline, Stopwatch
from hidato_opt.core.errors import (
    HidatoOptError,
    SolveInterrupted,
    SolverFailed,
    WrongAnswer,
)
from hidato_opt.core.options import RunOptions
from hidato_opt.core.status import Status
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.mps_format import write_mps
from hidato_opt.modelling.names import NameTable
from hidato_opt.modelling.points import PartialPoint, checked_values
from hidato_opt.modelling.rows import RowBlock

_MODEL, _START, _TEXT, _BINARY = "model.mps", "start.mst", "answer.sol", "answer.bin"
_LEAST_SECONDS = 0.01
_NO_MATCH = re.compile(r"^No match for (\S+) - \? for list", re.MULTILINE)


class CbcBackend(Backend):
    """The executable ``cbc``.

    Parameters
    ----------
    executable : str or path, optional
        Which one; default the one that `find_cbc` finds.
    """

    name: ClassVar[str] = "cbc"

    def __init__(self, executable: str | os.PathLike[str] | None = None) -> None:
        self._executable = executable

    def availability(self) -> Availability:
        """Say which CBC would run, and its version, without raising."""
        try:
            found = self._locate()
            version = found.version
        except HidatoOptError as error:
            return Availability(self.name, usable=False, problem=str(error))
        problem = UNRELIABLE if found.is_unreliable else ""
        return Availability(self.name, True, version, f"{found.path} ({found.source})", problem)

    def session(self, model: Model, options: RunOptions | None = None) -> CbcSession:
        """Take a model; CBC itself is started by each solve."""
        return CbcSession(model, options or RunOptions(), self._locate())

    def _locate(self) -> Executable:
        if self._executable is None:
            return find_cbc()
        return Executable.checked(self._executable, "given")


class CbcSession(Session):
    """A model for CBC.

    CBC's executable keeps nothing between two runs: added rows join the model,
    and every solve writes it anew and starts from scratch.
    """

    def __init__(self, model: Model, options: RunOptions, executable: Executable) -> None:
        super().__init__(model, options)
        self._executable = executable
        self._words = command_words(options)
        if executable.is_unreliable and "preprocess" not in options.options:
            self._words += ["-preprocess", "off"]

    def close(self) -> None:
        """Do nothing: there is nothing to free."""

    def _rows_added(self, block: RowBlock) -> None:
        pass

    def _run(self, start: PartialPoint | None, time_limit: float | None) -> RawResult:
        deadline = Deadline(time_limit)
        watch = Stopwatch()
        with run_folder() as folder:
            run = _Run(self.model, self.options, self._executable, folder, watch, start)
            with watch.stage("export"):
                run.write()
            result = run.ask(deadline, self._words)
            if result.status is Status.INFEASIBLE:
                result = _confirmed(result, run, deadline, self._words)
        seconds = watch.seconds()
        del seconds["total"]
        return dataclasses.replace(result, seconds=seconds)


def _confirmed(first: RawResult, run: _Run, deadline: Deadline, words: list[str]) -> RawResult:
    """Ask for a verdict of "infeasible" again, with the preprocessing the other way."""
    if deadline.expired:
        doubt = f"{first.native_status}; no time was left to confirm it"
        return dataclasses.replace(first, status=Status.TIME_LIMIT, native_status=doubt)
    run.start = None
    step = "-preprocess" if run.integer else "-presolve"
    is_off = any(pair == (step, "off") for pair in pairwise(words))
    other = {"-preprocess": "sos", "-presolve": "on"}[step] if is_off else "off"
    second = run.ask(deadline, [*words, step, other])
    how = f"asked again with {step[1:]} {other}"
    if second.has_solution:
        raise WrongAnswer(
            f"cbc {first.backend_version}",
            f"it calls the model infeasible ({first.native_status!r}), but {how} it finds a point "
            f"({second.native_status!r}); use the backend highs, or a recent CBC: {INSTALL}",
        )
    if second.status is Status.INFEASIBLE:
        return first
    doubt = f"{first.native_status}; {how}: {second.native_status}"
    return dataclasses.replace(first, status=second.status, native_status=doubt)


@dataclass
class _Run:
    """One model in one folder, and the questions asked about it."""

    model: Model
    options: RunOptions
    executable: Executable
    folder: Path
    watch: Stopwatch
    start: PartialPoint | None

    @property
    def integer(self) -> bool:
        """Whether the model has integer variables."""
        return bool(self.model.integer.any())

    def write(self) -> None:
        """Write the model, to be minimised, and the MIP start."""
        with (self.folder / _MODEL).open("w", encoding="ascii") as stream:
            write_mps(self.model, stream, names=NameTable.short(self.model))
        if self.start is not None:
            write_start(self.model, self.start, self.folder / _START)

    def ask(self, deadline: Deadline, words: list[str]) -> RawResult:
        """Run CBC once and read its answer."""
        for name in (_TEXT, _BINARY):
            (self.folder / name).unlink(missing_ok=True)
        left = deadline.remaining()
        limit = None if left is None else max(left, _LEAST_SECONDS)
        try:
            with self.watch.stage("solve"):
                finished = run_process(
                    self._command(limit, words),
                    self.folder,
                    limit=limit,
                    on_line=SOLVER_LOG.info if self.options.log else None,
                )
        except ProcessInterrupted as interrupt:
            left_over = self._salvage(interrupt.log, Status.INTERRUPTED, "interrupted")
            raise SolveInterrupted("CBC was interrupted", left_over) from None
        with self.watch.stage("read"):
            if not finished.overran:
                return self._read(finished)
            SOLVER_LOG.info("CBC did not stop at its limit of %g s and was stopped", limit)
            native = "did not stop at its time limit and was stopped"
            return self._salvage(finished.log, Status.TIME_LIMIT, native)

    def _command(self, limit: float | None, words: list[str]) -> list[str]:
        command = [self.executable.path, _MODEL]
        if self.start is not None:
            command += ["-mips", _START]
        if limit is not None:
            command += ["-sec", f"{limit:.3f}"]
        return [*command, *words, "-solve", "-solution", _TEXT, "-saveSolution", _BINARY]

    def _read(self, finished: Finished) -> RawResult:
        """Read the answer of a run that has ended by itself."""
        if finished.exit_code != 0:
            if INFEASIBLE_CRASH in finished.log:
                verdict = Verdict(Status.INFEASIBLE, has_point=False)
                return self._result(verdict, INFEASIBLE_CRASH, finished.log)
            raise SolverFailed(f"{self.executable.path} {finished.ending}", finished.log)
        unknown = _NO_MATCH.search(finished.log)
        if unknown:
            raise SolverFailed(f"{self.executable.path} does not know {unknown[1]}", finished.log)
        line = read_first_line(self.folder / _TEXT, finished.log)
        verdict = read_verdict(line, finished.log, integer=self.integer)
        return self._result(verdict, line, finished.log)

    def _salvage(self, log: str, status: Status, native: str) -> RawResult:
        """Read what a run that was stopped has left; only a point counts for something."""
        with suppress(SolverFailed, WrongAnswer):
            line = read_first_line(self.folder / _TEXT, log)
            has_point = read_verdict(line, log, integer=self.integer).has_point
            return self._result(Verdict(status, has_point), native, log)
        return self._result(Verdict(status, has_point=False), native, log)

    def _result(self, verdict: Verdict, native: str, log: str) -> RawResult:
        model = self.model
        version = banner_version(log) or "of unknown version"
        point = objective = duals = costs = None
        if verdict.has_point:
            numbers = read_numbers(self.folder / _BINARY, model.num_columns, log)
            point = checked_values(model, numbers.values, f"cbc {version}")
            objective = model.objective_value(point)
            if verdict.status is Status.OPTIMAL and not self.integer:
                sign = -1.0 if model.maximise else 1.0
                duals = sign * model_row_duals(model, self.folder / _MODEL, numbers.row_duals)
                costs = sign * numbers.reduced_costs
        bound = read_bound(model, objective, log)
        status = self._judged(verdict.status, objective, bound)
        fate, reason = (None, "") if self.start is None else read_fate(model, self.start, log)
        return RawResult(
            status,
            native,
            CbcBackend.name,
            version,
            objective=objective,
            bound=objective if status is Status.OPTIMAL else bound,
            nodes=read_nodes(log),
            warm_start=fate,
            warm_start_reason=reason,
            row_duals=duals,
            reduced_costs=costs,
            point=point,
        )

    def _judged(self, status: Status, objective: float | None, bound: float | None) -> Status:
        """Call a point optimal where it cannot be improved, whatever the run stopped for."""
        if objective is None or status is Status.INTERRUPTED:
            return status
        if not self.model.cost.any():
            return Status.OPTIMAL
        if status is Status.GAP_LIMIT:
            closed = bound is not None and abs(objective - bound) <= 1e-7 * max(1.0, abs(objective))
            return Status.OPTIMAL if closed or not self.options.gap else status
        return status
