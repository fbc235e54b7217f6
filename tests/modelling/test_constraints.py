"""Each builder against rows written by hand, and against the counts its docstring states."""

from __future__ import annotations

import numpy as np
import pytest

from hidato_opt.core.errors import InvalidOption
from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.constraints import (
    at_least,
    at_most,
    at_most_one,
    bounded_sum,
    capacity,
    cover,
    degree,
    exactly_one,
    fix,
    flow_conservation,
    link_at_least,
    link_value,
    mtz_order,
    no_good_cut,
    set_partition,
)
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.variables import VariableGroup
from modelling.texts import rows_text, written

I = IndexSet.range("I", 1, 2)  # noqa: E741  # the text's own symbol
K = IndexSet.range("K", 1, 3)
NODES = IndexSet.of("V", ["a", "b", "c"])


@pytest.fixture
def builder() -> ModelBuilder:
    return ModelBuilder("one builder")


@pytest.fixture
def x(builder: ModelBuilder) -> VariableGroup:
    """Binaries on the sparse set (1,1) (1,2) (1,3) (2,1) (2,3)."""
    pairs = IndexSet.product("IK", I, K)
    is_there = ~((pairs.column("i") == 2) & (pairs.column("k") == 2))
    return builder.add_variables("x", pairs.where(is_there), "binary")


@pytest.fixture
def y(builder: ModelBuilder) -> VariableGroup:
    return builder.add_variables("y", K, "integer", 0, 9)


@pytest.fixture
def z(builder: ModelBuilder) -> VariableGroup:
    return builder.add_variables("z", K, "binary")


def test_exactly_one_by_one_field(builder: ModelBuilder, x: VariableGroup) -> None:
    block = exactly_one(x, by=["i"])
    assert (len(block), block.nonzeros) == (2, 5)
    assert rows_text(builder, block) == written(
        """
        r_1: x_1_1 + x_1_2 + x_1_3 = 1
        r_2: x_2_1 + x_2_3 = 1
        """
    )


def test_exactly_one_over_everything(builder: ModelBuilder, x: VariableGroup) -> None:
    block = exactly_one(x, by=())
    assert (len(block), block.nonzeros) == (1, 5)
    assert rows_text(builder, block) == "r_1: x_1_1 + x_1_2 + x_1_3 + x_2_1 + x_2_3 = 1"


def test_exactly_one_of_a_set_without_variables_stays_unmet(
    builder: ModelBuilder, x: VariableGroup
) -> None:
    block = exactly_one(x[2, :], by=["k"], rows=K)
    assert (len(block), block.nonzeros) == (3, 2)
    assert rows_text(builder, block) == written(
        """
        r_1: x_2_1 = 1
        r_2: 0 x_1_1 = 1
        r_3: x_2_3 = 1
        """
    )


def test_a_variable_outside_the_rows_given_is_an_error(x: VariableGroup) -> None:
    with pytest.raises(InvalidOption, match=r"x\[\(1, 3\)\] has no row in index set K"):
        exactly_one(x, by=["k"], rows=IndexSet.range("K", 1, 2))


def test_at_most_one(builder: ModelBuilder, x: VariableGroup) -> None:
    block = at_most_one(x, by=["k"])
    assert (len(block), block.nonzeros) == (3, 5)
    assert rows_text(builder, block) == written(
        """
        r_1: x_1_1 + x_2_1 <= 1
        r_2: x_1_2 <= 1
        r_3: x_1_3 + x_2_3 <= 1
        """
    )


def test_at_most_with_a_limit_for_each_row(builder: ModelBuilder, x: VariableGroup) -> None:
    block = at_most(x, [2, 1], by=["i"])
    assert (len(block), block.nonzeros) == (2, 5)
    assert rows_text(builder, block) == written(
        """
        r_1: x_1_1 + x_1_2 + x_1_3 <= 2
        r_2: x_2_1 + x_2_3 <= 1
        """
    )


def test_at_least_with_one_limit_for_all(builder: ModelBuilder, x: VariableGroup) -> None:
    block = at_least(x, 1, by=["k"])
    assert (len(block), block.nonzeros) == (3, 5)
    assert rows_text(builder, block) == written(
        """
        r_1: x_1_1 + x_2_1 >= 1
        r_2: x_1_2 >= 1
        r_3: x_1_3 + x_2_3 >= 1
        """
    )


def test_a_sum_between_two_bounds(builder: ModelBuilder, x: VariableGroup) -> None:
    block = bounded_sum(x, by=["i"], lower=1, upper=[2, 1])
    assert (len(block), block.nonzeros) == (2, 5)
    assert rows_text(builder, block) == written(
        """
        r_1: x_1_1 + x_1_2 + x_1_3 >= 1
        r_1__upper: x_1_1 + x_1_2 + x_1_3 <= 2
        r_2: x_2_1 + x_2_3 = 1
        """
    )


def test_limits_of_another_number_than_rows_are_refused(x: VariableGroup) -> None:
    with pytest.raises(InvalidOption, match="one bound, or 2"):
        at_most(x, [1, 2, 3], by=["i"])


def test_cover_by_a_family_of_sets(builder: ModelBuilder, x: VariableGroup) -> None:
    # x[1, 1] needs x[1, 2] or x[2, 3]; x[2, 1] needs x[1, 2]; x[1, 3] stands in no set.
    block = cover(x[:, 1], x.take([1, 1, 4, 2]), [0, 1, 0, -1])
    assert (len(block), block.nonzeros) == (2, 5)
    assert rows_text(builder, block) == written(
        """
        r_1_1: x_1_1 - x_1_2 - x_2_3 <= 0
        r_2_1: - x_1_2 + x_2_1 <= 0
        """
    )


def test_a_variable_without_a_set_cannot_be_one(builder: ModelBuilder, x: VariableGroup) -> None:
    block = cover(x[1, :2], x.take([]), [])
    assert (len(block), block.nonzeros) == (1, 1)
    assert rows_text(builder, block) == "r_1_1: x_1_1 <= 0"


def test_fix_gives_values_by_rows(builder: ModelBuilder, x: VariableGroup) -> None:
    block = fix(x[2, :], [1, 0])
    assert (len(block), block.nonzeros) == (2, 2)
    assert rows_text(builder, block) == written(
        """
        r_2_1: x_2_1 = 1
        r_2_3: x_2_3 = 0
        """
    )


def test_link_an_integer_to_the_binaries_that_spell_it(
    builder: ModelBuilder, x: VariableGroup, y: VariableGroup
) -> None:
    row_of = y.index.positions(x.index.column("i"))
    block = link_value(y.take([0, 1]), x, row_of, x.index.column("k"))
    assert (len(block), block.nonzeros) == (2, 7)
    assert rows_text(builder, block) == written(
        """
        r_1: - x_1_1 - 2 x_1_2 - 3 x_1_3 + y_1 = 0
        r_2: - x_2_1 - 3 x_2_3 + y_2 = 0
        """
    )


def test_link_leaves_out_what_has_no_row(
    builder: ModelBuilder, y: VariableGroup, z: VariableGroup
) -> None:
    block = link_value(y.take([0]), z, [0, -1, 0], 1)
    assert (len(block), block.nonzeros) == (1, 3)
    assert rows_text(builder, block) == "r_1: y_1 - z_1 - z_3 = 0"


@pytest.mark.parametrize("row_of", [[0], [0, 0, 0, 0], [[0, 0, 0]]])
def test_every_member_needs_its_row(y: VariableGroup, z: VariableGroup, row_of: list[int]) -> None:
    with pytest.raises(InvalidOption, match="z: 3 rows are needed, one a variable"):
        link_value(y, z, row_of, 1)
    with pytest.raises(InvalidOption, match="z: 3 rows are needed, one a variable"):
        cover(y, z, row_of)


def test_link_at_least(builder: ModelBuilder, y: VariableGroup, z: VariableGroup) -> None:
    block = link_at_least(y, z, [1, 1, 2])
    assert (len(block), block.nonzeros) == (3, 6)
    assert rows_text(builder, block) == written(
        """
        r_1: y_1 - z_1 >= 0
        r_2: y_2 - z_2 >= 0
        r_3: y_3 - 2 z_3 >= 0
        """
    )


def test_capacity(builder: ModelBuilder, y: VariableGroup, z: VariableGroup) -> None:
    block = capacity(y, z, 9)
    assert (len(block), block.nonzeros) == (3, 6)
    assert rows_text(builder, block) == written(
        """
        r_1: y_1 - 9 z_1 <= 0
        r_2: y_2 - 9 z_2 <= 0
        r_3: y_3 - 9 z_3 <= 0
        """
    )


def test_pairs_need_as_many_of_each(y: VariableGroup, z: VariableGroup) -> None:
    with pytest.raises(InvalidOption, match="y and z need as many variables each"):
        capacity(y, z.take([0]), 9)


def test_degree(builder: ModelBuilder, y: VariableGroup) -> None:
    # edges a-b, b-c, a-b (a double edge)
    block = degree(y, tail=[0, 1, 1], head=[1, 2, 0], nodes=NODES, degrees=[2, 3, 1])
    assert (len(block), block.nonzeros) == (3, 6)
    assert rows_text(builder, block) == written(
        """
        r_a: y_1 + y_3 = 2
        r_b: y_1 + y_2 + y_3 = 3
        r_c: y_2 = 1
        """
    )


def test_the_degree_of_a_node_without_edges_is_zero(
    builder: ModelBuilder, y: VariableGroup
) -> None:
    block = degree(y.take([0]), [0], [1], NODES, 1)
    assert (len(block), block.nonzeros) == (3, 2)
    assert rows_text(builder, block) == written(
        """
        r_a: y_1 = 1
        r_b: y_1 = 1
        r_c: 0 y_1 = 1
        """
    )


def test_flow_conservation(builder: ModelBuilder, y: VariableGroup) -> None:
    # arcs a -> b, b -> c, c -> a; a feeds in 2, c takes out 2
    block = flow_conservation(y, [0, 1, 2], [1, 2, 0], NODES, [2, 0, -2])
    assert (len(block), block.nonzeros) == (3, 6)
    assert rows_text(builder, block) == written(
        """
        r_a: y_1 - y_3 = 2
        r_b: - y_1 + y_2 = 0
        r_c: - y_2 + y_3 = -2
        """
    )


def test_a_loop_carries_no_flow(builder: ModelBuilder, y: VariableGroup) -> None:
    block = flow_conservation(y, [0, 1, 2], [0, 2, 2], NODES, 0)
    assert (len(block), block.nonzeros) == (3, 2)
    assert rows_text(builder, block) == written(
        """
        r_a: 0 y_1 = 0
        r_b: y_2 = 0
        r_c: - y_2 = 0
        """
    )


def test_no_good_cut(builder: ModelBuilder, z: VariableGroup) -> None:
    # (1 - z1) + z2 + (1 - z3) >= 1
    block = no_good_cut(z, [1, 0, 1])
    assert (len(block), block.nonzeros) == (1, 3)
    assert rows_text(builder, block) == "r_1: - z_1 + z_2 - z_3 >= -1"


@pytest.mark.parametrize("point", [[1, 0], [1, 0, 0.5], [1, 0, np.nan], [[1, 0, 1]]])
def test_a_no_good_cut_needs_a_binary_point(z: VariableGroup, point: list[float]) -> None:
    with pytest.raises(InvalidOption, match="needs 3 zeros and ones"):
        no_good_cut(z, point)


def test_set_partition_over_several_groups(
    builder: ModelBuilder, y: VariableGroup, z: VariableGroup
) -> None:
    # y_2 is left out, z_1 stands in two sets, nothing in the third
    parts = [(y, [0, -1, 1]), (z.take([0, 0, 2]), [0, 1, 1])]
    block = set_partition(parts, NODES)
    assert (len(block), block.nonzeros) == (3, 5)
    assert rows_text(builder, block) == written(
        """
        r_a: y_1 + z_1 = 1
        r_b: y_3 + z_1 + z_3 = 1
        r_c: 0 y_1 = 1
        """
    )


def test_set_partition_needs_a_row_for_each_variable(y: VariableGroup) -> None:
    with pytest.raises(InvalidOption, match="y: 3 rows are needed"):
        set_partition([(y, [0, 1])], NODES)


LOW, HIGH = np.array([1.0, 2.0, 1.0]), np.array([1.0, 5.0, 4.0])


def test_mtz_order_forward(builder: ModelBuilder, y: VariableGroup, z: VariableGroup) -> None:
    # arcs 1 -> 2, 2 -> 3, 3 -> 1; M = 1 + high(tail) - low(head): 0, 5, 4
    block = mtz_order(y, z, [0, 1, 2], [1, 2, 0], LOW, HIGH)
    assert len(block) == 3
    assert rows_text(builder, block) == written(
        """
        r_1: - y_1 + y_2 + 0 z_1 >= 1
        r_2: - y_2 + y_3 - 5 z_2 >= -4
        r_3: y_1 - y_3 - 4 z_3 >= -3
        """
    )


def test_mtz_order_back(builder: ModelBuilder, y: VariableGroup, z: VariableGroup) -> None:
    # M = high(head) - low(tail) - 1: 3, 1, and -1, for which 0 is enough
    block = mtz_order(y, z, [0, 1, 2], [1, 2, 0], LOW, HIGH, back=True)
    assert len(block) == 3
    assert rows_text(builder, block) == written(
        """
        r_1: - y_1 + y_2 + 3 z_1 <= 4
        r_2: - y_2 + y_3 + z_2 <= 2
        r_3: y_1 - y_3 + 0 z_3 <= 1
        """
    )


def test_mtz_order_with_a_restart(
    builder: ModelBuilder, y: VariableGroup, z: VariableGroup
) -> None:
    # bounds 1..3: M = 3 on every arc, and 3 more where the head starts again
    s = builder.add_variables("s", K, "binary")
    low, high = np.ones(3), np.full(3, 3.0)
    block = mtz_order(y, z, [0, 1, 2], [1, 2, 0], low, high, restart=s)
    assert (len(block), block.nonzeros) == (3, 12)
    assert rows_text(builder, block) == written(
        """
        r_1: - y_1 + y_2 - 3 z_1 + 3 s_2 >= -2
        r_2: - y_2 + y_3 - 3 z_2 + 3 s_3 >= -2
        r_3: y_1 - y_3 - 3 z_3 + 3 s_1 >= -2
        """
    )


@pytest.mark.parametrize("back", [False, True])
def test_mtz_order_has_three_nonzeros_an_arc(
    y: VariableGroup, z: VariableGroup, back: bool
) -> None:
    block = mtz_order(y, z, [0, 1, 2], [1, 2, 0], np.ones(3), np.full(3, 3.0), back=back)
    assert (len(block), block.nonzeros) == (3, 9)
