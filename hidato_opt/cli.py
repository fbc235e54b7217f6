"""The command line: ``hidato-opt solve``, ``check``, ``build`` and ``doctor``."""

from __future__ import annotations

import io
import json
import logging
import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from hidato_opt import __version__
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
from hidato_opt.core.reading import loads, read, read_csv
from hidato_opt.core.result import Result, failure_json
from hidato_opt.core.status import Status
from hidato_opt.core.text import read_text

DEFAULT_TIME_LIMIT = 60.0


class ExitCode(IntEnum):
    """Exit codes of every command."""

    SOLVED = 0
    INFEASIBLE = 1
    BAD_INPUT = 2
    NO_ANSWER = 3
    BACKEND_FAILED = 4
    INTERRUPTED = 130


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


app = typer.Typer(
    name="hidato-opt",
    cls=Commands,
    help="Grid puzzles as mixed-integer programs. Exit codes: 0 solved (check passed), "
    "1 proven infeasible (check failed), 2 bad input or option, 3 no answer within the limits, "
    "4 a backend failed.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Files = Annotated[
    list[str] | None,
    typer.Argument(help="Board files, CSV instance sets, or - for standard input."),
]
Board = Annotated[
    str | None, typer.Option("--board", help="A board as text, '/' between its rows.")
]
Kind = Annotated[
    str | None, typer.Option("--kind", help="Kind of puzzle where the board does not say.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")]
Formulation = Annotated[str | None, typer.Option("--formulation", help="Name of the formulation.")]


@app.command()
def solve(
    files: Files = None,
    board: Board = None,
    kind: Kind = None,
    method: Annotated[
        str | None, typer.Option(help="auto or mip; naming a backend or formulation means mip.")
    ] = None,
    backend: Annotated[str | None, typer.Option(help="highs, cbc, cpsat, or pulp:NAME.")] = None,
    formulation: Formulation = None,
    time_limit: Annotated[
        float, typer.Option(help="Seconds a board; inf for no limit.")
    ] = DEFAULT_TIME_LIMIT,
    threads: Annotated[int, typer.Option(help="Threads of the solver.")] = 1,
    seed: Annotated[int, typer.Option(help="Random seed of the solver.")] = 0,
    gap: Annotated[float, typer.Option(help="Relative gap at which a run may stop.")] = 0.0,
    warm_start: Annotated[
        Path | None, typer.Option(help="File of a solution, complete or partial, as MIP start.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="Backend option as NAME=VALUE; may be repeated.")
    ] = None,
    log: Annotated[bool, typer.Option("--log", help="Show the solver's log.")] = False,
    as_json: Json = False,
) -> None:
    """Solve boards and show their solutions, verified by the rules."""
    from hidato_opt.backends.registry import DEFAULT_BACKEND
    from hidato_opt.solve.pipeline import solve as solve_puzzle

    if log:
        _show_log()
    exits = Exits(as_json)
    for name, puzzle in exits.each(_puzzles(files, board, kind, exits)):
        with exits.guard(name, puzzle):
            result = solve_puzzle(
                puzzle,
                method=method or ("mip" if backend or formulation else "auto"),
                backend=backend or DEFAULT_BACKEND,
                formulation=formulation,
                warm_start=None if warm_start is None else _solution_file(puzzle, warm_start),
                time_limit=None if time_limit == math.inf else time_limit,
                threads=threads,
                seed=seed,
                gap=gap,
                log=log,
                options=_native_options(option or []),
            )
            exits.note(_exit_code(result))
            typer.echo(json.dumps(result.to_json()) if as_json else str(result))
    raise typer.Exit(exits.code)


@app.command()
def check(
    board_file: Annotated[str, typer.Argument(help="Board file, or - for standard input.")],
    solution_file: Annotated[Path, typer.Argument(help="File of the solution.")],
    kind: Kind = None,
    as_json: Json = False,
) -> None:
    """Check a solution by the rules of its puzzle; no solver takes part."""
    exits = Exits(as_json)
    for name, puzzle in exits.each(_puzzles([board_file], None, kind, exits)):
        with exits.guard(name, puzzle):
            violations = puzzle.verify(_solution_file(puzzle, solution_file))
            exits.note(ExitCode.INFEASIBLE if violations else ExitCode.SOLVED)
            if as_json:
                _print_json(
                    name=puzzle.name,
                    kind=puzzle.kind,
                    passed=not violations,
                    violations=[
                        {"code": v.code, "message": v.message, "cells": v.cells} for v in violations
                    ],
                    error=None,
                )
            else:
                typer.echo("\n".join(map(str, violations)) or f"{name}: passed")
    raise typer.Exit(exits.code)


@app.command()
def build(
    files: Files = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="File to write, .lp or .mps (one board only).")
    ] = None,
    board: Board = None,
    kind: Kind = None,
    formulation: Formulation = None,
    as_json: Json = False,
) -> None:
    """Build the model of a board: show its size, write it as LP or MPS."""
    from hidato_opt.solve.puzzle_model import build_model

    exits = Exits(as_json)
    written = 0
    for name, puzzle in exits.each(_puzzles(files, board, kind, exits)):
        with exits.guard(name, puzzle):
            model = build_model(puzzle, formulation)
            if out is not None and written:
                raise InvalidOption(f"--out takes one board; {out} holds the first already")
            if out is not None:
                model.write(out)
                written += 1
            if as_json:
                _print_json(
                    name=puzzle.name,
                    kind=puzzle.kind,
                    formulation=model.formulation,
                    rows=model.model.num_rows,
                    columns=model.model.num_columns,
                    nonzeros=model.model.num_nonzeros,
                    groups=model.stats.reset_index().to_dict("records"),
                    hash=model.content_hash,
                    out=None if out is None else str(out),
                    error=None,
                )
            else:
                typer.echo(f"{model.model}\n{model.stats.to_string()}")
                if out is not None:
                    typer.echo(f"written: {out}")
    raise typer.Exit(exits.code)


@app.command()
def doctor(as_json: Json = False) -> None:
    """List each backend with version and path, and solve a toy with each."""
    from hidato_opt.backends.doctor import checkup_all
    from hidato_opt.backends.registry import DEFAULT_BACKEND

    exits = Exits(as_json)
    for found in checkup_all():
        there = found.availability
        if as_json:
            _print_json(
                backend=there.name,
                usable=there.usable,
                healthy=found.healthy,
                version=there.version,
                path=there.path,
                seconds=round(found.seconds, 3),
                problem=found.problem,
            )
        else:
            verdict = f"toys solved in {found.seconds:.3f} s" if found.healthy else "not usable"
            typer.echo(
                f"{there.name:22} {there.version or '-':12} {verdict}  {there.path}".rstrip()
            )
            if found.problem:
                typer.echo(f"{'':22} {found.problem}")
        if there.name == DEFAULT_BACKEND and not found.healthy:
            exits.note(ExitCode.BACKEND_FAILED)
    raise typer.Exit(exits.code)


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Show the version and leave.")] = False,
) -> None:
    """Take the options that stand before a command."""
    if show:
        typer.echo(f"hidato_opt {__version__}")
        raise typer.Exit


class Exits:
    """The exit code so far: the gravest of all boards; turns errors into messages.

    Parameters
    ----------
    as_json : bool
        Whether an error is also printed as a JSON object.
    """

    _GRAVITY = (
        ExitCode.SOLVED,
        ExitCode.INFEASIBLE,
        ExitCode.NO_ANSWER,
        ExitCode.BAD_INPUT,
        ExitCode.BACKEND_FAILED,
    )

    def __init__(self, as_json: bool) -> None:
        self.code = ExitCode.SOLVED
        self._as_json = as_json

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
        self.note(_error_code(error))
        message = str(error)
        place = f"{name}: " if name and not message.startswith(name) else ""
        typer.echo(f"hidato-opt: {place}{message}", err=True)
        if self._as_json:
            title = Path(name).stem if puzzle is None else puzzle.name
            kind = None if puzzle is None else puzzle.kind
            _print_json(**failure_json(title, kind, message))


def _puzzles(
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
            elif file.lower().endswith(".csv"):
                for puzzle in read_csv(file):
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


def _solution_file(puzzle: Puzzle, path: Path) -> Any:
    text = read_text(path)
    try:
        return puzzle.read_solution(text)
    except InvalidPuzzle as error:
        raise error.found_in(str(path)) from None


def _native_options(given: list[str]) -> dict[str, Any]:
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


def _exit_code(result: Result) -> ExitCode:
    if result.has_solution:
        return ExitCode.SOLVED
    if result.status is Status.INFEASIBLE:
        return ExitCode.INFEASIBLE
    return ExitCode.BACKEND_FAILED if result.status is Status.ERROR else ExitCode.NO_ANSWER


def _error_code(error: HidatoOptError) -> ExitCode:
    if isinstance(error, BackendUnavailable | SolverFailed | WrongAnswer):
        return ExitCode.BACKEND_FAILED
    if isinstance(error, NoSolution | Undecided):
        return ExitCode.NO_ANSWER
    return ExitCode.BAD_INPUT


def _print_json(**values: Any) -> None:
    typer.echo(json.dumps(values))


def _show_log() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    logger = logging.getLogger("hidato_opt.solver")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a file's name may be no text
    app()
