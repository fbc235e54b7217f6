"""The families of puzzles, by kind, as lazy module strings.

A kind is one line here.  Nothing is imported until a kind is asked for, so
that reading one family's boards never loads another's code.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from hidato_opt.core.errors import UnknownOption


@dataclass(frozen=True)
class Kind:
    """Where the parts of one kind of puzzle live.

    Attributes
    ----------
    puzzle : str
        ``module:Class`` of the puzzle; the class has ``from_text(BoardText)``
        and ``from_cells(object)``.
    formulations : str
        ``module:MAPPING`` from formulation names to formulations, the
        default first.
    exact : str
        The module of the kind's own exact search: ``search``, ``listing``,
        ``count`` and ``explain``.
    generator : str
        ``module:function`` that makes puzzles of the kind.
    """

    puzzle: str
    formulations: str
    exact: str
    generator: str

    def puzzle_class(self) -> Any:
        """Import and return the puzzle's class."""
        return _load(self.puzzle)

    def formulation_table(self) -> dict[str, Any]:
        """Import and return the kind's formulations by name."""
        table: dict[str, Any] = _load(self.formulations)
        return table

    def generate(self, **parameters: Any) -> Any:
        """Make a puzzle; the parameters are those of the kind's generator."""
        return _load(self.generator)(**parameters)

    def exact_module(self) -> Any:
        """Import and return the module of the kind's exact search."""
        return import_module(self.exact)


_PATH = (
    "hidato_opt.path.formulations:FORMULATIONS",
    "hidato_opt.path.exact",
    "hidato_opt.path.generate:generate",
)

KINDS: dict[str, Kind] = {
    "hidato": Kind("hidato_opt.path.puzzle:Hidato", *_PATH),
    "numbrix": Kind("hidato_opt.path.puzzle:Numbrix", *_PATH),
    "numgame": Kind("hidato_opt.path.puzzle:Numgame", *_PATH),
    "hopido": Kind("hidato_opt.path.puzzle:Hopido", *_PATH),
    "knight": Kind("hidato_opt.path.puzzle:KnightTour", *_PATH),
    "signpost": Kind("hidato_opt.path.signpost:Signpost", *_PATH),
    "path": Kind("hidato_opt.path.graph_puzzle:PathPuzzle", *_PATH),
}

DEFAULT_KIND = "hidato"


def kind_named(name: str) -> Kind:
    """Look a kind up.

    Raises
    ------
    UnknownOption
        There is no such kind; the message lists those there are.
    """
    if name not in KINDS:
        raise UnknownOption.of("kind", name, KINDS)
    return KINDS[name]


def _load(address: str) -> Any:
    module, _, attribute = address.partition(":")
    return getattr(import_module(module), attribute)
