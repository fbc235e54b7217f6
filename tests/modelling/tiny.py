"""A family of tiny models with every kind of column and row."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.rows import RowBlock

INF = float("inf")

BOXES = [(0, 1), (0, 0), (1, 1), (0, 3), (-2, 2), (-3, -1), (-1, -1), (-1.5, 2.5), (2, 1)]
"""Finite bounds; the last two leave no room at all, and rounding for an integer."""
OPEN = [(0, INF), (-INF, INF), (-INF, -1), (-INF, 2), (1, INF), (-2.5, INF)]
COEFFICIENTS = [1.0, -1.0, 2.0, -3.0, 0.5, 0.1, 1e-05]
SIDES = [-2.0, -1.0, 0.0, 0.1, 0.3, 1.0, 2.0, 5.0]


@st.composite
def tiny_models(draw: st.DrawFn, *, whole: bool = False, bounded: bool = False) -> Model:
    """Draw a model of up to five columns and four rows.

    Parameters
    ----------
    whole : bool
        Integer columns with finite bounds only, so that `brute_force` can tell the truth.
    bounded : bool
        No column without a finite bound on both sides has a cost, so that no
        model is unbounded.
    """
    builder = ModelBuilder(draw(st.sampled_from(["tiny", "FREE", "", "two words", "ü"])))
    boxes = BOXES if whole else BOXES + OPEN
    for name, kind in [("x", "integer"), ("y", "integer" if whole else "continuous")]:
        bounds = draw(st.lists(st.sampled_from(boxes), max_size=3 if kind == "integer" else 2))
        builder.add_variables(
            name,
            IndexSet.range("I", 1, len(bounds)),
            kind,
            [low for low, _ in bounds],
            [high for _, high in bounds],
        )
    model = builder.build()
    entries = draw(
        st.lists(
            st.lists(
                st.none() | st.sampled_from(COEFFICIENTS),
                min_size=model.num_columns,
                max_size=model.num_columns,
            ),
            max_size=4,
        )
    )
    model = with_rows(model, entries, [draw(row_bounds()) for _ in entries])
    costs = draw(
        st.lists(
            st.sampled_from([0.0, 0.0, 1.0, -1.0, 2.5]),
            min_size=model.num_columns,
            max_size=model.num_columns,
        )
    )
    if bounded:
        open_side = np.isinf(model.lower) | np.isinf(model.upper)
        costs = np.where(open_side, 0.0, costs).tolist()
    objective = sum(
        (cost * model.layout.variable(column) for column, cost in enumerate(costs)),
        draw(st.sampled_from([0.0, 10.0, -2.5])),
    )
    return draw(st.sampled_from([model.minimize, model.maximize]))(objective)


@st.composite
def row_bounds(draw: st.DrawFn) -> tuple[float, float]:
    """Draw the bounds of a row: free, one-sided, equal, ranged, or contradictory."""
    low, high = draw(st.sampled_from(SIDES)), draw(st.sampled_from(SIDES))
    return draw(
        st.sampled_from(
            [
                (-INF, INF),
                (low, INF),
                (-INF, high),
                (low, low),
                (min(low, high), max(low, high)),
                (low, high),
            ]
        )
    )


def with_rows(model: Model, entries: list[list[Any]], bounds: list[tuple[float, float]]) -> Model:
    """Add rows given entry by entry, None where there is none."""
    terms = [
        (row, column, value)
        for row, line in enumerate(entries)
        for column, value in enumerate(line)
        if value is not None
    ]
    return model.add(
        RowBlock.from_terms(
            model.layout,
            IndexSet.range("R", 1, len(entries)),
            [row for row, _, _ in terms],
            [column for _, column, _ in terms],
            [value for _, _, value in terms],
            [low for low, _ in bounds],
            [high for _, high in bounds],
        ),
        name="r",
    )


def every_shape() -> Model:
    """A model with each kind of bound on integer and on real columns, and of row.

    The columns: n1 in 0..1, n2 = 1, n3 in -3..-1, n4 >= 0, n5 free, n6 <= 7;
    and the real y1 >= 0, y2 free, y3 <= -1.5, y4 in 0..0.3, y5 = 2, y6 in 2..1.
    The rows: equal, at most, at least, ranged, free, empty, empty and unmet.
    """
    builder = ModelBuilder("every shape")
    K = IndexSet.range("K", 1, 6)
    builder.add_variables("n", K, "integer", [0, 1, -3, 0, -INF, -INF], [1, 1, -1, INF, INF, 7])
    builder.add_variables(
        "y", K, "continuous", [0, -INF, -INF, 0, 2, 2], [INF, INF, -1.5, 0.3, 2, 1]
    )
    terms: list[dict[int, float]] = [
        {0: 1, 1: -1, 6: 0.1},
        {2: -2},
        {3: 1, 4: 1e-05},
        {5: 1, 7: 3},
        {8: 1},
        {},
        {},
    ]
    bounds = [(1, 1), (-INF, 4), (-2, INF), (-1, 2.5), (-INF, INF), (-INF, 0), (1, INF)]
    entries = [[line.get(column) for column in range(12)] for line in terms]
    return with_rows(builder.build(), entries, bounds)


WORDS = """
    st free inf info infinity nan nano e e5 E12 end general integers binary bounds bound
    subject such to max min maximum minimise sos1 semi such_that subject_to s obj rhs marker
""".split()  # noqa: SIM905  # thirty quoted words read worse
"""Words of the file formats, and words that begin like one or like a number."""


def worded_model() -> Model:
    """For each word an integer in 0..3, and a row of that name that asks for at least 1 of it."""
    builder = ModelBuilder("end")
    single, pair = IndexSet.range("K", 1, 1), IndexSet.of("P", [(1, 1)], ["i", "j"])
    for word in WORDS:
        builder.add_variables(word, single, "integer", 0, 3)
    for column, word in enumerate(WORDS):
        builder.add_rows(
            word, RowBlock.from_terms(builder.layout, pair, [0], [column], [1.0], 1, INF)
        )
    model = builder.build()
    return model.minimize(sum(model.layout.variable(column) for column in range(len(WORDS))))


sizes = st.floats(1e-6, 1e12)
"""What HiGHS reads as it stands: it drops smaller coefficients, and takes 1e20 for infinity."""
reals = sizes | sizes.map(lambda value: -value) | st.just(0.0) | st.integers(-9, 9).map(float)


@st.composite
def exact_models(draw: st.DrawFn) -> Model:
    """Draw a model of arbitrary numbers, to be written and read back to the last bit."""
    bounds = st.tuples(reals | st.just(-INF), reals | st.just(INF))
    builder = ModelBuilder("exact")
    for name, kind in [("n", "integer"), ("y", "continuous"), ("m", "integer")]:
        pairs = draw(st.lists(bounds, max_size=3))
        builder.add_variables(
            name,
            IndexSet.range("K", 1, len(pairs)),
            kind,
            [low for low, _ in pairs],
            [high for _, high in pairs],
        )
    model = builder.build()
    size = model.num_columns
    lines = draw(st.lists(st.lists(st.none() | reals, min_size=size, max_size=size), max_size=4))
    model = with_rows(model, lines, [draw(bounds) for _ in lines])
    costs = draw(st.lists(reals, min_size=size, max_size=size))
    objective = sum(
        (cost * model.layout.variable(column) for column, cost in enumerate(costs)), draw(reals)
    )
    return draw(st.sampled_from([model.minimize, model.maximize]))(objective)
