"""Formulation `successor`: a binary for each move, for boards with few clues and closed tours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.constraints import at_least, exactly_one, fix, mtz_order, set_partition
from hidato_opt.modelling.expressions import FloatArray
from hidato_opt.modelling.formulation import Formulated
from hidato_opt.modelling.index import IndexSet, IntArray
from hidato_opt.modelling.points import PartialPoint
from hidato_opt.modelling.rows import RowBlock
from hidato_opt.modelling.variables import VariableGroup
from hidato_opt.path.formulations.candidates import Candidates, PathPuzzleLike, Positions


def successor(puzzle: PathPuzzleLike, candidates: Candidates | None = None) -> Formulated:
    r"""Write a board as a path of moves: :math:`z_{cd}` says that d follows c.

    .. math::
        & \sum_d z_{cd} + t_c = 1 && c \in \mathcal C && \text{out} \\
        & \sum_c z_{cd} + s_d = 1 && d \in \mathcal C && \text{in} \\
        & \sum_c s_c = 1,\ \sum_c t_c = 1 && && \text{start, end}

    with s and t binaries for the first and the last cell (a closed tour has
    neither).  Moves alone may also form cycles beside the path.  With clues
    other than 1 and N, order variables :math:`u_c \in [1, N]` forbid them and
    place the clues (Miller, Tucker and Zemlin 1960, both ways):

    .. math::
        u_c + 1 - M(1 - z_{cd}) \le u_d \le u_c + 1 + M(1 - z_{cd})
        \qquad \text{order, order\_back}

    Without such clues the cycles are cut off in rounds
    (:class:`CycleSeparator`); the model as built is then a relaxation.

    Parameters
    ----------
    puzzle : PathPuzzleLike
        The puzzle.
    candidates : Candidates, optional
        The pairs of cell and number that are possible; they bound u, and take
        away moves that no two of them make.

    Returns
    -------
    Formulated
        A binaries z (A the number of moves) and 2N binaries s, t; 2N + 2
        rows with 2A + 4N non-zeros, and a row for each clue 1 or N; with
        order N variables u and 2A more rows of three non-zeros.
    """
    size = puzzle.size
    tail, head = _moves(puzzle, candidates)
    fields, columns = puzzle.cell_index()
    cells = IndexSet("C", fields, columns, distinct=True)
    ends = [(f"{f}_from", np.asarray(c)[tail]) for f, c in zip(fields, columns, strict=True)]
    ends += [(f"{f}_to", np.asarray(c)[head]) for f, c in zip(fields, columns, strict=True)]
    moves = IndexSet("A", [name for name, _ in ends], [column for _, column in ends], distinct=True)
    _, clue_numbers = puzzle.given
    anywhere = (1, size) if not puzzle.closed else ()
    ordered = not np.isin(clue_numbers, anywhere).all()
    builder = ModelBuilder(f"{puzzle.kind} successor")
    z = builder.add_variables("z", moves, "binary")
    outgoing, incoming = [(z, tail)], [(z, head)]
    every = np.arange(size)
    s = t = None
    if not puzzle.closed or ordered:
        s = _end_of(builder, "s", 1, puzzle, candidates, cells)
    if not puzzle.closed:
        t = _end_of(builder, "t", size, puzzle, candidates, cells)
        outgoing.append((t, every))
        incoming += [] if s is None else [(s, every)]
    builder.add_rows("out", set_partition(outgoing, cells))
    builder.add_rows("in", set_partition(incoming, cells))
    u = None
    if ordered:
        low, high = _ranges(puzzle, candidates)
        u = builder.add_variables("u", cells, "continuous", lower=low, upper=high)
        ascent = mtz_order(u, z, tail, head, low, high)
        if puzzle.closed and s is not None:
            ascent = mtz_order(u, z, tail, head, low, high, restart=s)
        builder.add_rows("order", ascent)
        builder.add_rows("order_back", mtz_order(u, z, tail, head, low, high, back=True))
    for one, two in puzzle.links:
        either = ((tail == one) & (head == two)) | ((tail == two) & (head == one))
        builder.add_rows(f"link_{one}_{two}", at_least(z.take(np.flatnonzero(either)), 1.0, by=()))
    separator = None if ordered else CycleSeparator(z.columns, tail, head, size, puzzle.closed)
    codec = SuccessorCodec(puzzle, tail, head, len(s) if s is not None else 0, ordered)
    return Formulated(builder.build(), codec, separator)


@dataclass(frozen=True, eq=False)
class SuccessorCodec:
    """Moves, ends and order variables as values: z, then s, t and u where the model has them."""

    puzzle: Any
    tail: Positions
    head: Positions
    starts: int
    ordered: bool

    def decode(self, values: FloatArray) -> Any:
        """Follow the moves from the first cell; cells that they do not reach stay empty."""
        point = np.asarray(values)
        chosen = np.flatnonzero(point[: len(self.tail)] > 0.5)
        after = dict(zip(self.tail[chosen].tolist(), self.head[chosen].tolist(), strict=True))
        numbers = np.zeros(self.puzzle.size, dtype=np.int64)
        cell = self._first(point)
        for number in range(1, self.puzzle.size + 1):
            if cell is None or numbers[cell]:
                break
            numbers[cell] = number
            cell = after.get(cell)
        return self.puzzle.solution_of(numbers)

    def encode(self, solution: Any) -> PartialPoint:
        """Write the moves between numbers that are placed; the rest is left open."""
        size = self.puzzle.size
        numbers = self.puzzle.numbers_of(solution)
        following = np.where(
            numbers > 0, numbers % size + 1 if self.puzzle.closed else numbers + 1, 0
        )
        from_, to = numbers[self.tail], numbers[self.head]
        z = np.where((from_ > 0) & (to > 0), following[self.tail] == to, np.nan)
        placed = set(numbers[numbers > 0].tolist())
        parts = [z]
        ends = [1] * bool(self.starts) + [size] * (not self.puzzle.closed)
        for end in ends:
            unknown = (numbers == 0) & (end not in placed)
            parts.append(np.where(unknown, np.nan, numbers == end))
        if self.ordered:
            parts.append(np.where(numbers > 0, numbers, np.nan))
        values = np.concatenate(parts).astype(np.float64)
        columns = np.flatnonzero(~np.isnan(values))
        return PartialPoint(columns, values[columns])

    def _first(self, point: FloatArray) -> int | None:
        if not self.starts:
            cells, numbers = self.puzzle.given
            ones = cells[numbers == 1]
            return int(ones[0]) if len(ones) else 0
        starts = point[len(self.tail) : len(self.tail) + self.starts]
        chosen = np.flatnonzero(starts > 0.5)
        return int(chosen[0]) if len(chosen) else None


@dataclass(frozen=True, eq=False)
class CycleSeparator:
    r"""Cuts off the cycles beside the path: :math:`\sum_{c, d \in S} z_{cd} \le |S| - 1`.

    One cut for every cycle S of the point (Dantzig, Fulkerson and Johnson
    1954, on integer points).  Of a closed tour each of several cycles is cut.
    """

    columns: IntArray
    tail: Positions
    head: Positions
    size: int
    closed: bool

    reason = "moves may form cycles beside the path; they are cut off in rounds"

    def separate(self, values: FloatArray) -> RowBlock | None:
        """Return a row for each cycle that a path may not have, or None if there is none."""
        chosen = np.flatnonzero(np.asarray(values)[self.columns] > 0.5)
        after = dict(zip(self.tail[chosen].tolist(), self.head[chosen].tolist(), strict=True))
        cycles = _cycles(after)
        if not cycles or (self.closed and len(cycles) == 1 and len(cycles[0]) == self.size):
            return None
        rows, members = [], []
        for number, cycle in enumerate(cycles):
            inside = np.zeros(self.size, dtype=np.bool_)
            inside[cycle] = True
            arcs = np.flatnonzero(inside[self.tail] & inside[self.head])
            rows.append(np.full(len(arcs), number))
            members.append(self.columns[arcs])
        return RowBlock.from_terms(
            None,
            IndexSet.range("CYCLE", 1, len(cycles)),
            np.concatenate(rows),
            np.concatenate(members),
            1.0,
            -np.inf,
            [len(cycle) - 1.0 for cycle in cycles],
        )


def _cycles(after: dict[int, int]) -> list[list[int]]:
    """List the cycles of a partial map, each once."""
    seen: set[int] = set()
    cycles = []
    for origin in after:
        walk: list[int] = []
        cell: int | None = origin
        while cell is not None and cell not in seen:
            seen.add(cell)
            walk.append(cell)
            cell = after.get(cell)
        if cell is not None and cell in walk:
            cycles.append(walk[walk.index(cell) :])
    return cycles


def _end_of(
    builder: ModelBuilder,
    name: str,
    number: int,
    puzzle: PathPuzzleLike,
    candidates: Candidates | None,
    cells: IndexSet,
) -> VariableGroup:
    """Add the binaries of the cell that holds the first or the last number."""
    possible = np.ones(puzzle.size)
    if candidates is not None:
        possible[:] = 0.0
        possible[candidates.cells[candidates.numbers == number]] = 1.0
    group = builder.add_variables(name, cells, "binary", upper=possible)
    builder.add_rows(f"one_{name}", exactly_one(group, by=()))
    clue_cells, clue_numbers = puzzle.given
    chosen = clue_cells[clue_numbers == number]
    builder.add_rows(f"clue_{name}", fix(group.take(chosen), 1.0))
    return group


def _moves(puzzle: PathPuzzleLike, candidates: Candidates | None) -> tuple[Positions, Positions]:
    """List the moves, without those that no two possible pairs make."""
    tail, head = puzzle.arcs
    if candidates is None:
        return tail, head
    start, end = candidates.steps(puzzle)
    made = np.unique(candidates.cells[start] * puzzle.size + candidates.cells[end])
    return made // puzzle.size, made % puzzle.size


def _ranges(puzzle: PathPuzzleLike, candidates: Candidates | None) -> tuple[FloatArray, FloatArray]:
    """Return the least and the greatest number that each cell may hold."""
    low, high = np.ones(puzzle.size), np.full(puzzle.size, float(puzzle.size))
    if candidates is not None:
        low[:], high[:] = puzzle.size, 1.0
        np.minimum.at(low, candidates.cells, candidates.numbers)
        np.maximum.at(high, candidates.cells, candidates.numbers)
    cells, numbers = puzzle.given
    low[cells] = high[cells] = numbers
    empty = low > high
    low[empty], high[empty] = 1.0, float(puzzle.size)
    return low, high
