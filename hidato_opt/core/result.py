"""The result of solving a puzzle."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass, field
from typing import Any

from hidato_opt.core.errors import NoSolution
from hidato_opt.core.puzzle import Puzzle
from hidato_opt.core.status import Status, WarmStartFate


@dataclass(frozen=True)
class Result:
    """What is known of a puzzle after a run.

    Attributes
    ----------
    puzzle : Puzzle
        What was solved.
    status : Status
        Why the run stopped.
    objective, bound : float or None
        Value of the solution and the proven bound.
    method : str
        ``mip`` or ``auto``.
    found_by, proved_by : str or None
        Which stage found the solution, which one proved the verdict.
    backend, backend_version, formulation : str or None
        What ran.
    warm_start : WarmStartFate or None
        What became of the MIP start; None if none was given.
    warm_start_reason : str
        Why.
    nodes : int or None
        Branch-and-bound nodes, where the solver tells.
    native_status : str
        The status in the solver's words.
    model_hash : str
        Content hash of the model that was solved.
    seconds : dict of str to float
        Wall-clock seconds by stage, with their ``total``.
    verified : bool
        Whether a solution is there and has passed the puzzle's own rules.
    """

    puzzle: Puzzle
    status: Status
    objective: float | None = None
    bound: float | None = None
    method: str = "mip"
    found_by: str | None = None
    proved_by: str | None = None
    backend: str | None = None
    backend_version: str | None = None
    formulation: str | None = None
    warm_start: WarmStartFate | None = None
    warm_start_reason: str = ""
    nodes: int | None = None
    native_status: str = ""
    model_hash: str = ""
    seconds: dict[str, float] = field(default_factory=dict)
    verified: bool = False
    found: Any = field(default=None, repr=False)

    @property
    def has_solution(self) -> bool:
        """Whether there is a solution; never to be guessed from the status."""
        return self.found is not None

    @property
    def solution(self) -> Any:
        """The solution in the family's shape (path boards: rows of numbers, 0 for holes).

        Raises
        ------
        NoSolution
            The run found none.
        """
        if self.found is None:
            raise NoSolution(
                f"the run ended with status {self.status} and no solution; "
                f"ask has_solution before solution"
            )
        return self.found

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain values, in the shape of the ``--json`` output."""
        return {
            "name": self.puzzle.name,
            "kind": self.puzzle.kind,
            "status": str(self.status),
            "has_solution": self.has_solution,
            "verified": self.verified,
            "solution": self.puzzle.solution_json(self.found) if self.has_solution else None,
            "objective": _plain(self.objective),
            "bound": _plain(self.bound),
            "method": self.method,
            "found_by": self.found_by,
            "proved_by": self.proved_by,
            "backend": self.backend,
            "backend_version": self.backend_version,
            "formulation": self.formulation,
            "warm_start": None if self.warm_start is None else str(self.warm_start),
            "seconds": {stage: round(spent, 6) for stage, spent in self.seconds.items()},
            "error": None,
        }

    def summary(self) -> str:
        """Say in one line how the run ended."""
        words = [f"{self.puzzle.name or self.puzzle.kind}: {self.status}"]
        if self.backend is None and self.proved_by:
            words.append(f"by {self.proved_by}")
        if self.backend:
            words.append(f"{self.backend} {self.backend_version}, formulation {self.formulation}")
        if "total" in self.seconds:
            words.append(f"{self.seconds['total']:.3f} s")
        if self.warm_start is not None:
            words.append(f"warm start {self.warm_start}")
        return "; ".join(words)

    def __str__(self) -> str:
        if not self.has_solution:
            return self.summary()
        return f"{self.puzzle.solution_text(self.found)}\n{self.summary()}"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def failure_json(name: str, kind: str | None, error: str) -> dict[str, Any]:
    """Return the ``--json`` object of a board that failed: the keys are those of a result.

    Examples
    --------
    >>> failure_json("b", "hidato", "row 1: too long")["error"]
    'row 1: too long'
    """
    keys = [
        "name", "kind", "status", "has_solution", "verified", "solution", "objective", "bound",
        "method", "found_by", "proved_by", "backend", "backend_version", "formulation",
        "warm_start", "seconds", "error",
    ]  # fmt: skip
    given: dict[str, Any] = {
        "name": name,
        "kind": kind,
        "status": str(Status.ERROR),
        "has_solution": False,
        "verified": False,
        "seconds": {},
        "error": error,
    }
    return {key: given.get(key) for key in keys}


def _plain(number: float | None) -> float | None:
    return number if number is not None and math.isfinite(number) else None
