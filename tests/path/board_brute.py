"""Puzzles of the path family drawn at random, their moves by geometry, all solutions by walking."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

from hidato_opt.core.errors import InvalidPuzzle
from hidato_opt.path.board import PathBoard
from hidato_opt.path.puzzle import Hidato, Hopido, KnightTour, Numbrix, Numgame
from hidato_opt.path.signpost import Signpost
from path.graph_brute import Place, touch

GEOMETRY = {
    ("hidato", "square"): "king",
    ("hidato", "hex"): "hex",
    ("hidato", "tri"): "tri",
    ("hidato", "tri12"): "tri12",
    ("numbrix", "square"): "rook",
    ("numgame", "square"): "hopido",
    ("hopido", "square"): "hopido",
    ("knight", "square"): "knight",
}
"""The name by which `touch` knows the moves of a kind on a lattice."""

PRESETS: list[tuple[type[PathBoard], str]] = [
    (Hidato, "square"),
    (Hidato, "hex"),
    (Hidato, "tri"),
    (Hidato, "tri12"),
    (Numbrix, "square"),
    (Numgame, "square"),
    (Hopido, "square"),
    (KnightTour, "square"),
]
COMPASS = {
    "N": (-1, 0), "NE": (-1, 1), "E": (0, 1), "SE": (1, 1),
    "S": (1, 0), "SW": (1, -1), "W": (0, -1), "NW": (-1, -1), "*": (0, 0),
}  # fmt: skip


def points_to(arrow: str, one: Place, other: Place) -> bool:
    """Say whether an arrow in one cell points at another: the same direction, by signs."""
    down, right = other[0] - one[0], other[1] - one[1]
    straight = down == 0 or right == 0 or abs(down) == abs(right)
    signs = ((down > 0) - (down < 0), (right > 0) - (right < 0))
    return one != other and straight and signs == COMPASS[arrow]


def leads(board: PathBoard, one: Place, other: Place) -> bool:
    """Say from the geometry whether a move leads from one cell to another."""
    if isinstance(board, Signpost):
        return points_to(board.arrows[one[0]][one[1]], one, other)
    return touch(GEOMETRY[board.kind, board.lattice], one, other)


def successors(board: PathBoard) -> list[list[int]]:
    """List the positions a move away from each."""
    cells = board.cells
    return [[b for b, there in enumerate(cells) if leads(board, here, there)] for here in cells]


def solutions(
    near: list[list[int]],
    number_at: dict[int, int],
    closed: bool = False,
    links: tuple[tuple[int, int], ...] = (),
) -> list[tuple[int, ...]]:
    """Find every solution by walking, as numbers by position."""
    size = len(near)
    found = []

    def walk(path: list[int]) -> None:
        number = len(path) + 1
        if number > size:
            steps = set(pairwise(path))
            if closed and size > 1:
                if path[0] not in near[path[-1]]:
                    return
                steps.add((path[-1], path[0]))
            if all((a, b) in steps or (b, a) in steps for a, b in links):
                numbers = {cell: k for k, cell in enumerate(path, start=1)}
                found.append(tuple(numbers[cell] for cell in range(size)))
            return
        for cell in near[path[-1]] if path else range(size):
            given = number_at.get(cell)
            late = given is None and number in number_at.values()
            if cell not in path and given in (None, number) and not late:
                walk([*path, cell])

    walk([])
    return found


def board_solutions(board: PathBoard) -> list[tuple[int, ...]]:
    """Find every solution of a board, as numbers by position."""
    number_at = {board.cells.index(cell): number for number, cell in board.clues.items()}
    return solutions(successors(board), number_at, board.closed, board.links)


def drawn_board(rng: random.Random, most: int) -> PathBoard:
    """Draw a small board of any kind: holes, clues that mostly fit a solution, closed, links."""
    while True:
        make, lattice = rng.choice([*PRESETS, (Signpost, "square")])
        far = make in (Numgame, Hopido, KnightTour)
        shapes = [(3, 4), (4, 3), (4, 4), (3, 3)] if far else [(1, 4), (2, 2), (2, 3), (3, 3)]
        rows, columns = rng.choice(shapes)
        holes = 0.3 if far else 0.12
        cells = [
            ["#" if rng.random() < holes else "." for _ in range(columns)] for _ in range(rows)
        ]
        parameters: dict[str, Any] = {"lattice": lattice, "closed": rng.random() < 0.25}
        if make is Signpost:
            arrows = [name for name in COMPASS if name != "*" or rng.random() < 0.2]
            cells = [[cell if cell == "#" else rng.choice(arrows) for cell in row] for row in cells]
        try:
            bare = make(cells, **parameters)
        except InvalidPuzzle:  # not one open cell
            continue
        if bare.size > most:
            continue
        known = board_solutions(bare)
        if known and rng.random() < 0.8:
            numbers = list(rng.choice(known))
        else:
            numbers = rng.sample(range(1, bare.size + 1), bare.size)
        for position in rng.sample(range(bare.size), rng.randint(0, bare.size // 2)):
            i, j = bare.cells[position]
            arrow = f":{cells[i][j]}" if make is Signpost else ""
            cells[i][j] = f"{numbers[position]}{arrow}"
        near = [(a, b) for a, heads in enumerate(successors(bare)) for b in heads]
        if near and rng.random() < 0.2:
            one, two = rng.choice(near)
            parameters["links"] = [(bare.cells[one], bare.cells[two])]
        return make(cells, **parameters)
