"""Walks with uncovered cells, mended by solving one region of the board after the other.

A tree search on a large board with few clues gets lost: parts of the board
that have little to do with each other fail in turn.  An annealed walk leaves a
few cells uncovered, and as many covered twice; taking all numbers out of a
region around an uncovered cell leaves a small board that the tree search
solves, or refutes, in some ten nodes.
"""

from __future__ import annotations

import random

from hidato_opt.core.clock import Deadline
from hidato_opt.path.kernel.anneal import Walks, anneal
from hidato_opt.path.kernel.bits import BitBoard, Mask, each_bit
from hidato_opt.path.kernel.propagate import propagate
from hidato_opt.path.kernel.tree import Position, Tree

SMALLEST_REGION, LARGEST_REGION = 25, 90
"""Cells of a region."""
REGION_NODES = 150
"""Nodes of the tree search in a region."""
PATIENCE = 300
"""Regions tried without progress before a walk is given up."""
SPARE_CHOICE = 6
"""Among how many cells each cell that stays uncovered is drawn."""
FIRST_SWEEPS = 300
SWEEP_GROWTH = 1.5
"""How much longer each walk is annealed than the one before it."""


class Mender:
    """Looks for a solution by annealed walks and exact repairs; proves nothing.

    Parameters
    ----------
    board : BitBoard
        The cells.
    root : Position
        The domains to stay in; some number must not be given, and one must be
        if the path is closed.
    closed : bool
        Whether number 0 follows the last one.
    seed : int
        Where chance starts.

    Attributes
    ----------
    best : list of int
        Cells by number of the walk with the fewest uncovered cells so far.
    repairs : int
        Regions tried so far.
    """

    def __init__(self, board: BitBoard, root: Position, closed: bool, seed: int = 0) -> None:
        self.board = board
        self.best: list[int] = []
        self.repairs = 0
        self._root = root
        self._closed = closed
        self._random = random.Random(seed)
        self._walks = Walks(board, root.domains, root.live, closed)
        self._fewest = board.size + 1
        self._sweeps = float(FIRST_SWEEPS)

    def round(self, deadline: Deadline) -> list[Mask] | None:
        """Anneal one walk and mend it as far as it goes.

        Returns
        -------
        list of Mask or None
            The cell's bit by number, or None if cells are left uncovered.
        """
        cells = anneal(self._walks, int(self._sweeps), self._random, deadline)
        self._sweeps *= SWEEP_GROWTH
        patch = _Patchwork(self.board, [self.board.bits[cell] for cell in cells])
        patience = PATIENCE
        while patch.holes and patience and not deadline.expired:
            before = patch.holes.bit_count()
            self.repairs += 1
            self._repair(patch)
            patience = PATIENCE if patch.holes.bit_count() < before else patience - 1
        if patch.holes.bit_count() < self._fewest:
            self._fewest = patch.holes.bit_count()
            self.best = [self.board.cell(bit) for bit in patch.bits]
        return None if patch.holes else patch.bits

    def _repair(self, patch: _Patchwork) -> None:
        """Empty a region around an uncovered cell and fill it exactly, if that can be done."""
        board, (known, live, free, _) = self.board, self._root
        region = self._region(patch.holes) & free
        unfixed = set(live)
        numbers = [number for number in patch.numbers_on(region) if number in unfixed]
        region, numbers = self._balance(patch, region, numbers)
        chosen = set(numbers)
        domains = [*patch.bits] if self._closed else [*patch.bits, 0]
        changed = []
        for number in numbers:
            domains[number] = known[number] & region
            if not domains[number]:
                return
            changed.append(number)
            changed += [
                other % board.size
                for other in (number - 1, number + 1)
                if other not in chosen and (self._closed or 0 <= other < board.size)
            ]
        found = propagate(board, domains, numbers, region, changed)
        if found.live is None:
            return
        tree = Tree(board, Position(domains, found.live, found.free, found.pairs))
        for solution in tree.run(REGION_NODES, Deadline(None)):
            patch.move(numbers, solution)
            return

    def _region(self, holes: Mask) -> Mask:
        """Grow a region of chance size around an uncovered cell."""
        board, chance = self.board, self._random.random
        size = int(SMALLEST_REGION * (LARGEST_REGION / SMALLEST_REGION) ** chance())
        region = self._any(holes)
        while True:
            ring = board.touching(region) & ~region
            room = size - region.bit_count()
            if not ring or room <= 0:
                return region
            while ring.bit_count() > room:
                ring ^= self._any(ring)
            region |= ring

    def _balance(
        self, patch: _Patchwork, region: Mask, numbers: list[int]
    ) -> tuple[Mask, list[int]]:
        """Make as many cells as numbers, colour by colour, so that the region can be covered.

        Cells to spare are left uncovered where doubly covered cells outside
        are near; numbers to spare stay on cells that are covered twice.
        """
        colours = self.board.colours
        if colours is None:
            return self._balance_colour(patch, region, region, numbers)
        even, odd = colours
        if patch.bits[0] & odd:
            even, odd = odd, even
        for colour, parity in ((even, 0), (odd, 1)):
            of_colour = [number for number in numbers if number % 2 == parity]
            region, kept = self._balance_colour(patch, region, region & colour, of_colour)
            numbers = sorted([n for n in numbers if n % 2 != parity] + kept)
        return region, numbers

    def _balance_colour(
        self, patch: _Patchwork, region: Mask, cells: Mask, numbers: list[int]
    ) -> tuple[Mask, list[int]]:
        spare = cells.bit_count() - len(numbers)
        if spare >= 0:
            near = self._nearest(patch.doubles & ~region, cells, SPARE_CHOICE * spare)
            for _ in range(spare):
                bit = self._any(near)
                near ^= bit
                region ^= bit
            return region, numbers
        shuffled = numbers.copy()
        self._random.shuffle(shuffled)
        left = patch.counts_on(region)
        staying: set[int] = set()
        for number in shuffled:
            bit = patch.bits[number]
            if len(staying) < -spare and left.get(bit, 0) > 1:
                left[bit] -= 1
                staying.add(number)
        return region, [number for number in numbers if number not in staying]

    def _nearest(self, targets: Mask, cells: Mask, count: int) -> Mask:
        """Return at least so many of the cells nearest to some target, or all where none is."""
        ring = seen = targets
        while ring:
            ring = self.board.touching(ring) & ~seen
            seen |= ring
            if (seen & cells).bit_count() >= count:
                return seen & cells
        return cells

    def _any(self, mask: Mask) -> Mask:
        """Draw a bit."""
        for _ in range(int(self._random.random() * mask.bit_count())):
            mask &= mask - 1
        return mask & -mask


class _Patchwork:
    """A walk: which cell each number is on, which cells are uncovered, and which doubly covered."""

    def __init__(self, board: BitBoard, bits: list[Mask]) -> None:
        self.bits = bits
        self._everything = board.everything
        self._on: dict[Mask, list[int]] = {}
        for number, bit in enumerate(bits):
            self._on.setdefault(bit, []).append(number)
        self._count()

    def _count(self) -> None:
        once = twice = 0
        for bit in self.bits:
            twice |= once & bit
            once |= bit
        self.holes: Mask = self._everything & ~once
        self.doubles: Mask = twice

    def numbers_on(self, region: Mask) -> list[int]:
        """List the numbers on the cells of a region, in order."""
        on = self._on
        return sorted(number for bit in each_bit(region) for number in on.get(bit, ()))

    def counts_on(self, region: Mask) -> dict[Mask, int]:
        """Count the numbers on each cell of a region that is covered more than once."""
        return {bit: len(self._on[bit]) for bit in each_bit(region & self.doubles)}

    def move(self, numbers: list[int], bits: list[Mask]) -> None:
        """Put numbers on other cells."""
        for number in numbers:
            self._on[self.bits[number]].remove(number)
        for number in numbers:
            self.bits[number] = bits[number]
            self._on.setdefault(bits[number], []).append(number)
        self._count()
