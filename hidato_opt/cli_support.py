"""What the commands share: reading boards, exit codes, errors as messages."""

from __future__ import annotations

import json
import logging
import math
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from hidato_opt.core.errors import (
    BackendUnavailable,
    HidatoOptError,
    InvalidOption,
    InvalidPuzzle,
    NoSolution,
    SolverFailed,
    Undecided,
    WrongAnswer,
)
from hidato_opt.core.puzzle import Puzzle
from hidato_opt.core.reading import is_instance_set, loads, read, read_csv
from hidato_opt.core.result import Result, failure_json
from hidato_opt.core.status import Status
from hidato_opt.core.text import read_text


class ExitCode(IntEnum):
    """Exit codes of every command."""

    SOLVED = 0
    INFEASIBLE = 1
    BAD_INPUT = 2
    NO_ANSWER = 3
    BACKEND_FAILED = 4
    INTERRUPTED = 130
    TERMINATED = 143


class Commands(TyperGroup):
    """The commands, none of which ends with 1, a proof, for another reason than a proof."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command; turn Ctrl-C and an output that takes no more into exit codes."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            typer.echo("interrupted", err=True)
            raise typer.Exit(ExitCode.INTERRUPTED) from None
        except OSError as error:  # files are dealt with where they are read and written
            if not isinstance(error, BrokenPipeError):
                typer.echo(f"hidato-opt: cannot write the answer: {error}", err=True)
            # or Python would complain when it closes standard output
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(ExitCode.NO_ANSWER) from None


class Exits:
    """The exit code so far: the gravest of all boards; turns errors into messages.

    Parameters
    ----------
    as_json : bool
        Whether an error is also printed as a JSON object.
    keys : sequence of str
        Keys of the command's JSON objects, null in that of an error; default
        those of a result.
    """

    _GRAVITY = (
        ExitCode.SOLVED,
        ExitCode.INFEASIBLE,
        ExitCode.NO_ANSWER,
        ExitCode.BAD_INPUT,
        ExitCode.BACKEND_FAILED,
    )

    def __init__(self, as_json: bool, keys: Sequence[str] = ()) -> None:
        self.code = ExitCode.SOLVED
        self._as_json = as_json
        self._keys = keys

    def note(self, code: ExitCode) -> None:
        """Keep the graver of two codes."""
        self.code = max(self.code, code, key=self._GRAVITY.index)

    def each(self, puzzles: Iterator[tuple[str, Puzzle]]) -> Iterator[tuple[str, Puzzle]]:
        """Go through puzzles; what cannot be read ends the list with a message."""
        try:
            yield from puzzles
        except HidatoOptError as error:
            self.fail("", None, error)

    @contextmanager
    def guard(self, name: str, puzzle: Puzzle | None) -> Iterator[None]:
        """Turn what goes wrong with one board into a message and an exit code."""
        try:
            yield
        except HidatoOptError as error:
            self.fail(name, puzzle, error)
        except MemoryError:
            self.fail(name, puzzle, SolverFailed("the memory does not suffice for this board"))

    def fail(self, name: str, puzzle: Puzzle | None, error: HidatoOptError) -> None:
        """Report an error."""
        self.note(error_code(error))
        message = str(error)
        place = f"{name}: " if name and not message.startswith(name) else ""
        typer.echo(f"hidato-opt: {place}{message}", err=True)
        if self._as_json:
            title = Path(name).stem if puzzle is None else puzzle.name
            kind = None if puzzle is None else puzzle.kind
            if self._keys:
                empty = dict.fromkeys(self._keys)
                print_json(**{**empty, "name": title, "kind": kind, "error": message})
            else:
                print_json(**failure_json(title, kind, message))


def boards(
    files: list[str] | None, board: str | None, kind: str | None, exits: Exits
) -> Iterator[tuple[str, Puzzle]]:
    """Read the boards of a command one by one; a bad file is reported and passed over."""
    if board is None and not files:
        raise InvalidOption("no board given: name a file, - for standard input, or --board TEXT")
    with exits.guard("", None):
        if board is not None:
            yield "board", loads(board, kind=kind)
    for file in files or []:
        with exits.guard("standard input" if file == "-" else file, None):
            if file == "-":
                yield "standard input", loads(_standard_input(), kind=kind)
            elif file.lower().endswith(".csv") or is_instance_set(read_text(file)):
                puzzles = read_csv(file)
                if not puzzles:
                    raise InvalidPuzzle("the instance set has no board")
                for puzzle in puzzles:
                    if kind not in (None, puzzle.kind):
                        said = f"{puzzle.name!r} is a {puzzle.kind} board and not {kind}"
                        raise InvalidOption(f"{said}: an instance set says it in a column 'kind'")
                    yield puzzle.name, puzzle
            else:
                yield file, read(file, kind=kind)


def _standard_input() -> str:
    if sys.stdin is None:
        raise InvalidPuzzle("there is no standard input to read a board from")
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidPuzzle(f"cannot read it: {error}") from None


def read_solution_file(puzzle: Puzzle, path: Path) -> Any:
    """Read a solution of a puzzle from a file."""
    text = _standard_input() if str(path) == "-" else read_text(path)
    try:
        return puzzle.read_solution(text)
    except InvalidPuzzle as error:
        raise error.found_in(str(path)) from None


def leave_at_once_if_solving(code: object) -> None:
    """End the process without waiting for a solver that does not stop; nothing of it remains."""
    from hidato_opt.backends.threads import is_any_left_running

    if is_any_left_running():
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else ExitCode.BACKEND_FAILED)


def finite(seconds: float) -> float | None:
    """Read a time limit: infinite is none."""
    return None if seconds == math.inf else seconds


def native_options(given: list[str]) -> dict[str, Any]:
    """Read NAME=VALUE pairs; a value that is a number or true/false becomes one."""
    options: dict[str, Any] = {}
    for pair in given:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise InvalidOption(f"--option takes NAME=VALUE, not {pair!r}")
        try:
            options[name] = json.loads(value)
        except json.JSONDecodeError:
            options[name] = value
    return options


def exit_code(result: Result) -> ExitCode:
    """Return the exit code of a solved, or not solved, board."""
    if result.has_solution:
        return ExitCode.SOLVED
    if result.status is Status.INFEASIBLE:
        return ExitCode.INFEASIBLE
    return ExitCode.BACKEND_FAILED if result.status is Status.ERROR else ExitCode.NO_ANSWER


def error_code(error: HidatoOptError) -> ExitCode:
    """Return the exit code of an error."""
    if isinstance(error, BackendUnavailable | SolverFailed | WrongAnswer):
        return ExitCode.BACKEND_FAILED
    if isinstance(error, NoSolution | Undecided):
        return ExitCode.NO_ANSWER
    return ExitCode.BAD_INPUT


def print_json(**values: Any) -> None:
    """Print an object on a line of its own."""
    typer.echo(json.dumps(values))


def show_log() -> None:
    """Send the solvers' log lines to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    logger = logging.getLogger("hidato_opt.solver")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
