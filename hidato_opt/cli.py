"""The command line: solve, check, build, count, explain, generate and doctor."""

from __future__ import annotations

import io
import json
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from hidato_opt import __version__
from hidato_opt.cli_support import (
    Commands,
    ExitCode,
    Exits,
    boards,
    exit_code,
    finite,
    leave_at_once_if_solving,
    native_options,
    print_json,
    read_solution_file,
    show_log,
)
from hidato_opt.core.errors import InvalidOption
from hidato_opt.core.status import Status

DEFAULT_TIME_LIMIT = 60.0

CHECK_KEYS = ("name", "kind", "passed", "violations", "error")
BUILD_KEYS = (
    "name", "kind", "formulation", "rows", "columns", "nonzeros", "groups", "hash", "out", "error",
)  # fmt: skip
COUNT_KEYS = ("name", "kind", "count", "exact", "unique", "reason", "error")
EXPLAIN_KEYS = ("name", "kind", "explanation", "items", "text", "error")


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
TimeLimit = Annotated[float, typer.Option(help="Seconds a board; inf for no limit.")]
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
    time_limit: TimeLimit = DEFAULT_TIME_LIMIT,
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
        show_log()
    exits = Exits(as_json)
    for name, puzzle in exits.each(boards(files, board, kind, exits)):
        with exits.guard(name, puzzle):
            result = solve_puzzle(
                puzzle,
                method=method or ("mip" if backend or formulation else "auto"),
                backend=backend or DEFAULT_BACKEND,
                formulation=formulation,
                warm_start=None if warm_start is None else read_solution_file(puzzle, warm_start),
                time_limit=finite(time_limit),
                threads=threads,
                seed=seed,
                gap=gap,
                log=log,
                options=native_options(option or []),
            )
            exits.note(exit_code(result))
            typer.echo(json.dumps(result.to_json()) if as_json else str(result))
    raise typer.Exit(exits.code)


@app.command()
def check(
    board_file: Annotated[str, typer.Argument(help="Board file, or - for standard input.")],
    solution_file: Annotated[Path, typer.Argument(help="File of the solution, or -.")],
    kind: Kind = None,
    as_json: Json = False,
) -> None:
    """Check a solution by the rules of its puzzle; no solver takes part."""
    exits = Exits(as_json, CHECK_KEYS)
    for name, puzzle in exits.each(boards([board_file], None, kind, exits)):
        with exits.guard(name, puzzle):
            violations = puzzle.verify(read_solution_file(puzzle, solution_file))
            exits.note(ExitCode.INFEASIBLE if violations else ExitCode.SOLVED)
            if as_json:
                print_json(
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

    exits = Exits(as_json, BUILD_KEYS)
    written = 0
    for name, puzzle in exits.each(boards(files, board, kind, exits)):
        with exits.guard(name, puzzle):
            model = build_model(puzzle, formulation)
            if out is not None and written:
                raise InvalidOption(f"--out takes one board; {out} holds the first already")
            if out is not None:
                model.write(out)
                written += 1
            if as_json:
                print_json(
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
def count(
    files: Files = None,
    board: Board = None,
    kind: Kind = None,
    limit: Annotated[int | None, typer.Option(help="Solutions at which to stop.")] = None,
    method: Annotated[str, typer.Option(help="auto, or mip: no-good cuts in the model.")] = "auto",
    time_limit: TimeLimit = DEFAULT_TIME_LIMIT,
    as_json: Json = False,
) -> None:
    """Count the solutions of boards; exit 1 where there is none."""
    from hidato_opt.analyse.counting import count_solutions

    exits = Exits(as_json, COUNT_KEYS)
    for name, puzzle in exits.each(boards(files, board, kind, exits)):
        with exits.guard(name, puzzle):
            found = count_solutions(puzzle, limit, method=method, time_limit=finite(time_limit))
            if not found.exact and found.reason != Status.SOLUTION_LIMIT:
                exits.note(ExitCode.NO_ANSWER)
            elif not found.count:
                exits.note(ExitCode.INFEASIBLE)
            if as_json:
                print_json(
                    name=puzzle.name,
                    kind=puzzle.kind,
                    count=found.count,
                    exact=found.exact,
                    unique=found.count == 1 if found.exact or found.count > 1 else None,
                    reason=found.reason,
                    error=None,
                )
            else:
                typer.echo(f"{name}: {found}")
    raise typer.Exit(exits.code)


@app.command()
def explain(
    files: Files = None,
    board: Board = None,
    kind: Kind = None,
    time_limit: TimeLimit = DEFAULT_TIME_LIMIT,
    as_json: Json = False,
) -> None:
    """Say which clues of a board contradict each other; exit 1 where some do."""
    from hidato_opt.analyse.making import explain as explain_puzzle

    exits = Exits(as_json, EXPLAIN_KEYS)
    for name, puzzle in exits.each(boards(files, board, kind, exits)):
        with exits.guard(name, puzzle):
            found = explain_puzzle(puzzle, time_limit=finite(time_limit))
            if found.kind != "solvable":
                exits.note(ExitCode.INFEASIBLE)
            if as_json:
                print_json(
                    name=puzzle.name,
                    kind=puzzle.kind,
                    explanation=found.kind,
                    items=found.items,
                    text=found.text,
                    error=None,
                )
            else:
                typer.echo(f"{name}: {found}")
    raise typer.Exit(exits.code)


@app.command()
def generate(
    kind: Annotated[str, typer.Argument(help="Kind of puzzle.")],
    rows: Annotated[int, typer.Option(help="Rows of the board.")] = 9,
    cols: Annotated[int, typer.Option(help="Columns of the board.")] = 9,
    seed: Annotated[int, typer.Option(help="The same seed makes the same board.")] = 0,
    clues: Annotated[int | None, typer.Option(help="Clues to keep.")] = None,
    lattice: Annotated[str | None, typer.Option(help="square, hex, tri or tri12.")] = None,
    closed: Annotated[bool, typer.Option("--closed", help="Make a closed tour.")] = False,
    links: Annotated[int, typer.Option(help="Pairs of cells given as consecutive.")] = 0,
    unique: Annotated[bool, typer.Option(help="Whether there must be one solution.")] = True,
) -> None:
    """Make a board with a solution and print it as board text."""
    from hidato_opt.analyse.making import generate as make

    exits = Exits(as_json=False)
    with exits.guard("", None):
        made = make(
            kind,
            rows=rows,
            cols=cols,
            seed=seed,
            clues=clues,
            lattice=lattice,
            closed=closed,
            links=links,
            unique=unique,
        )
        typer.echo(str(made))
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
            print_json(
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


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a file's name may be no text
    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGTERM, _terminate)
    try:
        app()
    except SystemExit as stop:
        if "hidato_opt.backends.threads" in sys.modules:
            leave_at_once_if_solving(stop.code)
        raise


def _terminate(*_: object) -> None:
    """Leave by an exception, so that solvers are stopped and their folders removed."""
    sys.exit(ExitCode.TERMINATED)
