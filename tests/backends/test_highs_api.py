"""What is said to HiGHS before a run: its options, its one number of threads, its banner."""

from __future__ import annotations

import math
import re
import subprocess
import sys
import types
from typing import Any

import highspy
import numpy as np
import pytest
from conformance.models import packing

from hidato_opt.backends.highs import HighsBackend, HighsSession
from hidato_opt.backends.highs_api import import_highspy
from hidato_opt.core.errors import BackendUnavailable, InvalidOption, UnknownOption
from hidato_opt.core.options import RunOptions
from hidato_opt.solve.puzzle_model import build_model


def in_a_fresh_python(code: str) -> str:
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, ""), run
    return run.stdout


# options


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mip_max_nodes", "many"),
        ("mip_max_nodes", 1.5),
        ("mip_max_nodes", True),
        ("mip_max_nodes", None),
        ("mip_max_nodes", [1]),
        ("mip_max_nodes", {}),
        ("mip_max_nodes", 2**40),
        ("mip_max_nodes", 2**70),
        ("mip_max_nodes", -1),
        ("presolve", False),
        ("presolve", "maybe"),
        ("mip_detect_symmetry", 1),
        ("mip_heuristic_effort", "small"),
        ("mip_heuristic_effort", math.nan),
        ("mip_heuristic_effort", -1.0),
    ],
)
def test_a_wrong_value_names_the_option_and_the_type(name: str, value: Any) -> None:
    with pytest.raises(InvalidOption, match=rf"HiGHS option '{name}' cannot be .* \(it takes: "):
        HighsBackend().solve(packing(), RunOptions(options={name: value}))


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("time_limit", "time_limit"),
        ("threads", "threads"),
        ("random_seed", "seed"),
        ("mip_rel_gap", "gap"),
        ("output_flag", "log=True"),
        ("log_to_console", "log=True"),
        ("log_file", "log=True"),
    ],
)
def test_an_option_that_a_run_option_sets_points_to_it(name: str, ours: str) -> None:
    with pytest.raises(InvalidOption, match=f"HiGHS option '{name}' is set by {ours}"):
        HighsBackend().solve(packing(), RunOptions(options={name: 1}))


@pytest.mark.parametrize("name", ["nodes", "", "__class__", 3])
def test_an_unknown_option_lists_the_known(name: Any) -> None:
    with pytest.raises(UnknownOption, match="is not known; known: ") as caught:
        HighsBackend().solve(packing(), RunOptions(options={name: 1}))
    assert "mip_max_nodes" in str(caught.value)
    assert "presolve" in str(caught.value)


@pytest.mark.parametrize(
    "options",
    [{"presolve": "off"}, {"mip_max_nodes": np.int64(5)}, {"mip_heuristic_effort": 0.5}],
)
def test_right_values_are_taken(options: dict[str, Any]) -> None:
    result = HighsBackend().solve(packing(), RunOptions(options=options))
    assert (result.status, result.objective) == ("optimal", 2.0)


def test_what_is_asked_reaches_highs() -> None:
    options = RunOptions(seed=7, gap=0.25, options={"presolve": "off"})
    with HighsSession(packing(), options) as session:
        session.solve(time_limit=12.5)
        values = {
            name: session._highs.getOptionValue(name)[1]
            for name in ("random_seed", "mip_rel_gap", "presolve", "time_limit", "threads")
        }
    assert values == {
        "random_seed": 7,
        "mip_rel_gap": 0.25,
        "presolve": "off",
        "time_limit": 12.5,
        "threads": 1,
    }


def test_a_limit_does_not_stay_for_the_next_run() -> None:
    with HighsSession(packing(), RunOptions()) as session:
        session.solve(time_limit=5)
        session.solve()
        assert session._highs.getOptionValue("time_limit")[1] == math.inf


def test_a_second_number_of_threads_is_an_error_with_both_numbers() -> None:
    out = in_a_fresh_python(
        """
import hidato_opt as ho
board = [[1, 0], [0, 0]]
print(ho.solve(board, method="mip", threads=2).status)
try:
    ho.solve(board, method="mip", threads=1)
except ho.InvalidOption as error:
    print(error)
print(ho.solve(board, method="mip", threads=2).status)
"""
    )
    assert out.splitlines() == [
        "optimal",
        (
            "HiGHS takes one number of threads a process: this one began with threads=2, "
            "so threads=1 needs a new process"
        ),
        "optimal",
    ]


def test_a_call_that_is_refused_does_not_settle_the_number_of_threads() -> None:
    out = in_a_fresh_python(
        """
import hidato_opt as ho
board = [[1, 0], [0, 0]]
try:
    ho.solve(board, threads=2, options={"nonsense": 1})
except ho.UnknownOption:
    print(ho.solve(board, threads=1).status)
"""
    )
    assert out == "optimal\n"


def test_another_number_of_threads_than_the_first_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("hidato_opt.backends.highs_api._threads_of_process", [4])
    with pytest.raises(InvalidOption, match="began with threads=4, so threads=1 needs a new proc"):
        HighsBackend().session(packing())


# silence


@pytest.mark.parametrize(
    "code",
    [
        "ho.solve([[1, 0], [0, 0]])",
        "ho.build_model([[1, 0], [0, 0]]).relax()",
        "ho.build_model([[1, 0], [0, 0]]).to_highspy()",
        "ho.build_model([[1, 0], [0, 0]]).to_highspy().run()",
        "ho.solve([[1, 0], [0, 0]], log=True)",
        "ho.solve([[0] * 6] * 6, time_limit=0.5, warm_start=[[0] * 6] * 6)",
    ],
)
def test_nothing_is_printed_not_even_by_the_first_highs_of_a_process(code: str) -> None:
    assert in_a_fresh_python(f"import hidato_opt as ho; {code}") == ""


# having it


def test_availability_names_release_and_path() -> None:
    found = HighsBackend().availability()
    assert found.usable
    assert found.version == highspy.Highs().version()
    assert found.path == highspy.__file__


def test_without_highspy_the_install_line_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(BackendUnavailable, match=re.escape('pip install "highspy>=1.15.1"')):
        import_highspy()
    found = HighsBackend().availability()
    assert not found.usable
    assert 'pip install "highspy>=1.15.1"' in found.problem


def test_a_release_that_answers_wrongly_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = types.ModuleType("highspy")
    for part, number in zip(("MAJOR", "MINOR", "PATCH"), (1, 14, 0), strict=True):
        setattr(bad, f"HIGHS_VERSION_{part}", number)
    monkeypatch.setitem(sys.modules, "highspy", bad)
    with pytest.raises(BackendUnavailable, match=r"HiGHS 1\.14\.0 gives wrong answers"):
        HighsBackend().session(packing())
    assert not HighsBackend().availability().usable


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("objective_bound", -5.0),
        ("objective_target", 0.0),
        ("primal_feasibility_tolerance", 1e-9),
        ("read_solution_file", "x.sol"),
        ("solve_relaxation", True),
        ("write_model_file", "x.lp"),
    ],
)
def test_options_that_change_what_a_verdict_means_are_refused(name: str, value: object) -> None:
    """With objective_bound, for one, HiGHS calls this feasible board infeasible."""
    with pytest.raises(InvalidOption, match=f"HiGHS option '{name}' is not taken: "):
        build_model([[1, 0], [0, 0]]).solve(options={name: value})
