"""What follows from the clues of a path puzzle before any search or solver."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hidato_opt.core.clock import Deadline
from hidato_opt.path.graph import PathGraph
from hidato_opt.path.kernel.bits import Mask
from hidato_opt.path.kernel.problem import Problem
from hidato_opt.path.kernel.reasons import Reasoner
from hidato_opt.path.kernel.shave import shave as shave_position
from hidato_opt.path.kernel.steps import Step
from hidato_opt.path.kernel.structure import tighten

__all__ = ["Deduction", "Step", "deduce"]


@dataclass(frozen=True)
class Deduction:
    """Where each number can still stand.

    Attributes
    ----------
    graph : PathGraph
        The cells and moves.
    contradiction : bool
        Whether there is proof that no solution exists; then nothing is left.
    steps : tuple of Step
        The deductions in order, where they were asked for; a contradiction
        comes last.

    Examples
    --------
    >>> line = PathGraph.from_edges(4, [(0, 1), (1, 2), (2, 3)])
    >>> deduction = deduce(line, {2: 1})
    >>> deduction.cells(1), deduction.path
    ([0], (0, 1, 2, 3))
    """

    graph: PathGraph
    contradiction: bool
    steps: tuple[Step, ...] = ()
    _masks: tuple[Mask, ...] = field(default=(), repr=False)

    @cached_property
    def domains(self) -> tuple[Mask, ...]:
        """For each number from 1 the cells where it can stand: bit i is cell i."""
        if self.graph.bits.places == list(range(self.graph.size)):
            return self._masks
        known: dict[Mask, Mask] = {}
        for mask in self._masks:
            if mask not in known:
                known[mask] = sum(1 << cell for cell in self.graph.bits.cells(mask))
        return tuple(known[mask] for mask in self._masks)

    def cells(self, number: int) -> list[int]:
        """List the cells where a number from 1 can stand, in order."""
        if not 1 <= number <= self.graph.size:
            raise IndexError(f"numbers go from 1 to {self.graph.size}, not {number}")
        return [] if self.contradiction else self.graph.bits.cells(self._masks[number - 1])

    def pairs(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return all cells and numbers that are left for each other.

        Returns
        -------
        cell, number : int arrays of one length
            Sorted by cell, then number; numbers from 1.
        """
        if not self._masks:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        bits = self.graph.bits
        octets = bits.places[-1] // 8 + 1
        packed = np.frombuffer(
            b"".join(mask.to_bytes(octets, "little") for mask in self._masks), dtype=np.uint8
        ).reshape(len(self._masks), octets)
        left = np.unpackbits(packed, axis=1, bitorder="little")[:, bits.places]
        cell, number = np.nonzero(left.T)
        return cell, number + 1

    @property
    def placed(self) -> dict[int, int]:
        """The numbers that have one cell left, and their cells."""
        return {
            number: self.graph.bits.cell(mask)
            for number, mask in enumerate(self._masks, start=1)
            if not mask & (mask - 1)
        }

    @property
    def path(self) -> tuple[int, ...] | None:
        """The cells in the order of their numbers, if every number has one cell left."""
        placed = self.placed
        if self.contradiction or len(placed) < self.graph.size:
            return None
        return tuple(placed.values())


def deduce(
    graph: PathGraph,
    clues: Mapping[int, int] | None = None,
    *,
    closed: bool = False,
    links: Iterable[tuple[int, int]] = (),
    reasons: bool = False,
    shave: bool = False,
    time_limit: float | None = None,
) -> Deduction:
    """Rule out where numbers cannot stand; what every solution has is kept.

    Walks of exact length between the clues, singles of both kinds, dead ends,
    cut cells, regions closed off by placed numbers, the parity of boards with
    two colours, and links.

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
    reasons : bool, default False
        Whether to record each step with its reason, which takes about a
        hundred times as long.
    shave : bool, default False
        Whether to try each cell of each number besides and remove what leads
        to a contradiction at once, until nothing does.
    time_limit : float, optional
        Seconds from now after which shaving stops.

    Returns
    -------
    Deduction
        What is left, or that nothing is.

    Raises
    ------
    InvalidPuzzle
        A clue or link is out of range, or two clues share a cell.

    Examples
    --------
    >>> line = PathGraph.from_edges(3, [(0, 1), (1, 2)])
    >>> for step in deduce(line, {1: 1}, reasons=True).steps:
    ...     print(step.text)
    even and odd numbers stand on different colours: every move changes between two
    colours of 2 and 1 cells
    no cell is left for 1
    """
    problem = Problem(graph, clues, closed, links)
    deadline = Deadline(time_limit)
    steps: tuple[Step, ...] = ()
    if reasons:
        reasoner = Reasoner(problem)
        position = reasoner.settle(shave, deadline)
        steps = tuple(reasoner.steps)
    else:
        position = problem.root()
        rules = problem.links or ()
        while position is not None:
            position = tighten(problem.board, position, closed, rules)
            if position is None or not shave:
                break
            left = position.domains.copy()
            position = shave_position(problem.board, position, rules, deadline)
            if position is None or position.domains == left:
                break
    if position is None:
        return Deduction(graph, True, steps)
    return Deduction(graph, False, steps, tuple(position.domains[: graph.size]))
