"""Written models as text to compare with text."""

from __future__ import annotations

from io import StringIO
from textwrap import dedent

from hidato_opt.modelling.builder import ModelBuilder
from hidato_opt.modelling.lp_format import write_lp
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.mps_format import write_mps
from hidato_opt.modelling.names import NameTable
from hidato_opt.modelling.rows import RowBlock


def lp_text(model: Model, names: NameTable | None = None, notes: tuple[str, ...] = ()) -> str:
    stream = StringIO()
    write_lp(model, stream, names=names, notes=notes)
    return stream.getvalue()


def mps_text(model: Model, names: NameTable | None = None, notes: tuple[str, ...] = ()) -> str:
    stream = StringIO()
    write_mps(model, stream, names=names, notes=notes)
    return stream.getvalue()


def without_comments(text: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(("\\", "*")))


def rows_text(builder: ModelBuilder, block: RowBlock) -> str:
    """The rows of the model with that block alone, named ``r``, a line each as in the LP file."""
    builder.add_rows("r", block)
    lines = lp_text(builder.build()).splitlines()
    rows = lines[lines.index("Subject To") + 1 : lines.index("Bounds")]
    return "\n".join(line.strip() for line in rows)


def written(text: str) -> str:
    """A text as it stands in a test, without its indentation and its first and last line end."""
    return dedent(text).strip("\n")
