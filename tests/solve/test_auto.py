"""`solve` with everything it has: which stage decided is in the result."""

from __future__ import annotations

import pytest

import hidato_opt as ho
from hidato_opt.core.status import Status
from hidato_opt.path import exact


def test_deduction_and_search_say_that_they_decided() -> None:
    forced = ho.solve([[1, 0, 3]])
    assert (forced.method, forced.found_by, forced.proved_by) == ("auto", "deduction", "deduction")
    assert forced.backend is None
    free = ho.solve([[0] * 4] * 4)
    assert (free.found_by, free.proved_by, free.verified) == ("search", "search", True)
    assert (free.objective, free.bound) == (0.0, 0.0)
    impossible = ho.solve([[2, 0, 0, 0, 1]])
    assert (impossible.status, impossible.has_solution) == ("infeasible", False)
    assert (impossible.found_by, impossible.proved_by) == (None, "deduction")


def test_the_model_decides_where_the_search_meets_its_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stopped = exact.Outcome(Status.TIME_LIMIT, None, "search")
    monkeypatch.setattr(exact, "search", lambda *_, **__: stopped)
    result = ho.solve([[1, 0, 3]], time_limit=20)
    assert (result.method, result.found_by, result.backend) == ("auto", "backend", "highs")
    assert {"search", "build", "solve", "total"} <= set(result.seconds)


def test_a_wrong_answer_of_the_search_is_not_let_through(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = exact.Outcome(Status.OPTIMAL, [[1, 3, 2]], "search")
    monkeypatch.setattr(exact, "search", lambda *_, **__: wrong)
    with pytest.raises(ho.WrongAnswer, match="search: its solution breaks a rule"):
        ho.solve([[0, 0, 0]])


def test_what_speaks_to_the_model_means_the_model() -> None:
    result = ho.solve([[1, 0, 3]], warm_start=[[1, 2, 3]])
    assert (result.method, result.backend) == ("mip", "highs")
    with pytest.raises(ho.UnknownOption, match="HiGHS option 'x' is not known"):
        ho.solve([[1, 0, 3]], options={"x": 1})


@pytest.mark.parametrize("kind", ["hidato", "numbrix"])
def test_search_and_model_agree(kind: str) -> None:
    for seed in range(6):
        board = ho.generate(kind, rows=4, cols=4, seed=seed)
        by_search = ho.solve(board)
        by_model = ho.solve(board, method="mip")
        assert (by_search.solution == by_model.solution).all()
