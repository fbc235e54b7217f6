"""Graphs drawn at random, their moves by geometry, and all their paths by walking."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from hidato_opt.path.graph import PathGraph
from hidato_opt.path.lattice import HOPIDO_STEPS, KING_STEPS, KNIGHT_STEPS, ORTHOGONAL_STEPS

Place = tuple[int, int]
LATTICES = ("king", "rook", "knight", "hopido", "hex", "tri", "tri12")
KINDS = (*LATTICES, "one-way", "graph", "directed")


def touch(kind: str, one: Place, other: Place) -> bool:
    """Say from the geometry of a lattice whether a move leads from one cell to another."""
    down, right = other[0] - one[0], other[1] - one[1]
    flat = tuple(sorted((abs(down), abs(right))))
    match kind:
        case "king":
            return max(flat) == 1
        case "rook":
            return flat == (0, 1)
        case "knight":
            return flat == (1, 2)
        case "hopido":
            return flat in ((0, 3), (2, 2))
        case "one-way":
            return (down, right) in ((0, 1), (1, 0), (-1, -1))
        case "hex":
            # centres of hexagons of width 1 lie 1 apart exactly if they touch
            (x1, y1), (x2, y2) = ((j + i % 2 / 2, i * 3**0.5 / 2) for i, j in (one, other))
            return abs((x1 - x2) ** 2 + (y1 - y2) ** 2 - 1) < 1e-9
        case "tri":
            return len(corners(one) & corners(other)) == 2
        case "tri12":
            return one != other and bool(corners(one) & corners(other))
    raise AssertionError(kind)


def corners(cell: Place) -> set[Place]:
    """Name the corners of a triangle: half edges from the left, and the line they lie on."""
    i, j = cell
    if (i + j) % 2 == 0:
        return {(j, i + 1), (j + 2, i + 1), (j + 1, i)}
    return {(j, i), (j + 2, i), (j + 1, i + 1)}


@dataclass
class Case:
    """A graph with its moves worked out apart from the library, clues and links."""

    kind: str
    graph: PathGraph
    near: list[list[int]]
    closed: bool = False
    clues: dict[int, int] = field(default_factory=dict)
    links: list[tuple[int, int]] = field(default_factory=list)

    @property
    def size(self) -> int:
        return len(self.near)

    def accepts(self, path: tuple[int, ...]) -> bool:
        """Check a path by the rules."""
        size = self.size
        steps = list(itertools.pairwise(path))
        if self.closed:
            steps.append((path[-1], path[0]))
        return (
            sorted(path) == list(range(size))
            and all(head in self.near[tail] for tail, head in steps)
            and all(path[number - 1] == cell for number, cell in self.clues.items())
            and all((a, b) in steps or (b, a) in steps for a, b in self.links)
        )

    def solutions(self) -> set[tuple[int, ...]]:
        """Find every path that the rules accept."""
        return {path for path in walks(self.near, self.clues) if self.accepts(path)}


def walks(near: list[list[int]], clues: Mapping[int, int]) -> Iterator[tuple[int, ...]]:
    """Walk through all cells from every start, the clues on time."""
    size = len(near)
    number_at = {cell: number for number, cell in clues.items()}

    def extend(path: list[int]) -> Iterator[tuple[int, ...]]:
        number = len(path) + 1
        if number > size:
            yield tuple(path)
            return
        for cell in near[path[-1]] if path else range(size):
            if cell in path or number_at.get(cell, number) != number:
                continue
            if clues.get(number, cell) == cell:
                yield from extend([*path, cell])

    return extend([])


def lattice_case(kind: str, cells: list[Place], rows: int, columns: int) -> Case:
    """Make the case of some open cells of a board."""
    open_cells = np.zeros((rows, columns), dtype=bool)
    for cell in cells:
        open_cells[cell] = True
    match kind:
        case "hex":
            graph = PathGraph.hexagonal(open_cells)
        case "tri" | "tri12":
            graph = PathGraph.triangular(open_cells, corners=kind == "tri12")
        case _:
            steps = {
                "king": KING_STEPS,
                "rook": ORTHOGONAL_STEPS,
                "knight": KNIGHT_STEPS,
                "hopido": HOPIDO_STEPS,
                "one-way": ((0, 1), (1, 0), (-1, -1)),
            }[kind]
            graph = PathGraph.on_grid(open_cells, steps)
    cells = sorted(cells)
    near = [[b for b, there in enumerate(cells) if touch(kind, here, there)] for here in cells]
    return Case(kind, graph, near)


def drawn_graph(rng: random.Random, kind: str, most: int) -> Case:
    """Draw a graph: a patch of a lattice that hangs together, or random moves."""
    if kind in ("graph", "directed"):
        size = rng.randint(1, most)
        share = rng.choice([0.25, 0.4, 0.6])
        pairs = [(a, b) for a in range(size) for b in range(size) if a != b]
        if kind == "graph":
            pairs = [(a, b) for a, b in pairs if a < b]
        pairs = [pair for pair in pairs if rng.random() < share]
        order = rng.sample(range(size), size)
        pairs += list(itertools.pairwise(order))  # so that there is a path
        graph = PathGraph.from_edges(size, pairs, directed=kind == "directed")
        both = set(pairs) | (set() if kind == "directed" else {(b, a) for a, b in pairs})
        return Case(kind, graph, [[b for b in range(size) if (a, b) in both] for a in range(size)])
    rows, columns = rng.randint(1, 6), rng.randint(1, 6)
    board = [(i, j) for i in range(rows) for j in range(columns)]
    cells = [rng.choice(board)]
    for _ in range(rng.randint(0, most - 1)):
        ring = [
            cell
            for cell in board
            if cell not in cells
            and any(touch(kind, cell, one) or touch(kind, one, cell) for one in cells)
        ]
        if not ring:
            break
        cells.append(rng.choice(ring))
    return lattice_case(kind, cells, rows, columns)


def drawn_case(rng: random.Random, kind: str, most: int = 10) -> Case:
    """Draw a graph with clues and links: mostly taken from one of its paths, else at random."""
    case = drawn_graph(rng, kind, most)
    case.closed = rng.random() < 0.25
    size = case.size
    path = next(iter(walks(case.near, {1: rng.randrange(size)})), None)
    if path is None or rng.random() < 0.15:
        path = tuple(rng.sample(range(size), size))
    share = rng.choice([0.0, 0.1, 0.3, 0.6])
    case.clues = {k: cell for k, cell in enumerate(path, start=1) if rng.random() < share}
    if rng.random() < 0.3 and size > 1:
        starts = rng.sample(range(size - 1), min(size - 1, rng.randint(1, 3)))
        case.links = [(path[start], path[start + 1]) for start in starts]
    return case
