"""Long paths by Warnsdorff's rule, completed by rotations in the manner of Posa.

A path that is stuck at its end is turned round from some cell next to the end
on: that gives a path through the same cells with another end.  Which ends a
few rotations lead to is worked out on paper first, so that only those that
help are carried out; even for 40,000 cells that takes a fraction of a second.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Sequence

from hidato_opt.core.clock import Deadline

Near = Sequence[Sequence[int]]
"""The neighbours of each cell; moves go both ways."""

_SCOUTED = 5000
"""Ends worked out on paper before one of the last is made real: deep ones cost more each."""
_STRAYS = 100
"""How often that is done before the path counts as stuck."""


class GrowingPath:
    """A path on a graph whose moves go both ways, to be grown and rotated at its end.

    Parameters
    ----------
    near : sequence of sequences
        The neighbours of each cell.
    first : int
        Where the path starts.
    rng : random.Random
        Breaks ties.

    Attributes
    ----------
    cells : list of int
        The cells of the path in order.
    """

    def __init__(self, near: Near, first: int, rng: random.Random) -> None:
        self.cells = [first]
        self._near = near
        self._chance = rng.random
        self._unvisited = bytearray([1]) * len(near)
        self._unvisited[first] = 0
        self._ways = [len(cells) for cells in near]
        for other in near[first]:
            self._ways[other] -= 1
        self._place = [len(near)] * len(near)  # beyond the end where a cell is not on the path
        self._place[first] = 0

    @property
    def complete(self) -> bool:
        """Whether every cell is on the path."""
        return len(self.cells) == len(self._near)

    @property
    def closed(self) -> bool:
        """Whether the ends of the path are neighbours."""
        return self.cells[0] in self._near[self.cells[-1]]

    def grow(self) -> None:
        """Extend the path to the neighbour with the fewest ways on, until it is stuck."""
        near, ways, unvisited, chance = self._near, self._ways, self._unvisited, self._chance
        cells = self.cells
        cell = cells[-1]
        while cell >= 0:
            least, ties, following = len(near), 0, -1
            for other in near[cell]:
                if unvisited[other]:
                    count = ways[other]
                    if count < least:
                        least, ties, following = count, 1, other
                    elif count == least:
                        ties += 1
                        if chance() * ties < 1:
                            following = other
            cell = following
            if cell >= 0:
                self._place[cell] = len(cells)
                cells.append(cell)
                unvisited[cell] = 0
                for other in near[cell]:
                    ways[other] -= 1

    def turn(self) -> None:
        """Reverse the path."""
        self._rotate(-1)

    def reach(self, closing: bool) -> bool:
        """Rotate to an end that has an unvisited neighbour, or that is next to the first cell.

        Returns
        -------
        bool
            Whether such an end was found; if not, the path may have another
            end than before.
        """
        ways = self._ways
        by_first = frozenset(self._near[self.cells[0]])
        is_goal = by_first.__contains__ if closing else ways.__getitem__
        seen = {self.cells[-1]}
        for _ in range(_STRAYS):
            cuts, found = self._scout(is_goal, seen)
            for cut in cuts:
                self._rotate(cut)
            if found or not cuts:
                return found
        return False

    def _rotate(self, cut: int) -> None:
        """Reverse what comes after an index."""
        cells, place = self.cells, self._place
        cells[cut + 1 :] = cells[cut + 1 :][::-1]
        for index in range(cut + 1, len(cells)):
            place[cells[index]] = index

    def _scout(self, is_goal: Callable[[int], object], seen: set[int]) -> tuple[list[int], bool]:
        """Find the fewest rotations that give the path an end that will do.

        The path stays as it is here: indices are translated through the
        rotations instead.

        Returns
        -------
        list of int
            Where to rotate: to an end that will do, or else as far out as was
            looked; empty if all ends that can be reached were looked at.
        bool
            Whether the end will do.
        """
        near, cells, place = self._near, self.cells, self._place
        last = len(cells) - 1
        enough = len(seen) + _SCOUTED
        queue: deque[tuple[int, tuple[int, ...]]] = deque([(cells[-1], ())])
        while queue:
            end, cuts = queue.popleft()
            if len(seen) > enough:
                return list(queue[-1][1]), False
            back = cuts[::-1]
            for other in near[end]:
                cut = place[other]
                if cut > last:
                    continue
                for earlier in cuts:
                    if cut > earlier:
                        cut = earlier + 1 + last - cut
                index = cut + 1
                if index >= last:
                    continue  # the cell before the end: nothing to reverse
                for earlier in back:
                    if index > earlier:
                        index = earlier + 1 + last - index
                new_end = cells[index]
                if new_end in seen:
                    continue
                if is_goal(new_end):
                    return [*cuts, cut], True
                seen.add(new_end)
                queue.append((new_end, (*cuts, cut)))
        return [], False


def rotated_path(
    near: Near, start: int | None, closed: bool, rng: random.Random, deadline: Deadline
) -> list[int]:
    """Grow one path and rotate it until it is complete or rotations lead nowhere new.

    Parameters
    ----------
    near : sequence of sequences
        The neighbours of each cell, moves both ways.
    start : int or None
        The first cell; None for any.
    closed : bool
        Whether the last cell must be next to the first one; the path may then
        begin anywhere.
    rng : random.Random
        Where chance comes from.
    deadline : Deadline
        When to return what there is.

    Returns
    -------
    list of int
        The cells of the path in order; if it gave up, incomplete or not closed.
    """
    path = GrowingPath(near, rng.randrange(len(near)) if start is None else start, rng)
    turned = False
    while not deadline.expired:
        path.grow()
        if path.complete and (not closed or path.closed):
            break
        if path.reach(closing=path.complete):
            turned = False
        elif turned or (start is not None and not closed):
            break
        else:
            path.turn()
            turned = True
    return path.cells
