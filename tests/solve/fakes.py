"""Backends that answer what they are told to, for everything that a real solver does rightly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hidato_opt.backends import registry
from hidato_opt.backends.base import Availability, Backend, RawResult, Session
from hidato_opt.core.options import RunOptions
from hidato_opt.core.status import Status
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.points import PartialPoint
from hidato_opt.modelling.rows import RowBlock


class FakeSession(Session):
    """Answers with the result it was made with."""

    def __init__(self, model: Model, options: RunOptions, result: RawResult) -> None:
        super().__init__(model, options)
        self._result = result

    def close(self) -> None:
        """Hold nothing."""

    def _run(self, start: PartialPoint | None, time_limit: float | None) -> RawResult:
        return self._result

    def _rows_added(self, block: RowBlock) -> None:
        """Take no note."""


class FakeBackend(Backend):
    """A solver that gives one answer whatever the model."""

    name = "fake"

    def __init__(self, point: Any = None, status: Status = Status.OPTIMAL, **fields: Any) -> None:
        values = None if point is None else np.asarray(point)
        self.result = RawResult(status, "as told", "fake", "0.1", point=values, **fields)

    def availability(self) -> Availability:
        """Say yes."""
        return Availability(self.name, usable=True, version="0.1")

    def session(self, model: Model, options: RunOptions | None = None) -> FakeSession:
        """Take any model."""
        return FakeSession(model, options or RunOptions(), self.result)


def install(monkeypatch: pytest.MonkeyPatch, backend: Backend) -> str:
    """Put a backend where `backend_named` finds it; return its name."""
    monkeypatch.setitem(registry.BACKENDS, "fake", f"{__name__}:current")
    monkeypatch.setattr(f"{__name__}.current", lambda: backend, raising=False)
    registry.backend_named.cache_clear()
    return "fake"


def current() -> Backend:
    """Stand for the backend that `install` was given."""
    raise LookupError("no fake backend is installed")
