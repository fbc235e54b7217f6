"""The command line in this process: quick, and with everything it printed."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hidato_opt.cli import main

KEYS = [
    "name", "kind", "status", "has_solution", "verified", "solution", "objective", "bound",
    "method", "found_by", "proved_by", "backend", "backend_version", "formulation", "warm_start",
    "seconds", "error",
]  # fmt: skip
"""The keys of DESIGN's JSON, in its order; ``unique`` is there where it is asked."""


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    def objects(self) -> list[dict[str, Any]]:
        """Read standard output as one JSON object a line, and nothing else."""
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run ``hidato-opt`` with arguments, in a folder of its own; no error gets out of it."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object, stdin: bytes | None = b"") -> Done:
        monkeypatch.setattr(sys, "argv", ["hidato-opt", *map(str, arguments)])
        text = None if stdin is None else io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", text)
        with pytest.raises(SystemExit) as left:
            main()
        said = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return Done(left.value.code, said.out, said.err)

    return call


@pytest.fixture
def board(tmp_path: Path) -> Callable[[str, str], Path]:
    """Write a file into the folder that commands run in."""

    def write(name: str, text: str) -> Path:
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        return file

    return write
