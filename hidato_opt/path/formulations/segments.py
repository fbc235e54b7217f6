"""Formulation `segments`: a binary for each set of cells that a stretch between clues can use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from hidato_opt.core.errors import UnsupportedModel
from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.constraints import cover, exactly_one, set_partition
from hidato_opt.modelling.expressions import FloatArray
from hidato_opt.modelling.formulation import Formulated
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.points import PartialPoint
from hidato_opt.modelling.rows import RowBlock
from hidato_opt.modelling.variables import VariableGroup
from hidato_opt.path.formulations.candidates import Candidates, PathPuzzleLike, Positions

MOST_SETS = 400
"""Sets of cells a segment may have before it is written with placement binaries instead."""
MOST_STEPS = 50_000
"""Steps of the enumeration of one segment before it is given up as long."""

Path = tuple[int, ...]


@dataclass(frozen=True)
class Segment:
    """The numbers between two consecutive clues, or before the first, or after the last.

    Attributes
    ----------
    numbers : tuple of int
        The numbers to place, in order (round the end of a closed tour: N, 1).
    before, after : int or None
        Cells of the clues at its two ends; None at an open end.
    """

    numbers: tuple[int, ...]
    before: int | None
    after: int | None


def segments_of(puzzle: PathPuzzleLike) -> list[Segment]:
    """Cut the numbers 1..N at the clues; two clues in a row have an empty segment between."""
    cells, numbers = puzzle.given
    order = np.argsort(numbers)
    clues = [(int(numbers[i]), int(cells[i])) for i in order]
    size = puzzle.size
    if not clues:
        return [Segment(tuple(range(1, size + 1)), None, None)]
    cuts = [
        Segment(tuple(range(low + 1, high)), here, there)
        for (low, here), (high, there) in pairwise(clues)
    ]
    (first, first_cell), (last, last_cell) = clues[0], clues[-1]
    tail, head = tuple(range(last + 1, size + 1)), tuple(range(1, first))
    if puzzle.closed:
        return [*cuts, Segment(tail + head, last_cell, first_cell)]
    ends = [Segment(head, None, first_cell), Segment(tail, last_cell, None)]
    return [*cuts, *(segment for segment in ends if segment.numbers)]


def cell_sets(
    segment: Segment, successors: list[list[int]], allowed: list[set[int]]
) -> dict[frozenset[int], Path] | None:
    """List the sets of cells that a segment between two clues can use, with one path for each.

    Parameters
    ----------
    segment : Segment
        The numbers to place and the clues around them.
    successors : list of list of int
        The moves from each cell.
    allowed : list of set of int
        Cells that each number 0..N may stand in.

    Returns
    -------
    dict or None
        None if there are more than `MOST_SETS`, the search is too long, or an
        end is open.
    """
    if segment.before is None or segment.after is None:
        return None
    found: dict[frozenset[int], Path] = {}
    length = len(segment.numbers)
    path: list[int] = []
    trail = [iter(successors[segment.before])]
    for _ in range(MOST_STEPS):
        if not trail:
            return found
        cell = next(trail[-1], None)
        if cell is None:
            trail.pop()
            if path:
                path.pop()
        elif len(path) == length:
            if cell == segment.after:
                found.setdefault(frozenset(path), tuple(path))
                if len(found) > MOST_SETS:
                    return None
        elif cell in allowed[segment.numbers[len(path)]] and cell not in path:
            path.append(cell)
            trail.append(iter(successors[cell]))
    return None


@dataclass(frozen=True)
class Plan:
    """What gets a variable.

    Attributes
    ----------
    sets : list of (segment, cells)
        A path for each set variable: the segment's number (1-based) and its cells in order.
    numbers : list of tuple of int
        The numbers of every segment.
    short : list of int
        Which segments (1-based) are written by sets.
    placed : Candidates
        The pairs of cell and number in long segments.
    followed : bool array, entry k for number k
        Whether k and the next number stand in the same long segment.
    """

    sets: list[tuple[int, Path]]
    numbers: list[tuple[int, ...]]
    short: list[int]
    placed: Candidates
    followed: np.ndarray[Any, np.dtype[np.bool_]]


def plan_of(puzzle: PathPuzzleLike, candidates: Candidates) -> Plan:
    """Decide which segments are written by sets of cells and which by placement."""
    tail, head = puzzle.arcs
    successors: list[list[int]] = [[] for _ in range(puzzle.size)]
    for start, end in zip(tail.tolist(), head.tolist(), strict=True):
        successors[start].append(end)
    clue_cells = set(puzzle.given[0].tolist())
    allowed: list[set[int]] = [set() for _ in range(puzzle.size + 1)]
    for cell, number in zip(candidates.cells.tolist(), candidates.numbers.tolist(), strict=True):
        if cell not in clue_cells:
            allowed[number].add(cell)
    sets: list[tuple[int, Path]] = []
    short: list[int] = []
    numbers: list[tuple[int, ...]] = []
    pairs: list[tuple[int, int]] = []
    followed = np.zeros(puzzle.size + 1, dtype=np.bool_)
    for number, segment in enumerate(segments_of(puzzle), start=1):
        numbers.append(segment.numbers)
        found = cell_sets(segment, successors, allowed)
        if found is not None:
            short.append(number)
            sets += [(number, path) for path in found.values()]
            continue
        all_round = puzzle.closed and not clue_cells
        followed[list(segment.numbers if all_round else segment.numbers[:-1])] = True
        if segment.before is not None:
            allowed[segment.numbers[0]] &= set(successors[segment.before])
        if segment.after is not None:
            allowed[segment.numbers[-1]] &= {
                cell for cell in range(puzzle.size) if segment.after in successors[cell]
            }
        pairs += [(cell, k) for k in segment.numbers for cell in allowed[k]]
    cells, placed = zip(*pairs, strict=True) if pairs else ((), ())
    return Plan(sets, numbers, short, Candidates.of_pairs(puzzle.size, cells, placed), followed)


def segments(puzzle: PathPuzzleLike, candidates: Candidates | None = None) -> Formulated:
    r"""Write a board as a set partitioning: the stretches between clues share out the cells.

    Between two consecutive clues the numbers use a set of cells; how they run
    through it does not matter to the rest of the board.  A short stretch
    (segment s) has a binary :math:`w_{sm}` for each set :math:`S_{sm}` that
    some path between its clues uses; a long or open one has placement
    binaries :math:`x_{ck}`:

    .. math::
        & \sum_m w_{sm} = 1 && \text{segment} \\
        & \sum_c x_{ck} = 1 && \text{number, of a long stretch} \\
        & \sum_{S_{sm} \ni c} w_{sm} + \sum_k x_{ck} = 1
            && \text{cell, without a clue} \\
        & x_{ck} \le \sum_{d \in N(c)} x_{d,k+1},\quad
          x_{ck} \le \sum_{d \in N^-(c)} x_{d,k-1}
            && \text{next, previous, within a stretch}

    The numbers beside a clue have variables only where a move leads to it.
    One path is kept for each set, so `decode` may return another solution
    than the one encoded, with the same sets.

    Parameters
    ----------
    puzzle, candidates
        As for `assignment`.

    Returns
    -------
    Formulated
        At most `MOST_SETS` binaries w a short segment; a row for each segment,
        each number of a long one, each cell without a clue, and two for each
        placement binary within a stretch.

    Raises
    ------
    UnsupportedModel
        The puzzle has links: which path runs through a set then matters.
    """
    if puzzle.links:
        raise UnsupportedModel("formulation segments has no rows for links; use two-way or flow")
    pairs = candidates if candidates is not None else Candidates.full(puzzle.size)
    plan = plan_of(puzzle, pairs)
    builder = ModelBuilder(f"{puzzle.kind} segments")
    order = [number for number, _ in plan.sets]
    within = [order[:place].count(number) + 1 for place, number in enumerate(order)]
    w = builder.add_variables(
        "w", IndexSet("SM", ["s", "m"], [_whole(order), _whole(within)], distinct=True), "binary"
    )
    x = builder.add_variables("x", plan.placed.index(puzzle), "binary")
    short = IndexSet("S", ["s"], [_whole(plan.short)], distinct=True)
    builder.add_rows("segment", exactly_one(w, by=["s"], rows=short))
    long_numbers = [
        k for s, ks in enumerate(plan.numbers, start=1) if s not in plan.short for k in ks
    ]
    numbers = IndexSet("K", ["k"], [_whole(long_numbers)], distinct=True)
    builder.add_rows("number", exactly_one(x, by=["k"], rows=numbers))
    builder.add_rows("cell", _cell_rows(puzzle, plan, w, x))
    k_before = (plan.placed.numbers - 2) % puzzle.size + 1
    for name, backward, takes_part in (
        ("next", False, plan.followed[plan.placed.numbers]),
        ("previous", True, plan.followed[k_before]),
    ):
        start, end = plan.placed.steps(puzzle, backward=backward)
        start, end = start[takes_part[start]], end[takes_part[start]]
        rank = np.cumsum(takes_part) - 1
        covered = x.take(np.flatnonzero(takes_part))
        builder.add_rows(name, cover(covered, x.take(end), rank[start]))
    return Formulated(builder.build(), SegmentsCodec(puzzle, plan))


@dataclass(frozen=True, eq=False)
class SegmentsCodec:
    """Paths of segments and placed numbers as values, the sets first."""

    puzzle: Any
    plan: Plan

    def decode(self, values: FloatArray) -> Any:
        """Read the path kept for each chosen set, and the placed numbers."""
        plan = self.plan
        numbers = np.zeros(self.puzzle.size, dtype=np.int64)
        cells, given = self.puzzle.given
        numbers[cells] = given
        for chosen in np.flatnonzero(np.asarray(values[: len(plan.sets)]) > 0.5).tolist():
            segment, path = plan.sets[chosen]
            numbers[list(path)] = plan.numbers[segment - 1]
        placed = np.flatnonzero(np.asarray(values[len(plan.sets) :]) > 0.5)
        numbers[plan.placed.cells[placed]] = plan.placed.numbers[placed]
        return self.puzzle.solution_of(numbers)

    def encode(self, solution: Any) -> PartialPoint:
        """Write the sets that a solution uses; a set with an empty cell is left open.

        Raises
        ------
        InvalidPuzzle
            A number is not among those the model allows in its cell.
        """
        plan = self.plan
        numbers = self.puzzle.numbers_of(solution)
        where = {int(k): cell for cell, k in enumerate(numbers.tolist()) if k > 0}
        values = np.full(len(plan.sets) + len(plan.placed), np.nan)
        for segment in plan.short:
            members = [m for m, (number, _) in enumerate(plan.sets) if number == segment]
            if all(k in where for k in plan.numbers[segment - 1]):
                used = frozenset(where[k] for k in plan.numbers[segment - 1])
                values[members] = [frozenset(plan.sets[m][1]) == used for m in members]
        pairs = plan.placed
        known = np.array([int(k) in where for k in pairs.numbers], dtype=np.bool_)
        known |= numbers[pairs.cells] > 0
        values[len(plan.sets) :][known] = (numbers[pairs.cells] == pairs.numbers)[known]
        columns = np.flatnonzero(~np.isnan(values))
        return PartialPoint(columns, values[columns])


def _cell_rows(puzzle: PathPuzzleLike, plan: Plan, w: VariableGroup, x: VariableGroup) -> RowBlock:
    """Let each cell without a clue be used once, by a set or by a placed number."""
    free = np.setdiff1d(np.arange(puzzle.size), puzzle.given[0])
    fields, columns = puzzle.cell_index()
    cells = IndexSet("C", fields, [np.asarray(column)[free] for column in columns], distinct=True)
    row = np.full(puzzle.size, -1)
    row[free] = np.arange(len(free))
    members = _whole([m for m, (_, path) in enumerate(plan.sets) for _ in path])
    used = _whole([cell for _, path in plan.sets for cell in path])
    return set_partition([(w.take(members), row[used]), (x, row[plan.placed.cells])], cells)


def _whole(numbers: Sequence[int]) -> Positions:
    return np.array(numbers, dtype=np.int64)
