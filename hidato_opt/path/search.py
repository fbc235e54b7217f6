"""Exact search: find a solution, prove that there is none, list and count all."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from hidato_opt.core.clock import Deadline
from hidato_opt.core.errors import SolveInterrupted
from hidato_opt.core.status import Status
from hidato_opt.path.graph import PathGraph
from hidato_opt.path.kernel.mend import Mender
from hidato_opt.path.kernel.problem import Problem
from hidato_opt.path.kernel.tree import RESTART_GROWTH, Tree

Stage = Literal["deduction", "search", "mending"]
Path = tuple[int, ...]
"""The cells in the order of their numbers."""

MEND_AFTER_RUNS = 5
"""Runs of the tree search before walks are mended in turn with it."""
MEND_FROM = 30
"""Numbers without a cell from which mending is worth its while."""
_MEND_DOMAINS = 2_000_000
"""Sum of the domains up to which mending holds them in memory cell by cell."""


@dataclass(frozen=True)
class SearchOutcome:
    """What a search came to.

    Attributes
    ----------
    status : Status
        ``optimal`` with a path, ``infeasible`` as a proof, or the limit that
        stopped the search.
    path : tuple of int or None
        The cell of 1, the cell of 2, and so on.
    stage : str
        What found the path or the proof, or was at work when the limit came:
        ``deduction``, ``search`` or ``mending``.
    nodes : int
        Cells tried in the search tree.
    """

    status: Status
    path: Path | None
    stage: Stage
    nodes: int


@dataclass(frozen=True)
class Count:
    """How many solutions there are.

    Attributes
    ----------
    count : int
        Solutions found, all different.
    exact : bool
        Whether there are no others.
    reason : Status or None
        The limit that stopped the count; None where it is exact.
    """

    count: int
    exact: bool
    reason: Status | None = None


class Solutions(Iterator[Path]):
    """The solutions of a problem, one after the other, none twice.

    Attributes
    ----------
    exhausted : bool
        Whether all have been listed.
    stopped : Status or None
        The limit that ended the list early.
    stage : str
        What found the last solution, as of `SearchOutcome`.
    """

    def __init__(
        self, problem: Problem, seed: int, deadline: Deadline, node_limit: int | None
    ) -> None:
        self.exhausted = False
        self.stopped: Status | None = None
        self.stage: Stage = "deduction"
        self._tree: Tree | None = None
        self._listing = self._list(problem, seed, deadline, node_limit)

    def __next__(self) -> Path:
        return next(self._listing)

    @property
    def nodes(self) -> int:
        """Cells tried in the search tree so far."""
        return 0 if self._tree is None else self._tree.nodes

    def _list(
        self, problem: Problem, seed: int, deadline: Deadline, node_limit: int | None
    ) -> Generator[Path, None, None]:
        root = problem.root()
        if root is None or problem.links is None:
            self.exhausted = True
            return
        if not root.live:
            self.exhausted = True
            yield problem.path(root.domains)
            return
        self.stage = "search"
        tree = self._tree = Tree(problem.board, root, problem.links, seed)
        mender: Mender | None = None
        mended: set[Path] = set()
        budget = float(tree.first_budget)
        while True:
            run = tree.run(int(budget), deadline, node_limit)
            while True:
                try:
                    path = problem.path(next(run))
                except StopIteration as end:
                    self.stopped = end.value
                    break
                if path not in mended:
                    yield path
            self.exhausted = tree.exhausted
            if tree.exhausted or self.stopped is not None:
                return
            budget *= RESTART_GROWTH
            if tree.runs < MEND_AFTER_RUNS or not self._can_mend(problem, tree):
                continue
            self.stage = "mending"
            if mender is None:
                mender = Mender(problem.board, tree.root, problem.closed, seed)
            solution = mender.round(deadline)
            if solution is not None:
                path = problem.path(solution)
                if path not in mended:
                    mended.add(path)
                    yield path
            self.stage = "search"

    @staticmethod
    def _can_mend(problem: Problem, tree: Tree) -> bool:
        domains, live = tree.root.domains, tree.root.live
        return (
            len(live) >= MEND_FROM
            and not problem.links
            and (not problem.closed or len(live) < problem.board.size)
            and sum(domains[number].bit_count() for number in live) <= _MEND_DOMAINS
        )


def enumerate_solutions(
    graph: PathGraph,
    clues: Mapping[int, int] | None = None,
    *,
    closed: bool = False,
    links: Iterable[tuple[int, int]] = (),
    seed: int = 0,
    time_limit: float | None = None,
    node_limit: int | None = None,
) -> Solutions:
    """List all solutions lazily.

    Parameters
    ----------
    graph : PathGraph
        The cells and moves.
    clues : mapping from number to cell, optional
        Numbers 1..size that are given.
    closed : bool, default False
        Whether a move must lead from the last number to 1.
    links : iterable of pairs of cells, optional
        Cells whose numbers must be consecutive.
    seed : int, default 0
        Seed of all chance; the same seed gives the same list.
    time_limit : float, optional
        Seconds from now after which the list ends.
    node_limit : int, optional
        Cells tried in the search tree after which the list ends.

    Returns
    -------
    Solutions
        An iterator over paths (the cell of 1, of 2, ...); when it ends,
        ``exhausted`` says whether that were all and ``stopped`` which limit
        came first.

    Raises
    ------
    InvalidPuzzle
        A clue or link is out of range, or two clues share a cell.

    Examples
    --------
    >>> square = PathGraph.from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> sorted(enumerate_solutions(square, {1: 0}))
    [(0, 1, 2, 3), (0, 3, 2, 1)]
    """
    problem = Problem(graph, clues, closed, links)
    return Solutions(problem, seed, Deadline(time_limit), node_limit)


def find(
    graph: PathGraph,
    clues: Mapping[int, int] | None = None,
    *,
    closed: bool = False,
    links: Iterable[tuple[int, int]] = (),
    seed: int = 0,
    time_limit: float | None = None,
    node_limit: int | None = None,
) -> SearchOutcome:
    """Find a solution, or prove that there is none.

    Deduction comes first, then a tree search with restarts; where some runs of
    it find nothing, walks are annealed and mended in turn with further runs.

    Parameters and errors are those of `enumerate_solutions`.

    Returns
    -------
    SearchOutcome
        A path, a proof or a limit.

    Raises
    ------
    SolveInterrupted
        On Ctrl-C, with the outcome so far.

    Examples
    --------
    >>> line = PathGraph.from_edges(4, [(0, 1), (1, 2), (2, 3)])
    >>> find(line, {3: 1}).path
    (3, 2, 1, 0)
    >>> find(line, {3: 0}).status
    <Status.INFEASIBLE: 'infeasible'>
    """
    clues = dict(clues or {})
    if closed and not clues:
        clues[1] = 0  # a closed tour can be numbered from any cell
    problem = Problem(graph, clues, closed, links)
    solutions = Solutions(problem, seed, Deadline(time_limit), node_limit)
    try:
        path = next(solutions, None)
    except KeyboardInterrupt:
        outcome = SearchOutcome(Status.INTERRUPTED, None, solutions.stage, solutions.nodes)
        raise SolveInterrupted("the search was interrupted", outcome) from None
    status = Status.OPTIMAL if path is not None else solutions.stopped or Status.INFEASIBLE
    return SearchOutcome(status, path, solutions.stage, solutions.nodes)


def count(
    graph: PathGraph,
    clues: Mapping[int, int] | None = None,
    *,
    limit: int | None = None,
    closed: bool = False,
    links: Iterable[tuple[int, int]] = (),
    seed: int = 0,
    time_limit: float | None = None,
    node_limit: int | None = None,
) -> Count:
    """Count the solutions.

    Parameters
    ----------
    limit : int, optional
        Solutions at which to stop; 2 answers whether a solution is unique.

    The other parameters and the errors are those of `enumerate_solutions`.

    Returns
    -------
    Count
        The exact number where the search ends by itself; otherwise a number
        that there are at least, and the limit.

    Raises
    ------
    SolveInterrupted
        On Ctrl-C, with the count so far.

    Examples
    --------
    >>> square = PathGraph.from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> count(square)
    Count(count=8, exact=True, reason=None)
    >>> count(square, limit=2)
    Count(count=2, exact=False, reason=<Status.SOLUTION_LIMIT: 'solution_limit'>)
    """
    solutions = enumerate_solutions(
        graph,
        clues,
        closed=closed,
        links=links,
        seed=seed,
        time_limit=time_limit,
        node_limit=node_limit,
    )
    found = 0
    try:
        while limit is None or found < limit:
            if next(solutions, None) is None:
                return Count(found, solutions.exhausted, solutions.stopped)
            found += 1
    except KeyboardInterrupt:
        so_far = Count(found, False, Status.INTERRUPTED)
        raise SolveInterrupted("the count was interrupted", so_far) from None
    return Count(found, False, Status.SOLUTION_LIMIT)
