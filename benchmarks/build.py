"""How long it takes to build the full x_ijk model and hand it to HiGHS.

Three ways in one run, one after the other in every round: our arrays and one
passModel; PuLP expressions; highspy's operators; each once to warm up, then
once on the clock.  PuLP is charged for the expressions only, not for handing
the model to a solver.  Then a large model:
seconds and peak memory beside the size of its arrays, in a process of its own.

    python benchmarks/build.py [--rows 9] [--rounds 7] [--large 20] [--smoke]
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from environment import header, spread

from hidato_opt.backends.highs_api import new_highs, pass_model
from hidato_opt.path.formulations import assignment
from hidato_opt.path.puzzle import Hidato

Neighbours = dict[tuple[int, int], list[tuple[int, int]]]


def board(rows: int) -> Hidato:
    """Make a square board with its first and last number given."""
    cells = np.zeros((rows, rows), dtype=np.int64)
    cells[0, 0], cells[-1, -1] = 1, rows * rows
    return Hidato(cells)


def neighbours(rows: int) -> Neighbours:
    """List the cells that touch each cell, 1-based as in the text."""
    span = range(1, rows + 1)
    return {
        (i, j): [
            (r, c)
            for r in (i - 1, i, i + 1)
            for c in (j - 1, j, j + 1)
            if (r, c) != (i, j) and 1 <= r <= rows and 1 <= c <= rows
        ]
        for i in span
        for j in span
    }


def with_arrays(rows: int) -> object:
    """Build with this library and pass the model to HiGHS."""
    model, highs = assignment(board(rows)).model, new_highs()
    pass_model(highs, model)
    return model, highs


def with_pulp(rows: int) -> object:
    """Build with PuLP expressions."""
    import pulp

    around, size = neighbours(rows), rows * rows
    numbers = range(1, size + 1)
    problem = pulp.LpProblem("hidato", pulp.LpMinimize)
    x = {
        (*cell, k): problem.add_variable(f"x_{cell[0]}_{cell[1]}_{k}", 0, 1, pulp.LpBinary)
        for cell in around
        for k in numbers
    }
    for cell in around:
        problem += pulp.lpSum(x[*cell, k] for k in numbers) == 1
    for k in numbers:
        problem += pulp.lpSum(x[*cell, k] for cell in around) == 1
    problem += x[1, 1, 1] == 1
    problem += x[rows, rows, size] == 1
    for cell, near in around.items():
        for k in range(1, size):
            problem += x[*cell, k] <= pulp.lpSum(x[*other, k + 1] for other in near)
    return problem


def with_operators(rows: int) -> object:
    """Build with highspy's operators."""
    around, size = neighbours(rows), rows * rows
    numbers = range(1, size + 1)
    highs = new_highs()
    x = {(*cell, k): highs.addBinary() for cell in around for k in numbers}
    for cell in around:
        highs.addConstr(sum(x[*cell, k] for k in numbers) == 1)
    for k in numbers:
        highs.addConstr(sum(x[*cell, k] for cell in around) == 1)
    highs.addConstr(x[1, 1, 1] == 1)
    highs.addConstr(x[rows, rows, size] == 1)
    for cell, near in around.items():
        for k in range(1, size):
            highs.addConstr(x[*cell, k] <= sum(x[*other, k + 1] for other in near))
    return highs


WAYS: dict[str, Callable[[int], object]] = {
    "hidato_opt arrays + passModel": with_arrays,
    "PuLP expressions": with_pulp,
    "highspy operators": with_operators,
}


def compare(rows: int, rounds: int) -> None:
    """Time the ways in turn and print medians and ratios."""
    times: dict[str, list[float]] = {name: [] for name in WAYS}
    for way in WAYS.values():
        way(3)  # imports and first calls are not counted
    for _ in range(rounds):
        for name, way in WAYS.items():
            gc.collect()  # nobody pays for what another left behind,
            kept = way(rows)  # nor for caches that another has filled,
            began = time.perf_counter()
            kept = way(rows)  # nor for clearing up after itself
            times[name].append(time.perf_counter() - began)
            del kept
    ours = times["hidato_opt arrays + passModel"]
    print(f"\nfull {rows}x{rows} model, {rounds} rounds: median (min .. max), ratio to ours")
    for name, seconds in times.items():
        ratio = statistics.median(theirs / own for theirs, own in zip(seconds, ours, strict=True))
        print(f"  {name:30} {spread(seconds)}  {ratio:7.1f}x")


def one_large(rows: int) -> dict[str, Any]:
    """Build one large model and pass it on; run in a fresh process for a true peak."""
    with_arrays(3)
    before = peak_bytes()
    began = time.perf_counter()
    model = assignment(board(rows)).model
    built = time.perf_counter() - began
    after_build = peak_bytes()
    pass_model(new_highs(), model)
    return {
        "columns": model.num_columns,
        "rows": model.num_rows,
        "nonzeros": model.num_nonzeros,
        "arrays": model.nbytes,
        "build_seconds": built,
        "total_seconds": time.perf_counter() - began,
        "build_bytes": after_build - before,
        "total_bytes": peak_bytes() - before,
    }


def peak_bytes() -> int:
    """Return the peak resident memory of this process so far."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def report_large(rows: int) -> None:
    """Measure a large model in a process of its own and print the figures."""
    command = [sys.executable, __file__, "--one", str(rows)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = json.loads(answer)
    megabytes = {key: found[key] / 1e6 for key in ("arrays", "build_bytes", "total_bytes")}
    print(
        f"\nfull {rows}x{rows} model: {found['columns']} columns, {found['rows']} rows, "
        f"{found['nonzeros']} non-zeros\n"
        f"  build {found['build_seconds']:.2f} s, with passModel {found['total_seconds']:.2f} s\n"
        f"  arrays {megabytes['arrays']:.0f} MB, peak of building "
        f"{megabytes['build_bytes']:.0f} MB "
        f"({megabytes['build_bytes'] / megabytes['arrays']:.1f}x), "
        f"with HiGHS's copy {megabytes['total_bytes']:.0f} MB"
    )


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=9, help="size of the compared model")
    parser.add_argument("--rounds", type=int, default=7, help="rounds to take the median of")
    parser.add_argument("--large", type=int, default=20, help="size of the large model")
    parser.add_argument("--smoke", action="store_true", help="tiny sizes: only that it runs")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(one_large(options.one)))
        return
    if options.smoke:
        options.rows, options.rounds, options.large = 4, 1, 5
    print(header())
    compare(options.rows, options.rounds)
    report_large(options.large)


if __name__ == "__main__":
    main()
