"""What the README shows works as it is written there."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import hidato_opt as ho

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run the Python of the README in a folder that holds its data."""
    shutil.copytree(ROOT / "data", tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    [code] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(code, "README.md", "exec"), names)
    return names


def test_the_python_of_the_readme_runs(shown: dict[str, Any]) -> None:
    result = shown["result"]
    assert result.status == "optimal"
    assert result.objective == result.solution[0, 0]
    assert result.solution[0, 0] + result.solution[8, 8] <= 100
    assert Path("model.lp").exists()


def test_the_board_that_the_readme_shows_is_the_solution_of_its_board() -> None:
    [text] = re.findall(r"```text\n(.*?)```", README, re.DOTALL)
    rows = "\n".join(text.splitlines()[:9])
    board = ho.read(ROOT / "data" / "first_9x9.txt")
    assert ho.verify(board, ho.loads(rows).grid) == []


def test_the_two_commands_are_marked_for_the_check() -> None:
    for name, words in (("solve", "hidato-opt solve data/"), ("tests", "pytest")):
        [command] = re.findall(rf"<!-- command: {name} -->\n```sh\n(.*?)```", README, re.DOTALL)
        assert command.startswith("python3.11 -m venv")
        assert words in command
