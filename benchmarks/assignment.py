"""The text's model as it stands, on real boards, with HiGHS and with CBC.

Every square Hidato board of the instances folder with at most 100 cells:
formulation `assignment`, no deduction, no heuristic, one thread, a limit a
board.  The verdicts are held against the folder's index.

    python benchmarks/assignment.py [--folder DIR] [--limit 10] [--backends highs cbc] [--smoke]

The folder is that of HIDATO_OPT_INSTANCES unless given; without one, the
boards of data/ are solved and nothing is compared.
"""

from __future__ import annotations

import argparse
import csv
import math
import os
import time
from dataclasses import dataclass
from pathlib import Path

from environment import header

import hidato_opt as ho

MOST_CELLS = 100
SHIFT = 1.0
"""Seconds added before the geometric mean and taken off after it."""
FEASIBLE = {"unique", "multiple"}


@dataclass(frozen=True)
class Instance:
    """A board and what is known of it (an empty status is nothing)."""

    path: Path
    cells: int
    known: str


def instances(folder: Path | None) -> list[Instance]:
    """List the boards to solve."""
    if folder is None:
        files = sorted((Path(__file__).parents[1] / "data").glob("*.txt"))
        return [Instance(file, ho.read(file).size, "") for file in files]
    folder = folder if (folder / "index.csv").exists() else folder / "path"
    with (folder / "index.csv").open(encoding="utf-8", newline="") as stream:
        return [
            Instance(folder / f"{row['name']}.txt", int(row["cells"]), row["status"])
            for row in csv.DictReader(stream)
            if row["kind"] == "hidato"
            and row["shape"] == "square"
            and row["status"] != "invalid"
            and int(row["cells"]) <= MOST_CELLS
        ]


def agrees(result: ho.Result, known: str) -> bool:
    """Whether a verdict, where there is one, is the known one."""
    if result.has_solution:
        return known in FEASIBLE or not known
    return result.status != "infeasible" or known == "infeasible" or not known


def shifted_mean(seconds: list[float]) -> float:
    """Return the shifted geometric mean."""
    logs = [math.log(value + SHIFT) for value in seconds]
    return math.exp(sum(logs) / len(logs)) - SHIFT


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=os.environ.get("HIDATO_OPT_INSTANCES"))
    parser.add_argument("--limit", type=float, default=10.0, help="seconds a board")
    parser.add_argument("--backends", nargs="+", default=["highs", "cbc"])
    parser.add_argument("--smoke", action="store_true", help="the boards of data/ only")
    options = parser.parse_args()
    folder = None if options.smoke or options.folder is None else Path(options.folder)
    print(header())
    print(f"# formulation assignment, limit {options.limit:g} s, one thread; seconds of the call")
    print(f"{'board':36} {'cells':>5} {'known':10}", *(f"{b:>24}" for b in options.backends))
    times: dict[str, list[float]] = {name: [] for name in options.backends}
    solved = dict.fromkeys(options.backends, 0)
    wrong = 0
    for instance in instances(folder):
        model = ho.build_model(instance.path)
        cells = []
        for name in options.backends:
            began = time.perf_counter()
            result = model.solve(name, time_limit=options.limit)
            spent = time.perf_counter() - began
            times[name].append(spent)
            solved[name] += result.has_solution or result.status == "infeasible"
            right = agrees(result, instance.known)
            wrong += not right
            cells.append(f"{result.status}{'' if right else ' WRONG'} {spent:8.3f}")
        print(
            f"{instance.path.stem:36} {instance.cells:5} {instance.known:10}",
            *(f"{cell:>24}" for cell in cells),
            flush=True,
        )
    for name in options.backends:
        print(
            f"{name}: {solved[name]} of {len(times[name])} decided, shifted geometric mean "
            f"(s = {SHIFT:g} s) {shifted_mean(times[name]):.3f} s, worst {max(times[name]):.2f} s"
        )
    print(f"verdicts against the index: {wrong} wrong")


if __name__ == "__main__":
    main()
