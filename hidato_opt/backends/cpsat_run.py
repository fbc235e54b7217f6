"""One CP-SAT search, and what it told while it ran."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from hidato_opt.core.status import WarmStartFate
from hidato_opt.modelling.points import PartialPoint

_FOLLOWED = re.compile(r"complete_hint|\[(hint|repaired)\]")
_WITH_POINT = ("OPTIMAL", "FEASIBLE")
_log = logging.getLogger("hidato_opt.solver")


class CpSatRun:
    """One search: its answer once it has one, its first and its best point at any time.

    Parameters
    ----------
    module : module
        ``ortools.sat.python.cp_model``.
    solver, program : CpSolver and CpModel
        What to run on what.
    echo : bool
        Whether log lines go to the logger.

    Attributes
    ----------
    response : CpSolverResponse or None
        What the solver returned; None as long as it has not.
    bound : float or None
        The best bound it told of so far.
    """

    def __init__(self, module: Any, solver: Any, program: Any, *, echo: bool) -> None:
        self.response: Any = None
        self.bound: float | None = None
        self._solver = solver
        self._program = program
        self._echo = echo
        self._hint_lines: list[str] = []
        self._first_line = ""
        self._points: dict[str, list[int]] = {}
        self._recorder = _recorder(module, self._take_point)
        solver.log_callback = self._take_log
        solver.best_bound_callback = self._take_bound

    def search(self) -> None:
        """Search to the end; what it tells can be read meanwhile from another thread."""
        self._solver.solve(self._program, self._recorder)
        response = self._solver.response_proto
        if response.status.name in _WITH_POINT:
            self.bound = float(response.best_objective_bound)
        self.response = response

    @property
    def native_status(self) -> str:
        """The status in the solver's words."""
        return "still running" if self.response is None else str(self.response.status.name)

    def point(self) -> list[int] | None:
        """Return the best point, also of a search that is still running."""
        if self.native_status in _WITH_POINT:
            return list(self.response.solution)
        return self._points.get("last")

    def fate(self, start: PartialPoint) -> tuple[WarmStartFate, str]:
        """Judge by the first point of the search what became of its hint.

        CP-SAT's sentence about a hint is no proof that it was used: it is said
        before presolve, and again of a model that presolve has emptied.  Its
        line on the first point is, by the names ``complete_hint`` (the hint,
        maybe improved by presolve), ``[hint]`` and ``[repaired]``.
        """
        first = self._points.get("first")
        if first is None:
            return WarmStartFate.NOT_TRIED, f"the run ended without a point{self._said}"
        given = len(start.columns)
        complete = given == len(first)
        kept = int((np.array(first)[start.columns] == np.rint(start.values)).sum())
        reason = f"the first point keeps {kept} of its {given} values{self._said}"
        searched = self.response is not None and self.response.num_branches > 0
        if complete and (kept == given or "complete_hint" in self._first_line):
            return WarmStartFate.ACCEPTED, reason
        if kept == given or (searched and _FOLLOWED.search(self._first_line)):
            return WarmStartFate.REPAIRED, reason
        if searched and not complete:
            return WarmStartFate.REJECTED, reason
        return WarmStartFate.NOT_TRIED, reason

    @property
    def _said(self) -> str:
        lines = [*self._hint_lines[:1], self._first_line]
        return f"; CP-SAT said: {' / '.join(line for line in lines if line)}"

    def _take_point(self, point: list[int]) -> None:
        self._points.setdefault("first", point)
        self._points["last"] = point

    def _take_bound(self, bound: float) -> None:
        self.bound = bound

    def _take_log(self, message: str) -> None:
        for line in message.splitlines():
            if line.startswith("The solution hint"):
                self._hint_lines.append(line)
            elif line.startswith("#1 "):
                self._first_line = line
            if self._echo:
                _log.info("%s", line)


def _recorder(module: Any, take: Callable[[list[int]], None]) -> Any:
    """Make a solution callback; its class can only be derived once ortools is imported."""
    base: Any = module.CpSolverSolutionCallback

    class Recorder(base):  # type: ignore[misc]  # its base is known at run time only
        def on_solution_callback(self) -> None:
            take(list(self.response_proto.solution))

    return Recorder()
