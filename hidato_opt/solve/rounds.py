"""Solve, separate, add rows, solve again: for models whose rows come in rounds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import count

from hidato_opt.backends.base import Backend, RawResult
from hidato_opt.core.clock import Deadline
from hidato_opt.core.errors import SolveInterrupted
from hidato_opt.core.options import RunOptions
from hidato_opt.core.status import Status
from hidato_opt.modelling.formulation import Separator
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.points import PartialPoint


def solve_in_rounds(
    solver: Backend,
    model: Model,
    separator: Separator,
    options: RunOptions,
    start: PartialPoint | None,
) -> RawResult:
    """Solve a model to a point that its separator lets pass.

    Every round cuts off the point it ended with, so the rounds are finitely
    many; the time limit is for all of them together.  A MIP start is sent
    again in every round, as solvers drop it when rows are added; its fate is
    that of the first round.

    Parameters
    ----------
    solver : Backend
        What solves each round; one session is kept.
    model : Model
        The model as built, a relaxation of the problem.
    separator : Separator
        Finds the rows that a point breaks.
    options : RunOptions
        For each round, the time limit for all.
    start : PartialPoint or None
        A MIP start.

    Returns
    -------
    RawResult
        Of the last round, with the seconds and nodes of all; without a point
        where the last one is none of the problem's.
    """
    deadline = Deadline(options.time_limit)
    seconds: Counter[str] = Counter()
    nodes = 0
    first: RawResult | None = None
    with solver.session(model, options) as session:
        for number in count(1):
            try:
                raw = session.solve(start, deadline.remaining())
            except SolveInterrupted as interrupt:
                if isinstance(interrupt.result, RawResult):
                    interrupt.result = _passed(interrupt.result, separator)
                raise
            seconds.update(raw.seconds)
            nodes += raw.nodes or 0
            first = first or raw
            raw = replace(
                raw,
                seconds=dict(seconds),
                nodes=nodes,
                warm_start=first.warm_start,
                warm_start_reason=first.warm_start_reason,
            )
            rows = separator.separate(raw.values) if raw.has_solution else None
            if rows is None:
                return raw
            if raw.status is not Status.OPTIMAL or deadline.expired:
                status = Status.TIME_LIMIT if raw.status is Status.OPTIMAL else raw.status
                return replace(raw, status=status, point=None, objective=None)
            session.add_rows(rows, f"round_{number}")
    raise AssertionError("the rounds end with a return")


def _passed(raw: RawResult, separator: Separator) -> RawResult:
    """Take the point away from a result where the separator does not let it pass."""
    if not raw.has_solution or separator.separate(raw.values) is None:
        return raw
    return replace(raw, point=None, objective=None)
