"""What every puzzle of the library answers to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

Cell = tuple[int, int]
"""A cell as (row, column), 0-based."""


def cell_words(cell: Cell) -> str:
    """Name a 0-based cell the way messages do.

    Examples
    --------
    >>> cell_words((0, 2))
    'row 1, column 3'
    """
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


@dataclass(frozen=True)
class Violation:
    """One broken rule of a proposed solution.

    Attributes
    ----------
    code : str
        Stable short name of the rule; each family lists its own.
    message : str
        The rule, the numbers and the cells in words (1-based).
    cells : tuple of (row, column)
        The cells concerned, 0-based.
    """

    code: str
    message: str
    cells: tuple[Cell, ...] = ()

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


@runtime_checkable
class Puzzle(Protocol):
    """Frozen data of one puzzle together with its rules.

    ``str(puzzle)`` is its board text.  A puzzle knows nothing of models and
    solvers; what solves it is looked up in :mod:`hidato_opt.core.registry`
    under its `kind`.
    """

    kind: ClassVar[str]
    incomplete_codes: ClassVar[frozenset[str]]
    """Codes of violations that a partial solution may have and still be extended."""

    @property
    def name(self) -> str:
        """What the puzzle is called in results; may be empty."""

    def verify(self, solution: Any) -> list[Violation]:
        """Check a proposed solution by the rules alone; an empty list is a pass."""

    def read_solution(self, text: str) -> Any:
        """Read a solution in the family's text format, for `verify`."""

    def solution_text(self, solution: Any) -> str:
        """Write a solution as people read it."""

    def solution_json(self, solution: Any) -> Any:
        """Write a solution in the shape of the ``--json`` output."""
