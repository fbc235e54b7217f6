"""Models as PuLP problems: by structure, and by solving them with PuLP's HiGHS."""

from __future__ import annotations

import math

import numpy as np
import pulp
import pytest
from conformance.models import brute_force, columns, random_program, row

from hidato_opt.backends.pulp_model import problem_and_variables, to_pulp
from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.model import Model


def rows_of(problem: pulp.LpProblem) -> dict[str, tuple[dict[str, float], int, float]]:
    """Name of each constraint, and its terms, sense and right-hand side."""
    return {
        each.name: (
            {variable.name: value for variable, value in each.items()},
            each.sense,
            -each.constant,
        )
        for each in problem.constraints()
    }


def every_kind() -> Model:
    builder = ModelBuilder("every kind of row")
    pairs = IndexSet.of("P", [(1, -1), (1, 2)], fields=["i", "j"])
    builder.add_variables("x", pairs, "binary")
    builder.add_variables("y", IndexSet.range("K", 1, 2), "integer", [-3.0, 0.0], [7.0, math.inf])
    builder.add_variables("z", IndexSet.range("K", 1, 1), "continuous", -math.inf, 2.5)
    model = builder.build()
    x, y, z = model.x, model.y, model.z
    model = model.add(x[1, -1] + 2 * y[1] <= 4, name="most")
    model = model.add(3 * y[2] - z[1] >= -1, name="least")
    model = model.add(x[1, 2] + z[1] == 0.5, name="equal")
    model = model.add(row(x, [1.0, 1.0], 0.0, 1.0), name="between")
    model = model.add(row(x, [1.0, 1.0]), name="free")
    return model.maximize(5 * x[1, 2] - 2 * z[1] + 10)


def test_variables_with_bounds_and_kinds() -> None:
    problem, variables = problem_and_variables(every_kind())
    told = [(each.name, each.lowBound, each.upBound, each.cat) for each in variables]
    infinite = {None, math.inf, -math.inf}  # PuLP 3 says None, PuLP 4 a number
    assert [(name, kind) for name, _, _, kind in told] == [
        ("x_1_m1", "Integer"),
        ("x_1_2", "Integer"),
        ("y_1", "Integer"),
        ("y_2", "Integer"),
        ("z_1", "Continuous"),
    ]
    lows, ups = [low for _, low, _, _ in told], [up for _, _, up, _ in told]
    assert lows[:4] == [0.0, 0.0, -3.0, 0.0]
    assert lows[4] in infinite
    assert ups[:3] == [1.0, 1.0, 7.0]
    assert ups[3] in infinite
    assert ups[4] == 2.5
    assert {each.name for each in problem.variables()} == {name for name, _, _, _ in told}


def test_rows_with_their_names() -> None:
    less, equal, greater = pulp.LpConstraintLE, pulp.LpConstraintEQ, pulp.LpConstraintGE
    pair = {"x_1_m1": 1.0, "x_1_2": 1.0}
    assert rows_of(to_pulp(every_kind())) == {
        "most_1": ({"x_1_m1": 1.0, "y_1": 2.0}, less, 4.0),
        "least_1": ({"y_2": 3.0, "z_1": -1.0}, greater, -1.0),
        "equal_1": ({"x_1_2": 1.0, "z_1": 1.0}, equal, 0.5),
        "between_1": (pair, greater, 0.0),
        "between_1__upper": (pair, less, 1.0),
    }


def test_objective_with_sense_and_constant() -> None:
    problem = to_pulp(every_kind())
    assert problem.sense == pulp.LpMaximize
    goal = {variable.name: value for variable, value in problem.objective.items() if value}
    assert goal == {"x_1_2": 5.0, "z_1": -2.0}
    assert problem.objective.constant == 10.0


def test_minimum() -> None:
    assert to_pulp(columns(1).minimize(3)).sense == pulp.LpMinimize


def test_name_of_the_problem_has_no_blanks() -> None:
    assert to_pulp(every_kind()).name == "every_kind_of_row"


def test_variable_that_stands_nowhere_is_in_the_problem() -> None:
    model = columns(3, "binary")
    problem = to_pulp(model.add(model.x[1] <= 1, name="one"))
    assert [each.name for each in problem.variables()] == ["x_1", "x_2", "x_3"]


def test_crossed_bounds_become_a_row() -> None:
    problem = to_pulp(columns(1, lower=2.0, upper=1.0))
    assert rows_of(problem) == {"x_1__upper": ({"x_1": 1.0}, pulp.LpConstraintLE, 1.0)}


@pytest.mark.parametrize("seed", range(12))
def test_solved_by_pulp_it_is_the_same_model(seed: int) -> None:
    """The value of the best point is found by trying all of them."""
    model = random_program(seed)
    problem, variables = problem_and_variables(model)
    # HiGHS takes one number of threads a process, in the tests 1.
    problem.solve(pulp.HiGHS(msg=False, threads=1))
    best = brute_force(model)
    if best is None:
        values = np.array([variable.varValue for variable in variables], dtype=np.float64)
        assert not feasible(model, values)
    else:
        assert pulp.value(problem.objective) == pytest.approx(best)


def feasible(model: Model, values: np.ndarray) -> bool:
    activity = model.matrix @ values
    within = (activity >= model.row_lower - 1e-6) & (activity <= model.row_upper + 1e-6)
    whole = np.abs(values - np.rint(values)) < 1e-6
    return bool(within.all() and whole.all())
