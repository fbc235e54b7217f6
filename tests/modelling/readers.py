"""What HiGHS and CBC make of a written file, and the truth worked out without either."""

from __future__ import annotations

import itertools
import math
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import highspy
import numpy as np
import pytest

from hidato_opt.modelling.model import Model


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

    bundled = getattr(pulp, "PULP_CBC_CMD", None)
    if bundled is not None and Path(bundled().path).is_file():
        return str(bundled().path)
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
