"""How many solutions a puzzle has, as far as is known."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Count:
    """A number of solutions.

    Attributes
    ----------
    count : int
        Solutions found, all different.
    exact : bool
        Whether there are no others; otherwise there are at least `count`.
    reason : str
        Why the count is not exact; empty where it is.

    Examples
    --------
    >>> print(Count(2, False, "solution_limit"))
    at least 2 (solution_limit)
    """

    count: int
    exact: bool
    reason: str = ""

    def __str__(self) -> str:
        return str(self.count) if self.exact else f"at least {self.count} ({self.reason})"
