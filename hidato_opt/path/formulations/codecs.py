"""The way between values of binaries (cell, number) and numbers in cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hidato_opt.core.errors import InvalidPuzzle
from hidato_opt.modelling.expressions import FloatArray
from hidato_opt.modelling.points import PartialPoint
from hidato_opt.path.formulations.candidates import Candidates


@dataclass(frozen=True, eq=False)
class PlacementCodec:
    """Reads numbers off the binaries of pairs (cell, number), the first columns of the model.

    Attributes
    ----------
    puzzle : PathPuzzleLike
        For the shape of its solutions.
    candidates : Candidates
        The pairs, in the order of the columns.
    """

    puzzle: Any
    candidates: Candidates

    def decode(self, values: FloatArray) -> Any:
        """Read the number of each cell: that of its largest binary, if above one half."""
        pairs = self.candidates
        chosen = np.flatnonzero(np.asarray(values[: len(pairs)]) > 0.5)
        numbers = np.zeros(pairs.size, dtype=np.int64)
        numbers[pairs.cells[chosen]] = pairs.numbers[chosen]
        return self.puzzle.solution_of(numbers)

    def encode(self, solution: Any) -> PartialPoint:
        """Write numbers in cells as binaries; empty cells leave theirs open.

        Raises
        ------
        InvalidPuzzle
            A number is not among those the model allows in its cell.
        """
        pairs = self.candidates
        numbers = self.puzzle.numbers_of(solution)
        placed = np.flatnonzero(numbers > 0)
        where = pairs.find(placed, numbers[placed])
        if (where < 0).any():
            cell = int(placed[np.flatnonzero(where < 0)[0]])
            raise InvalidPuzzle(
                f"the model has no variable for {int(numbers[cell])} in "
                f"{self.puzzle.cell_name(cell)}"
            )
        values = np.full(len(pairs), np.nan)
        filled = numbers > 0
        used = np.zeros(pairs.size + 1, dtype=np.bool_)
        used[numbers[placed]] = True
        values[filled[pairs.cells] | used[pairs.numbers]] = 0.0
        values[where] = 1.0
        columns = np.flatnonzero(~np.isnan(values))
        return PartialPoint(columns, values[columns])
