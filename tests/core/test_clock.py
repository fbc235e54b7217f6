"""Deadlines and stopwatches, with a clock of our own."""

from __future__ import annotations

from contextlib import suppress

import pytest

from hidato_opt.core import clock
from hidato_opt.core.clock import Deadline, Stopwatch


class FakeTime:
    def __init__(self) -> None:
        self.now = 100.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> FakeTime:
    fake = FakeTime()
    monkeypatch.setattr(clock, "time", fake)
    return fake


def test_a_deadline_counts_down_and_stops_at_zero(time: FakeTime) -> None:
    deadline = Deadline(2.0)
    assert (deadline.remaining(), deadline.expired) == (2.0, False)
    time.now += 1.5
    assert (deadline.remaining(), deadline.expired) == (0.5, False)
    time.now += 0.5
    assert (deadline.remaining(), deadline.expired) == (0.0, True)
    time.now += 7
    assert (deadline.remaining(), deadline.expired) == (0.0, True)


def test_no_limit_never_expires(time: FakeTime) -> None:
    deadline = Deadline(None)
    time.now += 1e9
    assert deadline.remaining() is None
    assert not deadline.expired


def test_a_stopwatch_adds_up_stages_and_counts_the_total(time: FakeTime) -> None:
    watch = Stopwatch()
    with watch.stage("build"):
        time.now += 2
    time.now += 1
    with watch.stage("build"):
        time.now += 3
    watch.add("solve", 0.5)
    assert watch.seconds() == {"build": 5.0, "solve": 0.5, "total": 6.0}


def test_a_stage_that_fails_is_counted_too(time: FakeTime) -> None:
    watch = Stopwatch()
    with suppress(ZeroDivisionError), watch.stage("build"):
        time.now += 4
        raise ZeroDivisionError
    assert watch.seconds() == {"build": 4.0, "total": 4.0}
