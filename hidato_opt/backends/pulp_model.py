"""A `Model` as a PuLP problem, the same way for PuLP 3 and PuLP 4."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from hidato_opt.modelling.export import UPPER
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.names import NameTable

if TYPE_CHECKING:
    import pulp


def to_pulp(model: Model) -> pulp.LpProblem:
    """Make a PuLP problem of a model.

    Variables and constraints have the names of `NameTable.of`.  A row between
    two bounds becomes two constraints, the second with ``__upper`` behind its
    name; a row without bounds is left out.  All variables stand in the
    objective, some with coefficient 0: PuLP 3 knows no others.

    Parameters
    ----------
    model : Model
        The model.

    Returns
    -------
    pulp.LpProblem
        The problem, with all variables and without values.

    Examples
    --------
    >>> from hidato_opt.modelling.constraints import at_most_one
    >>> from hidato_opt.modelling.index import IndexSet
    >>> from hidato_opt.modelling.builder import ModelBuilder
    >>> builder = ModelBuilder("pick")
    >>> x = builder.add_variables("x", IndexSet.range("K", 1, 2), "binary")
    >>> builder.add_rows("one", at_most_one(x, by=()))
    >>> problem = to_pulp(builder.build().maximize(3 * x[1] + x[2]))
    >>> [variable.name for variable in problem.variables()], problem.numConstraints()
    (['x_1', 'x_2'], 1)
    """
    return problem_and_variables(model)[0]


def problem_and_variables(model: Model) -> tuple[pulp.LpProblem, list[pulp.LpVariable]]:
    """Make a PuLP problem, and list its variables in the order of the model's columns."""
    import pulp

    # PuLP 4 has a function for what the class itself does in PuLP 3.
    expression: Any = getattr(pulp.LpAffineExpression, "from_list", pulp.LpAffineExpression)
    names = NameTable.of(model)
    sense = pulp.LpMaximize if model.maximise else pulp.LpMinimize
    problem = pulp.LpProblem(re.sub(r"\W+", "_", model.name, flags=re.ASCII) or "model", sense)
    crossed = model.lower > model.upper  # PuLP's writers would make something else of it
    variables = [
        problem.add_variable(name, low, up, pulp.LpInteger if integer else pulp.LpContinuous)
        for name, low, up, integer in zip(
            names.columns,
            _finite_or_none(model.lower),
            _finite_or_none(np.where(crossed, np.inf, model.upper)),
            model.integer.tolist(),
            strict=True,
        )
    ]
    costs = zip(variables, model.cost.tolist(), strict=True)
    problem += expression(list(costs)) + model.offset
    starts, columns = model.starts.tolist(), model.columns.tolist()
    coefficients = model.coefficients.tolist()
    lowers, uppers = model.row_lower.tolist(), model.row_upper.tolist()
    for row, (name, low, up) in enumerate(zip(names.rows, lowers, uppers, strict=True)):
        span = range(starts[row], starts[row + 1])
        terms = [(variables[columns[place]], coefficients[place]) for place in span]
        if low == up:
            problem += (expression(terms) == low, name)
            continue
        has_lower = low > -np.inf
        if has_lower:
            problem += (expression(terms) >= low, name)
        if up < np.inf:
            problem += (expression(terms) <= up, name + UPPER * has_lower)
    for column in np.flatnonzero(crossed).tolist():
        most = float(model.upper[column])
        name = names.columns[column] + UPPER
        problem += (expression([(variables[column], 1.0)]) <= most, name)
    return problem, variables


def _finite_or_none(bounds: Any) -> list[float | None]:
    return [bound if np.isfinite(bound) else None for bound in bounds.tolist()]
