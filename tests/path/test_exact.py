"""Exact search and deduction on all kinds of boards, held against walking through every path."""

from __future__ import annotations

import random

import pytest

import hidato_opt as ho
from hidato_opt.path.board import PathBoard
from hidato_opt.path.deduce import deduce
from hidato_opt.path.exact import candidates
from hidato_opt.path.puzzle import KnightTour, Numgame
from hidato_opt.path.search import find
from path.board_brute import board_solutions, drawn_board


def agree(seed: int, boards: int, most: int) -> set[bool]:
    """Compare counts, lists, verdicts and what deduction leaves, on boards of a seed."""
    rng = random.Random(seed)
    seen = set()
    for _ in range(boards):
        board = drawn_board(rng, most)
        known = set(board_solutions(board))
        said = f"seed {seed}: {board!r}\n{board}"
        assert ho.count_solutions(board) == ho.Count(len(known), exact=True), said
        listed = [tuple(board.numbers_of(s).tolist()) for s in ho.solutions(board)]
        assert len(listed) == len(known), said
        assert set(listed) == known, said
        result = ho.solve(board)
        assert result.status == ("optimal" if known else "infeasible"), said
        assert result.has_solution == bool(known), said
        needed = {pair for solution in known for pair in enumerate(solution)}
        left = candidates(board)
        assert needed <= set(zip(left.cells.tolist(), left.numbers.tolist(), strict=True)), said
        shaved = deduce(
            board.graph, board.clue_positions, closed=board.closed, links=board.links, shave=True
        )
        cells, numbers = shaved.pairs()
        assert needed <= set(zip(cells.tolist(), numbers.tolist(), strict=True)), said
        assert not (shaved.contradiction and known), said
        assert_reasons_hold(board, known, said)
        seen.add(bool(known))
    return seen


def assert_reasons_hold(board: PathBoard, known: set[tuple[int, ...]], said: str) -> None:
    """No step may rule out what some solution has, nor settle what some solution has not."""
    reasoned = deduce(
        board.graph, board.clue_positions, closed=board.closed, links=board.links, reasons=True
    )
    assert not (reasoned.contradiction and known), said
    assert not reasoned.contradiction or reasoned.steps[-1].contradiction, said
    for step in reasoned.steps:
        assert step.text, said
        for number, cell in step.removed:
            assert not any(solution[cell] == number for solution in known), (said, step)
        for number, cell in step.placed:
            assert all(solution[cell] == number for solution in known), (said, step)


@pytest.mark.parametrize("seed", range(8))
def test_search_and_deduction_agree_with_brute_force(seed: int) -> None:
    assert agree(seed, boards=60, most=9) == {True, False}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_search_and_deduction_agree_with_brute_force_on_many(seed: int) -> None:
    assert agree(seed, boards=300, most=10) == {True, False}


def test_numgame_2_to_4_has_no_tour_and_every_start_of_5_works() -> None:
    for side in (2, 3, 4):
        assert ho.solve(Numgame(side)).proved_by in ("deduction", "search")
        assert ho.solve(Numgame(side)).status == "infeasible"
    for row in range(5):
        for column in range(5):
            assert ho.solve(Numgame(5, start=(row, column))).has_solution
    assert ho.solve(Numgame(4, 6, start=(0, 2))).status == "infeasible"


@pytest.mark.parametrize(
    "board",
    [
        ho.Hidato([[0] * 10] * 10),
        ho.Numbrix([[0] * 12] * 12),
        KnightTour(8, closed=True),
        Numgame(10, closed=True),
    ],
)
def test_boards_without_clues_are_solved(board: ho.Hidato) -> None:
    result = ho.solve(board)
    assert (result.found_by, result.verified) == ("search", True)


def test_a_seed_repeats_and_a_node_limit_stops() -> None:
    graph = ho.Hidato([[0] * 8] * 8).graph
    first, again = find(graph, seed=4), find(graph, seed=4)
    assert first.path == again.path
    stopped = find(ho.Numbrix([[0] * 20] * 20).graph, {1: 3, 400: 210}, node_limit=5)
    assert stopped.path is None
    assert stopped.status == "node_limit"


@pytest.mark.parametrize(("share", "seed"), [(0.1, 1), (0.1, 2), (0.2, 0)])
def test_boards_with_few_clues_on_which_the_tree_search_alone_lingers(
    share: float, seed: int
) -> None:
    """Several runs of the tree find nothing; walks are mended in turn with it."""
    board = ho.generate(
        "hidato", rows=12, cols=12, seed=seed, unique=False, clues=round(share * 144)
    )
    outcome = find(board.graph, board.clue_positions, seed=seed)
    assert outcome.path is not None
    numbers = [0] * board.size
    for number, cell in enumerate(outcome.path, start=1):
        numbers[cell] = number
    assert board.verify(board.solution_of(numbers)) == []


def test_what_is_left_of_a_graph_and_a_lattice_is_named() -> None:
    line = ho.PathPuzzle([(0, 1), (1, 2), (2, 3)], clues={1: 2})
    deduction = deduce(line.graph, line.clue_positions)
    assert [deduction.cells(number) for number in (1, 2, 3, 4)] == [[0], [1], [2], [3]]
    assert deduction.path == (0, 1, 2, 3)
    assert deduction.placed == {1: 0, 2: 1, 3: 2, 4: 3}
    with pytest.raises(IndexError, match="numbers go from 1 to 4, not 5"):
        deduction.cells(5)
    board = ho.Hidato([[1, 0], [0, 0]])
    free = deduce(board.graph, board.clue_positions)
    assert free.path is None
    assert free.domains == (0b0001, 0b1110, 0b1110, 0b1110)
