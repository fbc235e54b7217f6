"""A family of tiny models with every kind of column and row."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.model import Model, ModelBuilder
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
