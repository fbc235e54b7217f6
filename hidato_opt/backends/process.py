"""Run an external solver: a folder and a process group of its own, its log live, a deadline.

The solver runs in a folder made for the run and sees file names relative to
it, so that blanks in the path of the temporary folder never reach a command
line.  Whatever happens (time-out, Ctrl-C, an exception), neither a process nor
a file of the run is left behind.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TextIO

from hidato_opt.core.clock import Deadline
from hidato_opt.core.errors import BackendUnavailable

SOLVER_LOG = logging.getLogger("hidato_opt.solver")
"""Where solver logs go, line by line, at level INFO."""
PATIENCE = 1.5
"""Seconds past its limit after which a solver is told to stop."""
FAREWELL = 1.0
"""Seconds a solver then has to write down what it has, before it is killed."""
INTERRUPT_FAREWELL = 0.4
"""The same after Ctrl-C, when somebody is waiting."""

_POLL = 0.1


@dataclass(frozen=True)
class Finished:
    """A process that has ended.

    Attributes
    ----------
    exit_code : int
        Its exit code; -n where signal n killed it.
    log : str
        What it wrote to standard output and standard error.
    overran : bool
        Whether it had to be stopped because it ignored its time limit.
    """

    exit_code: int
    log: str
    overran: bool

    @property
    def ending(self) -> str:
        """The exit code in words.

        Examples
        --------
        >>> Finished(3, "", False).ending
        'ended with exit code 3'
        >>> Finished(-11, "", False).ending
        'was killed by signal SIGSEGV'
        """
        if self.exit_code >= 0:
            return f"ended with exit code {self.exit_code}"
        try:
            name = signal.Signals(-self.exit_code).name
        except ValueError:
            name = str(-self.exit_code)
        return f"was killed by signal {name}"


class ProcessInterrupted(KeyboardInterrupt):
    """Ctrl-C while a process ran; ``log`` is what it had written."""

    def __init__(self, log: str) -> None:
        super().__init__()
        self.log = log


@contextlib.contextmanager
def run_folder() -> Iterator[Path]:
    """Make a temporary folder for one run, and remove it in every case."""
    with tempfile.TemporaryDirectory(prefix="hidato_opt_", ignore_cleanup_errors=True) as name:
        yield Path(name)


def run_process(
    command: Sequence[str],
    folder: Path,
    *,
    limit: float | None = None,
    environment: Mapping[str, str] | None = None,
    on_line: Callable[[str], None] | None = None,
) -> Finished:
    """Run a command in a folder and wait for it, but not much longer than it should take.

    Parameters
    ----------
    command : sequence of str
        The executable, by its absolute path, and its arguments; no shell.
    folder : Path
        Where it runs.
    limit : float, optional
        Seconds after which it should have ended by itself.  `PATIENCE` later
        it is interrupted, so that it can write down what it has, and
        `FAREWELL` after that the whole process group is killed.
    environment : mapping, optional
        Environment variables on top of those of this process.
    on_line : callable, optional
        Called with each line of its output as soon as there is one, in the
        thread of the caller.

    Returns
    -------
    Finished
        Exit code and log.

    Raises
    ------
    BackendUnavailable
        The command cannot be started.
    ProcessInterrupted
        Ctrl-C; the process has been interrupted, then killed, and what it
        wrote within `INTERRUPT_FAREWELL` is in the folder.
    """
    process, stream = _spawn(command, folder, environment)
    lines: SimpleQueue[str | None] = SimpleQueue()
    reader = threading.Thread(target=_read, args=(stream, lines), daemon=True)
    reader.start()
    log: list[str] = []

    def take(line: str) -> None:
        log.append(line)
        if on_line is not None:
            on_line(line)

    watchdog = Deadline(None if limit is None else limit + PATIENCE)
    try:
        overran = not _follow(process, lines, take, watchdog)
        if overran:
            _interrupt(process)
            _follow(process, lines, take, Deadline(FAREWELL))
    except KeyboardInterrupt:
        _interrupt(process)
        _follow(process, lines, take, Deadline(INTERRUPT_FAREWELL))
        raise ProcessInterrupted("\n".join(log)) from None
    finally:
        _kill(process)
        exit_code = process.wait()
        reader.join(FAREWELL)
    for line in _rest(lines):
        take(line)
    return Finished(exit_code, "\n".join(log), overran)


def _spawn(
    command: Sequence[str], folder: Path, environment: Mapping[str, str] | None
) -> tuple[subprocess.Popen[bytes], TextIO]:
    """Start a process in a group of its own and return it with its output."""
    master, slave = _terminal()
    output = subprocess.PIPE if slave is None else slave
    try:
        process = subprocess.Popen(
            list(command),
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    except OSError as error:
        if master is not None:
            os.close(master)
        raise BackendUnavailable(
            f"{command[0]} cannot be run: {error.strerror or error}; "
            f"reinstall it, or make the file executable"
        ) from error
    finally:
        if slave is not None:
            os.close(slave)
    if master is None:
        assert process.stdout is not None
        master = os.dup(process.stdout.fileno())
        process.stdout.close()
    return process, open(master, encoding="utf-8", errors="replace")


def _terminal() -> tuple[int | None, int | None]:
    """Open a pseudo-terminal where there are any.

    To a pipe the C library writes in blocks of 4 KB: the log of CBC 2.10 would
    come late, and its last lines not at all where it crashes.
    """
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            return os.openpty()
    return None, None


def _read(stream: TextIO, lines: SimpleQueue[str | None]) -> None:
    # A pseudo-terminal that nobody writes to any more ends with an error.
    with contextlib.suppress(OSError), stream:
        for line in stream:
            lines.put(line.rstrip("\r\n"))
    lines.put(None)


def _follow(
    process: subprocess.Popen[bytes],
    lines: SimpleQueue[str | None],
    take: Callable[[str], None],
    until: Deadline,
) -> bool:
    """Take lines until the process has ended (True) or the deadline has passed (False)."""
    while not until.expired:
        left = until.remaining()
        try:
            # In short slices, for on Windows a longer wait would not notice Ctrl-C.
            line = lines.get(timeout=_POLL if left is None else min(_POLL, left))
        except Empty:
            if process.poll() is not None:
                return True  # what still holds its output is of its group, and killed with it
            continue
        if line is not None:
            take(line)
            continue
        try:
            process.wait(until.remaining())
        except subprocess.TimeoutExpired:
            return False
        return True
    return False


def _rest(lines: SimpleQueue[str | None]) -> Iterator[str]:
    while True:
        try:
            line = lines.get_nowait()
        except Empty:
            return
        if line is not None:
            yield line


def _interrupt(process: subprocess.Popen[bytes]) -> None:
    """Ask the process group to stop, as Ctrl-C would."""
    if sys.platform == "win32":
        process.send_signal(signal.CTRL_BREAK_EVENT)
    else:
        _signal_group(process, signal.SIGINT)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End what is left of the process group, if anything is."""
    if sys.platform == "win32":
        import psutil

        with contextlib.suppress(psutil.Error):
            for child in psutil.Process(process.pid).children(recursive=True):
                child.kill()
        process.kill()
    else:
        _signal_group(process, signal.SIGKILL)


if sys.platform != "win32":

    def _signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
        # The group may have ended; macOS says so by refusing the permission.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
