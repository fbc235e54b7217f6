"""What HiGHS and CBC make of a written file, and the truth worked out without either."""

from __future__ import annotations

import itertools
import math
import subprocess
import warnings
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import highspy
import numpy as np
import pytest

from hidato_opt.modelling.model import Model
from hidato_opt.modelling.names import NameTable


@dataclass(frozen=True)
class Verdict:
    """A status in one of four words, and the objective value of an optimal point."""

    status: str
    objective: float | None = None

    def agrees(self, other: Verdict) -> bool:
        """Whether two verdicts are the same, values to the eight decimals that CBC prints."""
        if self.objective is None or other.objective is None:
            return self == other
        return self.status == other.status and math.isclose(
            self.objective, other.objective, rel_tol=1e-7, abs_tol=1e-6
        )

    def negated(self) -> Verdict:
        """The verdict on the same model with the sign of its objective changed."""
        return self if self.objective is None else Verdict(self.status, -self.objective)


@dataclass(frozen=True)
class Algebra:
    """A model by names: what must be the same before writing and after reading.

    Columns are (cost, lower, upper, integer), rows (lower, upper, terms).
    """

    columns: dict[str, tuple[float, float, float, bool]]
    rows: dict[str, tuple[float, float, dict[str, float]]]
    offset: float
    maximise: bool

    def negated(self) -> Algebra:
        """The same model with the sign of its objective changed, to be minimised."""
        columns = {
            name: (-cost, low, high, integer)
            for name, (cost, low, high, integer) in self.columns.items()
        }
        return replace(self, columns=columns, offset=-self.offset, maximise=False)


def brute_force(model: Model) -> Verdict:
    """Try every point of a model whose columns are all integer and bounded."""
    assert model.integer.all()
    ranges = [
        range(math.ceil(low), math.floor(high) + 1)
        for low, high in zip(model.lower, model.upper, strict=True)
    ]
    values = [
        float(model.cost @ point) + model.offset
        for point in map(np.array, itertools.product(*ranges))
        if is_feasible(model, point.astype(float))
    ]
    if not values:
        return Verdict("infeasible")
    return Verdict("optimal", max(values) if model.maximise else min(values))


def is_feasible(model: Model, point: np.ndarray) -> bool:
    """Whether a point keeps every row, term by term."""
    for row in range(model.num_rows):
        activity = 0.0
        for term in range(model.starts[row], model.starts[row + 1]):
            activity += model.coefficients[term] * point[model.columns[term]]
        if not model.row_lower[row] - 1e-9 <= activity <= model.row_upper[row] + 1e-9:
            return False
    return True


def highs_of_file(path: Path) -> highspy.Highs:
    """Read a file; anything but a clean reading fails the test."""
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    return highs


def highs_of_arrays(model: Model) -> highspy.Highs:
    """Pass a model's arrays, no file in between."""
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = model.num_columns, model.num_rows
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = model.cost, model.lower, model.upper
    lp.row_lower_, lp.row_upper_ = model.row_lower, model.row_upper
    lp.offset_ = model.offset
    if model.maximise:
        lp.sense_ = highspy.ObjSense.kMaximize
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = model.starts, model.columns
    lp.a_matrix_.value_ = model.coefficients
    lp.integrality_ = [
        highspy.HighsVarType.kInteger if integer else highspy.HighsVarType.kContinuous
        for integer in model.integer
    ]
    assert highs.passModel(lp) != highspy.HighsStatus.kError
    return highs


def highs_verdict(highs: highspy.Highs) -> Verdict:
    """Solve what HiGHS holds."""
    highs.setOptionValue("mip_rel_gap", 0.0)
    highs.run()
    status = highs.getModelStatus()
    if status == highspy.HighsModelStatus.kUnboundedOrInfeasible:
        highs.setOptionValue("presolve", "off")
        highs.run()
        status = highs.getModelStatus()
    words = {
        highspy.HighsModelStatus.kOptimal: "optimal",
        highspy.HighsModelStatus.kInfeasible: "infeasible",
        highspy.HighsModelStatus.kUnbounded: "unbounded",
    }
    if words[status] != "optimal":
        return Verdict(words[status])
    return Verdict("optimal", highs.getInfo().objective_function_value)


@cache
def cbc_path() -> str | None:
    """The CBC that PuLP 3 brings, or the one of the package cbcbox; None if neither is here."""
    import pulp

    if hasattr(pulp, "PULP_CBC_CMD"):
        with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
            path = pulp.PULP_CBC_CMD().path  # PuLP 3 says that PuLP 4 has it no longer
        if Path(path).is_file():
            return str(path)
    try:
        import cbcbox
    except ImportError:
        return None
    return str(cbcbox.cbc_bin_path())


def cbc_verdict(path: Path) -> Verdict:
    """Let CBC read and solve a file; skip the test where there is no CBC.

    Preprocessing is off, since it makes feasible models infeasible in CBC
    2.10.  Where CBC crashes without it, as it does on some models of this size
    whatever file they come from, it is tried with it.
    """
    program = cbc_path()
    if program is None:
        pytest.skip("no CBC: neither PuLP 3 nor cbcbox is installed")
    solution = path.with_suffix(".sol")
    for preprocess in ("off", "on"):
        solution.unlink(missing_ok=True)
        run = subprocess.run(
            [program, path.name, "-preprocess", preprocess, "-solve", "-solution", solution.name],
            cwd=path.parent,
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
        )
        assert "###" not in run.stdout, run.stdout
        if run.returncode >= 0:
            break
    assert solution.is_file(), run.stdout
    words, _, value = solution.read_text().splitlines()[0].partition(" - objective value ")
    if words.startswith("Optimal"):  # a recent CBC says "within gap tolerance" of a gap of 0
        return Verdict("optimal", float(value))
    return Verdict({"Integer infeasible": "infeasible"}.get(words, words.lower()))


def as_algebra(model: Model, names: NameTable) -> Algebra:
    """What a model says, by name; terms that are zero say nothing."""
    columns = {
        name: (cost, low, high, integer)
        for name, cost, low, high, integer in zip(
            names.columns,
            model.cost.tolist(),
            model.lower.tolist(),
            model.upper.tolist(),
            model.integer.tolist(),
            strict=True,
        )
    }
    rows = {}
    for row, name in enumerate(names.rows):
        span = slice(model.starts[row], model.starts[row + 1])
        terms = zip(model.columns[span].tolist(), model.coefficients[span].tolist(), strict=True)
        rows[name] = (
            float(model.row_lower[row]),
            float(model.row_upper[row]),
            {names.columns[column]: value for column, value in terms if value},
        )
    return Algebra(columns, rows, model.offset, model.maximise)


def algebra_of_file(path: Path) -> Algebra:
    """What HiGHS reads from a file, with the writers' extra rows and column put back."""
    lp = highs_of_file(path).getLp()
    matrix = lp.a_matrix_
    assert matrix.format_ == highspy.MatrixFormat.kColwise
    integrality = list(lp.integrality_) or [highspy.HighsVarType.kContinuous] * lp.num_col_
    columns: dict[str, tuple[float, float, float, bool]] = {}
    rows: dict[str, tuple[float, float, dict[str, float]]] = {
        name: (float(low), float(high), {})
        for name, low, high in zip(lp.row_names_, lp.row_lower_, lp.row_upper_, strict=True)
    }
    for place, name in enumerate(lp.col_names_):
        columns[name] = (
            float(lp.col_cost_[place]),
            float(lp.col_lower_[place]),
            float(lp.col_upper_[place]),
            integrality[place] == highspy.HighsVarType.kInteger,
        )
        for term in range(matrix.start_[place], matrix.start_[place + 1]):
            rows[lp.row_names_[matrix.index_[term]]][2][name] = float(matrix.value_[term])
    offset = float(lp.offset_)
    if "objective__constant" in columns:
        cost, low, high, integer = columns.pop("objective__constant")
        assert (low, high, integer) == (1.0, 1.0, False)
        offset += cost
    for name in [name for name in rows if name.endswith("__upper")]:
        low, high, terms = rows.pop(name)
        base = name.removesuffix("__upper")
        assert low == -math.inf
        if base in rows:
            assert rows[base][1:] == (math.inf, terms)
            rows[base] = (rows[base][0], high, terms)
        else:
            assert terms == {base: 1.0}
            assert columns[base][2] == math.inf
            columns[base] = (*columns[base][:2], high, columns[base][3])
    return Algebra(columns, rows, offset, lp.sense_ == highspy.ObjSense.kMaximize)
