"""A puzzle's model with the way back to the puzzle: what `build_model` returns."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from hidato_opt.backends.base import RawResult, Session
from hidato_opt.backends.registry import DEFAULT_BACKEND, backend_named
from hidato_opt.core.clock import Stopwatch
from hidato_opt.core.errors import InvalidOption, SolveInterrupted, UnknownOption, WrongAnswer
from hidato_opt.core.options import RunOptions
from hidato_opt.core.puzzle import Puzzle
from hidato_opt.core.reading import as_puzzle
from hidato_opt.core.registry import kind_named
from hidato_opt.core.result import Result
from hidato_opt.core.status import Status, WarmStartFate
from hidato_opt.modelling.expressions import Constraint, FloatArray, LinearExpression
from hidato_opt.modelling.formulation import Codec, Formulated, Separator
from hidato_opt.modelling.lp_format import write_lp
from hidato_opt.modelling.model import Model, RowGroup
from hidato_opt.modelling.mps_format import write_mps
from hidato_opt.modelling.points import PartialPoint, checked_values
from hidato_opt.modelling.rows import RowBlock
from hidato_opt.modelling.variables import Variable, VariableArray, VariableGroup
from hidato_opt.solve.relaxation import Relaxation
from hidato_opt.solve.rounds import solve_in_rounds

if TYPE_CHECKING:
    import pandas as pd

_WRITERS = {".lp": write_lp, ".mps": write_mps}


def build_model(board: Any, formulation: str | None = None, *, reduce: bool = False) -> PuzzleModel:
    """Write a puzzle as a mixed-integer program.

    Parameters
    ----------
    board : Puzzle, nested lists, array, DataFrame, str, os.PathLike or mapping
        A puzzle, or what one can be made of (a Hidato unless it says otherwise).
    formulation : str, optional
        Name of the formulation; default the text's own (``assignment`` for
        path boards).
    reduce : bool
        Whether to make variables only for what deduction leaves possible; the
        solutions are the same.

    Returns
    -------
    PuzzleModel
        The complete model, every variable and row of the algebra, unless it
        is reduced.

    Raises
    ------
    InvalidPuzzle
        The data describes no puzzle.
    UnknownOption
        The kind of puzzle has no such formulation.

    Examples
    --------
    >>> model = build_model([[1, 0], [0, 4]])
    >>> model.x[1, 1, 1]
    x[1, 1, 1]
    >>> print(model.solve().status)
    optimal
    """
    puzzle = as_puzzle(board)
    name, write = formulation_named(puzzle.kind, formulation)
    began = time.perf_counter()
    if reduce:
        candidates = kind_named(puzzle.kind).exact_module().candidates(puzzle)
        formulated: Formulated = write(puzzle, candidates)
    else:
        formulated = write(puzzle)
    return PuzzleModel(puzzle, name, formulated, time.perf_counter() - began)


def formulation_named(kind: str, formulation: str | None) -> tuple[str, Any]:
    """Look a formulation up: its name (default the kind's first) and what writes it.

    Raises
    ------
    UnknownOption
        The kind has no such formulation.
    """
    table = kind_named(kind).formulation_table()
    name = formulation or next(iter(table))
    if not isinstance(name, str) or name not in table:
        raise UnknownOption.of(f"{kind} formulation", name, table)
    return name, table[name]


class PuzzleModel:
    """A puzzle, its model, and the way between values and solutions.

    Variables are attributes: ``model.x[1, 2, 5]``.  `add`, `minimize`,
    `maximize` and `fix` change this object (the arrays of a `Model` are never
    changed: `model` is replaced); `copy` makes a branch.  It pickles.

    Attributes
    ----------
    puzzle : Puzzle
        What is modelled.
    formulation : str
        Name of the formulation.
    model : Model
        The arrays as they stand now.
    codec : Codec
        The way between values and solutions.
    separator : Separator or None
        What adds the rows that the model as built still lacks; `solve` calls
        it, a written file says that it is a relaxation.
    build_seconds : float
        What building took.
    """

    def __init__(
        self, puzzle: Puzzle, formulation: str, formulated: Formulated, build_seconds: float = 0.0
    ) -> None:
        self.puzzle = puzzle
        self.formulation = formulation
        self.model: Model = formulated.model
        self.codec: Codec = formulated.codec
        self.separator: Separator | None = formulated.separator
        self.build_seconds = build_seconds

    def __getattr__(self, name: str) -> VariableGroup:
        if name.startswith("_") or "model" not in self.__dict__:
            raise AttributeError(name)
        group: VariableGroup = getattr(self.model, name)
        return group

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.model.variables]

    @property
    def variables(self) -> dict[str, VariableGroup]:
        """The groups of variables by name."""
        return self.model.variables

    @property
    def rows(self) -> dict[str, RowGroup]:
        """The groups of constraints by name."""
        return self.model.rows

    @property
    def stats(self) -> pd.DataFrame:
        """Sizes of the groups: see `Model.stats`."""
        return self.model.stats

    @property
    def content_hash(self) -> str:
        """Hash of the model's names and arrays."""
        return self.model.content_hash

    def add(
        self, constraints: Constraint | Iterable[Constraint] | RowBlock, name: str | None = None
    ) -> None:
        """Add constraints of your own, recorded as a group of rows.

        Parameters
        ----------
        constraints : Constraint, iterable of Constraint, or RowBlock
            Such as ``sum(model.x[i, i, k] for i in range(1, 4)) <= 1``.
        name : str, optional
            Name of the group (default ``added_1``, ``added_2``, ...).

        Raises
        ------
        InvalidOption
            The name is taken.
        InvalidExpression
            A variable belongs to another model.
        """
        self.model = self.model.add(constraints, name)

    def minimize(self, expression: LinearExpression | float) -> None:
        """Set the objective, to be minimised."""
        self.model = self.model.minimize(expression)

    def maximize(self, expression: LinearExpression | float) -> None:
        """Set the objective, to be maximised."""
        self.model = self.model.maximize(expression)

    def fix(self, variables: Variable | VariableArray, values: npt.ArrayLike) -> None:
        """Hold variables at values by their bounds."""
        self.model = self.model.fix(variables, values)

    def copy(self) -> Self:
        """Return a branch: what is added to one is not added to the other."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin

    def decode(self, values: FloatArray) -> Any:
        """Read a solution off a point of the model (the rules are not checked).

        Raises
        ------
        InvalidOption
            There are more or fewer values than the model has variables, or
            one is not a number.
        """
        if np.shape(values) != (self.model.num_columns,):
            raise InvalidOption(
                f"a point of the model has {self.model.num_columns} values, "
                f"not an array of shape {np.shape(values)}"
            )
        if np.isnan(np.asarray(values, dtype=np.float64)).any():
            raise InvalidOption("a point of the model has a value for each variable, not NaN")
        return self.codec.decode(values)

    def encode(self, solution: Any) -> PartialPoint:
        """Write a solution, complete or partial, as a point of the model."""
        return self.codec.encode(solution)

    def relax(self, backend: str = DEFAULT_BACKEND, **options: Any) -> Relaxation:
        """Solve the linear relaxation: its bound, how fractional the point is, duals.

        Parameters
        ----------
        backend : str
            Name of the backend.
        **options
            Run options, as for `solve`.
        """
        relaxed = self.model.relaxed()
        raw = backend_named(backend).solve(relaxed, RunOptions.of(options))
        return Relaxation(relaxed, self.model.integer, raw)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the model as a file, ``.lp`` or ``.mps`` by its ending.

        Raises
        ------
        InvalidOption
            Another ending, or a place that cannot be written.
        """
        file = Path(path)
        if file.suffix not in _WRITERS:
            known = " or ".join(_WRITERS)
            raise InvalidOption(f"a model is written as {known}, not {file.suffix!r} ({file})")
        part = file.with_name(f".{file.name}.{os.getpid()}.part")
        notes = [f"puzzle: {self.puzzle.kind} {self.puzzle.name}".rstrip()]
        if self.separator is not None:
            notes.append(f"this is a relaxation: {self.separator.reason}")
        try:
            with part.open("w", encoding="ascii", newline="\n") as stream:
                _WRITERS[file.suffix](self.model, stream, notes=notes)
            part.replace(file)
        except OSError as error:
            raise InvalidOption(f"cannot write the model: {error}") from None
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)

    def to_highspy(self) -> Any:
        """Return a ``highspy.Highs`` that holds the model, for free use."""
        from hidato_opt.backends.highs_api import to_highspy

        return to_highspy(self.model)

    def to_pulp(self) -> Any:
        """Return the model as a ``pulp.LpProblem``, for free use."""
        from hidato_opt.backends.pulp_model import to_pulp

        return to_pulp(self.model)

    def session(self, backend: str = DEFAULT_BACKEND, **options: Any) -> Session:
        """Put the model into a solver: solve, add rows, solve again.

        Parameters
        ----------
        backend : str
            Name of the backend.
        **options
            Run options, as for `solve`.

        Returns
        -------
        Session
            A context manager; its ``solve(start=None, time_limit=None)``
            returns raw values for `decode`, its ``add_rows`` takes a `RowBlock`
            of a constraint builder.

        Examples
        --------
        >>> from hidato_opt.modelling.constraints import no_good_cut
        >>> model = build_model([[1, 0], [0, 4]])
        >>> found = []
        >>> with model.session() as session:
        ...     while (raw := session.solve()).has_solution:
        ...         found.append(model.decode(raw.values).tolist())
        ...         session.add_rows(no_good_cut(model.x, raw.values))
        >>> sorted(found)
        [[[1, 2], [3, 4]], [[1, 3], [2, 4]]]
        """
        return backend_named(backend).session(self.model, RunOptions.of(options))

    def solve(
        self,
        backend: str = DEFAULT_BACKEND,
        *,
        warm_start: Any = None,
        **options: Any,
    ) -> Result:
        """Solve exactly this model on exactly this backend, and verify the answer by the rules.

        Parameters
        ----------
        backend : str
            ``highs``, ``cbc``, ``cpsat``, or ``pulp:NAME``.
        warm_start : solution, optional
            A solution, complete or partial (empty cells), as a MIP start.
        **options
            Run options: ``time_limit, threads, seed, gap, log, options``; see
            `RunOptions`.

        Returns
        -------
        Result
            Its `solution` has passed the puzzle's own checker.

        Raises
        ------
        BackendUnavailable, UnknownOption, InvalidOption
            The backend or an option is not to be had.
        WrongAnswer
            The solver's answer breaks the model or the rules.
        SolverFailed
            The solver crashed.
        SolveInterrupted
            Ctrl-C; its `result` keeps the incumbent.
        """
        run = RunOptions.of(options)
        watch = Stopwatch()
        solver = backend_named(backend)
        start, refusal = self._start_of(warm_start)
        try:
            if self.separator is None:
                raw = solver.solve(self.model, run, start)
            else:
                raw = solve_in_rounds(solver, self.model, self.separator, run, start)
        except SolveInterrupted as interrupt:
            raw_result = interrupt.result
            if isinstance(raw_result, RawResult):
                interrupt.result = self._verified(raw_result, watch)
            raise
        if refusal:
            raw = replace(raw, warm_start=WarmStartFate.REJECTED, warm_start_reason=refusal)
        return self._verified(raw, watch)

    def _start_of(self, warm_start: Any) -> tuple[PartialPoint | None, str]:
        """Encode a MIP start, or say in the rules' words why it is refused."""
        if warm_start is None:
            return None, ""
        if isinstance(warm_start, str):
            raise UnknownOption.of("warm start", warm_start, ["a solution, complete or partial"])
        broken = [
            violation
            for violation in self.puzzle.verify(warm_start)
            if violation.code not in self.puzzle.incomplete_codes
        ]
        if broken:
            return None, f"the start breaks a rule: {broken[0]}"
        return self.encode(warm_start), ""

    def _verified(self, raw: RawResult, watch: Stopwatch) -> Result:
        """Decode a raw result and check it by the rules."""
        for stage, seconds in raw.seconds.items():
            watch.add(stage, seconds)
        found = None
        with watch.stage("verify"):
            if raw.has_solution:
                stage = f"{raw.backend} {raw.backend_version} on formulation {self.formulation}"
                if np.shape(raw.values) != (self.model.num_columns,):
                    complaint = f"it has {self.model.num_columns} variables to give values to"
                    raise WrongAnswer(stage, f"{complaint}, not {np.shape(raw.values)}")
                found = self.decode(checked_values(self.model, raw.values, stage))
                violations = self.puzzle.verify(found)
                if violations:
                    raise WrongAnswer(stage, f"its solution breaks a rule: {violations[0]}")
        status = raw.status
        if found is not None and not self.model.cost.any():
            status = Status.OPTIMAL
        return Result(
            puzzle=self.puzzle,
            status=status,
            objective=raw.objective,
            bound=raw.objective if status is Status.OPTIMAL else raw.bound,
            method="mip",
            found_by=None if found is None else "backend",
            proved_by="backend" if status.is_proof else None,
            backend=raw.backend,
            backend_version=raw.backend_version,
            formulation=self.formulation,
            warm_start=raw.warm_start,
            warm_start_reason=raw.warm_start_reason,
            nodes=raw.nodes,
            native_status=raw.native_status,
            model_hash=self.content_hash,
            seconds={"build": self.build_seconds, **watch.seconds()},
            verified=found is not None,
            found=found,
        )

    def __repr__(self) -> str:
        return f"PuzzleModel({self.puzzle!r}, {self.formulation}: {self.model!r})"
