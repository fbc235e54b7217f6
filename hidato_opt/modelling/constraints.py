"""Constraint builders: each writes one kind of row for a whole index set at once.

Every builder takes arrays of variables, says in its docstring which rows it
emits, how many, and with how many non-zeros, and returns a `RowBlock` for
`ModelBuilder.add_rows` or `Model.add`.

Two ways of saying which variables a row is about recur:

* ``by=("i", "j")`` makes a row for each distinct value of some fields of the
  variables' index set, summing over the other fields;
* ``row_of`` gives, for each variable, the position of its row in ``index``
  (-1 leaves the variable out), for families of sets that are not a projection.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hidato_opt.core.errors import InvalidOption
from hidato_opt.modelling.expressions import FloatArray, common_owner
from hidato_opt.modelling.index import IndexSet, IntArray
from hidato_opt.modelling.rows import RowBlock
from hidato_opt.modelling.variables import VariableArray


def exactly_one(x: VariableArray, by: Sequence[str], rows: IndexSet | None = None) -> RowBlock:
    r"""Choose exactly one variable of each set: :math:`\sum_{v \in S_r} x_v = 1`.

    Parameters
    ----------
    x : VariableArray
        Binary variables.
    by : sequence of str
        Fields of ``x.index``; a row for each of their values, over the rest.
    rows : IndexSet, optional
        The values that need a row, where some may have no variable at all
        (their row ``0 = 1`` keeps the model infeasible).  Default: those that
        occur.

    Returns
    -------
    RowBlock
        ``len(rows)`` rows, ``len(x)`` non-zeros.

    Examples
    --------
    >>> from hidato_opt.modelling.builder import ModelBuilder
    >>> I, K = IndexSet.range("I", 1, 2), IndexSet.range("K", 1, 3)
    >>> builder = ModelBuilder("assignment")
    >>> x = builder.add_variables("x", IndexSet.product("IK", I, K), "binary")
    >>> block = exactly_one(x, by=["i"])
    >>> len(block), block.nonzeros
    (2, 6)
    """
    return bounded_sum(x, by, rows, lower=1.0, upper=1.0)


def at_most_one(x: VariableArray, by: Sequence[str], rows: IndexSet | None = None) -> RowBlock:
    r"""Choose at most one variable of each set: :math:`\sum_{v \in S_r} x_v \le 1`.

    Parameters and counts as for `exactly_one`.
    """
    return bounded_sum(x, by, rows, upper=1.0)


def at_most(
    x: VariableArray, limit: npt.ArrayLike, by: Sequence[str], rows: IndexSet | None = None
) -> RowBlock:
    r"""Bound the sum of each set from above: :math:`\sum_{v \in S_r} x_v \le u_r`.

    `limit` is one number, or one for each row; the rest is as for `exactly_one`.
    """
    return bounded_sum(x, by, rows, upper=limit)


def at_least(
    x: VariableArray, limit: npt.ArrayLike, by: Sequence[str], rows: IndexSet | None = None
) -> RowBlock:
    r"""Bound the sum of each set from below: :math:`\sum_{v \in S_r} x_v \ge l_r`.

    `limit` is one number, or one for each row; the rest is as for `exactly_one`.
    """
    return bounded_sum(x, by, rows, lower=limit)


def bounded_sum(
    x: VariableArray,
    by: Sequence[str],
    rows: IndexSet | None = None,
    *,
    lower: npt.ArrayLike = -np.inf,
    upper: npt.ArrayLike = np.inf,
) -> RowBlock:
    r"""Bound the sum of each set on both sides: :math:`l_r \le \sum_{v \in S_r} x_v \le u_r`.

    The common form of `exactly_one`, `at_most_one`, `at_most` and `at_least`:
    ``len(rows)`` rows, ``len(x)`` non-zeros.
    """
    if rows is None:
        rows, row_of = x.index.group_by(by)
    else:
        row_of = rows.positions(*(x.index.column(field) for field in by))
        if (row_of < 0).any():
            stray = x.index[int(np.flatnonzero(row_of < 0)[0])]
            raise InvalidOption(f"{x.name}[{stray}] has no row in index set {rows.name}")
    return RowBlock.from_terms(x.owner, rows, row_of, x.columns, 1.0, lower, upper)


def cover(x: VariableArray, y: VariableArray, row_of: npt.ArrayLike) -> RowBlock:
    r"""Let a variable be one only if one of its set is: :math:`x_r \le \sum_{v \in S_r} y_v`.

    Parameters
    ----------
    x : VariableArray
        The variables to cover, one for each row; they label the rows.
    y : VariableArray
        Members of the sets, one entry for each membership (a variable may
        stand in several sets).
    row_of : int array, as long as `y`
        Which variable of `x` each entry helps to cover.

    Returns
    -------
    RowBlock
        ``len(x)`` rows ``x_r - sum y <= 0``, ``len(x) + len(y)`` non-zeros.

    Examples
    --------
    Number 1 in a cell needs number 2 in a neighbour, on a strip of three cells:

    >>> from hidato_opt.modelling.builder import ModelBuilder
    >>> builder = ModelBuilder("strip")
    >>> J, K = IndexSet.range("J", 1, 3), IndexSet.range("K", 1, 2)
    >>> x = builder.add_variables("x", IndexSet.product("JK", J, K), "binary")
    >>> ones, twos = x[:, 1], x[:, 2]
    >>> block = cover(ones, twos.take([1, 0, 2, 1]), [0, 1, 1, 2])
    >>> len(block), block.nonzeros
    (3, 7)
    """
    members, kept = _members(y, row_of)
    return RowBlock.of_differences(
        common_owner(x.owner, y.owner),
        x.index,
        (np.arange(len(x)), x.columns),
        (members, y.columns[kept]),
        -np.inf,
        0.0,
    )


def fix(x: VariableArray, values: npt.ArrayLike) -> RowBlock:
    r"""Give variables their values by rows: :math:`x_v = a_v`.

    As rows and not as bounds, so that the row names say what was given;
    `Model.fix` changes the bounds instead.

    Returns
    -------
    RowBlock
        ``len(x)`` rows, ``len(x)`` non-zeros.
    """
    return RowBlock.from_terms(x.owner, x.index, np.arange(len(x)), x.columns, 1.0, values, values)


def link_value(
    y: VariableArray, x: VariableArray, row_of: npt.ArrayLike, values: npt.ArrayLike
) -> RowBlock:
    r"""Tie an integer to the binaries that spell it: :math:`y_r = \sum_{v \in S_r} a_v x_v`.

    Parameters
    ----------
    y : VariableArray
        Integer variables, one for each row.
    x : VariableArray
        Binary variables.
    row_of : int array, as long as `x`
        Which integer each binary spells.
    values : float array, as long as `x`, or one number
        What the binary is worth (its number ``k``; 1 for unary counts).

    Returns
    -------
    RowBlock
        ``len(y)`` rows ``y_r - sum a x = 0``, ``len(y) + len(x)`` non-zeros.
    """
    members, kept = _members(x, row_of)
    worth = np.broadcast_to(np.asarray(values, dtype=np.float64), (len(x),))[kept]
    return RowBlock.from_terms(
        common_owner(y.owner, x.owner),
        y.index,
        np.concatenate([np.arange(len(y)), members]),
        np.concatenate([y.columns, x.columns[kept]]),
        np.concatenate([np.ones(len(y)), -worth]),
        0.0,
        0.0,
    )


def link_at_least(y: VariableArray, x: VariableArray, least: npt.ArrayLike = 1.0) -> RowBlock:
    r"""Force an integer up where its binary is one: :math:`l_r x_r \le y_r`.

    With `capacity` for the other side, ``x_r = 1`` says exactly that ``y_r``
    is not zero.

    Returns
    -------
    RowBlock
        ``len(y)`` rows ``y_r - l_r x_r >= 0``, ``2 len(y)`` non-zeros.
    """
    return _pairwise(y, x, least, 0.0, np.inf)


def capacity(y: VariableArray, x: VariableArray, most: npt.ArrayLike) -> RowBlock:
    r"""Allow a flow or a count only where its binary is one: :math:`y_r \le u_r x_r`.

    The big-M row with the smallest valid M: `most` should be the upper bound
    of ``y_r`` itself.

    Returns
    -------
    RowBlock
        ``len(y)`` rows ``y_r - u_r x_r <= 0``, ``2 len(y)`` non-zeros.
    """
    return _pairwise(y, x, most, -np.inf, 0.0)


def degree(
    y: VariableArray,
    tail: npt.ArrayLike,
    head: npt.ArrayLike,
    nodes: IndexSet,
    degrees: npt.ArrayLike,
) -> RowBlock:
    r"""Meet the degree of every node: :math:`\sum_{e \ni v} y_e = d_v`.

    Parameters
    ----------
    y : VariableArray
        A count for each undirected edge.
    tail, head : int arrays, as long as `y`
        The edge's two ends, as positions in `nodes`.
    nodes : IndexSet
        A row for each node; a node without edges gets the row ``0 = d_v``.
    degrees : float array with an entry a node, or one number
        What the counts at a node add up to.

    Returns
    -------
    RowBlock
        ``len(nodes)`` rows, ``2 len(y)`` non-zeros.
    """
    return RowBlock.from_terms(
        y.owner,
        nodes,
        np.concatenate([np.asarray(tail), np.asarray(head)]),
        np.concatenate([y.columns, y.columns]),
        1.0,
        degrees,
        degrees,
    )


def flow_conservation(
    f: VariableArray,
    tail: npt.ArrayLike,
    head: npt.ArrayLike,
    nodes: IndexSet,
    supply: npt.ArrayLike,
) -> RowBlock:
    r"""Conserve flow: :math:`\sum_{a \in out(v)} f_a - \sum_{a \in in(v)} f_a = s_v`.

    Parameters
    ----------
    f : VariableArray
        Flow on each directed arc.
    tail, head : int arrays, as long as `f`
        Where each arc starts and ends, as positions in `nodes`.
    nodes : IndexSet
        A row for each node.
    supply : float array with an entry a node, or one number
        What the node feeds in (negative: takes out).

    Returns
    -------
    RowBlock
        ``len(nodes)`` rows, ``2 len(f)`` non-zeros (none for a loop at a node).
    """
    start, end = np.asarray(tail, dtype=np.int64), np.asarray(head, dtype=np.int64)
    proper = start != end
    arcs = f.columns[proper]
    ones = np.ones(len(arcs))
    return RowBlock.from_terms(
        f.owner,
        nodes,
        np.concatenate([start[proper], end[proper]]),
        np.concatenate([arcs, arcs]),
        np.concatenate([ones, -ones]),
        supply,
        supply,
    )


def no_good_cut(x: VariableArray, point: npt.ArrayLike, name: str = "no_good") -> RowBlock:
    r"""Cut off one binary point: :math:`\sum_{p_v = 1} (1 - x_v) + \sum_{p_v = 0} x_v \ge 1`.

    Parameters
    ----------
    x : VariableArray
        Binary variables.
    point : array, as long as `x`, of zeros and ones
        The point that is no longer wanted.
    name : str
        Name of the row's index set.

    Returns
    -------
    RowBlock
        One row, ``len(x)`` non-zeros.

    Raises
    ------
    InvalidOption
        The point has an entry that is neither 0 nor 1.
    """
    chosen: FloatArray = np.asarray(point, dtype=np.float64)
    if not np.isin(chosen, (0.0, 1.0)).all() or chosen.shape != (len(x),):
        raise InvalidOption(f"a no-good cut needs {len(x)} zeros and ones")
    single: IntArray = np.zeros(len(x), dtype=np.int64)
    return RowBlock.from_terms(
        x.owner,
        IndexSet.range(name, 1, 1),
        single,
        x.columns,
        1.0 - 2.0 * chosen,
        1.0 - chosen.sum(),
        np.inf,
    )


def _members(x: VariableArray, row_of: npt.ArrayLike) -> tuple[IntArray, IntArray]:
    """Return the rows of the variables that have one, and the positions of those variables."""
    rows = np.asarray(row_of, dtype=np.int64)
    if rows.shape != (len(x),):
        raise InvalidOption(f"{x.name}: {len(x)} rows are needed, one a variable")
    kept = np.flatnonzero(rows >= 0)
    return rows[kept], kept


def _pairwise(
    y: VariableArray,
    x: VariableArray,
    factor: npt.ArrayLike,
    lower: float,
    upper: float,
) -> RowBlock:
    """Write ``lower <= y_r - a_r x_r <= upper`` for two arrays of one length."""
    if len(y) != len(x):
        raise InvalidOption(f"{y.name} and {x.name} need as many variables each")
    rows = np.arange(len(y))
    weights = np.broadcast_to(np.asarray(factor, dtype=np.float64), (len(y),))
    return RowBlock.from_terms(
        common_owner(y.owner, x.owner),
        y.index,
        np.concatenate([rows, rows]),
        np.concatenate([y.columns, x.columns]),
        np.concatenate([np.ones(len(y)), -weights]),
        lower,
        upper,
    )


def set_partition(parts: Sequence[tuple[VariableArray, npt.ArrayLike]], rows: IndexSet) -> RowBlock:
    r"""Choose exactly one of each set, over several groups: :math:`\sum_{v \in S_r} x_v = 1`.

    Parameters
    ----------
    parts : sequence of (VariableArray, int array)
        Binary variables and, for each of them, the position of its row in
        `rows` (-1 leaves it out); a variable may stand in several sets.
    rows : IndexSet
        A row for each label, also where no variable is in it (``0 = 1``).

    Returns
    -------
    RowBlock
        ``len(rows)`` rows; a non-zero for each membership.

    Examples
    --------
    >>> from hidato_opt.modelling.builder import ModelBuilder
    >>> builder = ModelBuilder("cover two cells")
    >>> w = builder.add_variables("w", IndexSet.range("W", 1, 2), "binary")
    >>> x = builder.add_variables("x", IndexSet.range("X", 1, 2), "binary")
    >>> block = set_partition([(w, [0, 0]), (x, [0, 1])], IndexSet.range("C", 1, 2))
    >>> len(block), block.nonzeros
    (2, 4)
    """
    owner: object | None = None
    row_of, columns = [], []
    for variables, places in parts:
        members, kept = _members(variables, places)
        owner = common_owner(owner, variables.owner)
        row_of.append(members)
        columns.append(variables.columns[kept])
    return RowBlock.from_terms(
        owner, rows, np.concatenate(row_of), np.concatenate(columns), 1.0, 1.0, 1.0
    )


def mtz_order(
    u: VariableArray,
    z: VariableArray,
    tail: npt.ArrayLike,
    head: npt.ArrayLike,
    low: FloatArray,
    high: FloatArray,
    *,
    back: bool = False,
    restart: VariableArray | None = None,
) -> RowBlock:
    r"""Let the order rise by one along a chosen arc (Miller, Tucker and Zemlin 1960).

    .. math::
        u_h - u_t \ge 1 - M_{th} (1 - z_{th}), \qquad M_{th} = 1 + \bar u_t - \underline u_h

    and with `back` the other side,
    :math:`u_h - u_t \le 1 + M_{th} (1 - z_{th})`,
    :math:`M_{th} = \bar u_h - \underline u_t - 1`.  M is the least valid one,
    and not below zero.

    Parameters
    ----------
    u : VariableArray
        Order variables, one a node.
    z : VariableArray
        Binaries, one an arc; they label the rows.
    tail, head : int arrays, as long as `z`
        Positions in `u` of each arc's ends.
    low, high : float arrays, as long as `u`
        Bounds of the order variables.
    back : bool
        Write the upper side.
    restart : VariableArray, optional
        Binaries, one a node: where one is chosen the order need not rise on
        arcs into the node (the start of a closed tour).

    Returns
    -------
    RowBlock
        ``len(z)`` rows, three non-zeros each (four with `restart`).
    """
    start, end = np.asarray(tail), np.asarray(head)
    rows = np.arange(len(z))
    big = high[end] - low[start] - 1.0 if back else 1.0 + high[start] - low[end]
    big = np.maximum(big, 0.0)
    terms = [
        (rows, u.columns[end], np.ones(len(z))),
        (rows, u.columns[start], np.full(len(z), -1.0)),
        (rows, z.columns, big if back else -big),
    ]
    if restart is not None:
        span = float(high.max(initial=1.0) - low.min(initial=1.0)) + 1.0
        terms.append((rows, restart.columns[end], np.full(len(z), span)))
    where, columns, coefficients = (np.concatenate(part) for part in zip(*terms, strict=True))
    return RowBlock.from_terms(
        common_owner(u.owner, z.owner),
        z.index,
        where,
        columns,
        coefficients,
        -np.inf if back else 1.0 - big,
        1.0 + big if back else np.inf,
    )
