"""Depth-first search on the domains, with restarts that learn where the difficulty lies."""

from __future__ import annotations

import random
from collections.abc import Generator, Sequence
from typing import NamedTuple

from hidato_opt.core.clock import Deadline
from hidato_opt.core.status import Status
from hidato_opt.path.kernel.bits import BitBoard, Mask, each_bit
from hidato_opt.path.kernel.propagate import Link, propagate

RESTART_GROWTH = 1.3
"""How much longer each run is than the one before it."""
_SHUFFLE = 1.5
"""Up to how many free neighbours a restart's order of cells may be off by."""


class Position(NamedTuple):
    """Domains at a fixpoint, the numbers and cells that are left, cells with two candidates."""

    domains: list[Mask]
    live: list[int]
    free: Mask
    pairs: Mask


Choice = tuple[int, Mask]
"""A number and the cell it is put in."""
_FINISHED = object()


class Tree:
    """The search tree below a position; runs share what they learn.

    The first run takes a number with the smallest domain and its cells by
    fewest free neighbours (cells that are hard to reach later go first).  Later
    runs divide the size of a domain by how often it has been emptied, prefer a
    cell that only two numbers can take over a number with three cells or more,
    and shuffle the cells a little.  What is refuted at the root stays removed,
    so each run searches a smaller board and a run that ends by itself is a
    proof.

    Parameters
    ----------
    board : BitBoard
        The cells.
    root : Position
        Where to start; its list of domains is taken over.
    links : sequence of Link
        Cells that must be consecutive.
    seed : int
        Seed of the shuffling.

    Attributes
    ----------
    root : Position
        What is left of the root; solutions found so far may be cut off.
    nodes : int
        Cells tried so far.
    runs : int
        Runs started.
    exhausted : bool
        Whether the last run ended because nothing is left to search.
    """

    def __init__(
        self, board: BitBoard, root: Position, links: Sequence[Link] = (), seed: int = 0
    ) -> None:
        self.board = board
        self.root = root
        self.nodes = 0
        self.runs = 0
        self.exhausted = False
        self._links = links
        self._seed = seed
        self._random: random.Random | None = None  # seeding costs as much as a small board
        self._weights = [1.0] * board.size
        self._stop_at: int | None = None

    @property
    def first_budget(self) -> int:
        """Nodes of the first run, by the size of what is left."""
        return 60 + len(self.root.live)

    def run(
        self, budget: int | None, deadline: Deadline, node_limit: int | None = None
    ) -> Generator[list[Mask], None, Status | object | None]:
        """Search the tree from the root, one solution after the other.

        Parameters
        ----------
        budget : int or None
            Nodes after which the run gives up unless it has found a solution
            by then: a run with a solution goes on to the end.
        deadline : Deadline
            When to stop.
        node_limit : int, optional
            Nodes of all runs after which to stop.

        Yields
        ------
        list of Mask
            The cell's bit by number.

        Returns
        -------
        Status or None
            The limit that stopped the run; None at the end of the tree
            (`exhausted`) or of the budget.
        """
        self.exhausted = False
        self.runs += 1
        self._stop_at = None if budget is None else self.nodes + budget
        while True:
            domains, live, free, _ = self.root
            if not live:
                self.exhausted = True
                yield domains
                return None
            choice = self._choices(self.root)[-1]
            below = self._place(self.root, choice, domains[:])
            if below is not None:
                stop = yield from self._below(below, deadline, node_limit)
                if stop is not _FINISHED:
                    return stop
            number, bit = choice
            domains[number] &= ~bit
            found = propagate(self.board, domains, live, free, [number], self._links)
            if found.live is None:
                self.exhausted = True
                return None
            self.root = Position(domains, found.live, found.free, found.pairs)

    def _below(
        self, position: Position | None, deadline: Deadline, node_limit: int | None
    ) -> Generator[list[Mask], None, Status | object | None]:
        """Search the tree below a position; return `_FINISHED`, or why it was left."""
        stack: list[tuple[Position, list[Choice]]] = []
        while True:
            if position is None:
                if not stack:
                    return _FINISHED
            elif position.live:
                stack.append((position, self._choices(position)))
            else:
                self._stop_at = None
                yield position.domains
                if not stack:
                    return _FINISHED
            if self._stop_at is not None and self.nodes >= self._stop_at:
                return None
            if deadline.expired:
                return Status.TIME_LIMIT
            if node_limit is not None and self.nodes >= node_limit:
                return Status.NODE_LIMIT
            parent, choices = stack[-1]
            choice = choices.pop()
            if choices:
                position = self._place(parent, choice, parent.domains[:])
            else:
                stack.pop()
                position = self._place(parent, choice, parent.domains)

    def _place(self, parent: Position, choice: Choice, domains: list[Mask]) -> Position | None:
        """Put a number in a cell and see what follows; None if it cannot be."""
        number, bit = choice
        self.nodes += 1
        domains[number] = bit
        live = parent.live.copy()
        live.remove(number)
        found = propagate(self.board, domains, live, parent.free & ~bit, [number], self._links)
        if found.live is None:
            if found.free >= 0:
                self._weights[found.free] += 1
            return None
        return Position(domains, found.live, found.free, found.pairs)

    def _choices(self, position: Position) -> list[Choice]:
        """Choose what to branch on; the most promising choice comes last."""
        domains, live, free, pairs = position
        after = self.board.after
        if self.runs == 1:
            number, fewest = -1, 1 << 30
            for candidate in live:
                count = domains[candidate].bit_count()
                if count < fewest:
                    number, fewest = candidate, count
                    if count == 2:
                        break
            ranked = [((after[bit] & free).bit_count(), bit) for bit in each_bit(domains[number])]
            ranked.sort(reverse=True)
            return [(number, bit) for _, bit in ranked]
        if self._random is None:
            self._random = random.Random(self._seed)
        shuffle = self._random.random
        number, least = -1, float("inf")
        weights = self._weights
        for candidate in live:
            size = domains[candidate].bit_count() / weights[candidate]
            if size < least:
                number, least = candidate, size
        if pairs and domains[number].bit_count() > 2:
            bit = pairs & -pairs
            both = [(candidate, bit) for candidate in live if domains[candidate] & bit]
            if shuffle() < 0.5:
                both.reverse()
            return both
        shuffled = [
            ((after[bit] & free).bit_count() + _SHUFFLE * shuffle(), bit)
            for bit in each_bit(domains[number])
        ]
        shuffled.sort(reverse=True)
        return [(number, bit) for _, bit in shuffled]
