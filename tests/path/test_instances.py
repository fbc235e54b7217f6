"""The real boards of the instances folder: all of them read, a few solved, the rest marked slow."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import pytest

from hidato_opt import InvalidPuzzle, read, solve
from hidato_opt.path.puzzle import Hidato, Numbrix

KINDS = {"hidato": Hidato, "numbrix": Numbrix}
SMALL_CELLS = 49
"""Up to this size a board is solved in the default run if it is among the first twelve."""


@dataclass(frozen=True)
class Entry:
    """A line of the index."""

    name: str
    kind: str
    rows: int
    columns: int
    cells: int
    clues: int
    status: str


@pytest.fixture(scope="module")
def entries(instances: Path) -> list[Entry]:
    """The square boards of the two kinds, as the index lists them."""
    with (instances / "path" / "index.csv").open(encoding="utf-8", newline="") as stream:
        found = [
            Entry(
                line["name"],
                line["kind"],
                int(line["rows"]),
                int(line["cols"]),
                int(line["cells"]),
                int(line["clues"] or 0),
                line["status"],
            )
            for line in csv.DictReader(stream)
            if line["kind"] in KINDS and line["shape"] == "square"
        ]
    assert len(found) > 50
    return found


def test_every_square_board_reads_as_the_index_says(entries: list[Entry], instances: Path) -> None:
    for entry in entries:
        file = instances / "path" / f"{entry.name}.txt"
        if entry.status == "invalid":
            with pytest.raises(InvalidPuzzle):
                read(file)
            continue
        board = read(file)
        assert isinstance(board, KINDS[entry.kind]), entry
        assert board.name == entry.name
        assert board.shape == (entry.rows, entry.columns), entry
        assert board.size == entry.cells, entry
        assert len(board.clues) == entry.clues, entry


def test_known_solutions_pass(entries: list[Entry], instances: Path) -> None:
    checked = 0
    for entry in entries:
        file = instances / "path" / f"{entry.name}.solution.txt"
        if file.exists():
            board = read(instances / "path" / f"{entry.name}.txt")
            solution = board.read_solution(file.read_text(encoding="utf-8"))
            assert board.verify(solution) == [], entry
            checked += 1
    assert checked > 40


def test_a_solution_that_is_wrong_on_purpose_fails_and_the_right_one_passes(
    instances: Path,
) -> None:
    board = read(instances / "path" / "hidato_6x6_hidsq3.txt")
    wrong = instances / "path" / "hidato_6x6_hidsq3.source_wrong_solution.txt"
    right = instances / "path" / "hidato_6x6_hidsq3.solution.txt"
    assert board.verify(board.read_solution(wrong.read_text(encoding="utf-8")))
    assert board.verify(board.read_solution(right.read_text(encoding="utf-8"))) == []


def is_decided(entry: Entry, instances: Path, time_limit: float) -> bool:
    """Solve a board; compare a verdict with the index, the solution with the unique one."""
    board = read(instances / "path" / f"{entry.name}.txt")
    result = solve(board, method="mip", backend="highs", time_limit=time_limit)
    if result.status == "time_limit":
        return False
    if entry.status == "infeasible":
        assert result.status == "infeasible", entry
        return True
    assert (result.status, result.verified) == ("optimal", True), entry
    known = instances / "path" / f"{entry.name}.solution.txt"
    if entry.status == "unique" and known.exists():
        solution = board.read_solution(known.read_text(encoding="utf-8"))
        assert result.solution.tolist() == solution.tolist(), entry
    return True


def chosen(entries: list[Entry], *, small: bool) -> list[Entry]:
    """Split the boards: a dozen small ones with many clues, and the rest up to 100 cells."""
    valid = [entry for entry in entries if entry.status != "invalid" and entry.cells <= 100]
    easy = [e for e in valid if e.cells <= SMALL_CELLS and e.clues * 3 >= e.cells]
    infeasible = [e for e in valid if e.status == "infeasible" and e.cells <= SMALL_CELLS]
    sample = list(dict.fromkeys([*easy[:10], *infeasible[:2]]))
    return sample if small else [entry for entry in valid if entry not in sample]


@pytest.mark.parametrize("number", range(12))
def test_small_boards_are_solved_right(number: int, entries: list[Entry], instances: Path) -> None:
    assert is_decided(chosen(entries, small=True)[number], instances, 60)


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_other_boards_are_solved_right_or_not_at_all(entries: list[Entry], instances: Path) -> None:
    """Boards of 64 and 99 cells with few clues were seen to take HiGHS longer."""
    decided = [is_decided(entry, instances, 20) for entry in chosen(entries, small=False)]
    assert sum(decided) >= 0.9 * len(decided)
