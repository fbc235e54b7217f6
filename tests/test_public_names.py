"""The public face: every name is there, in one place, and loads nothing before it is used."""

from __future__ import annotations

import ast
import json
import pickle
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import hidato_opt

SOLVERS_AND_FRIENDS = ["numpy", "pandas", "scipy", "highspy", "pulp", "ortools", "numba", "cbcbox"]


def in_a_fresh_python(code: str) -> str:
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=60
    )
    assert (run.returncode, run.stderr) == (0, ""), run.stderr
    return run.stdout


@pytest.mark.parametrize("name", hidato_opt.__all__)
def test_every_name_of_all_is_there(name: str) -> None:
    assert getattr(hidato_opt, name) is not None


def test_all_is_sorted_and_is_what_dir_shows() -> None:
    assert hidato_opt.__all__ == sorted(hidato_opt.__all__)
    assert len(set(hidato_opt.__all__)) == len(hidato_opt.__all__)
    assert dir(hidato_opt) == hidato_opt.__all__


def test_the_names_of_the_design_that_are_built_are_public() -> None:
    built = {"Hidato", "read", "loads", "build_model", "solve", "verify", "read_csv"}
    errors = {
        "HidatoOptError", "InvalidPuzzle", "UnknownOption", "BackendUnavailable", "SolverFailed",
        "NoSolution", "WrongAnswer", "Undecided",
    }  # fmt: skip
    assert built | errors <= set(hidato_opt.__all__)


def names_for_type_checkers() -> dict[str, str]:
    """Read the imports under ``if TYPE_CHECKING`` of the package: name to module."""
    tree = ast.parse(Path(hidato_opt.__file__).read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for entry in node.body:
                assert isinstance(entry, ast.ImportFrom)
                assert entry.module is not None
                found |= {alias.name: entry.module for alias in entry.names}
    return found


def test_lazy_names_typed_names_and_all_agree() -> None:
    lazy = {name: f"hidato_opt.{home}" for name, home in hidato_opt._HOMES.items()}
    assert names_for_type_checkers() == lazy
    assert set(hidato_opt.__all__) == {*lazy, "__version__"}


def test_each_name_is_the_object_of_its_home() -> None:
    for name, home in hidato_opt._HOMES.items():
        value = getattr(hidato_opt, name)
        assert value is getattr(import_module(f"hidato_opt.{home}"), name)
        assert value.__module__.startswith("hidato_opt.")
        assert value.__doc__


def test_star_import_gives_exactly_these_names() -> None:
    space: dict[str, object] = {}
    exec("from hidato_opt import *", space)
    space.pop("__builtins__")
    assert set(space) == set(hidato_opt.__all__)


def test_a_name_that_is_not_there_is_an_attribute_error_that_lists_the_names() -> None:
    with pytest.raises(AttributeError, match=r"hidato_opt has no 'Sudoku'; its names are .*Hidato"):
        _ = hidato_opt.Sudoku
    assert not hasattr(hidato_opt, "__wrapped__")


def test_importing_the_package_loads_nothing_else() -> None:
    said = json.loads(
        in_a_fresh_python(
            "import json, sys; before = set(sys.modules); import hidato_opt; "
            "print(json.dumps(sorted(set(sys.modules) - before)))"
        )
    )
    assert [name for name in said if name.partition(".")[0] in SOLVERS_AND_FRIENDS] == []
    assert [name for name in said if name.startswith("hidato_opt")] == ["hidato_opt"]


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("ho.Hidato([[1, 0]])", ["pandas", "scipy", "highspy", "pulp", "ortools"]),
        ("ho.loads('1 ./. .').verify('1 2/3 4')", ["pandas", "scipy", "highspy", "pulp"]),
        ("ho.build_model('1 ./. .')", ["pandas", "scipy", "highspy", "pulp", "ortools"]),
        ("ho.solve('1 ./. .')", ["pandas", "pulp", "ortools"]),
    ],
)
def test_each_step_loads_what_it_needs_and_no_more(code: str, absent: list[str]) -> None:
    out = in_a_fresh_python(
        f"import sys, hidato_opt as ho; {code}; "
        f"print([name for name in {absent} if name in sys.modules])"
    )
    assert out == "[]\n"


@pytest.mark.parametrize(
    "first",
    [
        "import hidato_opt.solve.pipeline",
        "import hidato_opt.solve",
        "from hidato_opt.solve.puzzle_model import PuzzleModel",
        "ho.build_model('1 .')",
        "ho.PuzzleModel",
        "from hidato_opt import build_model, solve",
        "import hidato_opt.cli",
        "pass",
    ],
)
def test_solve_is_the_function_and_not_the_folder_of_that_name(first: str) -> None:
    out = in_a_fresh_python(f"import hidato_opt as ho; {first}; print(ho.solve('1 .').status)")
    assert out == "optimal\n"


def test_solve_can_be_sent_to_another_process() -> None:
    assert pickle.loads(pickle.dumps(hidato_opt.solve)) is hidato_opt.solve


def test_other_modules_can_be_set_on_the_package_as_ever() -> None:
    assert isinstance(sys.modules["hidato_opt"], ModuleType)
    import hidato_opt.core.errors

    assert hidato_opt.core.errors is sys.modules["hidato_opt.core.errors"]


def test_python_m_runs_the_commands() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "hidato_opt", "--version"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (run.returncode, run.stdout, run.stderr) == (
        0,
        f"hidato_opt {hidato_opt.__version__}\n",
        "",
    )
