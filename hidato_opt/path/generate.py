"""Making path puzzles: a random path, and clues taken away while its solution stays unique."""

from __future__ import annotations

import random
from functools import cached_property
from typing import Any

import numpy as np

from hidato_opt.core.errors import InvalidOption, UnknownOption
from hidato_opt.core.registry import kind_named
from hidato_opt.path.board import PathBoard
from hidato_opt.path.graph import PathGraph
from hidato_opt.path.search import count, find
from hidato_opt.path.signpost import ARROWS, LAST, Signpost

MOVES_A_CELL = 40
"""Backbite moves for each cell that mix a path."""
PROOF_NODES = 20_000
"""Nodes a proof of uniqueness may take before a clue is kept as needed."""

Path = list[int]


def random_path(
    graph: PathGraph, rng: random.Random, *, closed: bool = False, moves: int | None = None
) -> Path | None:
    """Draw a Hamiltonian path by backbite moves.

    A backbite joins an end of the path to a random neighbour of it and turns
    round the piece between; the moves reach paths of every shape (Oberdorf,
    Ferguson, Jacobsen and Kondev 2006, for square lattices).  A closed tour is
    a mixed path whose ends have met.

    Parameters
    ----------
    graph : PathGraph
        Cells and moves, the same both ways.
    rng : random.Random
        Source of chance.
    closed : bool
        Whether a move must lead from the last cell to the first.
    moves : int, optional
        Backbite moves; default `MOVES_A_CELL` for each cell.

    Returns
    -------
    list of int or None
        The cells in order; None where there is no such path.

    Raises
    ------
    InvalidOption
        The graph is directed.
    """
    if graph.directed:
        raise InvalidOption("backbite moves need a graph whose moves lead both ways")
    first = find(graph, closed=closed, seed=rng.randrange(2**31))
    if first.path is None:
        return None
    path = list(first.path)
    place = {cell: number for number, cell in enumerate(path)}
    best = list(path)
    total = MOVES_A_CELL * graph.size if moves is None else moves
    for _ in range(total):
        if rng.random() < 0.5:
            path.reverse()
            place = {cell: number for number, cell in enumerate(path)}
        around = graph.successors[path[-1]]
        if not around:
            break
        turn = place[rng.choice(around)] + 1
        path[turn:] = path[turn:][::-1]
        for number in range(turn, len(path)):
            place[path[number]] = number
        if not closed or path[0] in graph.successors[path[-1]]:
            best = list(path)
    return best


def generate(
    kind: str,
    *,
    rows: int,
    cols: int,
    seed: int = 0,
    unique: bool = True,
    clues: int | None = None,
    lattice: str | None = None,
    closed: bool = False,
    links: int = 0,
) -> PathBoard:
    """Make a board with a solution.

    Parameters
    ----------
    kind : str
        A kind of the path family that is a board.
    rows, cols : int
        Its size.
    seed : int
        The same seed makes the same board.
    unique : bool
        Whether the solution must be the only one; proven by the exact count.
    clues : int, optional
        Clues to keep.  Default: as few as can be by taking away in random
        order (``unique``), or a quarter.  A unique board keeps more where
        fewer would leave a second solution.
    lattice : str, optional
        As for the kind's class.
    closed : bool
        Make a closed tour.
    links : int
        Pairs of neighbours on the path that are given as links.

    Returns
    -------
    PathBoard
        The board; its name tells kind, size and seed.

    Raises
    ------
    InvalidOption
        There is no path on such a board, or a number is out of range.

    Examples
    --------
    >>> board = generate("hidato", rows=4, cols=4, seed=1)
    >>> board.shape, board.name
    ((4, 4), 'hidato_4x4_1')
    """
    board_class = kind_named(kind).puzzle_class()
    if not (isinstance(board_class, type) and issubclass(board_class, PathBoard)):
        raise UnknownOption(f"kind {kind!r} is no board of the path family")
    for name, value, least in (("rows", rows, 1), ("cols", cols, 1), ("links", links, 0)):
        if value < least:
            raise InvalidOption(f"{name} must be at least {least}, not {value}")
    if clues is not None and not 0 <= clues <= rows * cols:
        raise InvalidOption(f"clues must lie between 0 and {rows * cols}, not {clues}")
    rng = random.Random(f"{kind} {rows} {cols} {seed} {lattice} {closed} {links}")
    blank = _blank(board_class, rows, cols, lattice, closed)
    path = random_path(blank.graph, rng, closed=closed)
    if path is None:
        raise InvalidOption(f"no path of {kind} visits all cells of a {rows}x{cols} board")
    chosen = rng.sample(range(len(path) - 1), min(links, len(path) - 1))
    pairs = [(blank.cells[path[at]], blank.cells[path[at + 1]]) for at in chosen]
    full = _written(
        board_class, blank, path, dict(enumerate(path, start=1)), pairs, closed, lattice
    )
    kept = _kept_clues(full, path, rng, unique, clues)
    made = _written(board_class, blank, path, kept, pairs, closed, lattice)
    made.name = f"{kind}_{rows}x{cols}_{seed}"
    return made


def _kept_clues(
    full: PathBoard, path: Path, rng: random.Random, unique: bool, clues: int | None
) -> dict[int, int]:
    """Choose the clues to keep, as numbers and positions."""
    kept = dict(enumerate(path, start=1))
    order = list(kept)
    rng.shuffle(order)
    if not unique:
        wanted = len(path) // 4 if clues is None else clues
        return {number: kept[number] for number in order[:wanted]}
    for number in order:
        if clues is not None and len(kept) <= clues:
            break
        without = {key: cell for key, cell in kept.items() if key != number}
        counted = count(
            full.graph,
            without,
            limit=2,
            closed=full.closed,
            links=full.links,
            node_limit=PROOF_NODES,
        )
        if counted.exact and counted.count == 1:
            kept = without
    return kept


def _blank(
    board_class: type[PathBoard], rows: int, cols: int, lattice: str | None, closed: bool
) -> PathBoard:
    """Make the board that the path is drawn on; of Signpost, one that allows any straight line."""
    cells = np.zeros((rows, cols), dtype=np.int64)
    if issubclass(board_class, Signpost):
        return _Lines(cells, closed=closed)
    return board_class(cells, lattice=lattice, closed=closed)


def _written(
    board_class: type[PathBoard],
    blank: PathBoard,
    path: Path,
    kept: dict[int, int],
    pairs: list[Any],
    closed: bool,
    lattice: str | None,
) -> PathBoard:
    """Write clues, and the arrows of Signpost, into a new board."""
    rows, cols = blank.shape
    cells: list[list[str]] = [["."] * cols for _ in range(rows)]
    for number, position in kept.items():
        row, column = blank.cells[position]
        cells[row][column] = str(number)
    if issubclass(board_class, Signpost):
        following = [*path[1:], path[0] if closed else None]
        for here, there in zip(path, following, strict=True):
            row, column = blank.cells[here]
            arrow = LAST if there is None else _direction((row, column), blank.cells[there])
            cells[row][column] = f"{cells[row][column]}:{arrow}"
    return board_class(cells, lattice=lattice, closed=closed, links=pairs)


def _direction(start: tuple[int, int], end: tuple[int, int]) -> str:
    down, right = (int(np.sign(b - a)) for a, b in zip(start, end, strict=True))
    return next(arrow for arrow, step in ARROWS.items() if step == (down, right))


class _Lines(PathBoard):
    """Cells that see each other along rows, columns and diagonals: where Signpost paths run."""

    kind = "signpost"
    lattices = Signpost.lattices

    @cached_property
    def graph(self) -> PathGraph:
        edges = [
            (one, two)
            for one, (a, b) in enumerate(self.cells)
            for two, (c, d) in enumerate(self.cells[:one])
            if a == c or b == d or abs(a - c) == abs(b - d)
        ]
        return PathGraph.from_edges(self.size, edges)
