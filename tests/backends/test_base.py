"""What every session does whatever its solver says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hidato_opt.backends.base import RawResult, Session
from hidato_opt.core.errors import NoSolution, WrongAnswer
from hidato_opt.core.options import RunOptions
from hidato_opt.core.status import Status, WarmStartFate
from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.constraints import exactly_one
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.points import PartialPoint
from hidato_opt.modelling.rows import RowBlock


class SaysInfeasible(Session):
    """A session of a solver that calls every model infeasible."""

    def close(self) -> None:
        pass

    def _rows_added(self, block: RowBlock) -> None:
        pass

    def _run(self, start: PartialPoint | None, time_limit: float | None) -> RawResult:
        result = RawResult(Status.INFEASIBLE, "no", "liar", "1.0")
        return result if start is None else replace(result, warm_start=WarmStartFate.NOT_TRIED)


@pytest.fixture
def session() -> Session:
    builder = ModelBuilder("one of two")
    x = builder.add_variables("x", IndexSet.range("K", 1, 2), "binary")
    builder.add_rows("one", exactly_one(x, by=()))
    model: Model = builder.build()
    return SaysInfeasible(model, RunOptions())


def test_infeasible_after_a_complete_start_that_the_model_allows_is_a_wrong_answer(
    session: Session,
) -> None:
    with pytest.raises(WrongAnswer, match=r"liar 1\.0.*MIP start that was given is a point"):
        session.solve([1, 0])


@pytest.mark.parametrize("start", [None, [1, float("nan")]])
def test_infeasible_without_a_complete_start_is_reported(
    session: Session, start: list[float] | None
) -> None:
    assert session.solve(start).status == "infeasible"


def test_a_start_that_breaks_a_row_is_rejected_and_not_sent(session: Session) -> None:
    result = session.solve([1, 1])
    assert result.warm_start is WarmStartFate.REJECTED
    assert "one[1]" in result.warm_start_reason


def test_values_of_a_run_without_a_point_raise(session: Session) -> None:
    result = session.solve()
    assert not result.has_solution
    with pytest.raises(NoSolution, match="has_solution"):
        _ = result.values
