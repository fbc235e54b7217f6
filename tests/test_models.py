"""The reference files in ``models/`` are what the formulations write, to the letter."""

from pathlib import Path

import pytest

import hidato_opt as ho

MODELS = Path(__file__).parents[1] / "models"
REFERENCES = {
    "assignment": "1 ./# .",
    "two-way": "1 ./# .",
    "flow": "1 ./# .",
    "segments": "1 . 4/. . .",
    "successor": "1 ./. .",
}


@pytest.mark.parametrize("formulation", REFERENCES)
def test_the_reference_file_is_rebuilt_to_the_letter(formulation: str, tmp_path: Path) -> None:
    ho.build_model(REFERENCES[formulation], formulation).write(tmp_path / "rebuilt.lp")
    assert (tmp_path / "rebuilt.lp").read_bytes() == (MODELS / f"{formulation}.lp").read_bytes()


def test_every_page_has_a_reference_and_every_reference_a_page() -> None:
    pages = {path.stem for path in MODELS.glob("*.md")} - {"README"}
    assert pages == {path.stem for path in MODELS.glob("*.lp")} == set(REFERENCES)
