"""Steps of a deduction, and the record of domains that they narrow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from hidato_opt.path.kernel.bits import Mask
from hidato_opt.path.kernel.problem import Problem
from hidato_opt.path.kernel.tree import Position

_CELLS_NAMED = 4


@dataclass(frozen=True)
class Step:
    """One deduction.

    Attributes
    ----------
    rule : str
        ``apart`` (the board does not hang together), ``parity``, ``single``
        (one cell left for a number), ``hidden single`` (one number left for a
        cell), ``window`` (walks of exact length between given or placed
        numbers), ``neighbour`` (no cell left for the number before or after is
        a move away), ``dead end``, ``link``, ``cut cell``, ``region`` or
        ``probe``.
    text : str
        What follows and why, in words.
    removed : tuple of (number, cell)
        What is ruled out; numbers from 1.
    placed : tuple of (number, cell)
        What is settled.
    numbers, cells : tuple of int
        What the step rests on.
    contradiction : bool
        Whether the step shows that there is no solution.
    """

    rule: str
    text: str
    removed: tuple[tuple[int, int], ...] = ()
    placed: tuple[tuple[int, int], ...] = ()
    numbers: tuple[int, ...] = ()
    cells: tuple[int, ...] = ()
    contradiction: bool = False


class Contradiction(Exception):  # noqa: N818  (leaves the rules; the reasoner catches it)
    """The last step of the record shows that there is no solution."""


class Record:
    """The domains of a problem, and the steps that have narrowed them.

    Parameters
    ----------
    problem : Problem
        What is asked.

    Attributes
    ----------
    steps : list of Step
        What has been deduced, in order; a contradiction is the last.
    domains, live, free
        As of `propagate`; only `place` and `remove` change them.
    """

    def __init__(self, problem: Problem) -> None:
        self.steps: list[Step] = []
        self.problem = problem
        self.board = board = problem.board
        self.free = board.everything
        for bit in problem.clues.values():
            self.free ^= bit
        self.domains = [problem.clues.get(number, self.free) for number in range(board.size)]
        if not problem.closed:
            self.domains.append(0)
        self.live = [number for number in range(board.size) if number not in problem.clues]

    @property
    def position(self) -> Position:
        """What is left."""
        return Position(self.domains, self.live, self.free, 0)

    def place(self, rule: str, number: int, bit: Mask, text: str) -> None:
        """Give a number its cell and take the cell from the others."""
        self.free ^= bit
        self.live.remove(number)
        removals = [(number, self.domains[number] & ~bit)]
        removals += [(other, self.domains[other] & bit) for other in self.live]
        self.remove(rule, removals, text, placed=((number, bit),))

    def remove(
        self,
        rule: str,
        removals: Sequence[tuple[int, Mask]],
        text: str,
        numbers: Sequence[int] = (),
        cells: Mask = 0,
        placed: Sequence[tuple[int, Mask]] = (),
    ) -> bool:
        """Record a step and apply it; say whether it changed anything."""
        removed = []
        emptied = None
        for number, mask in removals:
            if mask:
                self.domains[number] &= ~mask
                removed += [(number + 1, cell) for cell in self.board.cells(mask)]
                if not self.domains[number] and emptied is None:
                    emptied = number
        if not removed and not placed:
            return False
        step = Step(
            rule,
            text,
            tuple(removed),
            tuple((number + 1, self.board.cell(bit)) for number, bit in placed),
            tuple(number + 1 for number in numbers),
            tuple(self.board.cells(cells)),
        )
        self.steps.append(step)
        if emptied is not None:
            self.fail(rule, f"no cell is left for {emptied + 1}", (emptied,))
        return True

    def fail(self, rule: str, text: str, numbers: Sequence[int] = (), cells: Mask = 0) -> NoReturn:
        """Record a contradiction and leave the rules."""
        grounds = tuple(number + 1 for number in numbers)
        at = tuple(self.board.cells(cells))
        self.steps.append(Step(rule, text, numbers=grounds, cells=at, contradiction=True))
        raise Contradiction

    def names(self, cells: Mask) -> str:
        """Name cells in words, a few of them one by one."""
        listed = self.board.cells(cells)
        names = [self.problem.graph.cell_name(cell) for cell in listed[:_CELLS_NAMED]]
        if len(listed) > _CELLS_NAMED:
            names = [*names[:-1], f"{len(listed) - _CELLS_NAMED + 1} more cells"]
        return "; ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1]
