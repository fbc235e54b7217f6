"""What follows from how the cells hang together: cut cells, and regions closed off by numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hidato_opt.path.kernel.bits import BitBoard, Mask, each_bit
from hidato_opt.path.kernel.propagate import Link, propagate
from hidato_opt.path.kernel.tree import Position

CUT_LIMIT = 2000
"""Cells up to which cut cells are looked for: each costs a walk over the board."""


class Cut(NamedTuple):
    """A cell without which the board falls apart.

    Attributes
    ----------
    bit : Mask
        The cell.
    parts : list of Mask
        The parts that are left without it, at least two.
    """

    bit: Mask
    parts: list[Mask]


class Gap(NamedTuple):
    """Consecutive numbers without a cell of their own, in order; as long as they go."""

    numbers: list[int]
    places: list[Mask]
    """The regions of free cells that the whole gap fits into."""


def cut_cells(board: BitBoard) -> list[Cut]:
    """Find the cut cells of a connected board, moves taken both ways."""
    found = []
    for bit in each_bit(board.everything):
        rest = board.everything ^ bit
        near = board.touching(bit)
        around = (near | board.touching(near)) & rest
        if not near & ~board.component(near & -near, around):
            continue  # the cells around it hang together without it
        parts = components(board, rest)
        if len(parts) > 1:
            found.append(Cut(bit, parts))
    return found


def components(board: BitBoard, cells: Mask) -> list[Mask]:
    """Split a set of cells into the parts that hang together, moves taken both ways."""
    parts = []
    while cells:
        part = board.component(cells & -cells, cells)
        parts.append(part)
        cells ^= part
    return parts


def allowed_by_cut(
    board: BitBoard, domains: Sequence[Mask], cut: Cut, closed: bool
) -> list[Mask] | None:
    """Return where each number can stand in view of a cut cell.

    A path passes the cell once: all of one part is numbered before it, all of
    the other after it.

    Returns
    -------
    list of Mask or None
        The cells by number; None if there is no path.
    """
    if closed or len(cut.parts) > 2:
        return None
    allowed = [0] * board.size
    one, other = cut.parts
    for before, after in ((one, other), (other, one)):
        turn = before.bit_count()
        order = [before] * turn + [cut.bit] + [after] * (board.size - turn - 1)
        if all(domain & cells for domain, cells in zip(domains, order, strict=False)):
            allowed = [known | cells for known, cells in zip(allowed, order, strict=True)]
    return allowed if allowed[0] else None


def gaps(live: Sequence[int], size: int, closed: bool) -> list[list[int]]:
    """Group the numbers without a cell into runs of consecutive ones.

    Examples
    --------
    >>> gaps([0, 2, 3, 5], 6, closed=False)
    [[0], [2, 3], [5]]
    >>> gaps([0, 2, 3, 5], 6, closed=True)
    [[2, 3], [5, 0]]
    """
    runs: list[list[int]] = []
    for number in live:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    if closed and len(runs) > 1 and runs[0][0] == 0 and runs[-1][-1] == size - 1:
        runs[-1] += runs.pop(0)
    return runs


def fit_gaps(
    board: BitBoard, domains: Sequence[Mask], live: Sequence[int], free: Mask, closed: bool
) -> list[Gap] | None:
    """Find which regions of free cells each gap can fill, the sizes considered.

    Free cells that do not hang together are filled by different gaps, each
    as a whole; the lengths of those in a region add up to its size.

    Returns
    -------
    list of Gap or None
        The gaps with the regions that are possible; None if some gap has none
        or some region cannot be filled.
    """
    regions = components(board, free)
    runs = gaps(live, board.size, closed)
    fits = [
        {
            region
            for region in regions
            if len(run) <= region.bit_count() and all(domains[number] & region for number in run)
        }
        for run in runs
    ]
    changed = len(regions) > 1
    while changed:
        changed = False
        for region in regions:
            here = [index for index, fit in enumerate(fits) if region in fit]
            optional = [index for index in here if len(fits[index]) > 1]
            room = region.bit_count() - sum(len(runs[i]) for i in here if len(fits[i]) == 1)
            if room < 0 or not _sums([len(runs[i]) for i in optional]) >> room & 1:
                return None
            for index in optional:
                others = _sums([len(runs[i]) for i in optional if i != index])
                length = len(runs[index])
                if not (room >= length and others >> (room - length) & 1):
                    fits[index] = fits[index] - {region}
                    changed = True
                elif not others >> room & 1:
                    fits[index] = {region}
                    changed = True
                if changed:
                    break  # the lists above are out of date
            if changed:
                break
    if not all(fits):
        return None
    return [Gap(run, sorted(fit)) for run, fit in zip(runs, fits, strict=True)]


def _sums(lengths: Sequence[int]) -> int:
    """Return the sums that a choice of lengths can have, as bits."""
    sums = 1
    for length in lengths:
        sums |= sums << length
    return sums


def tighten(
    board: BitBoard, position: Position, closed: bool, links: Sequence[Link]
) -> Position | None:
    """Apply cut cells once, and closed-off regions until nothing more follows.

    Returns
    -------
    Position or None
        A new position, or None on a contradiction.
    """
    domains = position.domains.copy()
    live, free, pairs = position.live, position.free, position.pairs
    allowed = [board.everything] * board.size
    for cut in cut_cells(board) if board.size <= CUT_LIMIT else ():
        by_cut = allowed_by_cut(board, domains, cut, closed)
        if by_cut is None:
            return None
        allowed = [known & cells for known, cells in zip(allowed, by_cut, strict=True)]
    while True:
        changed = _restrict(domains, allowed)
        if changed is None:
            return None
        if changed:
            found = propagate(board, domains, live, free, changed, links)
            if found.live is None:
                return None
            live, free, pairs = found.live, found.free, found.pairs
        fitted = fit_gaps(board, domains, live, free, closed)
        if fitted is None:
            return None
        for gap in fitted:
            place = sum(gap.places)
            for number in gap.numbers:
                allowed[number] &= place
        if all(not domain & ~cells for domain, cells in zip(domains, allowed, strict=False)):
            return Position(domains, live, free, pairs)


def _restrict(domains: list[Mask], allowed: Sequence[Mask]) -> list[int] | None:
    """Narrow domains in place; return the numbers that changed, None if one is left empty."""
    changed = []
    for number, cells in enumerate(allowed):
        kept = domains[number] & cells
        if kept != domains[number]:
            if not kept:
                return None
            domains[number] = kept
            changed.append(number)
    return changed
