"""Why a puzzle has no solution: one type for all families."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Explanation:
    """What makes a puzzle unsolvable.

    Attributes
    ----------
    kind : str
        ``solvable`` (nothing to explain), ``clues`` (clues that contradict
        each other) or ``board`` (it has no solution even without clues).
    items : tuple
        The clues concerned, in the family's shape; dropping any one of them
        makes the rest solvable.
    text : str
        The same in words.
    """

    kind: str
    items: tuple[Any, ...]
    text: str

    def __str__(self) -> str:
        return self.text
