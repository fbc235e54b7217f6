"""Trying every cell of every number: what leads to a contradiction at once cannot be."""

from __future__ import annotations

from collections.abc import Sequence

from hidato_opt.core.clock import Deadline
from hidato_opt.path.kernel.bits import BitBoard, Mask, each_bit
from hidato_opt.path.kernel.propagate import Fixpoint, Link, propagate
from hidato_opt.path.kernel.tree import Position


def probe(
    board: BitBoard, position: Position, links: Sequence[Link], number: int, bit: Mask
) -> Fixpoint:
    """Return what follows if a number stands in a cell."""
    domains = position.domains.copy()
    domains[number] = bit
    live = [other for other in position.live if other != number]
    return propagate(board, domains, live, position.free & ~bit, [number], links)


def shave(
    board: BitBoard, position: Position, links: Sequence[Link], deadline: Deadline
) -> Position | None:
    """Remove every cell of a number that leads to a contradiction, until none does.

    Returns
    -------
    Position or None
        A new position (as far as the deadline lets it come), or None on a
        contradiction.
    """
    position = position._replace(domains=position.domains.copy())
    settled = False
    while not settled:
        settled = True
        for number in sorted(position.live, key=lambda k: position.domains[k].bit_count()):
            for bit in each_bit(position.domains[number]):
                if deadline.expired:
                    return position
                domains = position.domains
                if not domains[number] & bit or domains[number] == bit:
                    continue
                if probe(board, position, links, number, bit).live is not None:
                    continue
                settled = False
                domains[number] ^= bit
                found = propagate(board, domains, position.live, position.free, [number], links)
                if found.live is None:
                    return None
                position = Position(domains, found.live, found.free, found.pairs)
    return position
