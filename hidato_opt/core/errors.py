"""Errors of the library, one class for each cause.

Everything raised on purpose derives from :class:`HidatoOptError`, so that one
``except`` catches what the library says and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable


class HidatoOptError(Exception):
    """Base class of every error that the library raises on purpose."""


class InvalidPuzzle(HidatoOptError):
    """The data does not describe a puzzle (an unsolvable board does: it is infeasible).

    Parameters
    ----------
    rule : str
        The broken rule in words, with what to do about it.
    row, column : int, optional
        The cell, 0-based; the message shows them 1-based.
    code : str, optional
        A stable short name of the rule, for scripts.
    source : str, optional
        Where the data came from (a file, a line of a file).

    Examples
    --------
    >>> print(InvalidPuzzle("'x' is not a number", row=0, column=2))
    row 1, column 3: 'x' is not a number
    """

    def __init__(
        self,
        rule: str,
        *,
        row: int | None = None,
        column: int | None = None,
        code: str = "invalid",
        source: str | None = None,
    ) -> None:
        super().__init__(rule, row, column, code, source)
        self.rule = rule
        self.row = row
        self.column = column
        self.code = code
        self.source = source

    def found_in(self, source: str) -> InvalidPuzzle:
        """Return the error with the place the data came from."""
        return InvalidPuzzle(
            self.rule, row=self.row, column=self.column, code=self.code, source=source
        )

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild_invalid, (self.rule, self.row, self.column, self.code, self.source))

    def __str__(self) -> str:
        place = ", ".join(
            f"{word} {value + 1}"
            for word, value in (("row", self.row), ("column", self.column))
            if value is not None
        )
        return ": ".join(part for part in (self.source, place, self.rule) if part)


def _rebuild_invalid(
    rule: str, row: int | None, column: int | None, code: str, source: str | None
) -> InvalidPuzzle:
    return InvalidPuzzle(rule, row=row, column=column, code=code, source=source)


class InvalidOption(HidatoOptError):
    """A known option has a value that it cannot take."""


class UnknownOption(HidatoOptError):
    """A name that is not known, of an option, say, or a kind; the message lists the known ones."""

    @classmethod
    def of(cls, what: str, name: object, known: Iterable[str]) -> UnknownOption:
        """Word the error: what was asked for, and what there is.

        Examples
        --------
        >>> print(UnknownOption.of("backend", "gurobbi", ["highs", "cbc"]))
        backend 'gurobbi' is not known; known: cbc, highs
        """
        return cls(f"{what} {name!r} is not known; known: {', '.join(sorted(known))}")


class InvalidExpression(HidatoOptError):
    """An expression is not linear, or mixes variables of two models."""


class BackendUnavailable(HidatoOptError):
    """A solver is not installed, or cannot be run; the message says how to install it."""


class UnsupportedModel(HidatoOptError):
    """A backend cannot take this model (real-valued variables to CP-SAT, say)."""


class SolverFailed(HidatoOptError):
    """A solver crashed, hung or answered with something that cannot be read.

    Parameters
    ----------
    message : str
        What happened.
    log : str, optional
        The solver's log; its last lines become part of the message.
    """

    LOG_LINES = 20

    def __init__(self, message: str, log: str = "") -> None:
        tail = "\n".join(log.rstrip().splitlines()[-self.LOG_LINES :])
        super().__init__(f"{message}\nlast lines of its log:\n{tail}" if tail else message)


class NoSolution(HidatoOptError):
    """Values were asked of a run that has none."""


class WrongAnswer(HidatoOptError):
    """An answer failed an independent check; the message names the stage that gave it."""

    def __init__(self, stage: str, complaint: str) -> None:
        super().__init__(stage, complaint)
        self.stage = stage
        self.complaint = complaint

    def __str__(self) -> str:
        return f"{self.stage}: {self.complaint}"


class Undecided(HidatoOptError):
    """A yes-or-no question met a limit before it had an answer."""


class SolveInterrupted(KeyboardInterrupt):
    """Ctrl-C during a solve; ``result`` keeps what had been found.

    It derives from :class:`KeyboardInterrupt` and not from
    :class:`HidatoOptError`, so that ``except Exception`` does not swallow it.

    Attributes
    ----------
    result : object or None
        The run with status ``interrupted`` and the incumbent, if any: a raw
        result from a backend, a `Result` from a puzzle.
    """

    def __init__(self, message: str = "interrupted", result: object | None = None) -> None:
        super().__init__(message)
        self.result = result
