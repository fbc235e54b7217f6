"""CP-SAT models of path puzzles, to measure against; written for these benchmarks.

`table`: a position for each number, consecutive ones tied by a table of moves.
`windows`: a Boolean for each cell and number that a walk between the clues
allows, consecutive ones tied by clauses both ways.
"""

from __future__ import annotations

from dataclasses import dataclass

from hidato_opt.path.rules import PathRules


@dataclass(frozen=True)
class Answer:
    """What CP-SAT said: ``OPTIMAL``, ``INFEASIBLE`` or ``UNKNOWN``, and the cell of each number."""

    status: str
    path: list[int] | None


def table(puzzle: PathRules, limit: float) -> Answer:
    """Solve with position variables and tables of moves."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    size = puzzle.size
    position = [model.new_int_var(0, size - 1, f"p{k}") for k in range(size)]
    model.add_all_different(position)
    for number, cell in puzzle.clue_positions.items():
        model.add(position[number - 1] == cell)
    moves = list(zip(*(part.tolist() for part in puzzle.arcs), strict=True))
    following = [*position[1:], position[0]] if puzzle.closed else position[1:]
    for here, there in zip(position, following, strict=False):
        model.add_allowed_assignments([here, there], moves)
    solver, status = _solve(model, limit)
    path = [solver.value(p) for p in position] if status in ("OPTIMAL", "FEASIBLE") else None
    return Answer(status, path)


def windows(puzzle: PathRules, limit: float) -> Answer:
    """Solve with Booleans for what exact walks between the clues allow."""
    from ortools.sat.python import cp_model

    size = puzzle.size
    domains = walk_windows(puzzle)
    model = cp_model.CpModel()
    x = [
        {cell: model.new_bool_var(f"x{cell}_{k}") for cell in domain}
        for k, domain in enumerate(domains)
    ]
    in_cell: list[list[object]] = [[] for _ in range(size)]
    for booleans in x:
        model.add_exactly_one(booleans.values())
        for cell, boolean in booleans.items():
            in_cell[cell].append(boolean)
    for booleans in in_cell:
        model.add_exactly_one(booleans)
    successors, predecessors = puzzle.graph.successors, puzzle.graph.predecessors
    for k in range(size if puzzle.closed else size - 1):
        here, there = x[k], x[(k + 1) % size]
        for cell, boolean in here.items():
            model.add_bool_or(
                boolean.negated(), *(there[other] for other in successors[cell] if other in there)
            )
        for cell, boolean in there.items():
            model.add_bool_or(
                boolean.negated(), *(here[other] for other in predecessors[cell] if other in here)
            )
    solver, status = _solve(model, limit)
    path = None
    if status in ("OPTIMAL", "FEASIBLE"):
        path = [next(cell for cell, b in booleans.items() if solver.value(b)) for booleans in x]
    return Answer(status, path)


def walk_windows(puzzle: PathRules) -> list[set[int]]:
    """List the cells that each number may have by exact walks from and to the clues."""
    size = puzzle.size
    clues = {number - 1: cell for number, cell in puzzle.clue_positions.items()}
    taken = set(clues.values())
    free = {cell for cell in range(size) if cell not in taken}
    allowed = [{clues[k]} if k in clues else free for k in range(size)]
    forward = [set(cells) for cells in allowed]
    for k in range(1, size):
        reached = {other for cell in forward[k - 1] for other in puzzle.graph.successors[cell]}
        forward[k] &= reached
    for k in range(size - 2, -1, -1):
        reached = {other for cell in forward[k + 1] for other in puzzle.graph.predecessors[cell]}
        forward[k] &= reached
    return forward


def _solve(model: object, limit: float) -> tuple[object, str]:
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = limit
    return solver, solver.status_name(solver.solve(model))
