"""All formulations on all kinds of boards: one verdict, that of walking through every path."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from hidato_opt import Hidato, PuzzleModel, build_model
from hidato_opt.core.errors import UnsupportedModel
from hidato_opt.modelling.points import first_violation
from hidato_opt.path.board import PathBoard
from hidato_opt.path.formulations import FORMULATIONS
from hidato_opt.path.formulations.candidates import Candidates
from hidato_opt.path.puzzle import Numbrix
from path.board_brute import board_solutions, drawn_board

PLACING = ("assignment", "two-way", "flow")


def models_of(board: PathBoard, candidates: Candidates | None = None) -> dict[str, PuzzleModel]:
    """Write a board in every formulation that takes it."""
    models = {}
    for name, formulate in FORMULATIONS.items():
        if name == "segments" and board.links:
            with pytest.raises(UnsupportedModel, match="no rows for links"):
                formulate(board, candidates)
            continue
        models[name] = PuzzleModel(board, name, formulate(board, candidates))
    return models


def agree(seed: int, boards: int, most: int) -> dict[tuple[str, bool], int]:
    """Compare verdicts, and the way there and back, on boards of a seed; count what was seen."""
    rng = random.Random(seed)
    seen: dict[tuple[str, bool], int] = {}
    for _ in range(boards):
        board = drawn_board(rng, most)
        known = board_solutions(board)
        chosen = rng.choice(known) if known else None
        for name, model in models_of(board).items():
            said = f"seed {seed}, {name}: {board!r}\n{board}"
            result = model.solve()
            assert result.status == ("optimal" if known else "infeasible"), said
            if chosen is not None:
                assert tuple(board.numbers_of(result.solution).tolist()) in known, said
                solution = board.solution_of(np.array(chosen))
                point = model.encode(solution)
                assert first_violation(model.model, point) is None, said
                assert len(point.columns) == model.model.num_columns or name == "flow", said
                assert_same_solution(model, board, chosen, known, said)
            seen[name, bool(known)] = seen.get((name, bool(known)), 0) + 1
    return seen


def assert_same_solution(
    model: PuzzleModel,
    board: PathBoard,
    chosen: tuple[int, ...],
    known: list[tuple[int, ...]],
    said: str,
) -> None:
    """Decode what was encoded: the same, or what the docstrings allow instead of it."""
    point = model.encode(board.solution_of(np.array(chosen)))
    values = np.zeros(model.model.num_columns)
    values[point.columns] = point.values
    decoded = tuple(board.numbers_of(model.decode(values)).tolist())
    if model.formulation == "segments":
        assert decoded in known, said  # the path kept for the same sets
    elif model.formulation == "successor" and board.closed and not board.clues:
        size, first = board.size, decoded[chosen.index(1)]
        assert tuple((k - 1 + first - 1) % size + 1 for k in chosen) == decoded, said  # turned
    else:
        assert decoded == chosen, said


@pytest.mark.parametrize("seed", range(3))
def test_all_formulations_agree_with_brute_force(seed: int) -> None:
    seen = agree(seed, 50, 9)
    for name in FORMULATIONS:
        assert min(seen[name, True], seen[name, False]) >= 5  # both verdicts were tried


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_all_formulations_agree_with_brute_force_on_many_boards(seed: int) -> None:
    agree(seed, 150, 10)


def test_the_pairs_that_solutions_use_are_enough() -> None:
    rng = random.Random(7)
    tried = 0
    while tried < 25:
        board = drawn_board(rng, 8)
        known = board_solutions(board)
        if not known:
            continue
        pairs = {(cell, number) for numbers in known for cell, number in enumerate(numbers)}
        cells, numbers = zip(*rng.sample(sorted(pairs), len(pairs)), strict=True)
        candidates = Candidates.of_pairs(board.size, cells, numbers)
        for name, model in models_of(board, candidates).items():
            assert model.solve().status == "optimal", f"{name}\n{board}"
            chosen = rng.choice(known)
            point = model.encode(board.solution_of(np.array(chosen)))
            assert first_violation(model.model, point) is None, f"{name}\n{board}"
        tried += 1


@pytest.mark.parametrize("name", FORMULATIONS)
def test_where_no_number_is_possible_no_formulation_finds_a_solution(name: str) -> None:
    """An empty set of candidates is not the same as none given."""
    board = Hidato("1 ./. .")
    nothing = Candidates.of_pairs(4, [], [])
    model = PuzzleModel(board, name, FORMULATIONS[name](board, nothing))
    assert model.solve().status == "infeasible"


@pytest.mark.parametrize("name", FORMULATIONS)
def test_a_model_travels(name: str) -> None:
    model = build_model("1 . 4/. . .", name)
    again = pickle.loads(pickle.dumps(model))
    assert again.content_hash == model.content_hash
    assert again.solve().status == "optimal"
    assert (again.separator is None) == (model.separator is None)


def test_segments_refuse_links() -> None:
    with pytest.raises(UnsupportedModel, match="use two-way or flow"):
        build_model(Hidato("1 ./. .", links=[((0, 1), (1, 1))]), "segments")


# sizes, as the docstrings state them


def count_moves(board: PathBoard, apart: Callable[[int, int], bool]) -> int:
    """Count ordered pairs of cells whose distances (rows, columns) are a move."""
    return sum(apart(abs(a - c), abs(b - d)) for a, b in board.cells for c, d in board.cells)


@pytest.mark.parametrize(
    ("board", "moves"),
    [
        (Hidato(". 3/. ."), 12),
        (Hidato("3 # 1/# . #"), 4),
        (Numbrix("1 . ./. . 6"), 14),
        (Hidato(". . ./. 5 ./. . ."), 40),
    ],
    ids=["2x2", "hole", "2x3", "3x3"],
)
def test_sizes_are_those_of_the_docstrings(board: PathBoard, moves: int) -> None:
    n, f, a = board.size, len(board.clues), moves
    king = isinstance(board, Hidato)
    assert count_moves(board, lambda i, j: max(i, j) == 1 if king else i + j == 1) == a
    two_way = build_model(board, "two-way").model
    assert two_way.num_columns == n * n
    assert two_way.num_rows == 2 * n + f + 2 * n * (n - 1)
    assert two_way.num_nonzeros == 2 * n * n + f + 2 * (n - 1) * (n + a)
    flow = build_model(board, "flow").model
    assert flow.num_columns == n * n + a * (n - 1)
    assert flow.integer.sum() == n * n
    assert flow.num_rows == 2 * n + f + 2 * n * (n - 1)
    assert flow.num_nonzeros == 2 * n * n + f + 2 * (n - 1) * (n + a)
    successor = build_model(board, "successor").model
    ends = sum(number in (1, n) for number in board.clues)
    ordered = ends < f
    assert successor.num_columns == a + 2 * n + ordered * n
    assert successor.integer.sum() == a + 2 * n
    assert successor.num_rows == 2 * n + 2 + ends + ordered * 2 * a
    stats = successor.stats
    if ordered:
        assert stats.loc[["order", "order_back"], "rows"].tolist() == [a, a]
        assert stats.loc[["order", "order_back"], "nonzeros"].max() <= 3 * a
    plain = stats[stats.index.isin(["out", "in", "one_s", "one_t"])]
    assert plain["nonzeros"].sum() == 2 * a + 4 * n


# bounds of the linear relaxations


def test_the_more_a_formulation_looks_the_better_its_bound() -> None:
    """Over random costs: assignment <= two-way <= flow <= the optimum, and not always equal."""
    rng = random.Random(5)
    better = [0, 0]
    for _ in range(40):
        board = drawn_board(rng, 9)
        known = board_solutions(board)
        if not known:
            continue
        size = board.size
        cost = [[rng.randint(-9, 9) for _ in range(size)] for _ in range(size)]
        labels = list(zip(*(np.asarray(c).tolist() for c in board.cell_index()[1]), strict=True))
        bounds = []
        for name in PLACING:
            model = build_model(board, name)
            model.minimize(
                sum(
                    cost[cell][k - 1] * model.x[(*labels[cell], k)]
                    for cell in range(size)
                    for k in range(1, size + 1)
                )
            )
            bounds.append(model.relax().bound)
        best = min(sum(cost[cell][k - 1] for cell, k in enumerate(numbers)) for numbers in known)
        for place, (weak, strong) in enumerate(pairwise([*bounds, best])):
            assert weak <= strong + 1e-6, f"{place}\n{board}"
            if place < 2:
                better[place] += weak < strong - 1e-6
    assert min(better) > 0
