"""Wall-clock deadlines, and seconds by stage."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Deadline:
    """A moment after which a run must stop; None seconds is never.

    Examples
    --------
    >>> Deadline(None).remaining() is None
    True
    >>> Deadline(0).expired
    True
    """

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.perf_counter() + seconds

    def remaining(self) -> float | None:
        """Return the seconds left, at least 0; None where there is no limit."""
        return None if self._end is None else max(0.0, self._end - time.perf_counter())

    @property
    def expired(self) -> bool:
        """Whether the moment has passed."""
        return self._end is not None and time.perf_counter() >= self._end


class Stopwatch:
    """Seconds spent by stage, and in total since the watch was made.

    Examples
    --------
    >>> watch = Stopwatch()
    >>> with watch.stage("build"):
    ...     pass
    >>> sorted(watch.seconds())
    ['build', 'total']
    """

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._stages: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time of the block to a stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.add(name, time.perf_counter() - start)

    def add(self, name: str, seconds: float) -> None:
        """Add seconds to a stage."""
        self._stages[name] = self._stages.get(name, 0.0) + seconds

    def seconds(self) -> dict[str, float]:
        """Return the seconds of each stage, and ``total``."""
        return {**self._stages, "total": time.perf_counter() - self._start}
