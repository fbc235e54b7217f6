"""What must hold of any result, whoever gave it."""

from __future__ import annotations

import numpy as np
import pytest

from hidato_opt.backends.base import RawResult
from hidato_opt.core.errors import NoSolution
from hidato_opt.core.status import Status
from hidato_opt.modelling.model import Model


def assert_point(model: Model, result: RawResult) -> None:
    """The point is whole where it must be, keeps bounds and rows, and has the value it claims."""
    values = result.values
    assert result.has_solution
    assert values.shape == (model.num_columns,)
    whole = values[model.integer]
    assert (whole == np.rint(whole)).all()
    assert (values >= model.lower - 1e-6).all()
    assert (values <= model.upper + 1e-6).all()
    for number in range(model.num_rows):
        span = slice(model.starts[number], model.starts[number + 1])
        activity = float(model.coefficients[span] @ values[model.columns[span]])
        assert model.row_lower[number] - 1e-6 <= activity <= model.row_upper[number] + 1e-6
    assert result.objective == pytest.approx(float(model.cost @ values) + model.offset)


def assert_optimal(model: Model, result: RawResult, value: float) -> None:
    """The result claims this value as the optimum, with a point and a bound that agree."""
    assert result.status == Status.OPTIMAL, result
    assert_point(model, result)
    assert result.objective == pytest.approx(value)
    if result.bound is not None:
        assert result.bound == pytest.approx(value)


def assert_without_point(result: RawResult, *statuses: Status) -> None:
    """The result is of one of these statuses and refuses to show values."""
    assert result.status in statuses, result
    assert not result.has_solution
    assert result.objective is None
    with pytest.raises(NoSolution, match=result.status.value):
        _ = result.values
