"""What follows at once from the clues, and from each number that is placed after them.

The state of a board is a domain for each number: the set of cells where it can
still stand.  Numbers are 0-based in here.  The list of domains of an open path
ends with an empty set, so that number 0 (through index -1) and the last number
have a neighbour that never changes; the list of a closed tour has no such
entry, and index -1 is its last number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hidato_opt.path.kernel.bits import BitBoard, Mask

Link = tuple[Mask, Mask, Mask]
"""A cell, one that must come just before or after it, and a second one or 0."""


class Fixpoint(NamedTuple):
    """What is left when nothing more follows.

    Attributes
    ----------
    live : list of int or None
        The numbers without a cell of their own, in order; None if the board
        is contradictory.
    free : Mask
        The cells without a number; in a contradiction the number that has no
        cell left (-1: some cell has no number left).
    pairs : Mask
        Cells that exactly two numbers can take; in a contradiction the cells
        without a number, if that is what is wrong.
    """

    live: list[int] | None
    free: int
    pairs: int


def first_domains(board: BitBoard, clues: dict[int, Mask], closed: bool) -> list[Mask] | None:
    """Give each number the cells from which walks lead to the clues before and after it.

    The walks have the exact length and avoid the cells of clues (windows);
    where moves always change colour, so do numbers.

    Parameters
    ----------
    board : BitBoard
        The cells.
    clues : dict
        Bit of the cell by number.
    closed : bool
        Whether number 0 follows the last one.

    Returns
    -------
    list of Mask or None
        The domains; None if a number has no cell left, or the board is not
        connected, or its colours cannot be numbered alternately.
    """
    size = board.size
    free = board.everything
    if not board.connected:
        return None
    for bit in clues.values():
        free ^= bit
    if board.colours is None:
        domains = [free] * size
    else:
        even, odd = board.colours
        if even.bit_count() < odd.bit_count():
            even, odd = odd, even
        if even.bit_count() - odd.bit_count() > (0 if closed else size % 2):
            return None
        if clues and size % 2 == 0:
            number, bit = next(iter(clues.items()))
            if (number % 2 == 0) != bool(bit & even):
                even, odd = odd, even
        elif size % 2 == 0:
            even = odd = free
        domains = [even & free, odd & free] * (size // 2)
        if size % 2:
            domains.append(even & free)
        if any(not bit & (odd if number % 2 else even) for number, bit in clues.items()):
            return None
    for number, bit in clues.items():
        domains[number] = bit
    if not closed:
        domains.append(0)
    if clues and not _narrow_to_walks(board, domains, sorted(clues), closed):
        return None
    return domains


def _narrow_to_walks(board: BitBoard, domains: list[Mask], given: list[int], closed: bool) -> bool:
    """Keep what is next to something, number by number upwards and then downwards.

    The order of numbers is a path (a closed tour is cut open at a clue), so
    one sweep each way settles it.
    """
    size, first, last = board.size, given[0], given[-1]
    if closed:
        upwards = [*range(first + 1, size), *range(first + 1)]
        downwards = [*range(first - 1, -1, -1), *range(size - 1, first - 1, -1)]
        last = first
    else:
        upwards, downwards = [*range(first + 1, size)], [*range(last - 1, -1, -1)]
    for start, order, near in ((first, upwards, board.after), (last, downwards, board.before)):
        domain = domains[start]
        for number in order:
            known = domains[number]
            domain = known & near[domain]
            if domain == known:
                domain = known  # one object for equal sets: boards of 40,000 cells stay small
            elif not domain:
                return False
            else:
                domains[number] = domain
    return True


def propagate(
    board: BitBoard,
    domains: list[Mask],
    live: list[int],
    free: Mask,
    changed: list[int],
    links: Sequence[Link] = (),
) -> Fixpoint:
    """Narrow the domains until nothing more follows.

    Four rules: consecutive numbers stand a move apart; a cell holds one number
    (a number with one cell left takes it from the others); a cell that one
    number alone can take goes to it; a number whose two neighbours in the
    order both have no cell yet cannot stand where there are fewer than two
    free cells around.

    Parameters
    ----------
    board : BitBoard
        The cells.
    domains : list of Mask
        The domains; narrowed in place, of no use after a contradiction.
    live : list of int
        The numbers that had no cell of their own, in order; not changed.
    free : Mask
        The cells without a number.
    changed : list of int
        Numbers whose domains have shrunk since the last fixpoint, or an empty
        list where consecutive domains agree; used up.
    links : sequence of Link
        Cells that must be consecutive.

    Returns
    -------
    Fixpoint
        The numbers and cells that are left.
    """
    after, before = board.after, board.before
    directed = after is not before
    size, length = board.size, len(domains)
    settled_free = lone = -1
    while True:
        while changed:
            number = changed.pop()
            domain = domains[number]
            near = after[domain]
            other = number + 1 - length  # negative: counts from the end, which closes the circle
            known = domains[other]
            kept = known & near
            if kept != known:
                if not kept:
                    return Fixpoint(None, number + 1 if number + 1 < size else 0, 0)
                domains[other] = kept
                changed.append(number + 1 if number + 1 < size else 0)
            if directed:
                near = before[domain]
            known = domains[number - 1]
            kept = known & near
            if kept != known:
                if not kept:
                    return Fixpoint(None, number - 1 if number else size - 1, 0)
                domains[number - 1] = kept
                changed.append(number - 1 if number else size - 1)

        once = twice = thrice = 0  # cells that at least one, two, three numbers can take
        rest = []
        for number in live:
            known = domains[number]
            kept = known & free
            if kept & (kept - 1):
                if kept != known:
                    domains[number] = kept
                    changed.append(number)
                thrice |= twice & kept
                twice |= once & kept
                once |= kept
                rest.append(number)
            elif kept:
                free ^= kept
                domains[number] = kept
                changed.append(number)
            else:
                return Fixpoint(None, number, 0)
        live = rest
        if changed:
            continue
        if once != free:
            return Fixpoint(None, -1, free & ~once)
        alone = free & ~twice
        if alone:
            rest = []
            for number in live:
                kept = domains[number] & alone
                if not kept:
                    rest.append(number)
                elif kept & (kept - 1):
                    return Fixpoint(None, -1, kept)
                else:
                    free ^= kept
                    domains[number] = kept
                    changed.append(number)
            live = rest
            continue

        if free != settled_free:
            settled_free = free
            lone = board.few_ways(free)
            if lone and not _leave_lone(domains, live, size, lone, changed):
                return Fixpoint(None, -1, lone)
        if links and not changed:
            wrong = _join_links(domains, size, links, changed)
            if wrong is not None:
                return Fixpoint(None, wrong, 0)
        if not changed:
            return Fixpoint(live, free, twice & ~thrice)


def _leave_lone(
    domains: list[Mask], live: list[int], size: int, lone: Mask, changed: list[int]
) -> bool:
    """Take lone cells from the numbers between two that have no cell; False on a contradiction."""
    closed = len(domains) == size
    unfixed = set(live)
    for number in live:
        known = domains[number]
        if not known & lone:
            continue
        below, above = number - 1, number + 1
        if closed:
            below, above = below % size, above % size
        if below in unfixed and above in unfixed and below != above:
            kept = known & ~lone
            if not kept:
                return False
            domains[number] = kept
            changed.append(number)
    return True


def _join_links(
    domains: list[Mask], size: int, links: Sequence[Link], changed: list[int]
) -> int | None:
    """Keep linked cells next to each other in the order; return a number that has no cell left."""
    length = len(domains)
    for cell, one, two in links:
        for number in range(size):
            domain = domains[number]
            if not domain & cell:
                continue
            ahead = number + 1 - length
            above, below = domains[ahead], domains[number - 1]
            if two:
                possible = (below & one and above & two) or (below & two and above & one)
                partners = one | two
            else:
                possible = (below | above) & one
                partners = one
            if not possible:
                if domain == cell:
                    return number
                domains[number] = domain ^ cell
                changed.append(number)
            elif domain == cell:
                sides = ((ahead, above, number + 1), (number - 1, below, number - 1))
                for index, known, other in sides:
                    opposite = domains[number - 1] if index == ahead else domains[ahead]
                    if (two or not opposite & one) and known & ~partners:
                        domains[index] = known & partners
                        changed.append(other % size)
    return None
