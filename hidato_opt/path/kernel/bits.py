"""Sets of cells as the bits of Python integers, and their neighbourhoods.

A board of some hundred cells fits into one integer, on which "all cells next
to one of these" is a handful of shifts: that is what makes plain Python fast
enough.  Neighbourhoods are remembered, since a search asks for the same ones
again and again; that also makes graphs without a lattice nearly as fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

Mask = int
"""A set of cells: the bit of each cell that is in it."""
Shift = tuple[int, "Mask | None"]
"""How far a move shifts a bit (to the left if positive), and the cells that have it (None: all)."""

_MEMORY_BITS = 40_000_000
_MEMORY_ENTRIES = 60_000


class Neighbourhoods(dict[Mask, Mask]):
    """For a set of cells, the places a move leads to from one of them; worked out once each.

    The places may lie outside the board: whoever asks intersects them with
    cells anyway.
    """

    def __init__(self, work_out: Callable[[Mask], Mask], width: int) -> None:
        super().__init__()
        self._work_out = work_out
        self._most = max(64, min(_MEMORY_ENTRIES, _MEMORY_BITS // width))

    def __missing__(self, cells: Mask) -> Mask:
        if len(self) >= self._most:
            self.clear()
        found = self[cells] = self._work_out(cells)
        return found


@dataclass(frozen=True)
class Stencil:
    """The moves of a lattice as shifts of a bit set.

    Attributes
    ----------
    width : int
        Bits from one row to the next.
    shifts : tuple of (shift, mask or None)
        One entry a move.
    """

    width: int
    shifts: tuple[Shift, ...]

    def reversed(self) -> Stencil:
        """Return the stencil of the moves taken backwards."""
        return Stencil(
            self.width,
            tuple(
                (-shift, None if mask is None else _shifted(mask, shift))
                for shift, mask in self.shifts
            ),
        )


class BitBoard:
    """A graph's cells as bits, with its neighbourhoods.

    Parameters
    ----------
    places : list of int
        Which bit each cell is, in increasing order.
    after, before : Neighbourhoods
        Where moves lead to and come from; one object where every move has a
        move back.
    few_ways : callable
        Maps a set of cells to those of them with fewer than two neighbours
        among them, moves taken both ways.

    Attributes
    ----------
    everything : Mask
        All cells.
    """

    def __init__(
        self,
        places: list[int],
        after: Neighbourhoods,
        before: Neighbourhoods,
        few_ways: Callable[[Mask], Mask],
    ) -> None:
        self.places = places
        self.size = len(places)
        self.after = after
        self.before = before
        self.few_ways = few_ways
        self.everything: Mask = mask_of_places(places)

    @cached_property
    def bits(self) -> list[Mask]:
        """The bit of each cell."""
        return [1 << place for place in self.places]

    @cached_property
    def cell_at(self) -> dict[int, int]:
        """The cell of each place."""
        return {place: cell for cell, place in enumerate(self.places)}

    def cells(self, mask: Mask) -> list[int]:
        """List the cells of a set, in order."""
        cell_at = self.cell_at
        return [cell_at[bit.bit_length() - 1] for bit in each_bit(mask)]

    def cell(self, bit: Mask) -> int:
        """Return the cell of a single bit."""
        return self.cell_at[bit.bit_length() - 1]

    def mask(self, cells: Iterable[int]) -> Mask:
        """Return a set of cells as a mask."""
        return mask_of_places([self.places[cell] for cell in cells])

    def touching(self, cells: Mask) -> Mask:
        """Return the board's cells with a move to or from one of these."""
        near = self.after[cells]
        if self.before is not self.after:
            near |= self.before[cells]
        return near & self.everything

    def component(self, start: Mask, within: Mask) -> Mask:
        """Return the cells of `within` that can be walked to from `start`, moves both ways."""
        found = ring = start
        while ring:
            ring = self.touching(ring) & within & ~found
            found |= ring
        return found

    @cached_property
    def _survey(self) -> tuple[bool, tuple[Mask, Mask] | None]:
        ring = self.everything & -self.everything
        sides = [ring, 0]
        two_coloured, turn = True, 0
        while ring:
            near = self.touching(ring)
            two_coloured = two_coloured and not near & ring
            turn = 1 - turn
            ring = near & ~sides[0] & ~sides[1]
            sides[turn] |= ring
        connected = sides[0] | sides[1] == self.everything
        return connected, (sides[0], sides[1]) if connected and two_coloured else None

    @property
    def connected(self) -> bool:
        """Whether every cell can be walked to from every other, moves taken both ways."""
        return self._survey[0]

    @property
    def colours(self) -> tuple[Mask, Mask] | None:
        """The two colours of a connected board whose moves always change colour, else None."""
        return self._survey[1]


def each_bit(mask: Mask) -> Iterator[Mask]:
    """Yield the bits of a mask, lowest first.

    Examples
    --------
    >>> list(each_bit(0b1010))
    [2, 8]
    """
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def board_of_stencil(places: list[int], stencil: Stencil, *, directed: bool) -> BitBoard:
    """Make the bit board of a lattice."""
    width = places[-1] + 1
    after = Neighbourhoods(shifts_function(stencil), width)
    if not directed:
        return BitBoard(places, after, after, _few_ways_by_shifts(stencil.shifts))
    backwards = stencil.reversed()
    before = Neighbourhoods(shifts_function(backwards), width)
    both = tuple(dict.fromkeys(stencil.shifts + backwards.shifts))
    return BitBoard(places, after, before, _few_ways_by_shifts(both))


def board_of_masks(
    successors: Sequence[Sequence[int]], predecessors: Sequence[Sequence[int]], *, directed: bool
) -> BitBoard:
    """Make the bit board of any graph: cell i is bit i."""
    places = list(range(len(successors)))
    heads = {1 << cell: mask_of_places(near) for cell, near in enumerate(successors)}
    after = Neighbourhoods(_table_function(heads), len(places))
    if not directed:
        return BitBoard(places, after, after, _few_ways_by_table(heads))
    tails = {1 << cell: mask_of_places(near) for cell, near in enumerate(predecessors)}
    before = Neighbourhoods(_table_function(tails), len(places))
    both = {bit: heads[bit] | tails[bit] for bit in heads}
    return BitBoard(places, after, before, _few_ways_by_table(both))


def shifts_function(stencil: Stencil) -> Callable[[Mask], Mask]:
    """Return the function from a set of cells to where the stencil's moves lead.

    King, rook, knight and Hopido moves share shifts (a king's row of three is
    shifted as a whole), which halves their cost; any other stencil costs a
    shift a move.
    """
    w = stencil.width
    shifts = {shift for shift, mask in stencil.shifts if mask is None}

    def king(x: Mask) -> Mask:
        beside = x << 1 | x >> 1
        row = beside | x
        return beside | row << w | row >> w

    def rook(x: Mask) -> Mask:
        return x << 1 | x >> 1 | x << w | x >> w

    def knight(x: Mask) -> Mask:
        one, two = x << 1 | x >> 1, x << 2 | x >> 2
        return one << 2 * w | one >> 2 * w | two << w | two >> w

    def hopido(x: Mask) -> Mask:
        two = x << 2 | x >> 2
        return two << 2 * w | two >> 2 * w | x << 3 | x >> 3 | x << 3 * w | x >> 3 * w

    if len(shifts) == len(stencil.shifts):
        for function, half in (
            (king, {1, w - 1, w, w + 1}),
            (rook, {1, w}),
            (knight, {w - 2, w + 2, 2 * w - 1, 2 * w + 1}),
            (hopido, {3, 2 * w - 2, 2 * w + 2, 3 * w}),
        ):
            if shifts == half | {-shift for shift in half}:
                return function

    def any_moves(x: Mask) -> Mask:
        found = 0
        for shift, mask in stencil.shifts:
            found |= _shifted(x if mask is None else x & mask, shift)
        return found

    return any_moves


def _shifted(mask: Mask, shift: int) -> Mask:
    return mask << shift if shift > 0 else mask >> -shift


def mask_of_places(places: Sequence[int]) -> Mask:
    """Return the set of some places."""
    if len(places) < 1000:
        return sum([1 << place for place in places])
    octets = bytearray(max(places) // 8 + 1)  # adding up big integers would be quadratic
    for place in places:
        octets[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(octets, "little")


def _table_function(table: dict[Mask, Mask]) -> Callable[[Mask], Mask]:
    def look_up(x: Mask) -> Mask:
        found = 0
        while x:
            bit = x & -x
            found |= table[bit]
            x ^= bit
        return found

    return look_up


def _few_ways_by_shifts(shifts: tuple[Shift, ...]) -> Callable[[Mask], Mask]:
    def few_ways(free: Mask) -> Mask:
        one = two = 0
        for shift, mask in shifts:
            reached = free if mask is None else free & mask
            reached = reached << shift if shift > 0 else reached >> -shift
            two |= one & reached
            one |= reached
        return free & ~two

    return few_ways


def _few_ways_by_table(table: dict[Mask, Mask]) -> Callable[[Mask], Mask]:
    def few_ways(free: Mask) -> Mask:
        return sum(bit for bit in each_bit(free) if (table[bit] & free).bit_count() < 2)

    return few_ways
