from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from hidato_opt.core.errors import InvalidExpression, InvalidOption
from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.constraints import exactly_one
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.rows import RowBlock

I = IndexSet.range("I", 1, 2)  # noqa: E741  # the text's own symbol
K = IndexSet.range("K", 1, 3)


def make_builder() -> ModelBuilder:
    """Binaries x[i, k], integers y[i] in 0..9, a row over k for each i."""
    builder = ModelBuilder("small")
    x = builder.add_variables("x", IndexSet.product("IK", I, K), "binary")
    builder.add_variables("y", I, "integer", upper=9)
    builder.add_variables("z", I, "continuous", lower=-np.inf)
    builder.add_rows("one", exactly_one(x, by=["i"]))
    return builder


@pytest.fixture
def model() -> Model:
    return make_builder().build()


def dense(model: Model) -> list[list[float]]:
    rows = np.zeros((model.num_rows, model.num_columns))
    for row in range(model.num_rows):
        for place in range(model.starts[row], model.starts[row + 1]):
            rows[row, model.columns[place]] = model.coefficients[place]
    return rows.tolist()


ARRAYS = [
    "lower",
    "upper",
    "integer",
    "cost",
    "starts",
    "columns",
    "coefficients",
    "row_lower",
    "row_upper",
]


def test_a_built_model_is_its_arrays(model: Model) -> None:
    assert (model.num_columns, model.num_rows, model.num_nonzeros) == (10, 2, 6)
    assert model.lower.tolist() == [0.0] * 8 + [-np.inf] * 2
    assert model.upper.tolist() == [1.0] * 6 + [9.0] * 2 + [np.inf] * 2
    assert model.integer.tolist() == [True] * 8 + [False] * 2
    assert model.cost.tolist() == [0.0] * 10
    assert (model.offset, model.maximise) == (0.0, False)
    assert dense(model) == [[1, 1, 1] + [0] * 7, [0, 0, 0, 1, 1, 1] + [0] * 4]
    assert model.row_lower.tolist() == model.row_upper.tolist() == [1.0, 1.0]
    assert model.starts.dtype == model.columns.dtype == np.int32
    assert model.nbytes == sum(getattr(model, name).nbytes for name in ARRAYS)
    assert repr(model) == "Model(small: 2 rows, 10 columns (8 integer), 6 non-zeros)"


def test_a_model_without_anything_can_be_built() -> None:
    model = ModelBuilder("empty").build()
    assert (model.num_columns, model.num_rows, model.num_nonzeros) == (0, 0, 0)
    assert len(model.stats) == 0
    assert model.objective_value([]) == 0.0


def test_variable_groups_are_attributes(model: Model) -> None:
    assert model.x[2, 1].column == 3
    assert model.x[1, :].columns.tolist() == [0, 1, 2]
    assert model.x[:, 3].columns.tolist() == [2, 5]
    assert list(model.variables) == ["x", "y", "z"]
    assert {"x", "y", "z", "add", "num_rows"} <= set(dir(model))
    with pytest.raises(AttributeError, match=r"group 'w'; its groups are x, y, z"):
        _ = model.w
    with pytest.raises(AttributeError, match="_hidden"):
        _ = model._hidden


def test_the_matrix_is_the_one_of_the_rows(model: Model) -> None:
    assert model.matrix.shape == (2, 10)
    assert model.matrix.toarray().tolist() == dense(model)


def test_stats_count_by_group(model: Model) -> None:
    x, y = model.x, model.y
    model = model.add([x[1, 1] + x[2, 1] + y[1] <= 2, y[1] >= 1], name="more")
    frame = model.stats
    assert frame.index.name == "group"
    assert list(frame.columns) == ["what", "rows", "columns", "nonzeros"]
    # x: 6 in "one" and 2 in "more"; y: 1 and 1 in "more"; "more" uses x11, x21 and y1
    assert frame.reset_index().values.tolist() == [
        ["x", "variables", 0, 6, 8],
        ["y", "variables", 0, 2, 2],
        ["z", "variables", 0, 2, 0],
        ["one", "constraints", 2, 6, 6],
        ["more", "constraints", 2, 3, 4],
    ]


def test_one_constraint_is_added_as_a_row_behind_the_others(model: Model) -> None:
    more = model.add(model.x[1, 1] + 2 * model.y[1] <= 3, name="mine")
    assert dense(more)[:2] == dense(model)
    assert dense(more)[2] == [1, 0, 0, 0, 0, 0, 2, 0, 0, 0]
    assert (more.row_lower[2], more.row_upper[2]) == (-np.inf, 3.0)
    assert more.rows["mine"].span == slice(2, 3)
    assert model.num_rows == 2
    assert "mine" not in model.rows


def test_several_constraints_are_added_from_a_list_or_a_generator(model: Model) -> None:
    listed = model.add([model.y[1] >= 1, model.y[2] >= 1], name="both")
    generated = model.add((model.y[i] >= 1 for i in (1, 2)), name="both")
    assert listed.content_hash == generated.content_hash
    assert listed.rows["both"].span == slice(2, 4)
    assert model.add([], name="none").num_rows == 2


def test_a_block_of_rows_is_added_with_its_labels(model: Model) -> None:
    more = model.add(exactly_one(model.x, by=["k"]), name="number")
    assert list(more.rows["number"].index) == [1, 2, 3]
    assert [more.row_name(row) for row in range(5)] == [
        "one[1]",
        "one[2]",
        "number[1]",
        "number[2]",
        "number[3]",
    ]
    for row in (-1, 5):
        with pytest.raises(InvalidOption, match=f"no row {row}; the model has 5"):
            more.row_name(row)
    pair = IndexSet.of("P", [(1, "a")], ["i", "s"])
    builder = ModelBuilder("pairs")
    builder.add_rows("p", exactly_one(builder.add_variables("x", pair, "binary"), by=["i", "s"]))
    assert builder.build().row_name(0) == "p[1, a]"


def test_more_non_zeros_than_32_bits_count_are_refused(model: Model) -> None:
    count = 2**31
    columns = np.broadcast_to(np.int32(0), (count,))  # a view of a single number
    huge = RowBlock(
        model.layout,
        IndexSet.range("R", 1, 1),
        np.array([0, count]),
        columns,
        columns.view(np.float32),
        np.zeros(1),
        np.ones(1),
    )
    with pytest.raises(InvalidOption, match="2147483654 non-zeros are more than solvers can index"):
        model.add(huge)


def test_groups_without_a_name_are_numbered(model: Model) -> None:
    row = model.y[1] >= 1
    model = model.add(row).add(row, name="added_3").add(row).add(row)
    assert list(model.rows) == ["one", "added_1", "added_3", "added_2", "added_4"]


def test_a_name_is_given_once(model: Model) -> None:
    with pytest.raises(InvalidOption, match="'one' already; choose another name"):
        model.add(model.y[1] >= 1, name="one")
    builder = make_builder()
    with pytest.raises(InvalidOption, match="'one' already"):
        builder.add_rows("one", exactly_one(builder.layout.groups["x"], by=["k"]))


def test_what_is_no_constraint_is_refused_with_advice(model: Model) -> None:
    for wrong in (model.x.sum(), 3, [model.y[1]]):
        with pytest.raises(InvalidOption, match="write 'expression <= number'"):
            model.add(wrong, name="wrong")  # type: ignore[arg-type]  # the mistake
    with pytest.raises(InvalidExpression, match="no truth value"):
        model.add(1 <= model.x[1, 1] + model.x[1, 2] <= 2)


def other_model() -> Model:
    builder = ModelBuilder("other")
    builder.add_variables("x", K, "binary")
    return builder.build()


@pytest.mark.parametrize(
    "mix",
    [
        lambda model, x: model.add(x[1] <= 1),
        lambda model, x: model.add(exactly_one(x, by=())),
        lambda model, x: model.minimize(x.sum()),
        lambda model, x: model.fix(x[1], 1),
        lambda model, x: model.fix(x, 1),
        lambda model, x: make_builder().add_rows("mine", exactly_one(x, by=())),
    ],
)
def test_variables_of_another_model_are_refused(mix: Callable[[Model, Any], Any]) -> None:
    with pytest.raises(InvalidExpression, match="mixes variables of two models"):
        mix(make_builder().build(), other_model().x)


def test_an_objective_is_linear_with_a_constant(model: Model) -> None:
    least = model.minimize(2 * model.y[1] - model.z[2] + 0.5)
    assert least.cost.tolist() == [0.0] * 6 + [2.0, 0.0, 0.0, -1.0]
    assert (least.offset, least.maximise) == (0.5, False)
    point = [1, 0, 0, 0, 0, 1, 3, 4, 5, 6]
    assert least.objective_value(point) == 0.5  # 2 * 3 - 6 + 0.5
    most = least.maximize(model.y[2])
    assert most.maximise
    assert most.cost.tolist() == [0.0] * 7 + [1.0, 0.0, 0.0]
    assert most.offset == 0.0
    assert model.minimize(7).objective_value(point) == 7.0
    assert model.maximize(np.float64(2)).offset == 2.0


@pytest.mark.parametrize("wrong", ["x", None, [1.0]])
def test_an_objective_is_an_expression_or_a_number(model: Model, wrong: Any) -> None:
    with pytest.raises(InvalidOption, match="an objective is a linear expression or a number"):
        model.minimize(wrong)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_an_objective_is_finite(model: Model, value: float) -> None:
    for objective in (value, value * model.y[1]):
        with pytest.raises(InvalidOption, match="finite"):
            model.maximize(objective)


def test_fix_sets_both_bounds(model: Model) -> None:
    fixed = model.fix(model.x[1, :], [1, 0, 0]).fix(model.y[2], 4).fix(model.z, -2.5)
    assert fixed.lower.tolist() == [1, 0, 0, 0, 0, 0, 0, 4, -2.5, -2.5]
    assert fixed.upper.tolist() == [1, 0, 0, 1, 1, 1, 9, 4, -2.5, -2.5]
    assert model.upper.tolist() == [1.0] * 6 + [9.0] * 2 + [np.inf] * 2
    assert fixed.num_rows == model.num_rows


@pytest.mark.parametrize(
    ("group", "label", "value", "message"),
    [
        ("x", (1, 2), 2, r"x\[1, 2\] cannot be fixed at 2: its range is 0 to 1"),
        ("y", 1, -1, r"y\[1\] cannot be fixed at -1: its range is 0 to 9"),
        ("y", 1, 2.5, r"y\[1\] cannot be fixed at 2.5"),
        ("y", 2, np.nan, r"y\[2\] cannot be fixed at nan"),
        ("z", 1, np.nan, r"z\[1\] cannot be fixed at nan"),
        ("z", 1, np.inf, r"z\[1\] cannot be fixed at inf"),
    ],
)
def test_fix_keeps_to_the_range(
    model: Model, group: str, label: Any, value: float, message: str
) -> None:
    with pytest.raises(InvalidOption, match=message):
        model.fix(model.variables[group][label], value)


def test_fix_names_the_variable_that_is_wrong_among_several(model: Model) -> None:
    with pytest.raises(InvalidOption, match=r"y\[2\] cannot be fixed at 10"):
        model.fix(model.y, [3, 10])


def test_the_relaxation_differs_in_integrality_alone(model: Model) -> None:
    relaxed = model.relaxed()
    assert not relaxed.integer.any()
    assert model.integer.sum() == 8
    for name in ARRAYS:
        if name != "integer":
            assert getattr(relaxed, name) is getattr(model, name)


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_are_read_only_also_out_of_a_pickle(model: Model, name: str) -> None:
    changed = model.add(model.y[1] >= 1).minimize(model.y[1]).fix(model.y[1], 2).relaxed()
    for each in (model, changed, pickle.loads(pickle.dumps(model))):
        with pytest.raises(ValueError, match="read-only"):
            getattr(each, name)[0] = 1


def test_fields_cannot_be_set(model: Model) -> None:
    with pytest.raises(AttributeError, match="cannot assign to field"):
        model.offset = 1.0  # type: ignore[misc]  # the mistake


def test_a_pickle_is_the_same_model(model: Model) -> None:
    model = model.add(model.x[1, 1] <= model.y[1], name="mine").maximize(model.z[1] + 3)
    twin = pickle.loads(pickle.dumps(model))
    assert twin.content_hash == model.content_hash
    assert repr(twin) == repr(model)
    assert twin.row_name(2) == "mine[1]"
    assert twin.x[2, 3].column == 5
    # expressions of the one go into the other
    assert twin.add(model.y[1] >= 1).content_hash == model.add(twin.y[1] >= 1).content_hash


def test_equal_builds_have_equal_hashes_in_other_processes_too(model: Model) -> None:
    assert make_builder().build().content_hash == model.content_hash
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).content_hash)"
    other = subprocess.run(
        [sys.executable, "-c", code],
        input=pickle.dumps(model),
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    assert other.stdout.decode().strip() == model.content_hash


def relabelled(name: str = "x", kind: str = "binary", first: int = 1, rows: str = "one") -> Model:
    builder = ModelBuilder("small")
    x = builder.add_variables(name, IndexSet.range("K", first, first + 2), kind, 0, 1)
    builder.add_rows(rows, exactly_one(x, by=()))
    return builder.build()


def test_the_hash_tells_apart_whatever_differs(model: Model) -> None:
    x, y, z = model.x, model.y, model.z
    variants = [
        model,
        model.add(y[1] >= 1, name="a"),
        model.add(y[1] >= 1, name="b"),
        model.add(y[1] >= 2, name="a"),
        model.add(y[1] <= 1, name="a"),
        model.add(y[2] >= 1, name="a"),
        model.add(2 * y[1] >= 1, name="a"),
        model.add([y[1] >= 1, y[2] >= 1], name="a"),
        model.minimize(y[1]),
        model.minimize(y[2]),
        model.minimize(y[1] + 1),
        model.maximize(y[1]),
        model.fix(x[1, 1], 1),
        model.fix(x[1, 1], 0),
        model.fix(z[1], 0),
        model.relaxed(),
        relabelled(),
        relabelled(name="y"),
        relabelled(kind="integer"),
        relabelled(first=2),
        relabelled(rows="two"),
    ]
    assert len({variant.content_hash for variant in variants}) == len(variants)


def test_the_hash_does_not_depend_on_the_name_of_the_model() -> None:
    one, two = ModelBuilder("one"), ModelBuilder("two")
    for builder in (one, two):
        builder.add_variables("x", K, "binary")
    assert one.build().content_hash == two.build().content_hash


@pytest.mark.parametrize("name", ["rows", "cost", "add", "num_rows", "variables", "offset"])
def test_a_group_cannot_hide_behind_an_attribute(name: str) -> None:
    with pytest.raises(InvalidOption, match=f"cannot be called '{name}'"):
        ModelBuilder("m").add_variables(name, K, "binary")


def test_bounds_that_are_none_leave_the_builder_as_it_was() -> None:
    builder = ModelBuilder("m")
    with pytest.raises(InvalidOption, match="x: one bound, or 3"):
        builder.add_variables("x", K, "integer", upper=[1, 2])
    builder.add_variables("x", K, "integer", upper=[1, 2, 3])
    assert builder.build().upper.tolist() == [1.0, 2.0, 3.0]


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="'real' is not a valid VariableKind"):
        ModelBuilder("m").add_variables("x", K, "real")


def test_a_built_model_does_not_grow_with_its_builder() -> None:
    builder = make_builder()
    model = builder.build()
    with pytest.raises(InvalidOption, match="the model is built; make a new builder"):
        builder.add_variables("w", K, "binary")
    assert list(model.variables) == ["x", "y", "z"]
    builder.add_rows("more", exactly_one(model.x, by=["k"]))
    assert model.num_rows == 2
    assert builder.build().num_rows == 5
