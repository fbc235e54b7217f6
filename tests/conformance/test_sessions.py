"""Sessions: solve, add rows, solve again; and what a solver must not leave behind."""

from __future__ import annotations

import itertools
import logging

import psutil
import pytest

from conformance.checks import assert_optimal, assert_without_point
from conformance.conftest import Profile
from conformance.models import assignment, knapsack, packing
from hidato_opt.backends.base import Backend
from hidato_opt.core.options import RunOptions
from hidato_opt.core.status import Status
from hidato_opt.modelling.constraints import at_least, at_most, no_good_cut


@pytest.mark.many_solves
def test_session_enumerates(backend: Backend) -> None:
    """No-good cuts give the six permutations of three, each once, and then there is none."""
    model = assignment(3)
    found = []
    with backend.session(model) as session:
        for number in itertools.count(1):
            result = session.solve()
            if not result.has_solution:
                break
            assert number <= 6
            values = result.values.reshape(3, 3)
            found.append(tuple(int(column) for column in values.argmax(axis=1)))
            session.add_rows(no_good_cut(model.x, result.values), name=f"cut_{number}")
    assert_without_point(result, Status.INFEASIBLE)
    assert sorted(found) == sorted(itertools.permutations(range(3)))


def test_added_rows_bind(backend: Backend) -> None:
    """At most two of six; then at most one of the first three; then all of those."""
    model = packing()
    first_three = model.x.take([0, 1, 2])
    with backend.session(model) as session:
        assert_optimal(model, session.solve(), 2.0)
        session.add_rows(at_most(first_three, 1, by=()), name="few")
        result = session.solve()
        assert_optimal(session.model, result, 2.0)
        assert result.values[:3].sum() <= 1
        session.add_rows(at_least(model.x.take([3, 4, 5]), 2, by=()), name="rest")
        result = session.solve()
        assert_optimal(session.model, result, 2.0)
        assert result.values[:3].sum() == 0
    assert list(session.model.rows) == ["two", "few", "rest"]
    assert list(model.rows) == ["two"]


def test_several_rows_at_once(backend: Backend) -> None:
    """A block of rows, one a row of the board: x[1, 1] = x[2, 2] = x[3, 3] = 0 leaves 2 of 6."""
    model = assignment(3)
    diagonal = model.x.take([0, 4, 8])
    with backend.session(model) as session:
        session.add_rows(at_most(diagonal, 0, by=("i", "j")), name="derangement")
        result = session.solve()
    assert_optimal(session.model, result, 0.0)
    permutation = tuple(int(column) for column in result.values.reshape(3, 3).argmax(axis=1))
    assert permutation in ((1, 2, 0), (2, 0, 1))


def test_session_after_infeasible(backend: Backend) -> None:
    """A session that has proved infeasibility goes on saying so, with more rows too."""
    model = packing()
    with backend.session(model) as session:
        session.add_rows(at_least(model.x, 3, by=()), name="three")
        assert_without_point(session.solve(), Status.INFEASIBLE)
        assert_without_point(session.solve(), Status.INFEASIBLE)
        session.add_rows(at_most(model.x, 5, by=()), name="five")
        assert_without_point(session.solve(), Status.INFEASIBLE)


def test_session_solved_twice(backend: Backend) -> None:
    instance = knapsack(50)
    model = instance.model()
    with backend.session(model) as session:
        for _ in range(2):
            assert_optimal(model, session.solve(), instance.best)


def test_silent_by_default(backend: Backend, capfd: pytest.CaptureFixture[str]) -> None:
    instance = knapsack(51)
    model = instance.model()
    with backend.session(model) as session:
        session.solve(start=instance.greedy())
        session.add_rows(at_most(model.x, 9, by=()), name="few")
        session.solve(time_limit=30)
    backend.availability()
    assert capfd.readouterr() == ("", "")


def test_log_goes_to_logging(
    backend: Backend, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """Line by line at level INFO, and nothing to the terminal."""
    caplog.set_level(logging.INFO, "hidato_opt.solver")
    backend.solve(knapsack(52).model(), RunOptions(log=True))
    records = [record for record in caplog.records if record.name == "hidato_opt.solver"]
    assert len(records) > 3
    assert all("\n" not in record.getMessage() for record in records)
    assert capfd.readouterr() == ("", "")


def test_no_log_unless_asked(backend: Backend, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "hidato_opt.solver")
    instance = knapsack(53)
    backend.solve(instance.model(), start=instance.greedy())
    assert not caplog.records


@pytest.mark.slow
def test_memory_after_many_solves(backend: Backend, profile: Profile) -> None:
    """500 solves, or 50 where each starts a Python and this one only waits for it."""
    model = packing()
    process = psutil.Process()
    for _ in range(20):
        backend.solve(model)
    before = process.memory_info().rss
    for _ in range(50 if profile.starts_python else 500):
        assert backend.solve(model).objective == 2.0
    assert process.memory_info().rss - before < 50 * 2**20
