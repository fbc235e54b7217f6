"""What a formulation returns: a model, and the way between its values and solutions.

A formulation is a function from a puzzle to a `Formulated`.  It is written by
the puzzle's family; what runs the model needs no more than this.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from hidato_opt.modelling.expressions import FloatArray
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.points import PartialPoint
from hidato_opt.modelling.rows import RowBlock


class Codec(Protocol):
    """The way between the values of a model and the solutions of a puzzle."""

    def decode(self, values: FloatArray) -> Any:
        """Read a solution off a point of the model; the rules are checked elsewhere."""

    def encode(self, solution: Any) -> PartialPoint:
        """Write a solution, complete or partial, as a point of the model.

        Raises
        ------
        InvalidPuzzle
            The solution cannot be written in the model's variables.
        """


class Separator(Protocol):
    """Finds the rows that a model still lacks, where they come in rounds.

    Attributes
    ----------
    reason : str
        Why the model as built is a relaxation.
    """

    reason: str

    def separate(self, values: FloatArray) -> RowBlock | None:
        """Return rows that a point breaks and every solution keeps; None if there are none."""


@dataclass(frozen=True)
class Formulated:
    """A puzzle as a model.

    Attributes
    ----------
    model : Model
        The variables, constraints and objective.
    codec : Codec
        The way between values and solutions.
    separator : Separator or None
        What cuts off the points of the model that are no solutions.
    """

    model: Model
    codec: Codec
    separator: Separator | None = None
