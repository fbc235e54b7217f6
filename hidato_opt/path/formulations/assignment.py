"""Formulations `assignment` and `two-way`: one binary for each cell and number."""

from __future__ import annotations

import numpy as np

from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.constraints import cover, exactly_one, set_partition
from hidato_opt.modelling.formulation import Formulated
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.rows import RowBlock
from hidato_opt.modelling.variables import VariableGroup
from hidato_opt.path.formulations.candidates import Candidates, PathPuzzleLike, Positions
from hidato_opt.path.formulations.codecs import PlacementCodec


def assignment(puzzle: PathPuzzleLike, candidates: Candidates | None = None) -> Formulated:
    r"""Write a board with binaries :math:`x_{ijk}`: cell (i, j) holds number k.

    The model of the text "The Hidato Number Maze", with
    :math:`\mathcal I, \mathcal J` the rows and columns, :math:`\mathcal C`
    the open cells, :math:`\mathcal K = \{1..N\}`, :math:`N = |\mathcal C|`
    (the text has boards without holes, where :math:`N = R C`), and
    :math:`\mathcal N(i, j)` the cells a move away from (i, j):

    .. math::
        \min\ & 0 \\
        & \sum_{k} x_{ijk} = 1 && (i, j) \in \mathcal C
            && \text{cell: one number a cell} \\
        & \sum_{(i, j)} x_{ijk} = 1 && k \in \mathcal K
            && \text{number: one cell a number} \\
        & x_{ijk} = 1 && F_{ijk} = 1 && \text{clue} \\
        & x_{ijk} \le \sum_{(r, c) \in \mathcal N(i, j)} x_{r,c,k+1}
            && (i, j) \in \mathcal C,\ k < N && \text{next}

    Indices are 1-based as in the text: ``model.x[i, j, k]``.  A closed tour
    has ``next`` for k = N too, with 1 after N.  Cells that must hold
    consecutive numbers add rows ``link``: see `placement`.

    Parameters
    ----------
    puzzle : PathPuzzleLike
        The puzzle.
    candidates : Candidates, optional
        The pairs of cell and number that get a variable; default all.

    Returns
    -------
    Formulated
        For all pairs: :math:`N^2` binaries; :math:`2N + |F| + N(N-1)` rows;
        :math:`2N^2 + |F| + (N-1)(N + A)` non-zeros with A the number of moves
        (ordered pairs of cells).

    Examples
    --------
    >>> from hidato_opt.path.puzzle import Hidato
    >>> model = assignment(Hidato([[1, 0], [0, 0]])).model
    >>> model
    Model(hidato assignment: 21 rows, 16 columns (16 integer), 81 non-zeros)
    """
    builder, _, pairs = placement(puzzle, candidates, "assignment")
    return Formulated(builder.build(), PlacementCodec(puzzle, pairs))


def two_way(puzzle: PathPuzzleLike, candidates: Candidates | None = None) -> Formulated:
    r"""Write a board as `assignment` does, and look back as well as forward.

    .. math::
        x_{ijk} \le \sum_{(r, c) \in \mathcal N^-(i, j)} x_{r,c,k-1}
            \qquad (i, j) \in \mathcal C,\ k > 1 \qquad \text{previous}

    with :math:`\mathcal N^-(i, j)` the cells that (i, j) is a move away from.
    The binary points are those of `assignment`; the linear relaxation is
    smaller.

    Parameters
    ----------
    puzzle, candidates
        As for `assignment`.

    Returns
    -------
    Formulated
        `assignment` and :math:`N(N-1)` more rows with :math:`(N-1)(N + A)`
        non-zeros.
    """
    builder, x, pairs = placement(puzzle, candidates, "two-way")
    follows = pairs.has_previous(puzzle)
    start, end = pairs.steps(puzzle, backward=True)
    rank = np.cumsum(follows) - 1
    builder.add_rows("previous", cover(x.take(np.flatnonzero(follows)), x.take(end), rank[start]))
    return Formulated(builder.build(), PlacementCodec(puzzle, pairs))


def placement(
    puzzle: PathPuzzleLike, candidates: Candidates | None, name: str
) -> tuple[ModelBuilder, VariableGroup, Candidates]:
    r"""Begin a model of binaries for cell and number: rows cell, number, clue, next, link.

    A pair of linked cells p, q must hold consecutive numbers (the dots of
    Rikudo): :math:`x_{pk} \le x_{q,k-1} + x_{q,k+1}` for every k.
    """
    pairs = candidates if candidates is not None else Candidates.full(puzzle.size)
    fields, columns = puzzle.cell_index()
    cells = IndexSet("C", fields, columns, distinct=True)
    numbers = IndexSet.range("K", 1, puzzle.size)
    builder = ModelBuilder(f"{puzzle.kind} {name}")
    x = builder.add_variables("x", pairs.index(puzzle), "binary")
    builder.add_rows("cell", exactly_one(x, by=fields, rows=cells))
    builder.add_rows("number", exactly_one(x, by=["k"], rows=numbers))
    builder.add_rows("clue", clue_rows(x, pairs, puzzle))
    followed = pairs.has_next(puzzle)
    start, end = pairs.steps(puzzle)
    rank = np.cumsum(followed) - 1
    builder.add_rows("next", cover(x.take(np.flatnonzero(followed)), x.take(end), rank[start]))
    if puzzle.links:
        add_links(builder, x, pairs, puzzle)
    return builder, x, pairs


def clue_rows(x: VariableGroup, pairs: Candidates, puzzle: PathPuzzleLike) -> RowBlock:
    """Write ``x = 1`` for each clue; where the clue is no candidate, the row ``0 = 1``."""
    fields, columns = puzzle.cell_index()
    cells, numbers = puzzle.given
    labels = [*(np.asarray(column)[cells] for column in columns), numbers]
    clues = IndexSet("F", [*fields, "k"], labels, distinct=True)
    where = pairs.find(cells, numbers)
    known = np.flatnonzero(where >= 0)
    return set_partition([(x.take(where[known]), known)], clues)


def add_links(
    builder: ModelBuilder, x: VariableGroup, pairs: Candidates, puzzle: PathPuzzleLike
) -> None:
    """Add the rows ``link`` of `placement` to a model of binaries for cell and number."""
    linked = [both for one, two in puzzle.links for both in ((one, two), (two, one))]
    covered: list[Positions] = []
    members: list[Positions] = []
    rows: list[Positions] = []
    first = 0
    for cell, other in linked:
        mine = np.flatnonzero(pairs.cells == cell)
        covered.append(mine)
        for shift in (-1, 1):
            number = pairs.numbers[mine] + shift
            if puzzle.closed:
                number = (number - 1) % puzzle.size + 1
            theirs = pairs.find(np.full(len(mine), other), number)
            members.append(theirs[theirs >= 0])
            rows.append(first + np.flatnonzero(theirs >= 0))
        first += len(mine)
    block = cover(
        x.take(np.concatenate(covered)), x.take(np.concatenate(members)), np.concatenate(rows)
    )
    builder.add_rows("link", block)
