"""Depth-first search on the domains, with restarts that learn where the difficulty lies."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hidato_opt.core.clock import Deadline
from hidato_opt.core.status import Status
from hidato_opt.path.kernel.bits import BitBoard, Mask
from hidato_opt.path.kernel.propagate import Link, propagate

CHECK_EVERY = 128
"""Nodes between two looks at the clock."""
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

    @property
    def first_budget(self) -> int:
        """Nodes of the first run, by the size of what is left."""
        return 60 + len(self.root.live)

    def run(
        self, budget: int | None, deadline: Deadline, node_limit: int | None = None
    ) -> Iterator[list[Mask]]:
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
        plain = self.runs == 0
        self.runs += 1
        stop_at = None if budget is None else self.nodes + budget
        while True:
            domains, live, free, pairs = self.root
            if not live:
                self.exhausted = True
                yield domains
                return None
            number, bit = self._choices(self.root, plain)[-1]
            below = self._place(self.root, domains[:], number, bit)
            if below is not None:
                search = self._below(below, stop_at, deadline, node_limit, plain)
                stop = None
                while True:
                    try:
                        solution = next(search)
                    except StopIteration as end:
                        stop = end.value
                        break
                    stop_at = None
                    yield solution
                if stop is not None:
                    return stop[0]
            domains[number] &= ~bit
            found = propagate(self.board, domains, live, free, [number], self._links)
            if found.live is None:
                self.exhausted = True
                return None
            self.root = Position(domains, found.live, found.free, found.pairs)
