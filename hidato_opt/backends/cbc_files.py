"""What CBC is given and what it writes: the MIP start, the solution files, the log.

The first line of the text solution file says how the run ended.  The numbers
are taken from the binary one, for the text has eight digits only, too few to
check a point with real-valued variables against its rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hidato_opt.core.errors import SolverFailed
from hidato_opt.core.status import Status, WarmStartFate
from hidato_opt.modelling.expressions import FloatArray
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.names import NameTable
from hidato_opt.modelling.points import PartialPoint

_RESULTS = {
    "Stopped on time": Status.TIME_LIMIT,
    "Stopped on ctrl-c": Status.INTERRUPTED,
    "Stopped on difficulties": Status.ERROR,
    "Stopped on iterations": Status.ERROR,
    "Unbounded": Status.UNBOUNDED,
    "Infeasible": Status.INFEASIBLE,
    "Integer infeasible": Status.INFEASIBLE,
    "Optimal (within gap tolerance)": Status.GAP_LIMIT,
    "Optimal": Status.OPTIMAL,
}
"""First words of the solution file; a phrase stands before a shorter one that it begins with."""

_REASONS = {
    "time limit": Status.TIME_LIMIT,
    "node limit": Status.NODE_LIMIT,
    "solution limit": Status.SOLUTION_LIMIT,
    "ctrl-c": Status.INTERRUPTED,
}
"""Words of the log's ``Result`` line: "Stopped on iterations" is said of each of these."""

_REASON = re.compile(r"^Result - (.*)$", re.MULTILINE)
_PARTIAL = re.compile(
    r"^Cbc0005I .*\(best possible (\S+)\), took \d+ iterations and (\d+) nodes", re.MULTILINE
)
_RELAXATION = re.compile(r"^Continuous objective value is (\S+)", re.MULTILINE)
_GAP = re.compile(r"^Cbc0011I Exiting as integer gap of (\S+)", re.MULTILINE)
_NODES = re.compile(r"^Enumerated nodes: *(\d+)", re.MULTILINE)
_START_COST = re.compile(r"^Cbc0045I MIPStart provided solution with cost (\S+)", re.MULTILINE)
_START_REFUSED = re.compile(r"^Cbc0045I Warning: mipstart values could not be used", re.MULTILINE)
INFEASIBLE_CRASH = "Problem is infeasible - tightenPrimalBounds!"
"""What CBC 2 says of some models that are infeasible, before it crashes over them."""
_START_CUT = "Cbc0045I Fixing only non-zero variables."
_EIGHT_DIGITS, _SIX_DIGITS = 5e-8, 5e-6
"""Half a unit in the last digit that the log shows, as a fraction."""


@dataclass(frozen=True)
class Verdict:
    """What the first line of a solution file says: why CBC stopped, and whether it has a point."""

    status: Status
    has_point: bool


def read_first_line(path: Path, log: str) -> str:
    """Read the line of the text solution file that says how the run ended.

    Raises
    ------
    SolverFailed
        There is no such file.
    """
    try:
        with path.open(encoding="utf-8", errors="replace") as lines:
            return lines.readline().strip()
    except OSError as error:
        raise SolverFailed("CBC wrote no solution file", log) from error


def read_verdict(line: str, log: str, *, integer: bool) -> Verdict:
    """Read the first line of a solution file.

    Parameters
    ----------
    line : str
        The line.
    log : str
        The log, which tells the limits apart that the line calls "iterations".
    integer : bool
        Whether the model has integer variables.  If so, "Unbounded" is said of
        the relaxation and leaves open whether the model has a point at all; if
        not, what CBC leaves after a stop is not feasible in general.

    Raises
    ------
    SolverFailed
        There is no such line in the table.

    Examples
    --------
    >>> read_verdict("Integer infeasible - objective value 0.00000000", "", integer=True)
    Verdict(status=<Status.INFEASIBLE: 'infeasible'>, has_point=False)
    """
    words = next((words for words in _RESULTS if line.startswith(words)), None)
    if words is None:
        raise SolverFailed(f"cannot read what CBC says of its run: {line[:200]!r}", log)
    status = _RESULTS[words]
    if words == "Stopped on iterations":
        reason = "".join(_REASON.findall(log)[-1:])
        status = next((meaning for text, meaning in _REASONS.items() if text in reason), status)
    if status is Status.UNBOUNDED and integer:
        status = Status.INFEASIBLE_OR_UNBOUNDED
    has_point = words.startswith("Optimal") or (
        words.startswith("Stopped") and integer and "no integer solution" not in line
    )
    return Verdict(status, has_point)


@dataclass(frozen=True)
class Numbers:
    """The arrays of a binary solution file, of the rows and columns of the model file."""

    row_duals: FloatArray
    values: FloatArray
    reduced_costs: FloatArray


def read_numbers(path: Path, columns: int, log: str) -> Numbers:
    """Read CBC's binary solution file.

    It holds the number of rows m and of columns n as 32-bit integers, then
    doubles: the objective, m activities, m duals, n values, n reduced costs.

    Parameters
    ----------
    path : Path
        The file.
    columns : int
        Columns of the model; the model file may have one more.
    log : str
        For the error.

    Raises
    ------
    SolverFailed
        The file is not there, or is not of this shape.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SolverFailed("CBC wrote no solution file", log) from error
    m, n = np.frombuffer(content, np.int32, 2).tolist() if len(content) >= 8 else (0, 0)
    if len(content) != 8 + 8 * (1 + 2 * m + 2 * n) or n < columns:
        raise SolverFailed("the solution file of CBC is cut short", log)
    numbers = np.frombuffer(content, np.float64, offset=8)
    values, reduced_costs = numbers[1 + 2 * m :][:n], numbers[1 + 2 * m + n :]
    return Numbers(numbers[1 + m :][:m], values[:columns], reduced_costs[:columns])


def model_row_duals(model: Model, model_file: Path, duals: FloatArray) -> FloatArray:
    """Return a dual for each row of the model, where the file has two rows for some.

    The second row of a pair, for its upper bound, stands behind the first and
    has a name that begins with the first one's; the duals of a pair add up.
    """
    if len(duals) == model.num_rows:
        return duals
    with model_file.open(encoding="ascii") as lines:
        names = [line.split()[1] for line in _section(lines, "ROWS") if line.split()[0] != "N"]
    place = {name: row for row, name in enumerate(NameTable.short(model).rows)}
    total = np.zeros(model.num_rows)
    for name, dual in zip(names, duals.tolist(), strict=True):
        row = place.get(name.partition("_")[0])
        if row is not None:
            total[row] += dual
    return total


def write_start(model: Model, start: PartialPoint, path: Path) -> None:
    """Write a MIP start with the columns that have a value, and no others.

    CBC completes what is open; a column listed with value 0 would be held there.
    """
    names = NameTable.short(model).columns
    lines = [
        f"{place} {names[column]} {value!r} 0\n"
        for place, (column, value) in enumerate(
            zip(start.columns.tolist(), start.values.tolist(), strict=True)
        )
    ]
    path.write_text("".join(["MIP start - objective value 0\n", *lines]), encoding="ascii")


def read_fate(model: Model, start: PartialPoint, log: str) -> tuple[WarmStartFate, str]:
    """Read from the log what became of a MIP start."""
    refused = _START_REFUSED.search(log)
    if refused:
        return WarmStartFate.REJECTED, refused[0]
    told = _START_COST.search(log)
    if told is None:
        return WarmStartFate.NOT_TRIED, "CBC ended before it looked at the start"
    if _START_CUT in log or not start.is_complete(model):
        return WarmStartFate.REPAIRED, told[0]
    if len(start.columns) == model.num_columns:
        values = np.zeros(model.num_columns)
        values[start.columns] = start.values
        cost = (-1.0 if model.maximise else 1.0) * model.objective_value(values)
        # The log shows six digits.
        if abs(float(told[1]) - cost) > 1e-5 * max(1.0, abs(cost)):
            return WarmStartFate.REPAIRED, f"{told[0]}; its own cost is {cost:g}"
    return WarmStartFate.ACCEPTED, told[0]


def read_bound(model: Model, objective: float | None, log: str) -> float | None:
    """Read the proven bound of a run that stopped early; it is loosened by what rounding hides.

    Before the first node is done, the present CBC tells of bounds beyond its
    own incumbent; then the relaxation's value is the bound.
    """
    sign = -1.0 if model.maximise else 1.0
    partial, gap, relaxation = (found.findall(log) for found in (_PARTIAL, _GAP, _RELAXATION))
    best = np.inf if objective is None else sign * objective
    if partial and partial[-1][1] != "0":
        bound, digits = float(partial[-1][0]), _EIGHT_DIGITS
    elif gap and not partial and objective is not None:
        bound, digits = best - float(gap[-1]), _EIGHT_DIGITS
    elif relaxation:
        bound, digits = float(relaxation[-1]), _SIX_DIGITS
    else:
        return None
    bound -= digits * abs(bound)
    return sign * bound if abs(bound) < 1e50 and bound <= best else None


def read_nodes(log: str) -> int | None:
    """Read the number of branch-and-bound nodes."""
    told = _NODES.findall(log)
    return int(told[-1]) if told else None


def _section(lines: Iterator[str], name: str) -> Iterator[str]:
    for line in lines:
        if line.split() == [name]:
            break
    for line in lines:
        if not line.startswith(" "):
            return
        yield line
