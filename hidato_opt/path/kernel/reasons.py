"""The deductions of `propagate` and `structure` one step at a time, each with its reason."""

from __future__ import annotations

from hidato_opt.core.clock import Deadline
from hidato_opt.path.kernel.bits import Mask, each_bit
from hidato_opt.path.kernel.problem import Problem
from hidato_opt.path.kernel.shave import probe
from hidato_opt.path.kernel.steps import Contradiction, Record
from hidato_opt.path.kernel.structure import (
    CUT_LIMIT,
    allowed_by_cut,
    components,
    cut_cells,
    fit_gaps,
)
from hidato_opt.path.kernel.tree import Position


class Reasoner(Record):
    """Narrows the domains of a problem by one rule at a time, the easiest first."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        board = problem.board
        self._size = board.size
        self._cuts = cut_cells(board) if board.connected and self._size <= CUT_LIMIT else []

    def settle(self, probing: bool, deadline: Deadline) -> Position | None:
        """Apply the rules until nothing more follows.

        Parameters
        ----------
        probing : bool
            Whether to try every cell of every number where nothing else follows.
        deadline : Deadline
            When to stop probing.

        Returns
        -------
        Position or None
            What is left, or None on a contradiction.
        """
        rules = (
            self._singles,
            self._hidden_singles,
            self._windows,
            self._neighbours,
            self._dead_ends,
            self._links,
            self._cut_cells,
            self._regions,
        )
        try:
            self._whole_board()
            while any(rule() for rule in rules) or (probing and self._probe(deadline)):
                pass
        except Contradiction:
            return None
        return self.position

    def _whole_board(self) -> None:
        board, problem = self.board, self.problem
        if not board.connected:
            part = components(board, board.everything)[0]
            rest = board.everything ^ part
            self.fail(
                "apart",
                f"no moves lead from {self.names(part)} to {self.names(rest)}",
                cells=part,
            )
        if problem.links is None:
            self.fail("link", "a cell is linked to more than two others, or to one out of reach")
        if board.colours is not None:
            self._parity(*board.colours)

    def _parity(self, even: Mask, odd: Mask) -> None:
        size, closed, clues = self._size, self.problem.closed, self.problem.clues
        if even.bit_count() < odd.bit_count():
            even, odd = odd, even
        sizes = f"{even.bit_count()} and {odd.bit_count()} cells"
        if even.bit_count() - odd.bit_count() > (0 if closed else size % 2):
            self.fail("parity", f"every move changes between two colours of {sizes}")
        why = f"every move changes between two colours of {sizes}"
        ground: tuple[int, ...] = ()
        if size % 2 == 0:
            if not clues:
                return
            number, bit = next(iter(clues.items()))
            if (number % 2 == 0) != bool(bit & even):
                even, odd = odd, even
            why = f"every move changes colour, and {number + 1} stands in {self.names(bit)}"
            ground = (number,)
        removals = [
            (number, self.domains[number] & (even if number % 2 else odd)) for number in range(size)
        ]
        text = f"even and odd numbers stand on different colours: {why}"
        self.remove("parity", removals, text, ground)

    def _singles(self) -> bool:
        for number in self.live:
            bit = self.domains[number]
            if not bit & (bit - 1):
                text = f"{number + 1} can only stand in {self.names(bit)}"
                self.place("single", number, bit, text)
                return True
        return False

    def _hidden_singles(self) -> bool:
        once = twice = 0
        for number in self.live:
            twice |= once & self.domains[number]
            once |= self.domains[number]
        nowhere = self.free & ~once
        if nowhere:
            bit = nowhere & -nowhere
            self.fail("hidden single", f"no number is left for {self.names(bit)}", cells=bit)
        alone = once & ~twice
        for number in self.live:
            here = self.domains[number] & alone
            if here & (here - 1):
                text = f"{number + 1} alone is left for {self.names(here)}"
                self.fail("hidden single", text, (number,), here)
            if here:
                text = f"{self.names(here)} can only hold {number + 1}"
                self.place("hidden single", number, here, text)
                return True
        return False

    def _windows(self) -> bool:
        """Walk from each placed number over free cells, upwards and downwards."""
        if len(self.live) == self._size:
            return False
        size, board = self._size, self.board
        unplaced = set(self.live)
        found = False
        for step, near, way in ((1, board.after, "from"), (-1, board.before, "to")):
            for start in range(size):
                if start in unplaced:
                    continue
                reached, moves, number = self.domains[start], 1, start + step
                while self._index(number) in unplaced:
                    number = self._index(number)
                    reached = near[reached] & self.free
                    gone = self.domains[number] & ~reached
                    if gone:
                        text = (
                            f"{number + 1} cannot stand in {self.names(gone)}: no walk of "
                            f"{moves} {'move' if moves == 1 else 'moves'} over free cells leads "
                            f"there {way} {start + 1} in {self.names(self.domains[start])}"
                        )
                        self.remove("window", [(number, gone)], text, (start,))
                        found = True
                    number, moves = number + step, moves + 1
        return found

    def _index(self, number: int) -> int:
        """Return the number that one past an end stands for: itself unless the tour is closed."""
        return number % self._size if self.problem.closed else number

    def _neighbours(self) -> bool:
        size, board = self._size, self.board
        for number in range(size):
            for other, near in (
                (number - 1, board.after),
                (number + 1, board.before),
            ):
                if not (self.problem.closed or 0 <= other < size):
                    continue
                other = other % size
                gone = self.domains[number] & ~near[self.domains[other]]
                if gone:
                    text = (
                        f"{number + 1} cannot stand in {self.names(gone)}: no cell left for "
                        f"{other + 1} is a move away"
                    )
                    self.remove("neighbour", [(number, gone)], text, (other,))
                    return True
        return False

    def _dead_ends(self) -> bool:
        lone = self.board.few_ways(self.free)
        unplaced = set(self.live)
        for number in self.live if lone else ():
            gone = self.domains[number] & lone
            below, above = self._index(number - 1), self._index(number + 1)
            if gone and below in unplaced and above in unplaced and below != above:
                text = (
                    f"{number + 1} cannot stand in {self.names(gone)}: {below + 1} and "
                    f"{above + 1} need two free cells a move away"
                )
                self.remove("dead end", [(number, gone)], text, (below, above))
                return True
        return False

    def _links(self) -> bool:
        domains = self.domains
        for cell, one, two in self.problem.links or ():
            for number in range(self._size):
                if not domains[number] & cell:
                    continue
                ahead = number + 1 - len(domains)
                above, below = domains[ahead], domains[number - 1]
                if two:
                    joined = (below & one and above & two) or (below & two and above & one)
                else:
                    joined = (below | above) & one
                partners = one | two
                name = f"{self.names(cell)} is linked to {self.names(partners)}"
                if not joined:
                    text = f"{number + 1} cannot stand in {self.names(cell)}: {name}"
                    self.remove("link", [(number, cell)], text, cells=partners)
                    return True
                if domains[number] != cell:
                    continue
                for index, opposite in ((ahead, below), (number - 1, above)):
                    gone = domains[index] & ~partners
                    if gone and (two or not opposite & one):
                        other = index % len(domains)
                        text = f"{other + 1} stands next to {number + 1}: {name}"
                        self.remove("link", [(other, gone)], text, (number,), cell | partners)
                        return True
        return False

    def _cut_cells(self) -> bool:
        for cut in self._cuts:
            sizes = " and ".join(str(part.bit_count()) for part in cut.parts)
            name = f"without {self.names(cut.bit)} the board falls into parts of {sizes} cells"
            allowed = allowed_by_cut(self.board, self.domains, cut, self.problem.closed)
            if allowed is None:
                text = f"{name}, which no path can pass through in turn"
                self.fail("cut cell", text, cells=cut.bit)
            removals = [
                (number, self.domains[number] & ~cells) for number, cells in enumerate(allowed)
            ]
            text = f"{name}: one part is numbered before it, the other after it"
            if self.remove("cut cell", removals, text, cells=cut.bit):
                return True
        return False

    def _regions(self) -> bool:
        closed = self.problem.closed
        fitted = fit_gaps(self.board, self.domains, self.live, self.free, closed)
        if fitted is None:
            regions = components(self.board, self.free)
            sizes = ", ".join(str(region.bit_count()) for region in regions)
            text = f"the free cells lie in parts of {sizes}, which the missing numbers cannot fill"
            self.fail("region", text, cells=self.free)
        for gap in fitted:
            place = sum(gap.places)
            removals = [(number, self.domains[number] & ~place) for number in gap.numbers]
            text = (
                f"{gap.numbers[0] + 1} to {gap.numbers[-1] + 1} stand together in a part of the "
                f"free cells that the missing numbers fill exactly"
            )
            if self.remove("region", removals, text, tuple(gap.numbers), place):
                return True
        return False

    def _probe(self, deadline: Deadline) -> bool:
        position, links = self.position, self.problem.links or ()
        for number in sorted(self.live, key=lambda k: self.domains[k].bit_count()):
            for bit in each_bit(self.domains[number]):
                if deadline.expired:
                    return False
                found = probe(self.board, position, links, number, bit)
                if found.live is None:
                    if found.free >= 0:
                        outcome = f"no cell is left for {found.free + 1}"
                    else:
                        outcome = f"{self.names(found.pairs)} cannot be numbered"
                    text = (
                        f"{number + 1} cannot stand in {self.names(bit)}: what follows from it "
                        f"in the end is that {outcome}"
                    )
                    self.remove("probe", [(number, bit)], text)
                    return True
        return False
