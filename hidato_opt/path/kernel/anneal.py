"""Walks that keep all clues and all moves but cover some cells twice, improved by annealing.

The state is a cell for every number, consecutive ones always a move apart;
what is wrong with it is the number of cells that no number covers.  A step
moves one number to another cell between its neighbours, or two consecutive
numbers at once.  Steps that uncover a cell are taken with a probability that
falls as the temperature does.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from hidato_opt.core.clock import Deadline
from hidato_opt.path.kernel.bits import BitBoard, Mask

HOT, COLD = 0.35, 0.12
"""First and last temperature, in cells uncovered."""
PAIR_SHARE = 0.3
"""Share of the steps that move two consecutive numbers."""
_CHECK_EVERY = 1024


class Walks:
    """What a walk may do on a board with given domains.

    Parameters
    ----------
    board : BitBoard
        The cells.
    domains : list of Mask
        Where each number can stand; consecutive domains agree.
    live : list of int
        The numbers that are not given, in order.
    closed : bool
        Whether the walk returns to its start, which is then a given number.
    """

    def __init__(
        self, board: BitBoard, domains: Sequence[Mask], live: Sequence[int], closed: bool
    ) -> None:
        self.size = board.size
        self.live = live
        self.closed = closed
        everything = board.everything
        self.after = [board.cells(board.after[bit] & everything) for bit in board.bits]
        if board.before is board.after:
            self.before = self.after
        else:
            self.before = [board.cells(board.before[bit] & everything) for bit in board.bits]
        self._after_sets = [frozenset(cells) for cells in self.after]
        self._before_sets = [frozenset(cells) for cells in self.before]
        sets: dict[Mask, frozenset[int]] = {}
        self.domains = []
        for domain in domains[: board.size]:
            if domain not in sets:
                sets[domain] = frozenset(board.cells(domain))
            self.domains.append(sets[domain])
        self._between: dict[int, tuple[int, ...]] = {}

    def between(self, below: int, above: int) -> tuple[int, ...]:
        """List the cells that a walk can pass from one cell to another in two moves."""
        key = below * self.size + above
        found = self._between.get(key)
        if found is None:
            found = tuple(self._after_sets[below] & self._before_sets[above])
            self._between[key] = found
        return found

    def start(self, rng: random.Random) -> list[int]:
        """Draw a walk, number by number, that prefers cells not covered so far."""
        size, domains = self.size, self.domains
        covered = [0] * size
        cells = [-1] * size
        first = 0
        if self.closed:
            first = next(number for number in range(size) if len(domains[number]) == 1)
        for number in [*range(first, size), *range(first)]:
            options: Sequence[int] = tuple(domains[number])
            if number != first:
                known = domains[number]
                options = [cell for cell in self.after[cells[number - 1]] if cell in known]
            least = min(covered[cell] for cell in options)
            cell = rng.choice([cell for cell in options if covered[cell] == least])
            cells[number] = cell
            covered[cell] += 1
        return cells


def anneal(walks: Walks, sweeps: int, rng: random.Random, deadline: Deadline) -> list[int]:
    """Draw a walk and improve it.

    Parameters
    ----------
    walks : Walks
        The board and its domains; some number must not be given.
    sweeps : int
        Steps for each number that is not given.
    rng : random.Random
        Where chance comes from.
    deadline : Deadline
        When to return what there is.

    Returns
    -------
    list of int
        The cell of each number: a solution if no cell repeats.
    """
    size, live, closed = walks.size, walks.live, walks.closed
    domains, after, before, between = walks.domains, walks.after, walks.before, walks.between
    chance, count, last = rng.random, len(live), size - 1
    given = [len(domain) == 1 for domain in domains]
    cells = walks.start(rng)
    covers = [0] * size
    for cell in cells:
        covers[cell] += 1
    uncovered = covers.count(0)
    steps = sweeps * count
    odds = (1.0, 0.0, 0.0)
    for step in range(steps):
        if step % _CHECK_EVERY == 0:
            if not uncovered or deadline.expired:
                break
            temperature = HOT * (COLD / HOT) ** (step / steps)
            odds = (1.0, math.exp(-1 / temperature), math.exp(-2 / temperature))
        number = live[int(chance() * count)]
        old = cells[number]
        if chance() < PAIR_SHARE:
            if not closed and (number == 0 or number >= last - 1):
                continue
            if given[number + 1 - size]:
                continue
            options: Sequence[int] = after[cells[number - 1]]
            new = options[int(chance() * len(options))]
            if new not in domains[number]:
                continue
            options = between(new, cells[number + 2 - size])
            if not options:
                continue
            new_above = options[int(chance() * len(options))]
            if new_above not in domains[number + 1 - size]:
                continue
            old_above = cells[number + 1 - size]
            covers[old] -= 1
            change = int(covers[old] == 0)
            covers[old_above] -= 1
            change += covers[old_above] == 0
            change -= covers[new] == 0
            covers[new] += 1
            change -= covers[new_above] == 0
            covers[new_above] += 1
            if change <= 0 or chance() < odds[change]:
                cells[number] = new
                cells[number + 1 - size] = new_above
                uncovered += change
            else:
                covers[new] -= 1
                covers[new_above] -= 1
                covers[old] += 1
                covers[old_above] += 1
            continue
        if closed or 0 < number < last:
            options = between(cells[number - 1], cells[number + 1 - size])
        elif number:
            options = after[cells[number - 1]]
        else:
            options = before[cells[1]]
        new = options[int(chance() * len(options))]
        if new == old or new not in domains[number]:
            continue
        change = int(covers[old] == 1) - (covers[new] == 0)
        if change <= 0 or chance() < odds[1]:
            covers[old] -= 1
            covers[new] += 1
            cells[number] = new
            uncovered += change
    return cells
