"""Small models for the conformance suite; each docstring derives the answer by hand.

Nothing here asks a solver for anything.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.constraints import at_most, exactly_one
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.rows import RowBlock
from hidato_opt.modelling.variables import VariableArray, VariableKind


def columns(
    count: int,
    kind: str = "integer",
    lower: float | list[float] = 0.0,
    upper: float | list[float] | None = None,
    name: str = "x",
) -> Model:
    """Return a model of one group ``x[1], ..., x[count]`` without rows and with objective 0."""
    builder = ModelBuilder("small")
    builder.add_variables(name, IndexSet.range("I", 1, count), kind, lower, upper)
    return builder.build()


def row(
    x: VariableArray, coefficients: list[float], lower: float = -np.inf, upper: float = np.inf
) -> RowBlock:
    """Return one row ``lower <= coefficients . x <= upper``, also a ranged or a free one."""
    return RowBlock.from_terms(
        x.owner,
        IndexSet.range("row", 1, 1),
        np.zeros(len(coefficients), dtype=np.int64),
        x.columns[: len(coefficients)],
        coefficients,
        lower,
        upper,
    )


def mixed() -> Model:
    """Return ``min 2x + 3z, x + z >= 4.5, x >= 0, z >= 0 integer``: 9 at (4.5, 0).

    A unit of z costs 3 and spares 2 of x, so none is bought.  HiGHS 1.14.0
    answered 15 (ERGO-Code/HiGHS#2961).
    """
    builder = ModelBuilder("mixed")
    single = IndexSet.range("I", 1, 1)
    builder.add_variables("x", single, VariableKind.CONTINUOUS)
    builder.add_variables("z", single, VariableKind.INTEGER)
    model = builder.build()
    model = model.add(model.x[1] + model.z[1] >= 4.5, name="demand")
    return model.minimize(2 * model.x[1] + 3 * model.z[1])


def reported_infeasible(order: int) -> Model:
    """Return the 5-binary model of coin-or/pulp#662, rows and columns in the order of a seed.

    ``min c0 + c1`` with ``x0 + c1 = 1``, ``x0 + c0 >= 1``, ``x1 + c1 <= 1``,
    ``c0 + c1 <= 1``, ``x2 = 1`` and ``9000 x1 + 7200 x2 + 10800 c1 >= 16200``.
    The objective cannot be below 0, and x = (1, 1, 1), c = (0, 0) has it:
    9000 + 7200 = 16200.
    """
    draw = random.Random(order)
    names = ["x0", "x1", "x2", "c0", "c1"]
    draw.shuffle(names)
    model = columns(5, "binary")
    of = {name: model.x[place] for place, name in enumerate(names, start=1)}
    rows = [
        of["x0"] + of["c1"] == 1,
        of["x0"] + of["c0"] >= 1,
        of["x1"] + of["c1"] <= 1,
        of["c0"] + of["c1"] <= 1,
        of["x2"] == 1,
        9000 * of["x1"] + 7200 * of["x2"] + 10800 * of["c1"] >= 16200,
    ]
    draw.shuffle(rows)
    return model.add(rows, name="rows").minimize(of["c0"] + of["c1"])


@dataclass(frozen=True)
class Knapsack:
    """Items with a value and a weight in each of some dimensions."""

    values: list[int]
    weights: list[list[int]]
    capacities: list[int]

    def model(self) -> Model:
        """Return ``max v x, w_d x <= c_d`` with rows ``weight_1[1]``, ``weight_2[1]``, ..."""
        model = columns(len(self.values), "binary")
        for number, (weights, limit) in enumerate(
            zip(self.weights, self.capacities, strict=True), start=1
        ):
            model = model.add(model.x.dot(weights) <= limit, name=f"weight_{number}")
        return model.maximize(model.x.dot(self.values))

    @cached_property
    def best(self) -> int:
        """The best value, by dynamic programming over the used capacities."""
        reached = {(0,) * len(self.capacities): 0}
        for item, value in enumerate(self.values):
            for used, worth in list(reached.items()):
                now = tuple(u + w[item] for u, w in zip(used, self.weights, strict=True))
                if all(u <= c for u, c in zip(now, self.capacities, strict=True)):
                    reached[now] = max(reached.get(now, -1), worth + value)
        return max(reached.values())

    def greedy(self) -> list[int]:
        """Return the items taken one after the other as long as they fit, as zeros and ones."""
        left, chosen = list(self.capacities), []
        for item in range(len(self.values)):
            fits = all(w[item] <= c for w, c in zip(self.weights, left, strict=True))
            left = [c - fits * w[item] for w, c in zip(self.weights, left, strict=True)]
            chosen.append(int(fits))
        return chosen


@cache
def knapsack(seed: int, items: int = 20, dimensions: int = 1) -> Knapsack:
    """Draw a knapsack with values near the weights, so that presolve does not settle it."""
    draw = random.Random(seed)
    weights = [[draw.randint(20, 60) for _ in range(items)] for _ in range(dimensions)]
    values = [
        sum(column) // dimensions + draw.randint(0, 9) for column in zip(*weights, strict=True)
    ]
    return Knapsack(values, weights, [sum(of_row) // 2 for of_row in weights])


def market_split() -> Model:
    """Return 6 equations over 60 binaries that no solver decides in a few seconds.

    Each halves the sum of 60 numbers below 100, after the class of Cornuejols
    and Dawande (1998).  Of the 2^60 points about forty meet all six.
    """
    draw = random.Random(20)
    model = columns(60, "binary")
    for number in range(1, 7):
        weights = [draw.randint(0, 99) for _ in range(60)]
        model = model.add(model.x.dot(weights) == sum(weights) // 2, name=f"half_{number}")
    return model


def assignment(size: int) -> Model:
    """Return the permutation matrices of a size: ``x[i, j]`` with one 1 in each row and column."""
    builder = ModelBuilder("assignment")
    rows, cols = IndexSet.range("I", 1, size), IndexSet.range("J", 1, size)
    x = builder.add_variables("x", IndexSet.product("IJ", rows, cols), "binary")
    builder.add_rows("row", exactly_one(x, by=["i"]))
    builder.add_rows("column", exactly_one(x, by=["j"]))
    return builder.build()


def packing() -> Model:
    """Return ``max x1 + ... + x6`` of which at most two: 2."""
    model = columns(6, "binary")
    return model.add(at_most(model.x, 2, by=()), name="two").maximize(model.x.sum())


def random_program(seed: int) -> Model:
    """Draw an integer program of 2 to 4 variables between -3 and 3 and 1 to 4 rows of any kind."""
    draw = random.Random(seed)
    count = draw.randint(2, 4)
    lower = [draw.randint(-3, 0) for _ in range(count)]
    upper = [draw.randint(low, 3) for low in lower]
    model = columns(count, "integer", [float(v) for v in lower], [float(v) for v in upper])
    for number in range(1, draw.randint(1, 4) + 1):
        coefficients = [float(draw.randint(-4, 4)) for _ in range(count)]
        level, kind = draw.randint(-6, 6), draw.choice(["<=", ">=", "=", "range"])
        least = level if kind != "<=" else -np.inf
        most = {">=": np.inf, "range": level + draw.randint(1, 4)}.get(kind, level)
        model = model.add(row(model.x, coefficients, least, most), name=f"row_{number}")
    goal = model.x.dot([draw.randint(-5, 5) for _ in range(count)]) + draw.randint(-9, 9)
    return model.maximize(goal) if draw.random() < 0.5 else model.minimize(goal)


def brute_force(model: Model) -> float | None:
    """Try every integer point between the bounds; return the best value, None if there is none."""
    ranges = [
        range(int(low), int(high) + 1)
        for low, high in zip(model.lower.tolist(), model.upper.tolist(), strict=True)
    ]
    points = np.array(list(itertools.product(*ranges)), dtype=np.float64)
    matrix = np.zeros((model.num_rows, model.num_columns))
    for number in range(model.num_rows):
        span = slice(model.starts[number], model.starts[number + 1])
        matrix[number, model.columns[span]] = model.coefficients[span]
    activity = points @ matrix.T
    feasible = ((activity >= model.row_lower) & (activity <= model.row_upper)).all(axis=1)
    if not feasible.any():
        return None
    values = points[feasible] @ model.cost + model.offset
    return float(values.max() if model.maximise else values.min())
