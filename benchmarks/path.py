"""Path puzzles: `solve(board)` beside two CP-SAT models in the same run, and uniqueness.

Every board of the instances folder that is valid, and 48 generated ones of 9x9
to 20x20 with 10 to 30 % clues.  One thread; the time of a board is that of the
whole call, object in, verified result out; the rivals are charged for building
and solving, not for a check.  Each board is solved by all in turn, several
times, and the median counts.

    python benchmarks/path.py [--folder DIR] [--limit 10] [--rounds 3] [--smoke]
"""

from __future__ import annotations

import argparse
import csv
import math
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import rivals
from environment import header

import hidato_opt as ho
from hidato_opt.path.board import PathBoard

CLUE_SHARES = (0.1, 0.2, 0.3)
GENERATED = [
    (kind, side, share, seed)
    for kind, seeds in (("hidato", (0, 1, 2)), ("numbrix", (0,)))
    for side in (9, 12, 15, 20)
    for share in CLUE_SHARES
    for seed in seeds
]


def ours(board: PathBoard, limit: float) -> str:
    """Solve with everything the library has."""
    return str(ho.solve(board, time_limit=limit).status)


def unique(board: PathBoard, limit: float) -> str:
    """Decide whether the solution is the only one."""
    try:
        return "unique" if ho.is_unique(board, time_limit=limit) else "multiple"
    except ho.Undecided:
        return "time_limit"


def rival(solve: Callable[[Any, float], rivals.Answer]) -> Callable[[PathBoard, float], str]:
    """Wrap a rival so that its words are ours; what it finds is checked outside the clock."""

    def call(board: PathBoard, limit: float) -> str:
        words = {"OPTIMAL": "optimal", "FEASIBLE": "optimal", "INFEASIBLE": "infeasible"}
        return words.get(solve(board, limit).status, "time_limit")

    return call


WAYS: dict[str, Callable[[PathBoard, float], str]] = {
    "hidato_opt solve": ours,
    "CP-SAT table": rival(rivals.table),
    "CP-SAT windows": rival(rivals.windows),
}


def from_folder(folder: Path) -> list[tuple[str, str, str]]:
    """List name, text and known status of the valid boards of an instances folder."""
    with (folder / "path" / "index.csv").open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["status"] != "invalid"]
    return [
        (row["name"], str(ho.read(folder / "path" / f"{row['name']}.txt")), row["status"])
        for row in rows
    ]


def generated(smoke: bool) -> list[tuple[str, str, str]]:
    """Make the generated boards."""
    boards = []
    for kind, side, share, seed in GENERATED[:3] if smoke else GENERATED:
        side = 5 if smoke else side
        board = ho.generate(
            kind, rows=side, cols=side, seed=seed, unique=False, clues=round(share * side * side)
        )
        name = f"{kind}_{side}x{side}_{round(100 * share)}%_{seed}"
        boards.append((name, str(board), "feasible"))
    return boards


def measure(
    boards: list[tuple[str, str, str]],
    ways: dict[str, Callable[[PathBoard, float], str]],
    limit: float,
    rounds: int,
) -> dict[str, dict[str, tuple[float, str]]]:
    """Return the median seconds and the verdict of each way on each board."""
    found: dict[str, dict[str, tuple[float, str]]] = {name: {} for name in ways}
    for title, text, _ in boards:
        times: dict[str, list[float]] = {name: [] for name in ways}
        for round_number in range(rounds):
            for name, way in ways.items():
                if round_number and found[name][title][1] == "time_limit":
                    continue
                board = ho.loads(text)
                began = time.perf_counter()
                verdict = way(board, limit)
                times[name].append(time.perf_counter() - began)
                found[name][title] = (statistics.median(times[name]), verdict)
    return found


def report(
    boards: list[tuple[str, str, str]], found: dict[str, dict[str, tuple[float, str]]], limit: float
) -> None:
    """Print a line a way, and the ratios to the first."""
    decided = {
        name: {t for t, (_, v) in rows.items() if v != "time_limit"} for name, rows in found.items()
    }
    common = set.intersection(*decided.values())
    first = next(iter(found))
    for name, rows in found.items():
        wrong = sum(_is_wrong(rows[title][1], known) for title, _, known in boards)
        seconds = [max(1e-6, min(rows[title][0], limit)) for title, _, _ in boards]
        worst = max(rows, key=lambda title: rows[title][0])
        ratio = _mean([rows[t][0] / found[first][t][0] for t in common]) if common else math.nan
        print(
            f"  {name:18} decided {len(decided[name]):3} of {len(boards)}, wrong {wrong}; "
            f"geometric mean {1000 * _mean(seconds):8.2f} ms, "
            f"worst {rows[worst][0]:7.3f} s ({worst}); "
            f"{ratio:6.1f}x of the first where all decide ({len(common)})"
        )


def _is_wrong(verdict: str, known: str) -> bool:
    if verdict == "time_limit":
        return False
    if verdict in ("unique", "multiple"):
        return known in ("unique", "multiple") and verdict != known
    return (verdict == "infeasible") != (known == "infeasible")


def _mean(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=os.environ.get("HIDATO_OPT_INSTANCES"))
    parser.add_argument("--limit", type=float, default=10.0, help="seconds a board")
    parser.add_argument("--rounds", type=int, default=3, help="rounds to take the median of")
    parser.add_argument(
        "--smoke", action="store_true", help="a few small boards: only that it runs"
    )
    options = parser.parse_args()
    print(header())
    print(f"# limit {options.limit:g} s, {options.rounds} rounds, one thread")
    if options.folder is not None and not options.smoke:
        boards = from_folder(Path(options.folder))
        print(f"\n{len(boards)} boards of the instances folder")
        report(boards, measure(boards, WAYS, options.limit, options.rounds), options.limit)
        solvable = [board for board in boards if board[2] in ("unique", "multiple")]
        print(f"\nuniqueness of {len(solvable)} of them")
        ways = {"first solution": ours, "uniqueness": unique}
        report(solvable, measure(solvable, ways, options.limit, options.rounds), options.limit)
    made = generated(options.smoke)
    limit = min(options.limit, 5.0)
    print(f"\n{len(made)} generated boards, limit {limit:g} s")
    report(made, measure(made, WAYS, limit, 1), limit)


if __name__ == "__main__":
    main()
