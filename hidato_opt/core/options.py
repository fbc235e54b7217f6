"""Run options: the same for every puzzle, backend and command."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from hidato_opt.core.errors import InvalidOption, UnknownOption


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How a model is to be run; every field is checked when the object is made.

    Attributes
    ----------
    time_limit : float or None
        Wall-clock seconds from the start of the call; None, or infinity, is no
        limit.  What a session has solved before does not count.
    threads : int
        Threads of the solver (default 1).  HiGHS takes one value a process.
    seed : int
        Random seed handed to the solver.
    gap : float
        Relative gap at which a run may stop, as a fraction (default 0: exact).
    log : bool
        Whether the solver's log lines go to the logger ``hidato_opt.solver``.
    options : mapping
        The backend's own options by their own names; unknown ones are errors.

    Raises
    ------
    InvalidOption
        A value is out of its range or of the wrong type.

    Examples
    --------
    >>> RunOptions(time_limit=2.5).threads
    1
    >>> RunOptions(threads=0)
    Traceback (most recent call last):
        ...
    hidato_opt.core.errors.InvalidOption: threads must be a whole number of at least 1, not 0
    """

    time_limit: float | None = None
    threads: int = 1
    seed: int = 0
    gap: float = 0.0
    log: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.time_limit == math.inf:
            object.__setattr__(self, "time_limit", None)
        if self.time_limit is not None:
            self._set("time_limit", _real("time_limit", self.time_limit, "seconds"))
        self._set("gap", _real("gap", self.gap, "a fraction such as 0.01"))
        self._set("threads", _whole("threads", self.threads, 1))
        self._set("seed", _whole("seed", self.seed, 0))
        if self.seed > 2**31 - 1:
            raise InvalidOption(f"seed must be at most {2**31 - 1}, not {self.seed}")
        if not isinstance(self.options, Mapping):
            raise InvalidOption(
                f"options must be a mapping from the backend's option names to values, "
                f"not {self.options!r}"
            )

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> RunOptions:
        """Make options from keywords; an unknown keyword raises `UnknownOption`.

        Examples
        --------
        >>> RunOptions.of({"seed": 3}).seed
        3
        """
        known = {entry.name for entry in fields(cls)}
        for name in given:
            if name not in known:
                raise UnknownOption.of("option", name, known)
        return cls(**given)

    def _set(self, name: str, value: float) -> None:
        object.__setattr__(self, name, value)


def _real(name: str, value: Any, unit: str) -> float:
    """Return a number, also NumPy's, as Python's own."""
    if not isinstance(value, bool) and isinstance(value, numbers.Real):
        number = float(value)
        if 0 <= number < math.inf:
            return number
    raise InvalidOption(f"{name} must be a number of at least 0 ({unit}), not {value!r}")


def _whole(name: str, value: Any, least: int) -> int:
    """Return a whole number, also NumPy's, as Python's own."""
    if not isinstance(value, bool) and isinstance(value, numbers.Integral):
        number = int(value)
        if number >= least:
            return number
    raise InvalidOption(f"{name} must be a whole number of at least {least}, not {value!r}")
