"""Solving in rounds: cuts come once, the limit is for all, no refused point is ever returned."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hidato_opt import Hidato, PuzzleModel, build_model
from hidato_opt.backends.base import Availability, RawResult
from hidato_opt.core.errors import SolveInterrupted
from hidato_opt.core.options import RunOptions
from hidato_opt.core.status import Status, WarmStartFate
from hidato_opt.modelling.points import PartialPoint
from hidato_opt.modelling.rows import RowBlock
from hidato_opt.path.graph_puzzle import PathPuzzle
from hidato_opt.solve.rounds import solve_in_rounds
from solve.fakes import FakeBackend, FakeSession, install

RINGS = PathPuzzle(
    [
        ("a", "b"),
        ("b", "c"),
        ("c", "a"),
        ("d", "e"),
        ("e", "f"),
        ("f", "d"),
        ("a", "d"),
        ("b", "e"),
    ],
    closed=True,
)
"""Two triangles and two edges between them: a b c and d e f are cycles, a c b e f d a tour."""
TOUR = {"a": 1, "c": 2, "b": 3, "e": 4, "f": 5, "d": 6}
APART = PathPuzzle(
    [("a", "b"), ("b", "c"), ("c", "a"), ("d", "e"), ("e", "f"), ("f", "d")], closed=True
)
"""Two triangles alone: each round's cut leaves no tour."""


def cycles(model: PuzzleModel) -> Any:
    """Return the point of the two triangles."""
    point = np.zeros(model.model.num_columns)
    for one, two in ["ab", "bc", "ca", "de", "ef", "fd"]:
        point[model.z[one, two].column] = 1.0
    return point


def tour(model: PuzzleModel) -> Any:
    """Return the point of the tour."""
    point = np.zeros(model.model.num_columns)
    for one, two in ["ac", "cb", "be", "ef", "fd", "da"]:
        point[model.z[one, two].column] = 1.0
    return point


def raw(point: Any, status: Status = Status.OPTIMAL, **fields: Any) -> RawResult:
    objective = None if point is None else 0.0
    return RawResult(status, "as told", "fake", "0.1", objective=objective, point=point, **fields)


class Rounds(FakeBackend):
    """Answers one result after another, and keeps what it was asked."""

    def __init__(self, answers: Sequence[RawResult | BaseException], seconds: float = 0.0) -> None:
        super().__init__()
        self.answers = list(answers)
        self.seconds = seconds
        self.blocks: list[RowBlock] = []
        self.starts: list[PartialPoint | None] = []
        self.limits: list[float | None] = []
        self.sessions = 0

    def availability(self) -> Availability:
        return Availability(self.name, usable=True, version="0.1")

    def session(self, model: Any, options: Any = None) -> FakeSession:
        backend = self
        backend.sessions += 1

        class Session(FakeSession):
            def _run(self, start: PartialPoint | None, time_limit: float | None) -> RawResult:
                backend.starts.append(start)
                backend.limits.append(time_limit)
                time.sleep(backend.seconds)
                answer = backend.answers.pop(0)
                if isinstance(answer, BaseException):
                    raise answer
                return answer

            def _rows_added(self, block: RowBlock) -> None:
                backend.blocks.append(block)

        return Session(model, options or RunOptions(), self.result)


@pytest.fixture
def model() -> PuzzleModel:
    return build_model(RINGS, "successor")


def in_rounds(model: PuzzleModel, backend: Rounds, start: Any = None, **options: Any) -> RawResult:
    assert model.separator is not None
    return solve_in_rounds(backend, model.model, model.separator, RunOptions.of(options), start)


@pytest.mark.parametrize("name", ["highs", "cbc", "cpsat"])
def test_cycles_are_cut_off_until_a_tour_is_left(
    name: str, model: PuzzleModel, availabilities: dict[str, Availability]
) -> None:
    """The cycles cost nothing and the edges between them ten each: the first point is refused."""
    if not availabilities[name].usable:
        pytest.skip(availabilities[name].problem)
    model.minimize(
        sum(10 * model.z[pair] for pair in [("a", "d"), ("d", "a"), ("b", "e"), ("e", "b")])
    )
    result = model.solve(name, time_limit=60)
    assert (result.status, result.verified) == ("optimal", True)
    assert result.objective == pytest.approx(20.0)
    assert RINGS.verify(result.solution) == []


@pytest.mark.parametrize("name", ["highs", "cbc", "cpsat"])
def test_infeasible_after_the_cuts(name: str, availabilities: dict[str, Availability]) -> None:
    if not availabilities[name].usable:
        pytest.skip(availabilities[name].problem)
    model = build_model(APART, "successor")
    assert model.model.num_rows == 12  # which the two triangles satisfy
    result = model.solve(name, time_limit=60)
    assert (result.status, result.has_solution) == ("infeasible", False)


def test_each_cycle_of_a_point_is_cut_once(model: PuzzleModel) -> None:
    backend = Rounds([raw(cycles(model), nodes=2, seconds={"solve": 1.0}),
                      raw(tour(model), nodes=3, seconds={"solve": 0.5})])  # fmt: skip
    result = in_rounds(model, backend)
    assert np.array_equal(result.values, tour(model))
    assert (result.nodes, result.seconds) == (5, {"solve": 1.5})
    assert backend.sessions == 1
    assert [len(block) for block in backend.blocks] == [2]
    # sum over the six moves within {a, b, c} <= 2, and the same of {d, e, f}
    grown = model.model.add(backend.blocks[0], "cut")
    assert grown.num_nonzeros - model.model.num_nonzeros == 12
    assert grown.row_upper[-2:].tolist() == [2.0, 2.0]
    for name, place in [("abc", -2), ("def", -1)]:
        inside = [model.z[one, two].column for one in name for two in name if one != two]
        row = grown.matrix[[grown.num_rows + place], :].toarray()[0]
        assert np.flatnonzero(row).tolist() == sorted(inside)


def test_the_time_limit_is_for_all_rounds_together(model: PuzzleModel) -> None:
    backend = Rounds([raw(cycles(model)), raw(tour(model))], seconds=0.2)
    assert in_rounds(model, backend, time_limit=30.0).has_solution
    first, second = backend.limits
    assert first is not None
    assert second is not None
    assert 29.0 < first <= 30.0
    assert second <= first - 0.2


def test_a_limit_between_two_rounds_ends_without_the_refused_point(model: PuzzleModel) -> None:
    backend = Rounds([raw(cycles(model))], seconds=0.2)
    result = in_rounds(model, backend, time_limit=0.1)
    assert (result.status, result.has_solution, result.objective) == ("time_limit", False, None)


@pytest.mark.parametrize("status", [Status.TIME_LIMIT, Status.NODE_LIMIT, Status.SOLUTION_LIMIT])
def test_a_limit_within_a_round_keeps_its_name_and_drops_a_refused_point(
    status: Status, model: PuzzleModel
) -> None:
    result = in_rounds(model, Rounds([raw(cycles(model), status)]))
    assert (result.status, result.has_solution, result.objective) == (status, False, None)
    kept = in_rounds(model, Rounds([raw(tour(model), status)]))
    assert (kept.status, kept.has_solution) == (status, True)


def test_no_refused_point_reaches_the_user(
    model: PuzzleModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = install(monkeypatch, Rounds([raw(cycles(model), Status.TIME_LIMIT)]))
    result = model.solve(name)
    assert (result.status, result.has_solution, result.found_by) == ("time_limit", False, None)


def test_the_fate_of_a_start_is_that_of_the_first_round(
    model: PuzzleModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = Rounds(
        [
            raw(cycles(model), warm_start=WarmStartFate.ACCEPTED, warm_start_reason="first"),
            raw(tour(model), warm_start=WarmStartFate.REPAIRED, warm_start_reason="second"),
        ]
    )
    result = model.solve(install(monkeypatch, backend), warm_start=TOUR)
    assert (result.warm_start, result.warm_start_reason) == ("accepted", "first")
    assert result.solution == TOUR
    assert len(backend.starts) == 2  # it is sent again
    assert all(start is not None for start in backend.starts)


@pytest.mark.parametrize("passes", [False, True])
def test_an_interrupt_keeps_a_point_only_where_it_passes(
    passes: bool, model: PuzzleModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.minimize(model.z["c", "a"] + 0)  # with no objective a point would be a proof
    point = tour(model) if passes else cycles(model)
    stopped = SolveInterrupted(result=raw(point, Status.INTERRUPTED))
    with pytest.raises(SolveInterrupted) as caught:
        model.solve(install(monkeypatch, Rounds([raw(cycles(model)), stopped])))
    result: Any = caught.value.result
    assert (result.status, result.has_solution) == ("interrupted", passes)


def test_a_written_model_says_that_it_is_a_relaxation(model: PuzzleModel, tmp_path: Path) -> None:
    model.write(tmp_path / "rings.lp")
    assert "\\ this is a relaxation: moves may form cycles" in (tmp_path / "rings.lp").read_text()
    # with a clue in between the order is in the model
    build_model(Hidato("1 3/. ."), "successor").write(tmp_path / "whole.lp")
    assert "relaxation" not in (tmp_path / "whole.lp").read_text()
