"""Counts, uniqueness and lists of solutions, by search and by the model, against known numbers."""

from __future__ import annotations

import random

import pytest
from path.brute import all_solutions

import hidato_opt as ho

KNOWN = [
    # the board, how many solutions; counted by hand or known from the literature
    (ho.Hidato([[1, 0], [0, 4]]), 2),
    (ho.Hidato([[1, 0, 3]]), 1),
    (ho.Hidato([[2, 0, 0, 0, 1]]), 0),
    (ho.Hidato([[0, 0], [0, 0]]), 24),  # every order of four cells that all touch
    (ho.Numbrix([[0, 0], [0, 0]]), 8),  # four starts, two ways round
    (ho.Hidato([[0]]), 1),
    (ho.Numgame(3), 0),
    (ho.PathPuzzle([("a", "b"), ("b", "c"), ("c", "a")], closed=True), 6),
    (ho.Signpost([["1:E", "S"], ["*", "W"]]), 1),
]


@pytest.mark.parametrize(("puzzle", "expected"), KNOWN)
@pytest.mark.parametrize("method", ["auto", "mip"])
def test_known_counts(puzzle: ho.Hidato, expected: int, method: str) -> None:
    assert ho.count_solutions(puzzle, method=method) == ho.Count(expected, exact=True)
    listed = [str(puzzle.solution_json(s)) for s in ho.solutions(puzzle, method=method)]
    assert len(listed) == len(set(listed)) == expected


@pytest.mark.parametrize("method", ["auto", "mip"])
def test_the_list_is_that_of_brute_force(method: str) -> None:
    rng = random.Random(5)
    for _ in range(12):
        rows = [[rng.choice([0, 0, 0, -1]) for _ in range(3)] for _ in range(2)]
        if all(cell == -1 for row in rows for cell in row):
            continue
        cells = [["#" if cell == -1 else cell for cell in row] for row in rows]
        expected = sorted(str(solution) for solution in all_solutions("hidato", rows))
        found = sorted(str(s.tolist()) for s in ho.solutions(cells, method=method))
        assert found == expected


def test_empty_3x3_hidato_has_784_solutions() -> None:
    assert ho.count_solutions([[0] * 3] * 3) == ho.Count(784, exact=True)


def test_5x5_numgame_has_12400_tours_and_48_closed_ones() -> None:
    assert ho.count_solutions(ho.Numgame(5)) == ho.Count(12_400, exact=True)
    # a closed tour is numbered from each of its 25 cells, either way round
    assert ho.count_solutions(ho.Numgame(5, closed=True)) == ho.Count(48 * 25 * 2, exact=True)


@pytest.mark.parametrize("method", ["auto", "mip"])
def test_a_count_stops_at_its_limit_and_says_so(method: str) -> None:
    counted = ho.count_solutions([[0, 0], [0, 0]], 5, method=method)
    assert counted == ho.Count(5, exact=False, reason="solution_limit")
    assert str(counted) == "at least 5 (solution_limit)"


@pytest.mark.parametrize("method", ["auto", "mip"])
def test_a_count_without_time_is_not_exact(method: str) -> None:
    counted = ho.count_solutions([[0] * 6] * 6, method=method, time_limit=0)
    assert (counted.exact, counted.reason) == (False, "time_limit")


@pytest.mark.parametrize("method", ["auto", "mip"])
def test_uniqueness(method: str) -> None:
    assert ho.is_unique("# 5 . . ./# . 7 # 1", method=method)
    assert not ho.is_unique([[1, 0], [0, 4]], method=method)
    assert not ho.is_unique([[2, 0, 0, 0, 1]], method=method)
    with pytest.raises(ho.Undecided, match="time_limit"):
        ho.is_unique([[0] * 6] * 6, method=method, time_limit=0)


def test_formulations_agree_and_segments_refuses() -> None:
    for formulation in ("assignment", "two-way", "flow", "successor"):
        counted = ho.count_solutions([[1, 0, 0], [0, 0, 0]], method="mip", formulation=formulation)
        assert counted == ho.count_solutions([[1, 0, 0], [0, 0, 0]])
    with pytest.raises(ho.UnsupportedModel, match="several solutions"):
        ho.count_solutions([[1, 0]], method="mip", formulation="segments")


def test_bad_arguments() -> None:
    with pytest.raises(ho.InvalidOption, match="limit must be at least 1, not 0"):
        ho.count_solutions([[1, 0]], 0)
    with pytest.raises(ho.UnknownOption, match="method 'magic' is not known; known: auto, mip"):
        ho.solutions([[1, 0]], method="magic")
    with pytest.raises(ho.UnknownOption, match="option 'limits'"):
        ho.count_solutions([[1, 0]], limits=3)


def test_a_wrong_solution_of_a_source_is_not_let_through(monkeypatch: pytest.MonkeyPatch) -> None:
    from hidato_opt.path import exact

    monkeypatch.setattr(exact, "listing", lambda *_, **__: iter([[[1, 3]]]))
    with pytest.raises(ho.WrongAnswer, match="enumeration: a solution breaks a rule"):
        next(ho.solutions([[0, 0]]))
