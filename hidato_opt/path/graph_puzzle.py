"""`PathPuzzle`: numbers along a path on a graph of one's own."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from hidato_opt.core.errors import InvalidPuzzle
from hidato_opt.core.puzzle import Violation
from hidato_opt.path.graph import PathGraph
from hidato_opt.path.moves import Positions
from hidato_opt.path.rules import PathRules

Node = Hashable


class PathPuzzle(PathRules):
    """Number the nodes of a graph 1..N along a path of its edges.

    Parameters
    ----------
    graph : iterable of edges, networkx graph, or adjacency matrix
        Edges as pairs of nodes (an array of two columns is edges); or a matrix
        (array or lists of lists of more than two rows, or SciPy sparse) that
        is non-zero where a move leads from row to column, its nodes 0..N-1.
    clues : mapping from node to number, optional
        The given numbers.
    nodes : iterable, optional
        The nodes in order, with those that no edge names.
    directed : bool, optional
        Whether an edge may only be walked from its first node to its second;
        default as the networkx graph says, else False.  A matrix says it itself.
    closed : bool
        Whether a move must also lead from N to 1.
    links : iterable of pairs of nodes
        Nodes that must hold consecutive numbers.
    name : str, optional
        What the puzzle is called in results.

    Attributes
    ----------
    nodes : list
        The nodes; positions count in it.

    Raises
    ------
    InvalidPuzzle
        No node, an unknown node, a clue outside 1..N or given twice, a link of
        a node to itself.

    Examples
    --------
    >>> puzzle = PathPuzzle([("a", "b"), ("b", "c")], clues={"c": 1})
    >>> puzzle.verify({"a": 3, "b": 2, "c": 1})
    []
    """

    kind = "path"

    def __init__(
        self,
        graph: Any,
        clues: Mapping[Node, int] | None = None,
        *,
        nodes: Iterable[Node] | None = None,
        directed: bool | None = None,
        closed: bool = False,
        links: Iterable[tuple[Node, Node]] = (),
        name: str = "",
    ) -> None:
        self.name = name
        listed, edges, both_ways = _read_graph(graph, directed)
        self.nodes: list[Node] = list(dict.fromkeys([*(nodes or []), *listed]))
        self.size = len(self.nodes)
        if not self.size:
            raise InvalidPuzzle("the graph has no node", code="empty-board")
        self.closed = closed and self.size > 1  # one node is a tour as it is
        self._place = {node: position for position, node in enumerate(self.nodes)}
        pairs = {(self._position(one), self._position(two)) for one, two in edges}
        if both_ways:
            pairs |= {(two, one) for one, two in pairs}
        self._arcs = frozenset(pair for pair in pairs if pair[0] != pair[1])
        self.clues = {node: int(number) for node, number in (clues or {}).items()}
        self._check_clues()
        ends = [(self._position(one), self._position(two)) for one, two in links]
        if any(one == two for one, two in ends):
            raise InvalidPuzzle("a link needs two nodes")
        self.links = tuple(sorted({(min(pair), max(pair)) for pair in ends}))

    @property
    def arcs(self) -> tuple[Positions, Positions]:
        """The moves, as tail and head positions."""
        both = np.array(sorted(self._arcs), dtype=np.int64).reshape(-1, 2)
        return both[:, 0], both[:, 1]

    @cached_property
    def graph(self) -> PathGraph:
        """The nodes and edges, for deduction and search."""
        return PathGraph.from_arcs(self.size, *self.arcs)

    @property
    def given(self) -> tuple[Positions, Positions]:
        """The clues, as positions and numbers."""
        pairs = sorted((self._place[node], number) for node, number in self.clues.items())
        both = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return both[:, 0], both[:, 1]

    def verify(self, solution: Any) -> list[Violation]:
        """Check a mapping from nodes to numbers by the rules alone: see `PathBoard.verify`."""
        return self.check_numbers(self._at_positions(solution))

    def is_step(self, start: int, end: int) -> bool:
        """Whether an edge leads from one position to another."""
        return (start, end) in self._arcs

    def cell_name(self, position: int) -> str:
        """Name a node for people."""
        return f"node {self.nodes[position]!r}"

    def cell_of(self, position: int) -> Node:
        """Return a node."""
        return self.nodes[position]

    def cell_index(self) -> tuple[Sequence[str], Sequence[npt.ArrayLike]]:
        """Index nodes by themselves where they are all numbers or all words, else by position."""
        kinds = {type(node) for node in self.nodes}
        if kinds == {int} or kinds == {str}:
            return ("v",), (np.array(self.nodes),)
        return ("v",), (np.arange(1, self.size + 1),)

    def numbers_of(self, solution: Any) -> Positions:
        """Read a mapping from nodes to numbers, as numbers by position."""
        numbers = self._at_positions(solution)
        if numbers.max(initial=0) > self.size:
            raise InvalidPuzzle(f"a solution has numbers 1..{self.size}, not {numbers.max()}")
        return numbers

    def solution_of(self, numbers: npt.ArrayLike) -> dict[Node, int]:
        """Write numbers by position as a mapping from nodes to numbers."""
        return {
            node: int(number) for node, number in zip(self.nodes, np.asarray(numbers), strict=True)
        }

    def read_solution(self, text: str) -> dict[Node, int]:
        """Read lines ``node number``, nodes as they are printed."""
        by_name = {str(node): node for node in self.nodes}
        solution: dict[Node, int] = {}
        for row, line in enumerate(line for line in text.splitlines() if line.strip()):
            word, _, number = line.strip().rpartition(" ")
            if word.strip() not in by_name or not number.isdigit():
                raise InvalidPuzzle(f"{line!r} is not a node and its number", row=row)
            solution[by_name[word.strip()]] = int(number)
        return solution

    def solution_text(self, solution: Any) -> str:
        """Write a line ``node number`` for each node, in the order of the numbers."""
        ordered = sorted(solution.items(), key=lambda pair: pair[1])
        return "\n".join(f"{node} {number}" for node, number in ordered)

    def solution_json(self, solution: Any) -> dict[str, int]:
        """Write a solution as an object from node names to numbers."""
        return {str(node): int(number) for node, number in solution.items()}

    def __repr__(self) -> str:
        title = f" {self.name!r}" if self.name else ""
        return f"<PathPuzzle{title}: N={self.size}, {len(self.clues)} clues>"

    def _position(self, node: Node) -> int:
        if node not in self._place:
            raise InvalidPuzzle(f"{node!r} is no node of the graph")
        return self._place[node]

    def _at_positions(self, solution: Any) -> Positions:
        if not isinstance(solution, Mapping):
            raise InvalidPuzzle("a solution is a mapping from nodes to numbers")
        numbers = np.zeros(self.size, dtype=np.int64)
        for node, number in solution.items():
            numbers[self._position(node)] = int(number)
        return numbers

    def _check_clues(self) -> None:
        seen: dict[int, Node] = {}
        for node, number in self.clues.items():
            self._position(node)
            if not 1 <= number <= self.size:
                raise InvalidPuzzle(
                    f"clue {number} of node {node!r} is outside 1..{self.size}", code="out-of-range"
                )
            if number in seen:
                raise InvalidPuzzle(
                    f"clue {number} is given twice, to {seen[number]!r} and {node!r}",
                    code="given-twice",
                )
            seen[number] = node


def _read_graph(graph: Any, directed: bool | None) -> tuple[list[Node], list[Any], bool]:
    """Return nodes, edges, and whether edges may be walked both ways."""
    if hasattr(graph, "is_directed") and hasattr(graph, "edges"):
        one_way = graph.is_directed() if directed is None else directed
        return list(graph.nodes), [edge[:2] for edge in graph.edges], not one_way
    if hasattr(graph, "tocoo"):
        matrix = graph.tocoo()
        edges = list(zip(matrix.row.tolist(), matrix.col.tolist(), strict=True))
        return list(range(_square(matrix.shape))), edges, False
    listed = graph if isinstance(graph, np.ndarray) else list(graph)
    rows = len(listed)
    if rows > 0 and not isinstance(listed, np.ndarray):
        is_matrix = rows > 2 and all(isinstance(row, list) and len(row) == rows for row in listed)
    else:
        is_matrix = isinstance(listed, np.ndarray) and listed.ndim == 2 and listed.shape[1] != 2
    if is_matrix:
        matrix = np.asarray(listed)
        size = _square(matrix.shape)
        tails, heads = np.nonzero(matrix)
        return list(range(size)), list(zip(tails.tolist(), heads.tolist(), strict=True)), False
    edges = [tuple(edge) for edge in listed]
    if any(len(edge) != 2 for edge in edges):
        raise InvalidPuzzle("an edge is a pair of nodes")
    return [node for edge in edges for node in edge], edges, not directed


def _square(shape: tuple[int, ...]) -> int:
    if len(shape) != 2 or shape[0] != shape[1]:
        raise InvalidPuzzle(f"an adjacency matrix is square, not of shape {shape}")
    return int(shape[0])
