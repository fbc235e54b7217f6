"""Generated boards have the properties asked for; explanations are minimal."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

import hidato_opt as ho
from hidato_opt.path.generate import random_path

MADE = [
    ("hidato", {"rows": 5, "cols": 6}),
    ("hidato", {"rows": 5, "cols": 5, "lattice": "hex"}),
    ("hidato", {"rows": 4, "cols": 6, "lattice": "tri"}),
    ("hidato", {"rows": 4, "cols": 5, "lattice": "tri12"}),
    ("numbrix", {"rows": 6, "cols": 5}),
    ("numgame", {"rows": 5, "cols": 5}),
    ("hopido", {"rows": 5, "cols": 6}),
    ("knight", {"rows": 5, "cols": 5}),
    ("knight", {"rows": 6, "cols": 6, "closed": True}),
    ("signpost", {"rows": 4, "cols": 4}),
    ("hidato", {"rows": 5, "cols": 5, "links": 3}),
    ("hidato", {"rows": 1, "cols": 1}),
]


@pytest.mark.parametrize(("kind", "parameters"), MADE)
@pytest.mark.parametrize("seed", [0, 1])
def test_a_board_has_one_solution_by_search_and_by_the_model(
    kind: str, parameters: dict[str, object], seed: int
) -> None:
    board = ho.generate(kind, seed=seed, **parameters)
    assert board.kind == kind
    assert ho.count_solutions(board) == ho.Count(1, exact=True)
    assert ho.loads(str(board)) == board
    if board.size <= 20:
        assert ho.is_unique(board, method="mip", formulation="two-way")


def test_no_clue_can_be_spared() -> None:
    board = ho.generate("hidato", rows=4, cols=4, seed=5)
    for number, (row, column) in board.clues.items():
        cells = board.grid.copy()
        cells[row, column] = 0
        assert not ho.is_unique(ho.Hidato(cells)), number


def test_a_seed_makes_a_board_and_another_seed_another() -> None:
    made = [str(ho.generate("hidato", rows=5, cols=5, seed=seed)) for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]


def test_the_number_of_clues() -> None:
    assert len(ho.generate("hidato", rows=5, cols=5, clues=15).clues) == 15
    loose = ho.generate("hidato", rows=5, cols=5, clues=3, unique=False)
    assert len(loose.clues) == 3
    assert ho.solve(loose).has_solution
    tight = ho.generate("hidato", rows=5, cols=5, clues=0)
    assert ho.is_unique(tight)  # more clues are kept than were asked for


def test_random_paths_are_paths_of_many_shapes() -> None:
    graph = ho.Numbrix([[0] * 5] * 5).graph
    rng = Random(3)
    paths = [random_path(graph, rng) for _ in range(50)]
    for path in paths:
        assert path is not None
        assert sorted(path) == list(range(25))
        assert all(there in graph.successors[here] for here, there in pairwise(path))
    assert len({tuple(path or []) for path in paths}) == 50
    # on a 5x5 board a path starts on the majority colour; every such cell turns up
    assert {path[0] for path in paths if path} <= set(range(0, 25, 2))
    assert len({path[0] for path in paths if path}) >= 8


def test_bad_parameters() -> None:
    with pytest.raises(ho.UnknownOption, match="kind 'sudoku' is not known"):
        ho.generate("sudoku", rows=3, cols=3)
    with pytest.raises(ho.UnknownOption, match="unexpected keyword argument 'row'"):
        ho.generate("hidato", row=3, cols=3)
    with pytest.raises(ho.InvalidOption, match="no path of numgame"):
        ho.generate("numgame", rows=4, cols=4)


CONTRADICTIONS = [
    # board, the clues that contradict each other (worked out by hand)
    ([[1, 0, 0, 2, 4]], {1, 2}),
    ([[1, 0, 3, 0, 0, 8, 0, 6]], {6, 8}),
    ([[1, 3, 0, 0]], {1, 3}),
    ([["1", "#", "."]], set()),
]


@pytest.mark.parametrize(("cells", "numbers"), CONTRADICTIONS)
def test_an_explanation_is_contradictory_and_minimal(
    cells: list[list[object]], numbers: set[int]
) -> None:
    board = ho.Hidato(cells)
    explanation = ho.explain(board)
    assert explanation.kind == ("clues" if numbers else "board")
    clues = dict(explanation.items)

    def with_clues(kept: dict[int, tuple[int, int]]) -> ho.Hidato:
        blank = [["#" if cell == -1 else "." for cell in row] for row in board.grid.tolist()]
        for number, (row, column) in kept.items():
            blank[row][column] = str(number)
        return ho.Hidato(blank)

    assert ho.solve(with_clues(clues)).status == "infeasible"
    for number in clues:
        rest = {key: cell for key, cell in clues.items() if key != number}
        assert ho.solve(with_clues(rest)).has_solution
    for number in numbers & set(clues):
        assert f"{number} in " in explanation.text


def test_a_solvable_board_needs_no_explanation_and_a_limit_is_a_limit() -> None:
    assert ho.explain([[1, 0, 3]]).kind == "solvable"
    with pytest.raises(ho.Undecided, match="limit"):
        ho.explain([[0] * 8] * 8, time_limit=0)
