"""What every backend is: a session that takes a model, more rows, and solves.

A backend never judges a puzzle; it reports what the solver said (`RawResult`)
with the solver's point checked against the model.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import ClassVar, Self

import numpy.typing as npt

from hidato_opt.core.errors import NoSolution, WrongAnswer
from hidato_opt.core.options import RunOptions
from hidato_opt.core.status import Status, WarmStartFate
from hidato_opt.modelling.expressions import FloatArray
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.points import PartialPoint, first_violation
from hidato_opt.modelling.rows import RowBlock


@dataclass(frozen=True)
class Availability:
    """Whether a backend can run here.

    Attributes
    ----------
    name : str
        The backend's name.
    usable : bool
        Whether it can be used.
    version : str
        Version of the solver, as the solver says it.
    path : str
        The executable or package that would run.
    problem : str
        Why it cannot be used and what to do about it, or a warning; may be empty.
    """

    name: str
    usable: bool
    version: str = ""
    path: str = ""
    problem: str = ""


@dataclass(frozen=True)
class RawResult:
    """What a solver said of a model.

    Attributes
    ----------
    status : Status
        Why it stopped.
    native_status : str
        The same in the solver's words.
    backend, backend_version : str
        Who said it.
    objective, bound : float or None
        Value of the point and the proven bound; None where there is none.
    nodes : int or None
        Branch-and-bound nodes, where the solver tells.
    seconds : dict of str to float
        Wall-clock seconds by stage: ``export``, ``solve``, ``read``.
    warm_start : WarmStartFate or None
        What became of the MIP start; None if none was given.
    warm_start_reason : str
        Why, in the solver's or the check's words.
    row_duals, reduced_costs : float arrays or None
        For a model without integer variables, where the solver gives them: the
        change of the optimum per unit of the row's or the variable's bound,
        whether it is minimised or maximised.
    """

    status: Status
    native_status: str
    backend: str
    backend_version: str
    objective: float | None = None
    bound: float | None = None
    nodes: int | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    warm_start: WarmStartFate | None = None
    warm_start_reason: str = ""
    row_duals: FloatArray | None = None
    reduced_costs: FloatArray | None = None
    point: FloatArray | None = field(default=None, repr=False)

    @property
    def has_solution(self) -> bool:
        """Whether there is a point; never to be guessed from the status."""
        return self.point is not None

    @property
    def values(self) -> FloatArray:
        """The point, one entry a column, integers exact.

        Raises
        ------
        NoSolution
            The run has no point.
        """
        if self.point is None:
            raise NoSolution(
                f"{self.backend} stopped with status {self.status} and no solution; "
                f"ask has_solution before values"
            )
        return self.point


class Session(ABC):
    """A model inside a solver: solve, add rows, solve again.

    Use it as a context manager; `close` frees what the solver holds.
    """

    def __init__(self, model: Model, options: RunOptions) -> None:
        self.model = model
        self.options = options

    def add_rows(self, block: RowBlock, name: str | None = None) -> None:
        """Put rows behind those of the model, as a group of that name."""
        self.model = self.model.add(block, name)
        self._rows_added(block)

    def solve(
        self,
        start: npt.ArrayLike | PartialPoint | None = None,
        time_limit: float | None = None,
    ) -> RawResult:
        """Solve the model as it stands.

        Parameters
        ----------
        start : array or PartialPoint, optional
            A MIP start, complete or partial; it is checked against the model
            first, and sent as the last act before the run.
        time_limit : float, optional
            Seconds for this run; default the limit of the options.

        Raises
        ------
        InvalidOption
            The start is not of this model, or an option has a wrong value.
        WrongAnswer
            The solver's point breaks the model, or two verdicts differ.
        SolverFailed
            The solver crashed or cannot be read.
        SolveInterrupted
            Ctrl-C.
        """
        limit = self.options.time_limit if time_limit is None else time_limit
        if start is None:
            return self._run(None, limit)
        point = PartialPoint.of(self.model, start)
        complaint = first_violation(self.model, point)
        if complaint is None:
            result = self._run(point, limit)
            if result.status is Status.INFEASIBLE and len(point.columns) == self.model.num_columns:
                raise WrongAnswer(
                    f"{result.backend} {result.backend_version}",
                    "it calls the model infeasible, but the MIP start that was given is a point "
                    "of it; use another backend, and report the model",
                )
            return result
        result = self._run(None, limit)
        return replace(result, warm_start=WarmStartFate.REJECTED, warm_start_reason=complaint)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Free what the solver holds."""

    @abstractmethod
    def _run(self, start: PartialPoint | None, time_limit: float | None) -> RawResult:
        """Solve the model as it stands with a start that the model allows."""

    @abstractmethod
    def _rows_added(self, block: RowBlock) -> None:
        """Take note that `model` has grown by a block of rows."""


class Backend(ABC):
    """One solver, or one way to reach it."""

    name: ClassVar[str]

    @abstractmethod
    def availability(self) -> Availability:
        """Say whether the solver can run here, without raising."""

    @abstractmethod
    def session(self, model: Model, options: RunOptions | None = None) -> Session:
        """Put a model into the solver.

        Raises
        ------
        BackendUnavailable
            The solver is not installed or cannot be run; the message says what to do.
        UnknownOption
            ``options.options`` has a name that the solver does not know.
        UnsupportedModel
            The solver cannot take such a model.
        """

    def solve(
        self,
        model: Model,
        options: RunOptions | None = None,
        start: npt.ArrayLike | PartialPoint | None = None,
    ) -> RawResult:
        """Put a model into the solver, solve it once, and take it out again."""
        began = time.perf_counter()
        with self.session(model, options) as session:
            export = time.perf_counter() - began
            limit = session.options.time_limit
            result = session.solve(start, None if limit is None else max(0.0, limit - export))
        seconds = {**result.seconds, "export": result.seconds.get("export", 0.0) + export}
        return replace(result, seconds=seconds)
