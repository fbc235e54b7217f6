"""What CBC is given and what it writes, as text and bytes; no CBC is run."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from conformance.models import columns, row

from hidato_opt.backends.cbc_files import (
    Verdict,
    model_row_duals,
    read_bound,
    read_fate,
    read_first_line,
    read_nodes,
    read_numbers,
    read_verdict,
    write_start,
)
from hidato_opt.core.errors import SolverFailed
from hidato_opt.core.status import Status, WarmStartFate
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.mps_format import write_mps
from hidato_opt.modelling.names import NameTable
from hidato_opt.modelling.points import PartialPoint

RELAXED = "(no integer solution - continuous used) - objective value 290.07655450"
NODES = "Result - Stopped on node limit\n"
SOLUTIONS = "Result - Stopped on solution limit\n"
CLOCK = "Result - Stopped on time limit\n"
# Both CBC 2.10 and the present one stutter here.
CTRL_C = "Result - User ctrl-cuser ctrl-c\n"


@pytest.mark.parametrize(
    ("line", "log", "status", "has_point"),
    [
        ("Optimal - objective value 151.00000000", "", Status.OPTIMAL, True),
        ("Optimal (within gap tolerance) - objective value -1.0", "", Status.GAP_LIMIT, True),
        ("Infeasible - objective value 3.00000000", "", Status.INFEASIBLE, False),
        ("Integer infeasible - objective value 1.50000000", "", Status.INFEASIBLE, False),
        # said of the relaxation alone: 2x + 2y = 3 with a free third variable has no point
        ("Unbounded - objective value 0.00000000", "", Status.INFEASIBLE_OR_UNBOUNDED, False),
        ("Stopped on time - objective value -8278.20", CLOCK, Status.TIME_LIMIT, True),
        (f"Stopped on time {RELAXED}", CLOCK, Status.TIME_LIMIT, False),
        (
            "Stopped on time (LP relaxation not completed - no integer solution) - objective -3",
            "",
            Status.TIME_LIMIT,
            False,
        ),
        ("Stopped on iterations - objective value -1914.6", NODES, Status.NODE_LIMIT, True),
        (f"Stopped on iterations {RELAXED}", NODES, Status.NODE_LIMIT, False),
        ("Stopped on iterations - objective value -1892.0", SOLUTIONS, Status.SOLUTION_LIMIT, True),
        ("Stopped on iterations - objective value 5.0", CLOCK, Status.TIME_LIMIT, True),
        ("Stopped on iterations - objective value 5.0", CTRL_C, Status.INTERRUPTED, True),
        (f"Stopped on iterations {RELAXED}", CTRL_C, Status.INTERRUPTED, False),
        # the last Result counts: the feasibility pump's own searches have one, too
        (f"Stopped on iterations {RELAXED}", CLOCK + NODES, Status.NODE_LIMIT, False),
        ("Stopped on iterations - objective value 5.0", "", Status.ERROR, True),
        ("Stopped on ctrl-c - objective value 5.0", "", Status.INTERRUPTED, True),
        (f"Stopped on ctrl-c {RELAXED}", "", Status.INTERRUPTED, False),
        ("Stopped on difficulties - objective value 5.0", "", Status.ERROR, True),
        (f"Stopped on difficulties {RELAXED}", "", Status.ERROR, False),
    ],
)
def test_first_line_with_integers(line: str, log: str, status: Status, has_point: bool) -> None:
    assert read_verdict(line, log, integer=True) == Verdict(status, has_point)


@pytest.mark.parametrize(
    ("line", "status", "has_point"),
    [
        ("Optimal - objective value 12", Status.OPTIMAL, True),
        ("Infeasible - objective value 3", Status.INFEASIBLE, False),
        ("Unbounded - objective value 0", Status.UNBOUNDED, False),
        # where the simplex method stands at a limit need not be feasible
        ("Stopped on time - objective value 5", Status.TIME_LIMIT, False),
        ("Stopped on iterations - objective value 5", Status.ERROR, False),
        ("Stopped on difficulties - objective value 5", Status.ERROR, False),
    ],
)
def test_first_line_without_integers(line: str, status: Status, has_point: bool) -> None:
    assert read_verdict(line, "", integer=False) == Verdict(status, has_point)


@pytest.mark.parametrize("line", ["", "Status unknown - objective value 0", "optimal", "garbage"])
def test_any_other_first_line_is_a_failure(line: str) -> None:
    with pytest.raises(SolverFailed, match="last words"):
        read_verdict(line, "its\nlast words", integer=True)


def test_first_line_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "sol").write_text("Optimal - objective value 1\n  0 x0  1  0\n")
    assert read_first_line(tmp_path / "sol", "") == "Optimal - objective value 1"
    with pytest.raises(SolverFailed, match=r"no solution file(.|\n)*last words"):
        read_first_line(tmp_path / "none", "last words")


def solution_bytes(rows: int, cols: int) -> bytes:
    """Write 0, 1, 2, ... where a solution file has objective, rows twice, columns twice."""
    head = np.array([rows, cols], dtype=np.int32).tobytes()
    return head + np.arange(1 + 2 * rows + 2 * cols, dtype=np.float64).tobytes()


def test_numbers_of_a_solution_file(tmp_path: Path) -> None:
    """2 rows, 3 columns: objective 0, activities 1-2, duals 3-4, values 5-7, reduced costs 8-10."""
    path = tmp_path / "bin"
    path.write_bytes(solution_bytes(2, 3))
    numbers = read_numbers(path, 3, "")
    assert numbers.row_duals.tolist() == [3.0, 4.0]
    assert numbers.values.tolist() == [5.0, 6.0, 7.0]
    assert numbers.reduced_costs.tolist() == [8.0, 9.0, 10.0]


def test_column_that_only_the_file_has_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "bin"
    path.write_bytes(solution_bytes(1, 1))
    assert read_numbers(path, 0, "").values.tolist() == []


@pytest.mark.parametrize("content", [b"", b"1234", solution_bytes(2, 3)[:-1], b"\0" * 80])
def test_cut_solution_file_is_a_failure(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bin"
    path.write_bytes(content)
    with pytest.raises(SolverFailed, match=r"cut short(.|\n)*last words"):
        read_numbers(path, 3, "last words")


def test_missing_solution_file_is_a_failure(tmp_path: Path) -> None:
    with pytest.raises(SolverFailed, match="no solution file"):
        read_numbers(tmp_path / "bin", 3, "")


def test_duals_of_a_row_that_the_file_splits_add_up(tmp_path: Path) -> None:
    """In floating point -0.1 + 0.30000000000000004 is not 0.2: the ranged row becomes two."""
    model = columns(2, "continuous")
    model = model.add(row(model.x, [1.0, 0.0], 0.0), name="first")
    model = model.add(row(model.x, [1.0, 1.0], -0.1, 0.2), name="between")
    model = model.add(row(model.x, [0.0, 1.0], 0.0), name="last")
    path = tmp_path / "model.mps"
    with path.open("w") as stream:
        write_mps(model, stream, names=NameTable.short(model))
    in_file = [line for line in path.read_text().splitlines() if line.startswith((" G", " L"))]
    assert len(in_file) == 4
    duals = model_row_duals(model, path, np.array([1.0, 20.0, 3.0, 400.0]))
    assert duals.tolist() == [1.0, 23.0, 400.0]


def test_duals_of_a_file_with_the_rows_of_the_model(tmp_path: Path) -> None:
    model = columns(1, "continuous")
    model = model.add(row(model.x, [1.0], 0.0, 4.0), name="only")
    assert model_row_duals(model, tmp_path / "not read", np.array([7.0])).tolist() == [7.0]


def test_start_holds_what_is_set_and_nothing_else(tmp_path: Path) -> None:
    model = columns(5, upper=9.0)
    start = PartialPoint(np.array([1, 4]), np.array([0.0, 3.0]))
    write_start(model, start, tmp_path / "mst")
    assert (tmp_path / "mst").read_text().splitlines()[1:] == ["0 x1 0.0 0", "1 x4 3.0 0"]
    # the names are those of the model file
    stream = io.StringIO()
    write_mps(model, stream, names=NameTable.short(model))
    assert {"x1", "x4"} <= {line.split()[0] for line in stream.getvalue().splitlines()}


TAKEN = "Cbc0045I MIPStart provided solution with cost {}\n"
CUT = "Cbc0045I Fixing only non-zero variables.\n"
REFUSED = "Cbc0045I Warning: mipstart values could not be used to build a solution.\n"
OTHER = "Cbc0045I Nauty did not find any useful orbits in time 5.2e-05\n"


def prices(*, maximise: bool = False) -> Model:
    """Three integers with prices 2, 3, 5 and a constant of 100."""
    model = columns(3, upper=9.0)
    goal = model.x.dot([2, 3, 5]) + 100
    return model.maximize(goal) if maximise else model.minimize(goal)


@pytest.mark.parametrize(
    ("log", "maximise", "fate"),
    [
        # the start (1, 1, 1) costs 110
        (OTHER + TAKEN.format(110), False, WarmStartFate.ACCEPTED),
        (TAKEN.format(-110), True, WarmStartFate.ACCEPTED),
        (TAKEN.format(105), False, WarmStartFate.REPAIRED),
        (CUT + TAKEN.format(110), False, WarmStartFate.REPAIRED),
        (CUT + REFUSED, False, WarmStartFate.REJECTED),
        (OTHER, False, WarmStartFate.NOT_TRIED),
        ("", False, WarmStartFate.NOT_TRIED),
    ],
)
def test_fate_of_a_complete_start(log: str, maximise: bool, fate: WarmStartFate) -> None:
    start = PartialPoint(np.arange(3), np.ones(3))
    told, reason = read_fate(prices(maximise=maximise), start, log)
    assert told == fate
    assert reason


@pytest.mark.parametrize(
    ("log", "fate"),
    [
        (TAKEN.format(110), WarmStartFate.REPAIRED),
        (REFUSED, WarmStartFate.REJECTED),
        ("", WarmStartFate.NOT_TRIED),
    ],
)
def test_fate_of_a_partial_start(log: str, fate: WarmStartFate) -> None:
    start = PartialPoint(np.array([0]), np.array([1.0]))
    assert read_fate(prices(), start, log)[0] == fate


PARTIAL = "Cbc0005I Partial search - best objective {} (best possible {}), took 9 iterations and "
RELAXED_TO = "Continuous objective value is -8310.53 - 0.000534 seconds\n"
WITHIN = "Cbc0011I Exiting as integer gap of 34.340775 less than 1e-10 or 2%\n"


def partial(best: str, nodes: int, incumbent: str = "-8278.2") -> str:
    return RELAXED_TO + PARTIAL.format(incumbent, best) + f"{nodes} nodes (2.01 seconds)\n"


@pytest.mark.parametrize(
    ("log", "objective", "bound"),
    [
        (partial("-8302.0588", 5), -8278.2, -8302.0588),
        (partial("-8302.0588", 5, "1e+50"), None, -8302.0588),
        # the present CBC, stopped before its first node: the relaxation is what is proven
        (partial("1.1756061e+10", 0), -8278.2, -8310.53),
        (partial("1.1756061e+10", 0, "1e+50"), None, -8310.53),
        (partial("-8302.0588", 0), -8278.2, -8310.53),
        (RELAXED_TO + WITHIN, -8278.2, -8312.540775),
        (RELAXED_TO, None, -8310.53),
    ],
)
def test_bound_of_a_stopped_run_is_loosened_by_the_rounding(
    log: str, objective: float | None, bound: float
) -> None:
    """By half a unit in the last of eight digits, or of six where CBC shows no more."""
    read = read_bound(prices(), objective, log)
    assert read is not None
    unit = 0.01 if bound == -8310.53 else 0.0001
    assert bound - 10 * unit < read <= bound - unit / 2


def test_bound_of_a_maximum_lies_above() -> None:
    read = read_bound(prices(maximise=True), 8278.2, partial("-8302.0588", 5))
    assert read is not None
    assert 8302.0588 + 0.00005 < read < 8302.0588 + 0.001


@pytest.mark.parametrize(
    ("log", "objective"),
    [
        ("", None),
        ("", -3.0),
        (partial("-1e+50", 5), None),
        # a bound beyond the point that there is cannot be one
        (partial("-8270.5", 5), -8278.2),
    ],
)
def test_no_bound(log: str, objective: float | None) -> None:
    assert read_bound(prices(), objective, log) is None


def test_nodes() -> None:
    assert read_nodes("Enumerated nodes:               29193\nTotal iterations: 3") == 29193
    assert read_nodes("") is None
