"""Cells and the moves between them: what the search needs to know of a board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from hidato_opt.core.errors import InvalidPuzzle
from hidato_opt.core.puzzle import cell_words
from hidato_opt.path.kernel.bits import (
    BitBoard,
    Stencil,
    board_of_masks,
    board_of_stencil,
    mask_of_places,
)
from hidato_opt.path.lattice import (
    TRIANGLE_CORNER_STEPS,
    TRIANGLE_STEPS,
    Step,
    adjacency,
    hex_adjacency,
    triangle_adjacency,
)

Arcs = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
BoolGrid = npt.NDArray[np.bool_]
IntGrid = npt.NDArray[np.int64]

_AXIAL_STEPS: tuple[Step, ...] = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
"""The moves between hexagons once each row is shifted by half its index: the same from all."""


@dataclass(frozen=True)
class _Embedding:
    """Cells as bits of one integer so that each move is a shift."""

    places: list[int]
    stencil: Stencil


class PathGraph:
    """Cells 0..size-1 and the moves between them; frozen, equal only to itself.

    Cells of a lattice are its open cells in row-major order.  Nothing is
    computed before it is asked for: on a lattice the search never lists the
    moves one by one.

    Parameters
    ----------
    size : int
        Number of cells.
    arcs : tuple of int arrays, or callable
        Tails and heads of the moves, or what lists them when asked.
    directed : bool
        Whether some move has no move back.
    coordinates : list of (row, column), optional
        Where the cells lie on their board, for messages.
    embedding : optional
        How the cells lie in a bit set, where moves are shifts.

    Attributes
    ----------
    size, directed, coordinates
        As given.

    Examples
    --------
    >>> graph = PathGraph.from_edges(3, [(0, 1), (1, 2)])
    >>> graph.successors
    ((1,), (0, 2), (1,))
    """

    def __init__(
        self,
        size: int,
        arcs: Arcs | Callable[[], Arcs],
        *,
        directed: bool,
        coordinates: Callable[[], list[tuple[int, int]]] | None = None,
        embedding: _Embedding | None = None,
    ) -> None:
        self.size = size
        self.directed = directed
        self._given_arcs = arcs
        self._coordinates = coordinates
        self._embedding = embedding

    @classmethod
    def on_grid(cls, open_cells: BoolGrid, steps: Sequence[Step]) -> PathGraph:
        """Make the graph of a square lattice.

        Parameters
        ----------
        open_cells : bool array, shape (rows, columns)
            False at holes.
        steps : sequence of (rows, columns)
            The moves allowed from any cell.

        Examples
        --------
        >>> from hidato_opt.path.lattice import KING_STEPS
        >>> PathGraph.on_grid(np.ones((2, 2), dtype=bool), KING_STEPS).successors[0]
        (1, 2, 3)
        """
        row, column = np.nonzero(open_cells)
        directed = any((-down, -right) not in steps for down, right in steps)
        embedding = _embed(row, column, open_cells.shape[1], [(None, steps)])
        arcs = partial(adjacency, open_cells, steps)
        return cls._on_lattice(row, column, arcs, embedding, directed=directed)

    @classmethod
    def hexagonal(cls, open_cells: BoolGrid) -> PathGraph:
        """Make the graph of hexagons whose odd rows (0-based) lie half a cell to the right."""
        rows, columns = open_cells.shape
        row, column = np.nonzero(open_cells)
        slanted = column - row // 2 + (rows - 1) // 2
        width = columns + (rows - 1) // 2
        embedding = _embed(row, slanted, width, [(None, _AXIAL_STEPS)])
        return cls._on_lattice(row, column, partial(hex_adjacency, open_cells), embedding)

    @classmethod
    def triangular(cls, open_cells: BoolGrid, corners: bool = False) -> PathGraph:
        """Make the graph of triangles that touch at sides, or at sides and corners.

        Cells whose row and column (0-based) add up to an even number have
        their base below.
        """
        row, column = np.nonzero(open_cells)
        odd = (row + column) % 2 == 1
        steps = TRIANGLE_CORNER_STEPS if corners else TRIANGLE_STEPS
        embedding = _embed(row, column, open_cells.shape[1], [(~odd, steps[0]), (odd, steps[1])])
        arcs = partial(triangle_adjacency, open_cells, corners)
        return cls._on_lattice(row, column, arcs, embedding)

    @classmethod
    def _on_lattice(
        cls,
        row: IntGrid,
        column: IntGrid,
        arcs: Callable[[], Arcs],
        embedding: _Embedding,
        *,
        directed: bool = False,
    ) -> PathGraph:
        def coordinates() -> list[tuple[int, int]]:
            return list(zip(row.tolist(), column.tolist(), strict=True))

        return cls(len(row), arcs, directed=directed, coordinates=coordinates, embedding=embedding)

    @classmethod
    def from_arcs(cls, size: int, tail: npt.ArrayLike, head: npt.ArrayLike) -> PathGraph:
        """Make a graph of one-way moves; pairs that have both ways count as two.

        Parameters
        ----------
        size : int
            Number of cells.
        tail, head : int arrays of one length
            A move leads from each tail to its head; repeats are dropped.

        Raises
        ------
        InvalidPuzzle
            There is no cell, or an end is not in 0..size-1, or a move leads
            from a cell to itself.
        """
        if size < 1:
            raise InvalidPuzzle("a graph needs at least one cell", code="empty-board")
        tails = np.asarray(tail, dtype=np.int64).ravel()
        heads = np.asarray(head, dtype=np.int64).ravel()
        if len(tails) != len(heads):
            raise InvalidPuzzle(f"there are {len(tails)} tails of moves and {len(heads)} heads")
        for ends in (tails, heads):
            if len(ends) and not 0 <= ends.min() <= ends.max() < size:
                raise InvalidPuzzle(f"a move names a cell that is not in 0..{size - 1}")
        if (tails == heads).any():
            raise InvalidPuzzle(
                f"cell {int(tails[tails == heads][0])} has a move to itself; drop such moves"
            )
        key = np.unique(tails * size + heads)
        back = np.unique(heads * size + tails)
        return cls(size, (key // size, key % size), directed=not np.array_equal(key, back))

    @classmethod
    def from_edges(
        cls, size: int, edges: Iterable[tuple[int, int]], directed: bool = False
    ) -> PathGraph:
        """Make a graph of pairs of cells, each a move both ways unless `directed`.

        Raises
        ------
        InvalidPuzzle
            As of `from_arcs`.
        """
        pairs = np.array(list(edges), dtype=np.int64).reshape(-1, 2)
        if not directed:
            pairs = np.concatenate([pairs, pairs[:, ::-1]])
        return cls.from_arcs(size, pairs[:, 0], pairs[:, 1])

    @classmethod
    def from_matrix(cls, matrix: npt.ArrayLike) -> PathGraph:
        """Make a graph of an adjacency matrix: a move from i to j where entry (i, j) is not 0.

        Raises
        ------
        InvalidPuzzle
            The matrix is not square, or as of `from_arcs`.

        Examples
        --------
        >>> PathGraph.from_matrix([[0, 1], [0, 0]]).directed
        True
        """
        entries = np.asarray(matrix)
        if entries.ndim != 2 or entries.shape[0] != entries.shape[1]:
            raise InvalidPuzzle(f"an adjacency matrix is square, not of shape {entries.shape}")
        tail, head = np.nonzero(entries)
        return cls.from_arcs(len(entries), tail, head)

    @cached_property
    def arcs(self) -> Arcs:
        """Tails and heads of the moves, sorted by tail, then head."""
        return self._given_arcs() if callable(self._given_arcs) else self._given_arcs

    @cached_property
    def successors(self) -> tuple[tuple[int, ...], ...]:
        """For each cell the cells that a move leads to, in order."""
        tail, head = self.arcs
        return _grouped(self.size, tail, head)

    @cached_property
    def predecessors(self) -> tuple[tuple[int, ...], ...]:
        """For each cell the cells that a move comes from, in order."""
        if not self.directed:
            return self.successors
        tail, head = self.arcs
        order = np.lexsort((tail, head))
        return _grouped(self.size, head[order], tail[order])

    @cached_property
    def coordinates(self) -> list[tuple[int, int]] | None:
        """Row and column of each cell (0-based), or None off a lattice."""
        return None if self._coordinates is None else self._coordinates()

    @cached_property
    def bits(self) -> BitBoard:
        """The cells as bits of integers, for deduction and search."""
        if self._embedding is not None:
            return board_of_stencil(
                self._embedding.places, self._embedding.stencil, directed=self.directed
            )
        return board_of_masks(self.successors, self.predecessors, directed=self.directed)

    def cell_name(self, cell: int) -> str:
        """Name a cell in messages: by row and column on a lattice, else by its number."""
        if self.coordinates is None:
            return f"cell {cell}"
        return cell_words(self.coordinates[cell])

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        return f"<PathGraph: {self.size} cells, {kind}>"


def _grouped(size: int, keys: IntGrid, values: IntGrid) -> tuple[tuple[int, ...], ...]:
    ends = np.searchsorted(keys, np.arange(size + 1)).tolist()
    listed = values.tolist()
    return tuple(tuple(listed[start:end]) for start, end in pairwise(ends))


def _embed(
    row: IntGrid,
    column: IntGrid,
    columns: int,
    classes: Sequence[tuple[BoolGrid | None, Sequence[Step]]],
) -> _Embedding:
    """Lay the cells out row by row, with so much room between rows that no move wraps round."""
    width = columns + max(abs(right) for _, steps in classes for _, right in steps)
    place = row * width + column
    shifts = []
    for members, steps in classes:
        mask = None if members is None else mask_of_places(place[members].tolist())
        shifts += [(down * width + right, mask) for down, right in steps]
    return _Embedding(place.tolist(), Stencil(width, tuple(shifts)))
