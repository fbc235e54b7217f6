"""The backend ``cbc`` on a real CBC: what the conformance suite does not ask of every backend."""

from __future__ import annotations

import logging
import math
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from conformance.models import (
    Knapsack,
    columns,
    knapsack,
    market_split,
    reported_infeasible,
    row,
)

from hidato_opt.backends import cbc as cbc_module
from hidato_opt.backends.base import RawResult
from hidato_opt.backends.cbc import CbcBackend
from hidato_opt.backends.process import run_process
from hidato_opt.core.errors import NoSolution, WrongAnswer
from hidato_opt.core.options import RunOptions
from hidato_opt.core.status import Status, WarmStartFate
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.points import PartialPoint


@pytest.fixture
def backend() -> CbcBackend:
    found = CbcBackend()
    told = found.availability()
    if not told.usable:
        pytest.skip(told.problem)
    return found


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for temporary files with blanks in its path; it must be empty in the end."""
    place = tmp_path / "a folder of ours"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield place
    assert not list(place.iterdir())


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The command lines of the runs."""
    seen: list[list[str]] = []

    def noted(command: list[str], *args: object, **named: object) -> object:
        seen.append(list(command))
        return run_process(command, *args, **named)  # type: ignore[arg-type]  # passed on as given

    monkeypatch.setattr(cbc_module, "run_process", noted)
    return seen


@pytest.fixture(scope="module")
def hard() -> Knapsack:
    """A knapsack in five dimensions: points come at once, the proof does not."""
    return knapsack(30, items=120, dimensions=5)


def test_command_line_has_relative_names_alone(
    backend: CbcBackend, temporary: Path, commands: list[list[str]]
) -> None:
    """No blank, colon or folder of ours can reach CBC, for it would split the one at the other."""
    model = knapsack(1).model()
    result = backend.solve(model, RunOptions(time_limit=60), start=np.zeros(20))
    assert result.status == Status.OPTIMAL
    (command,) = commands
    assert {"model.mps", "start.mst", "answer.sol", "answer.bin"} <= set(command)
    assert not any(set(word) & set(f" :{os.sep}") for word in command[1:])
    assert str(temporary) not in " ".join(command)


def test_no_file_is_left_after_any_verdict(backend: CbcBackend, temporary: Path) -> None:
    odd = columns(2, upper=5.0)
    odd = odd.add(odd.x.dot([2, 2]) == 3, name="odd")
    assert backend.solve(odd).status == Status.INFEASIBLE
    assert backend.solve(knapsack(2).model()).status == Status.OPTIMAL
    limited = backend.solve(market_split(), RunOptions(time_limit=0.2))
    assert limited.status == Status.TIME_LIMIT


def test_version_is_that_of_the_banner(backend: CbcBackend) -> None:
    assert backend.solve(knapsack(3).model()).backend_version == backend.availability().version


def test_market_split_ends_at_the_limit_without_a_point(backend: CbcBackend) -> None:
    began = time.perf_counter()
    result = backend.solve(market_split(), RunOptions(time_limit=1))
    assert time.perf_counter() - began < 3
    assert result.status == Status.TIME_LIMIT
    assert "no integer solution" in result.native_status
    assert not result.has_solution
    assert result.objective is None
    with pytest.raises(NoSolution):
        _ = result.values


def test_limit_with_a_point_has_a_bound_that_encloses_the_optimum(backend: CbcBackend) -> None:
    """The optimum comes from dynamic programming."""
    instance = knapsack(7, items=22, dimensions=2)
    model = instance.model()
    result = backend.solve(model, RunOptions(options={"maxNodes": 1, "cutsOnOff": "off"}))
    assert result.status == Status.NODE_LIMIT
    assert result.objective is not None
    assert result.bound is not None
    assert result.objective <= instance.best <= result.bound
    assert result.nodes is not None
    assert result.nodes <= 1


def test_bound_of_a_minimum_lies_below(backend: CbcBackend) -> None:
    """The knapsack with the sign of its objective changed, and a constant."""
    instance = knapsack(7, items=22, dimensions=2)
    model = instance.model()
    model = model.minimize(1000 - model.x.dot(instance.values))
    result = backend.solve(model, RunOptions(options={"maxNodes": 1, "cutsOnOff": "off"}))
    assert result.bound is not None
    assert result.objective is not None
    assert result.bound <= 1000 - instance.best <= result.objective


@pytest.mark.parametrize("maximise", [False, True])
def test_bound_before_the_first_node_is_that_of_the_relaxation(
    backend: CbcBackend, hard: Knapsack, maximise: bool
) -> None:
    """With the constant of the objective, in either sense."""
    model = hard.model()
    model = model.maximize(model.x.dot(hard.values) + 1000)
    if not maximise:
        model = model.minimize(1000 - model.x.dot(hard.values))
    result = backend.solve(model, RunOptions(options={"maxSolutions": 1}))
    relaxed = backend.solve(model.relaxed()).objective
    assert result.nodes == 0
    assert relaxed is not None
    assert result.bound == pytest.approx(relaxed, rel=1e-4)
    assert (result.bound >= relaxed) if maximise else (result.bound <= relaxed)


@pytest.mark.parametrize("limit", [0.01, 0.03, 0.06])
def test_bound_at_a_short_limit_encloses_the_optimum(backend: CbcBackend, limit: float) -> None:
    """Stopped in the root node, the present CBC tells of bounds beyond its own incumbent."""
    for seed in range(4):
        instance = knapsack(seed, items=22, dimensions=2)
        result = backend.solve(instance.model(), RunOptions(time_limit=limit))
        assert result.bound is None or result.bound >= instance.best
        assert result.objective is None or result.objective <= instance.best


def test_solution_limit(backend: CbcBackend, hard: Knapsack) -> None:
    result = backend.solve(hard.model(), RunOptions(time_limit=20, options={"maxSolutions": 1}))
    assert result.status == Status.SOLUTION_LIMIT
    assert result.has_solution


def test_gap_is_reached_and_said(backend: CbcBackend, hard: Knapsack) -> None:
    result = backend.solve(hard.model(), RunOptions(time_limit=20, gap=0.2))
    assert result.status == Status.GAP_LIMIT
    assert result.objective is not None
    assert result.bound is not None
    assert result.objective < result.bound <= 1.2 * result.objective


def test_gap_that_turns_out_to_be_none_is_optimal(backend: CbcBackend) -> None:
    """x + y >= 3 with whole numbers: the relaxation has 3, too."""
    model = columns(2, upper=3.0)
    model = model.add(model.x.sum() >= 3, name="three").minimize(model.x.sum())
    result = backend.solve(model, RunOptions(gap=0.5))
    assert result.status == Status.OPTIMAL
    assert result.objective == 3.0


def test_constant_objective_makes_any_point_optimal(backend: CbcBackend) -> None:
    """The limit of one solution stops the run, but nothing better could come."""
    model = columns(12, "binary")
    for number, weights in enumerate(([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8], [2, 7] * 6)):
        model = model.add(model.x.dot(weights) == sum(weights) // 2, name=f"half_{number}")
    result = backend.solve(model, RunOptions(time_limit=20, options={"maxSolutions": 1}))
    assert result.status == Status.OPTIMAL
    assert result.bound == result.objective == 0.0


@pytest.mark.parametrize(
    ("kind", "status"),
    [("continuous", Status.UNBOUNDED), ("integer", Status.INFEASIBLE_OR_UNBOUNDED)],
)
def test_unbounded_is_said_of_a_relaxation_only(
    backend: CbcBackend, kind: str, status: Status
) -> None:
    model = columns(2, kind)
    model = model.add(model.x[1] - model.x[2] <= 1, name="ray").maximize(model.x.sum())
    result = backend.solve(model)
    assert result.status == status
    assert not result.has_solution


def five_binaries(order: int) -> Model:
    """Return the model of coin-or/pulp#662 in ten-thousandths, in the order of a seed.

    ``min c0 + c1`` with ``x0 + c1 = 1``, ``x0 + c0 >= 1``, ``x1 + c1 <= 1``,
    ``c0 + c1 <= 1``, ``x2 = 1`` and ``0.9 x1 + 0.72 x2 + 1.08 c1 >= 1.62``.
    Nothing costs less than 0, and x = (1, 1, 1), c = (0, 0) costs that:
    0.9 + 0.72 = 1.62, in floating point, too.
    """
    assert 0.9 + 0.72 == 1.62
    draw = random.Random(order)
    names = ["x0", "x1", "x2", "c0", "c1"]
    draw.shuffle(names)
    model = columns(5, "binary")
    of = {name: model.x[place] for place, name in enumerate(names, start=1)}
    rows = [
        of["x0"] + of["c1"] == 1,
        of["x0"] + of["c0"] >= 1,
        of["x1"] + of["c1"] <= 1,
        of["c0"] + of["c1"] <= 1,
        of["x2"] == 1,
        0.9 * of["x1"] + 0.72 * of["x2"] + 1.08 * of["c1"] >= 1.62,
    ]
    draw.shuffle(rows)
    return model.add(rows, name="rows").minimize(of["c0"] + of["c1"])


@pytest.mark.parametrize("build", [reported_infeasible, five_binaries])
def test_feasible_model_of_pulp_issue_662_is_optimal(
    backend: CbcBackend, build: Callable[[int], Model]
) -> None:
    """Ten orders of rows and columns."""
    for order in range(10):
        result = backend.solve(build(order))
        assert result.status == Status.OPTIMAL
        assert result.objective == 0.0


def test_cbc_that_contradicts_itself_is_told_so(backend: CbcBackend) -> None:
    """With the preprocessing that users may ask for, CBC 2.10 fails on 4 of these ten orders.

    Found without our help: it calls a third of all orders infeasible.
    """
    refusals = []
    for order in range(10):
        try:
            result = backend.solve(five_binaries(order), RunOptions(options={"preprocess": "sos"}))
        except WrongAnswer as error:
            refusals.append(str(error))
        else:
            assert result.status == Status.OPTIMAL
    assert bool(refusals) == backend.availability().version.startswith("2.10")
    for text in refusals:
        assert "cbc 2.10" in text
        assert "infeasible ('Integer infeasible" in text
        assert "asked again with preprocess off it finds a point ('Optimal" in text
        assert 'pip install "hidato_opt[cbc]"' in text


def value_of(command: list[str], name: str) -> str | None:
    """The value that an option has in the end."""
    values = [value for word, value in pairwise(command) if word == name]
    return values[-1] if values else None


@pytest.mark.parametrize("given", [{}, {"preprocess": "off"}, {"preprocess": "equal"}])
def test_infeasible_is_asked_again_with_the_preprocessing_the_other_way(
    backend: CbcBackend, commands: list[list[str]], given: dict[str, str]
) -> None:
    model = columns(2, upper=5.0)
    model = model.add(2 * model.x[1] + 2 * model.x[2] == 3, name="odd")
    assert backend.solve(model, RunOptions(options=given)).status == Status.INFEASIBLE
    default = "off" if backend.availability().version.startswith("2.") else None
    first, second = (value_of(command, "-preprocess") for command in commands)
    assert first == given.get("preprocess", default)
    assert second == ("sos" if first == "off" else "off")


def test_infeasible_linear_program_is_asked_again_without_presolve(
    backend: CbcBackend, commands: list[list[str]]
) -> None:
    model = columns(2, "continuous", upper=5.0)
    model = model.add(model.x.sum() <= 1, name="most")
    model = model.add(model.x.sum() >= 3, name="least")
    assert backend.solve(model).status == Status.INFEASIBLE
    assert [value_of(command, "-presolve") for command in commands] == [None, "off"]


def diet() -> Model:
    """Return a linear program whose dual is known.

    ``min 2x + 3y + 7, x + y >= 4, x + 3y >= 6, y - x <= 5``: the corner (3, 1)
    costs 9 + 7.  With duals (u, v, 0) on the rows, u + v = 2 and u + 3v = 3:
    u = 1.5, v = 0.5, and 4u + 6v = 9.
    """
    model = columns(2, "continuous")
    model = model.add(model.x[1] + model.x[2] >= 4, name="one")
    model = model.add(model.x[1] + 3 * model.x[2] >= 6, name="two")
    model = model.add(model.x[2] - model.x[1] <= 5, name="slack")
    return model.minimize(2 * model.x[1] + 3 * model.x[2] + 7)


def test_duals_of_a_linear_program(backend: CbcBackend) -> None:
    result = backend.solve(diet())
    assert result.objective == pytest.approx(16.0)
    assert result.values == pytest.approx([3.0, 1.0])
    assert result.row_duals == pytest.approx([1.5, 0.5, 0.0])
    assert result.reduced_costs == pytest.approx([0.0, 0.0])


def assert_strong_duality(model: Model, result: RawResult) -> None:
    """Costs are duals times rows plus reduced costs, and both sides have one value."""
    assert result.row_duals is not None
    assert result.reduced_costs is not None
    duals, reduced = result.row_duals, result.reduced_costs
    assert model.matrix.T @ duals + reduced == pytest.approx(model.cost)
    # A positive dual is the price of the bound that hinders, from below in a minimum.
    sign = -1.0 if model.maximise else 1.0
    value = model.offset
    for price, low, high in (
        *zip(duals, model.row_lower, model.row_upper, strict=True),
        *zip(reduced, model.lower, model.upper, strict=True),
    ):
        if abs(price) > 1e-9:
            value += price * (low if sign * price > 0 else high)
    assert result.objective == pytest.approx(value)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("maximise", [False, True])
def test_strong_duality(backend: CbcBackend, seed: int, maximise: bool) -> None:
    """Random programs with ranged rows and bounds that hinder, some split in the file."""
    draw = np.random.default_rng(seed)
    model = columns(6, "continuous", [-1.0] * 6, [3.0] * 6)
    inside = draw.uniform(-1, 3, 6)
    for number in range(5):
        weights = draw.integers(-3, 4, 6).astype(float).tolist()
        level = float(np.dot(weights, inside))
        low, high = round(level - 0.15, 1), round(level + 0.25, 1)
        model = model.add(row(model.x, weights, low, high), name=f"between_{number}")
    goal = model.x.dot(draw.integers(-9, 10, 6)) + 11
    model = model.maximize(goal) if maximise else model.minimize(goal)
    result = backend.solve(model)
    assert result.status == Status.OPTIMAL
    assert_strong_duality(model, result)


def test_values_have_more_digits_than_the_text_file(backend: CbcBackend) -> None:
    """A flow of 123456.789012345 that two rows must agree on, with eight digits they would not."""
    flow = 123456.789012345
    model = columns(2, "continuous", upper=1e9)
    model = model.add(model.x[1] == flow, name="in")
    model = model.add(model.x[1] - model.x[2] == 0.0, name="out").minimize(model.x[2])
    assert backend.solve(model).values == pytest.approx([flow, flow], abs=1e-9)


def test_start_on_a_bigger_model(backend: CbcBackend, hard: Knapsack) -> None:
    """A greedy start is taken as it is; half of one is completed."""
    model = hard.model()
    start = np.array(hard.greedy(), dtype=float)
    options = RunOptions(options={"maxNodes": 1}, time_limit=20)
    result = backend.solve(model, options, start=start)
    assert result.warm_start == WarmStartFate.ACCEPTED
    assert "MIPStart provided solution with cost" in result.warm_start_reason
    assert result.objective is not None
    assert result.objective >= model.objective_value(start)
    half = PartialPoint(np.arange(60), start[:60])
    result = backend.solve(model, options, start=half)
    assert result.warm_start == WarmStartFate.REPAIRED


def test_start_that_only_cbc_can_refuse_is_rejected(backend: CbcBackend) -> None:
    """x1 = 1 breaks no single row, but no point has it: 2 x2 + 2 x3 would have to be 3.

    The knapsack beside it keeps CBC from settling the model before it looks.
    """
    instance = knapsack(40, items=24, dimensions=2)
    model = instance.model()
    model = model.add(
        row(model.x, [1.0] + [2.0] * 23, 4.0, 4.0),
        name="even",
    )
    start = PartialPoint.of_pairs([(0, 1.0)])
    result = backend.solve(model, start=start)
    assert result.status == Status.OPTIMAL
    assert result.values[0] == 0.0
    assert result.warm_start in (WarmStartFate.REJECTED, WarmStartFate.NOT_TRIED)


def test_log_reaches_the_logger_while_cbc_runs(
    backend: CbcBackend, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    arrived: list[float] = []

    class Clock(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            arrived.append(time.perf_counter())

    logger = logging.getLogger("hidato_opt.solver")
    clock = Clock()
    logger.addHandler(clock)
    try:
        with caplog.at_level(logging.INFO, logger="hidato_opt.solver"):
            backend.solve(market_split(), RunOptions(time_limit=1, log=True))
    finally:
        logger.removeHandler(clock)
    ended = time.perf_counter()
    assert any("Welcome to the CBC MILP Solver" in message for message in caplog.messages)
    assert any("Enumerated nodes" in message for message in caplog.messages)
    assert ended - arrived[0] > 0.7
    assert capfd.readouterr() == ("", "")


def test_silence_is_the_default(
    backend: CbcBackend, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.DEBUG):
        backend.solve(knapsack(4).model())
    assert [record.message for record in caplog.records if record.name.startswith("hidato")] == []
    assert capfd.readouterr() == ("", "")


def test_twelve_threads_give_the_answers_of_one(backend: CbcBackend, temporary: Path) -> None:
    """Twelve models of one name at once; PuLP's kept files gave 11 wrong answers of 12 here."""
    instances = [knapsack(seed, items=18) for seed in range(50, 62)]
    models = [instance.model() for instance in instances]
    assert len({model.name for model in models}) == 1
    barrier = threading.Barrier(12)

    def solve(model: Model) -> RawResult:
        barrier.wait(timeout=30)
        return backend.solve(model)

    with ThreadPoolExecutor(12) as pool:
        results = list(pool.map(solve, models))
    assert [result.objective for result in results] == [item.best for item in instances]


def test_seed_makes_the_run_repeatable(backend: CbcBackend) -> None:
    model = knapsack(8, items=40, dimensions=3).model()
    options = RunOptions(seed=3, options={"maxNodes": 200})
    first, second = backend.solve(model, options), backend.solve(model, options)
    assert first.nodes == second.nodes
    assert first.values.tolist() == second.values.tolist()


def test_two_threads_give_the_same_optimum(backend: CbcBackend) -> None:
    instance = knapsack(9)
    result = backend.solve(instance.model(), RunOptions(threads=2, time_limit=30))
    assert result.status == Status.OPTIMAL
    assert result.objective == instance.best


def test_limit_in_the_call_goes_before_that_of_the_options(backend: CbcBackend) -> None:
    began = time.perf_counter()
    with backend.session(market_split(), RunOptions(time_limit=60)) as session:
        assert session.solve(time_limit=0.5).status == Status.TIME_LIMIT
    assert time.perf_counter() - began < 3


def test_no_time_at_all(backend: CbcBackend) -> None:
    result = backend.solve(market_split(), RunOptions(time_limit=0))
    assert result.status == Status.TIME_LIMIT
    assert not result.has_solution


def test_rows_that_are_added_count_in_the_next_run(backend: CbcBackend) -> None:
    model = columns(3, upper=[4.0, 4.0, math.inf])
    model = model.add(model.x.sum() <= 10, name="sum").maximize(model.x.dot([3, 2, 1]))
    with backend.session(model) as session:
        assert session.solve().objective == 12 + 8 + 2
        session.add_rows(row(model.x, [1.0, 1.0, 0.0], -math.inf, 5.0), name="cut")
        assert session.solve().objective == 12 + 2 + 5


def test_importing_the_library_loads_no_solver() -> None:
    code = (
        "import sys, hidato_opt, hidato_opt.backends.cbc, hidato_opt.backends.pulp_backend\n"
        "print(sorted({'pulp', 'cbcbox', 'highspy', 'ortools'} & set(sys.modules)))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
