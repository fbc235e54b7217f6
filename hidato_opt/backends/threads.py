"""A solver run in a thread of its own, so that the caller can wait, give up and be interrupted."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable

from hidato_opt.core.clock import Deadline
from hidato_opt.core.errors import SolverFailed

POLL_SECONDS = 0.1
STOP_AFTER = 1.0
"""Seconds past the time limit after which a run is told to stop."""
ABANDON_AFTER = 3.0
"""Seconds past the time limit after which its answer is no longer waited for."""
INTERRUPT_GRACE = 0.7
"""Seconds that a run has to stop after Ctrl-C."""
EXIT_GRACE = 5.0
"""Seconds that a run which was left to itself has to stop when the interpreter ends."""

_left_running: list[SolverThread] = []


def is_any_left_running() -> bool:
    """Whether a run that was left to itself is still going on."""
    return any(thread.is_running for thread in _left_running)


class SolverThread:
    """Runs `work` in a daemon thread.

    Parameters
    ----------
    name : str
        The solver, for messages.
    work : callable
        The run; it must let go of the global interpreter lock.
    stop : callable
        Asks the run to stop; called again and again until it has, since a
        request that comes before the run has begun may be lost.
    """

    def __init__(self, name: str, work: Callable[[], None], stop: Callable[[], None]) -> None:
        self._name = name
        self._work = work
        self._stop = stop
        self._error: Exception | None = None
        # An event: before Python 3.13, Ctrl-C during Thread.join marks the thread as ended.
        self._done = threading.Event()
        threading.Thread(target=self._run, name=name, daemon=True).start()

    @property
    def is_running(self) -> bool:
        """Whether the run has not ended yet."""
        return not self._done.is_set()

    def wait(self, limit: float | None) -> bool:
        """Wait for the end of the run.

        Parameters
        ----------
        limit : float or None
            The run's own time limit in seconds.  `STOP_AFTER` past it the run
            is told to stop, `ABANDON_AFTER` past it it is left to itself.

        Returns
        -------
        bool
            Whether the run has ended.

        Raises
        ------
        SolverFailed
            The run raised an exception.
        KeyboardInterrupt
            Ctrl-C; the run has been told to stop and given a moment.
        """
        stop = Deadline(None if limit is None else limit + STOP_AFTER)
        abandon = Deadline(None if limit is None else limit + ABANDON_AFTER)
        try:
            while self.is_running and not abandon.expired:
                self._done.wait(POLL_SECONDS)
                if stop.expired:
                    self._stop()
        except KeyboardInterrupt:
            self._stop_within(INTERRUPT_GRACE)
            raise
        finally:
            if self.is_running:
                _left_running.append(self)
                # a solver that calls Python when that is ending takes the process down
                atexit.register(self._stop_within, EXIT_GRACE)
        if self._error is not None:
            raise SolverFailed(f"{self._name} failed: {self._error}") from self._error
        return not self.is_running

    def _stop_within(self, seconds: float) -> None:
        grace = Deadline(seconds)
        while self.is_running and not grace.expired:
            self._stop()
            self._done.wait(POLL_SECONDS / 5)

    def _run(self) -> None:
        try:
            self._work()
        except Exception as error:
            self._error = error
        finally:
            self._done.set()
