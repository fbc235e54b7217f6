"""A graph with clues and links, checked and brought into bits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from hidato_opt.core.errors import InvalidPuzzle
from hidato_opt.path.kernel.bits import Mask
from hidato_opt.path.kernel.propagate import Link, first_domains, propagate
from hidato_opt.path.kernel.tree import Position

if TYPE_CHECKING:
    from hidato_opt.path.graph import PathGraph


class Problem:
    """What is asked: numbers 1..size along a path through all cells of a graph.

    Parameters
    ----------
    graph : PathGraph
        The cells and moves.
    clues : mapping from number to cell
        Numbers 1..size that are given.
    closed : bool
        Whether 1 follows the last number; then even a single cell needs a move.
    links : iterable of pairs of cells
        Cells whose numbers must be consecutive.

    Attributes
    ----------
    clues : dict
        Bit of the cell by 0-based number.
    links : list of Link or None
        Each linked cell with its one or two partners; None where a cell has
        more than two, or no move joins two linked cells, so that no path can
        be.

    Raises
    ------
    InvalidPuzzle
        A clue's number or cell is out of range, two clues share a cell, or a
        link does not join two cells of the graph.
    """

    def __init__(
        self,
        graph: PathGraph,
        clues: Mapping[int, int] | None = None,
        closed: bool = False,
        links: Iterable[tuple[int, int]] = (),
    ) -> None:
        self.graph = graph
        self.board = board = graph.bits
        self.closed = closed
        self.clues: dict[int, Mask] = {}
        taken: Mask = 0
        for number, cell in (clues or {}).items():
            if not 1 <= number <= graph.size:
                raise InvalidPuzzle(
                    f"clue {number} is outside 1..{graph.size}", code="clue-out-of-range"
                )
            if not 0 <= cell < graph.size:
                raise InvalidPuzzle(
                    f"clue {number} names cell {cell}, which is not in 0..{graph.size - 1}",
                    code="clue-out-of-range",
                )
            bit = 1 << board.places[cell]
            if taken & bit:
                raise InvalidPuzzle(
                    f"{graph.cell_name(cell)} has two clues, one of them {number}",
                    code="clue-twice",
                )
            taken |= bit
            self.clues[number - 1] = bit
        pairs = list(links)
        self.links: list[Link] | None = self._read_links(pairs) if pairs else []

    def _read_links(self, pairs: list[tuple[int, int]]) -> list[Link] | None:
        graph, board = self.graph, self.board
        partners: dict[Mask, Mask] = {}
        for pair in pairs:
            if len(set(pair)) != 2 or not all(0 <= cell < graph.size for cell in pair):
                raise InvalidPuzzle(
                    f"a link joins two different cells of 0..{graph.size - 1}, not {pair}"
                )
            one, other = board.bits[pair[0]], board.bits[pair[1]]
            if not board.touching(one) & other:
                return None
            partners[one] = partners.get(one, 0) | other
            partners[other] = partners.get(other, 0) | one
        if any(mask.bit_count() > 2 for mask in partners.values()):
            return None
        return [(cell, mask & -mask, mask & (mask - 1)) for cell, mask in partners.items()]

    def root(self) -> Position | None:
        """Return what follows from the clues, or None if they contradict each other."""
        if self.links is None:
            return None
        domains = first_domains(self.board, self.clues, self.closed)
        if domains is None:
            return None
        clues, free = self.clues, self.board.everything
        for bit in clues.values():
            free ^= bit
        live = [number for number in range(self.board.size) if number not in clues]
        found = propagate(self.board, domains, live, free, [], self.links)
        if found.live is None:
            return None
        return Position(domains, found.live, found.free, found.pairs)

    def path(self, bits: list[Mask]) -> tuple[int, ...]:
        """Return the cells of a solution in the order of their numbers."""
        cell_at = self.board.cell_at
        return tuple([cell_at[bit.bit_length() - 1] for bit in bits[: self.board.size]])
