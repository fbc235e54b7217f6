"""Formulation `flow`: the time-expanded network, with a variable for each step."""

from __future__ import annotations

import numpy as np

from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.constraints import exactly_one, link_value
from hidato_opt.modelling.formulation import Formulated
from hidato_opt.modelling.index import IndexSet
from hidato_opt.path.formulations.assignment import add_links, clue_rows
from hidato_opt.path.formulations.candidates import Candidates, PathPuzzleLike
from hidato_opt.path.formulations.codecs import PlacementCodec


def flow(puzzle: PathPuzzleLike, candidates: Candidates | None = None) -> Formulated:
    r"""Write a board as a path through a network of layers, one layer a number.

    Layer k has a node for each cell that may hold k; an arc
    :math:`y_{c d k}` leads from cell c in layer k to a cell d a move away in
    layer k+1.  One unit flows from layer 1 to layer N (Picard and Queyranne
    1978, for the time-dependent travelling salesman):

    .. math::
        & \sum_k x_{ck} = 1 && c \in \mathcal C && \text{cell} \\
        & \sum_c x_{ck} = 1 && k \in \mathcal K && \text{number} \\
        & x_{ck} = 1 && F_{ck} = 1 && \text{clue} \\
        & x_{ck} = \sum_d y_{cdk} && k < N && \text{out} \\
        & x_{dk} = \sum_c y_{cd,k-1} && k > 1 && \text{in}

    x is binary and y real-valued in [0, 1].  Projected on x, the relaxation
    satisfies every row :math:`\sum_{c \in S} x_{ck} \le
    \sum_{d \in N(S)} x_{d,k+1}`: it is the strongest of the placement models.

    Parameters
    ----------
    puzzle, candidates
        As for `assignment`.

    Returns
    -------
    Formulated
        For all pairs: :math:`N^2` binaries and :math:`A(N-1)` real variables,
        :math:`2N + |F| + 2N(N-1)` rows and
        :math:`2N^2 + |F| + 2(N-1)(N + A)` non-zeros, A the number of moves.
    """
    pairs = candidates if candidates is not None else Candidates.full(puzzle.size)
    fields, columns = puzzle.cell_index()
    cells = IndexSet("C", fields, columns, distinct=True)
    builder = ModelBuilder(f"{puzzle.kind} flow")
    x = builder.add_variables("x", pairs.index(puzzle), "binary")
    start, end = pairs.steps(puzzle)
    labels = pairs.index(puzzle)
    step_index = IndexSet(
        "STEP",
        [*(f"{field}_from" for field in fields), *(f"{field}_to" for field in fields), "k"],
        [
            *(labels.column(field)[start] for field in fields),
            *(labels.column(field)[end] for field in fields),
            pairs.numbers[start],
        ],
        distinct=True,
    )
    y = builder.add_variables("y", step_index, "continuous", upper=1.0)
    builder.add_rows("cell", exactly_one(x, by=fields, rows=cells))
    numbers = IndexSet.range("K", 1, puzzle.size)
    builder.add_rows("number", exactly_one(x, by=["k"], rows=numbers))
    builder.add_rows("clue", clue_rows(x, pairs, puzzle))
    for name, ends, takes_part in (
        ("out", start, pairs.has_next(puzzle)),
        ("in", end, pairs.has_previous(puzzle)),
    ):
        rank = np.cumsum(takes_part) - 1
        builder.add_rows(name, link_value(x.take(np.flatnonzero(takes_part)), y, rank[ends], 1.0))
    if puzzle.links:
        add_links(builder, x, pairs, puzzle)
    return Formulated(builder.build(), PlacementCodec(puzzle, pairs))
