"""LP files taken apart, so that rows can be compared whatever the order of their terms."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, field

from hidato_opt.modelling.lp_format import write_lp
from hidato_opt.modelling.model import Model

SECTIONS = ("Minimize", "Maximize", "Subject To", "Bounds", "General", "Binary", "End")
_TERM = re.compile(r"([+-]?)\s*(\d+(?:\.\d+)?(?=\s))?\s*([A-Za-z]\w*)")
_ROW = re.compile(r"(?P<terms>.*?)\s*(?P<side>(<=|>=|=)\s*\S+)?$")


@dataclass
class LpText:
    """What an LP file says."""

    sense: str = ""
    objective: dict[str, float] = field(default_factory=dict)
    rows: dict[str, tuple[dict[str, float], str]] = field(default_factory=dict)
    bounds: list[str] = field(default_factory=list)
    binary: list[str] = field(default_factory=list)
    general: list[str] = field(default_factory=list)


def lp_of(model: Model) -> LpText:
    """Write a model and take the text apart."""
    stream = io.StringIO()
    write_lp(model, stream)
    return parse_lp(stream.getvalue())


def parse_lp(text: str) -> LpText:
    """Take an LP text apart; a row may go over several lines."""
    said = LpText()
    lines: dict[str, list[str]] = {section: [] for section in SECTIONS}
    section = ""
    for line in text.splitlines():
        if line.startswith("\\") or not line.strip():
            continue
        if line.strip() in SECTIONS:
            section = line.strip()
            said.sense = section if section in ("Minimize", "Maximize") else said.sense
        elif section in SECTIONS[:3] and ":" not in line:
            lines[section][-1] += f" {line.strip()}"
        else:
            lines[section].append(line.strip())
    for line in lines[said.sense]:
        said.objective = _terms(line.partition(":")[2])
    for line in lines["Subject To"]:
        name, _, rest = line.partition(":")
        parts = _ROW.fullmatch(rest.strip())
        assert parts is not None, line
        assert name not in said.rows, name
        said.rows[name] = (_terms(parts["terms"]), " ".join(parts["side"].split()))
    said.bounds, said.binary, said.general = lines["Bounds"], lines["Binary"], lines["General"]
    return said


def _terms(text: str) -> dict[str, float]:
    terms: dict[str, float] = {}
    for sign, size, name in _TERM.findall(text):
        assert name not in terms, text
        terms[name] = (-1.0 if sign == "-" else 1.0) * float(size or 1)
    assert _TERM.sub("", text).strip() == "", text
    return terms
