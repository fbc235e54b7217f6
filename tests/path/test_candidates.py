"""Pairs of cell and number: found, and followed, as plain loops find and follow them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from hidato_opt.path.formulations.candidates import Candidates
from path.board_brute import drawn_board, successors


def drawn_pairs(rng: random.Random, size: int) -> list[tuple[int, int]]:
    """Draw some of the pairs of cell and number, in any order."""
    every = [(cell, number) for cell in range(size) for number in range(1, size + 1)]
    return rng.sample(every, rng.randint(0, len(every)))


def candidates_of(size: int, pairs: list[tuple[int, int]]) -> Candidates:
    return Candidates.of_pairs(size, [cell for cell, _ in pairs], [number for _, number in pairs])


@pytest.mark.parametrize("seed", range(20))
def test_steps_are_those_of_plain_loops(seed: int) -> None:
    rng = random.Random(seed)
    board = drawn_board(rng, 9)
    near, size = successors(board), board.size
    pairs = candidates_of(size, drawn_pairs(rng, size))
    listed = list(zip(pairs.cells.tolist(), pairs.numbers.tolist(), strict=True))
    after = {k: k + 1 for k in range(1, size)} | ({size: 1} if board.closed else {})
    forward = [
        (a, b)
        for a, (here, k) in enumerate(listed)
        for b, (there, following) in enumerate(listed)
        if after.get(k) == following and there in near[here]
    ]
    start, end = pairs.steps(board)
    assert list(zip(start.tolist(), end.tolist(), strict=True)) == forward
    back_start, back_end = pairs.steps(board, backward=True)
    backward = list(zip(back_start.tolist(), back_end.tolist(), strict=True))
    assert backward == sorted((b, a) for a, b in forward)
    assert pairs.has_next(board).tolist() == [k in after for _, k in listed]
    assert pairs.has_previous(board).tolist() == [k in after.values() for _, k in listed]


@pytest.mark.parametrize("seed", range(20))
def test_find_is_a_look_up_in_the_list(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.randint(1, 6)
    some = drawn_pairs(rng, size)
    pairs = candidates_of(size, some)
    assert len(pairs) == len(some)
    listed = sorted(some)
    assert list(zip(pairs.cells.tolist(), pairs.numbers.tolist(), strict=True)) == listed
    asked = [(cell, number) for cell in range(size) for number in range(1, size + 1)]
    found = pairs.find(np.array([c for c, _ in asked]), np.array([k for _, k in asked]))
    assert found.tolist() == [listed.index(pair) if pair in listed else -1 for pair in asked]


def test_full_has_every_pair_cell_by_cell() -> None:
    pairs = Candidates.full(3)
    assert pairs.cells.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert pairs.numbers.tolist() == [1, 2, 3, 1, 2, 3, 1, 2, 3]


def test_pairs_are_labelled_as_the_algebra_does() -> None:
    from hidato_opt import Hidato

    index = Candidates.of_pairs(3, [2, 0], [1, 3]).index(Hidato("1 #/. ."))
    assert index.fields == ("i", "j", "k")
    assert [index.column(field).tolist() for field in "ijk"] == [[1, 2], [1, 2], [3, 1]]
