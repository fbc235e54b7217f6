"""Why a run stopped, and what became of its MIP start.

Two questions are never one word (the lesson of MathOptInterface): ``status``
says why a run ended, ``has_solution`` says whether there is a point.
"""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """Why a run ended.  A member compares equal to its word.

    Examples
    --------
    >>> Status.TIME_LIMIT == "time_limit"
    True
    >>> Status("infeasible").is_proof
    True
    """

    OPTIMAL = "optimal"
    """A point was found and none is better (with a constant objective: any verified point)."""
    INFEASIBLE = "infeasible"
    """Proven: there is no point."""
    FEASIBLE = "feasible"
    """There is a point, and nothing is proven about its objective."""
    GAVE_UP = "gave_up"
    """A heuristic found nothing; this says nothing about the puzzle."""
    TIME_LIMIT = "time_limit"
    NODE_LIMIT = "node_limit"
    SOLUTION_LIMIT = "solution_limit"
    GAP_LIMIT = "gap_limit"
    """The gap that was asked for is reached; a better point may exist."""
    MEMORY_LIMIT = "memory_limit"
    INTERRUPTED = "interrupted"
    UNBOUNDED = "unbounded"
    INFEASIBLE_OR_UNBOUNDED = "infeasible_or_unbounded"
    ERROR = "error"

    @property
    def is_proof(self) -> bool:
        """Whether the status is a verdict on the puzzle rather than on the run."""
        return self in (Status.OPTIMAL, Status.INFEASIBLE, Status.UNBOUNDED)


class WarmStartFate(StrEnum):
    """What the solver did with a MIP start, read from what it said.

    Examples
    --------
    >>> WarmStartFate.ACCEPTED == "accepted"
    True
    """

    ACCEPTED = "accepted"
    """The solver took the start as its first incumbent."""
    REPAIRED = "repaired"
    """The solver completed or changed the start into a feasible point."""
    REJECTED = "rejected"
    """The start breaks the model (found here before it was sent), or the solver did not use it."""
    NOT_TRIED = "not_tried"
    """The solver ended before it looked at the start, or cannot take one."""
