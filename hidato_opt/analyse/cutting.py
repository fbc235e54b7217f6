"""List solutions by the model: solve, forbid what was found, solve again."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import numpy as np

from hidato_opt.backends.base import Session
from hidato_opt.backends.registry import backend_named
from hidato_opt.core.clock import Deadline
from hidato_opt.core.errors import UnsupportedModel
from hidato_opt.core.options import RunOptions
from hidato_opt.core.puzzle import Puzzle
from hidato_opt.core.status import Status
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.rows import RowBlock
from hidato_opt.solve.puzzle_model import PuzzleModel, build_model

MERGING_FORMULATIONS = ("segments",)
"""Formulations in which one point stands for several solutions."""


class CutListing(Iterator[Any]):
    """Solutions of a model, each forbidden once it is found.

    Attributes
    ----------
    exhausted : bool
        Whether the model with all cuts is proven infeasible.
    stopped : Status or None
        The status that ended the list early.
    """

    def __init__(self, model: PuzzleModel, backend: str, run: RunOptions) -> None:
        self.exhausted = False
        self.stopped: Status | None = None
        self._listing = self._list(model, backend, run)

    def __next__(self) -> Any:
        return next(self._listing)

    def _list(
        self, model: PuzzleModel, backend: str, run: RunOptions
    ) -> Generator[Any, None, None]:
        deadline = Deadline(run.time_limit)
        number = 0
        with backend_named(backend).session(model.model, run) as session:
            while True:
                raw = session.solve(time_limit=deadline.remaining())
                if not raw.has_solution:
                    self.exhausted = raw.status is Status.INFEASIBLE
                    self.stopped = None if self.exhausted else raw.status
                    return
                number += 1
                rows = None if model.separator is None else model.separator.separate(raw.values)
                if rows is not None:
                    session.add_rows(rows, f"round_{number}")
                    continue
                solution = model.decode(raw.values)
                _forbid(session, model, solution, f"no_good_{number}")
                yield solution


def solutions_by_cuts(
    puzzle: Puzzle, backend: str, formulation: str | None, run: RunOptions
) -> CutListing:
    r"""List solutions by no-good cuts, one for each point p that was found.

    .. math:: \sum_{v : p_v = 1} (1 - x_v) \ge 1

    The cut is over the binaries that are one in the solution; they determine
    it in every formulation but those of `MERGING_FORMULATIONS`.

    Raises
    ------
    UnsupportedModel
        One point of the formulation stands for several solutions.
    """
    model = build_model(puzzle, formulation)
    if model.formulation in MERGING_FORMULATIONS:
        raise UnsupportedModel(
            f"a point of formulation {model.formulation} stands for several solutions; "
            f"list them with another"
        )
    return CutListing(model, backend, run)


def _forbid(session: Session, model: PuzzleModel, solution: Any, name: str) -> None:
    point = model.encode(solution)
    ones = point.columns[(point.values > 0.5) & model.model.integer[point.columns]]
    row = RowBlock.from_terms(
        model.model.layout,
        IndexSet.range("CUT", 1, 1),
        np.zeros(len(ones), dtype=np.int64),
        ones,
        1.0,
        -np.inf,
        len(ones) - 1.0,
    )
    session.add_rows(row, name)
