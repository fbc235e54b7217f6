"""Paths on graphs of one's own: every way to give the graph, clues, links, and verdicts."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest
import scipy.sparse

from hidato_opt import build_model
from hidato_opt.core.errors import InvalidPuzzle
from hidato_opt.core.registry import kind_named
from hidato_opt.path.formulations import FORMULATIONS
from hidato_opt.path.graph_puzzle import PathPuzzle

LINE = [("a", "b"), ("b", "c"), ("c", "d")]
MATRIX = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
"""0 -> 1 -> 2, one way."""


class Graph:
    """What is asked of a networkx graph."""

    def __init__(self, nodes: list[Any], edges: list[tuple[Any, ...]], directed: bool) -> None:
        self.nodes, self.edges, self._directed = nodes, edges, directed

    def is_directed(self) -> bool:
        return self._directed


def arcs_of(puzzle: PathPuzzle) -> list[tuple[Any, Any]]:
    tail, head = (part.tolist() for part in puzzle.arcs)
    assert all(puzzle.is_step(a, b) for a, b in zip(tail, head, strict=True))
    return [(puzzle.nodes[a], puzzle.nodes[b]) for a, b in zip(tail, head, strict=True)]


def test_edges_go_both_ways_unless_directed() -> None:
    puzzle = PathPuzzle(LINE[:2])
    assert puzzle.nodes == ["a", "b", "c"]
    assert arcs_of(puzzle) == [("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")]
    assert arcs_of(PathPuzzle(LINE[:2], directed=True)) == [("a", "b"), ("b", "c")]
    assert not PathPuzzle(LINE[:2], directed=True).is_step(1, 0)


def test_nodes_give_the_order_and_those_without_an_edge() -> None:
    puzzle = PathPuzzle(LINE[:1], nodes=["z", "b"])
    assert puzzle.nodes == ["z", "b", "a"]
    assert puzzle.size == 3
    assert PathPuzzle([], nodes=[4]).size == 1


def test_loops_and_edges_given_twice_do_not_count() -> None:
    assert arcs_of(PathPuzzle([(1, 1), (1, 2), (2, 1), (1, 2)])) == [(1, 2), (2, 1)]


@pytest.mark.parametrize("directed", [False, True])
def test_a_networkx_graph_says_itself_whether_it_is_directed(directed: bool) -> None:
    graph = Graph([3, 1, 2, 9], [(1, 2), (2, 3, {"weight": 5})], directed)
    puzzle = PathPuzzle(graph)
    assert puzzle.nodes == [3, 1, 2, 9]
    one_way = {(1, 2), (2, 3)}
    assert set(arcs_of(puzzle)) == (one_way if directed else one_way | {(2, 1), (3, 2)})
    assert set(arcs_of(PathPuzzle(graph, directed=True))) == one_way


@pytest.mark.parametrize(
    "matrix",
    [
        MATRIX,
        np.array(MATRIX),
        np.array(MATRIX, dtype=bool),
        0.5 * np.array(MATRIX),
        scipy.sparse.csr_array(np.array(MATRIX)),
        scipy.sparse.coo_matrix(np.array(MATRIX)),
    ],
    ids=lambda matrix: type(matrix).__name__,
)
def test_a_matrix_is_non_zero_where_a_move_leads_from_row_to_column(matrix: Any) -> None:
    puzzle = PathPuzzle(matrix)
    assert puzzle.nodes == [0, 1, 2]
    assert arcs_of(puzzle) == [(0, 1), (1, 2)]


def test_a_sparse_matrix_of_two_is_a_matrix() -> None:
    assert arcs_of(PathPuzzle(scipy.sparse.csr_array(np.array([[0, 1], [0, 0]])))) == [(0, 1)]


def test_an_array_of_two_columns_lists_edges() -> None:
    assert arcs_of(PathPuzzle(np.array([[0, 1], [1, 2], [2, 3]]), directed=True)) == [
        (0, 1),
        (1, 2),
        (2, 3),
    ]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: PathPuzzle([]), "the graph has no node"),
        (lambda: PathPuzzle([("a", "b", "c")]), "an edge is a pair of nodes"),
        (lambda: PathPuzzle(np.zeros((2, 3))), r"is square, not of shape \(2, 3\)"),
        (lambda: PathPuzzle(scipy.sparse.csr_array((2, 3))), "is square"),
        (lambda: PathPuzzle(LINE, {"x": 1}), "'x' is no node of the graph"),
        (lambda: PathPuzzle(LINE, {"a": 5}), r"clue 5 of node 'a' is outside 1\.\.4"),
        (lambda: PathPuzzle(LINE, {"a": 0}), r"clue 0 of node 'a' is outside 1\.\.4"),
        (lambda: PathPuzzle(LINE, {"a": 2, "c": 2}), "clue 2 is given twice, to 'a' and 'c'"),
        (lambda: PathPuzzle(LINE, links=[("a", "x")]), "'x' is no node"),
        (lambda: PathPuzzle(LINE, links=[("a", "a")]), "a link needs two nodes"),
        (lambda: PathPuzzle(LINE).verify([1, 2, 3, 4]), "a mapping from nodes to numbers"),
        (lambda: PathPuzzle(LINE).verify({"x": 1}), "'x' is no node"),
        (lambda: PathPuzzle(LINE).numbers_of({"a": 5}), r"has numbers 1\.\.4, not 5"),
        (lambda: PathPuzzle(LINE).read_solution("a 1\nx 2"), "'x 2' is not a node and its number"),
        (lambda: PathPuzzle(LINE).read_solution("a one"), "'a one' is not a node"),
    ],
)
def test_what_makes_no_sense_is_refused(call: Any, words: str) -> None:
    with pytest.raises(InvalidPuzzle, match=words):
        call()


def test_rules_by_code_and_nodes() -> None:
    puzzle = PathPuzzle(LINE, {"a": 1})
    assert puzzle.verify({"a": 1, "b": 2, "c": 3, "d": 4}) == []
    for solution, expected in [
        ({"a": 4, "b": 3, "c": 2, "d": 1}, [("clue-changed", ("a",))]),
        ({"a": 1, "b": 2, "c": 4, "d": 3}, [("not-adjacent", ("b", "d"))]),
        ({"a": 1, "b": 2, "c": 3}, [("cell-empty", ("d",)), ("number-missing", ())]),
        ({"a": 1, "b": 2, "c": 3, "d": 5}, [("out-of-range", ("d",)), ("number-missing", ())]),
        ({"a": 1, "b": 2, "c": 3, "d": 3}, [("number-twice", ("c", "d")), ("number-missing", ())]),
    ]:
        found = puzzle.verify(solution)
        assert [(violation.code, violation.cells) for violation in found] == expected
    linked = PathPuzzle([*LINE, ("d", "a"), ("a", "c")], links=[("a", "c")])
    assert [v.code for v in linked.verify({"a": 1, "b": 2, "c": 3, "d": 4})] == ["link-broken"]
    assert "node 'a'" in linked.verify({"a": 1, "b": 2, "c": 3, "d": 4})[0].message
    closed = PathPuzzle(LINE, closed=True)
    assert [v.code for v in closed.verify({"a": 1, "b": 2, "c": 3, "d": 4})] == ["not-adjacent"]


def test_solutions_as_text_and_json() -> None:
    puzzle = PathPuzzle([("new york", 7), (7, "rome")])
    solution = {"new york": 3, 7: 2, "rome": 1}
    assert puzzle.solution_text(solution) == "rome 1\n7 2\nnew york 3"
    assert puzzle.read_solution("rome 1\n\n7 2\nnew york 3\n") == solution
    said = json.loads(json.dumps(puzzle.solution_json(solution)))
    assert said == {"new york": 3, "7": 2, "rome": 1}
    assert puzzle.numbers_of(solution).tolist() == [3, 2, 1]
    assert puzzle.solution_of(np.array([3, 2, 1])) == solution


def test_a_puzzle_prints_and_travels() -> None:
    puzzle = PathPuzzle(LINE, {"a": 1}, name="row")
    assert repr(puzzle) == "<PathPuzzle 'row': N=4, 1 clues>"
    again = pickle.loads(pickle.dumps(puzzle))
    assert (again.nodes, again.clues, arcs_of(again)) == (puzzle.nodes, {"a": 1}, arcs_of(puzzle))
    assert kind_named("path").puzzle_class() is PathPuzzle


@pytest.mark.parametrize("name", FORMULATIONS)
def test_every_formulation_finds_the_only_path(name: str) -> None:
    result = build_model(PathPuzzle(LINE, {"d": 1}), name).solve()
    assert result.solution == {"a": 4, "b": 3, "c": 2, "d": 1}


@pytest.mark.parametrize("name", FORMULATIONS)
def test_every_formulation_walks_the_edges_one_way(name: str) -> None:
    result = build_model(PathPuzzle(MATRIX), name).solve()
    assert result.solution == {0: 1, 1: 2, 2: 3}
    assert build_model(PathPuzzle(MATRIX, {2: 1}), name).solve().status == "infeasible"


@pytest.mark.parametrize("name", FORMULATIONS)
def test_every_formulation_knows_a_star_has_no_path_and_a_ring_a_tour(name: str) -> None:
    star = PathPuzzle([("o", "a"), ("o", "b"), ("o", "c")])
    assert build_model(star, name).solve().status == "infeasible"
    ring = PathPuzzle([*LINE, ("d", "a")], {"b": 1, "c": 2}, closed=True)
    assert build_model(ring, name).solve().solution == {"b": 1, "c": 2, "d": 3, "a": 4}
    line = PathPuzzle(LINE, closed=True)
    assert build_model(line, name).solve().status == "infeasible"


def test_the_variables_bear_the_names_of_the_nodes() -> None:
    assert repr(build_model(PathPuzzle(LINE)).x["b", 2]) == "x[b, 2]"
    assert repr(build_model(PathPuzzle(MATRIX)).x[0, 2]) == "x[0, 2]"
    assert repr(build_model(PathPuzzle([("a", 1)])).x[2, 1]) == "x[2, 1]"
