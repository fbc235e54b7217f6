"""Writing a model: the ending decides, and a file is there whole or not at all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import highspy
import pytest
from path.lp_text import lp_of, parse_lp

from hidato_opt import Hidato, build_model
from hidato_opt.core.errors import InvalidOption
from hidato_opt.modelling import lp_format

BOARD = Hidato("1 . ./. # 5", name="b")


@pytest.mark.parametrize("ending", [".lp", ".mps"])
def test_a_written_model_reads_back_to_the_same_verdict(ending: str, tmp_path: Path) -> None:
    model = build_model(BOARD)
    model.minimize(model.x[1, 1, 1] + 2 * model.x[1, 2, 3] + 4)  # both have to be there
    file = tmp_path / f"b{ending}"
    model.write(file)
    highs = highspy.Highs()
    highs.setOptionValue("log_to_console", False)
    highs.setOptionValue("threads", 1)
    assert highs.readModel(str(file)) == highspy.HighsStatus.kOk
    highs.run()
    assert highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    assert highs.getInfo().objective_function_value == pytest.approx(7.0)
    assert model.solve().objective == pytest.approx(7.0)
    assert [entry.name for entry in tmp_path.iterdir()] == [file.name]


def test_the_header_says_what_is_modelled(tmp_path: Path) -> None:
    file = tmp_path / "b.lp"
    model = build_model(Hidato(BOARD.grid.clip(0), name="two\nlines; é"))
    model.write(str(file))
    text = file.read_text(encoding="ascii")
    assert "\\ model hidato assignment\n" in text
    assert "\\ puzzle: hidato two\n\\ lines; \\xe9\n" in text
    assert parse_lp(text) == lp_of(model.model)


def test_writing_again_replaces_the_file(tmp_path: Path) -> None:
    file = tmp_path / "b.lp"
    file.write_text("old")
    model = build_model(BOARD)
    model.write(file)
    first = file.read_bytes()
    model.write(file)
    assert file.read_bytes() == first
    assert b"old" not in first
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("name", ["b.txt", "b", "b.LP", "b.lp.gz", ".lp"])
def test_another_ending_lists_the_known_and_writes_nothing(name: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match=r"a model is written as \.lp or \.mps, not '"):
        build_model(BOARD).write(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("place", ["missing/b.lp", "file.txt/b.lp", "x" * 300 + ".lp", "folder.lp"])
def test_a_place_that_cannot_be_written_is_an_error_and_leaves_nothing(
    place: str, tmp_path: Path
) -> None:
    (tmp_path / "file.txt").write_text("here")
    (tmp_path / "folder.lp").mkdir()
    with pytest.raises(InvalidOption, match="cannot write the model: "):
        build_model(BOARD).write(tmp_path / place)
    assert sorted(entry.name for entry in tmp_path.rglob("*")) == ["file.txt", "folder.lp"]
    assert (tmp_path / "file.txt").read_text() == "here"


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits on files")
def test_a_full_disk_is_an_error(tmp_path: Path) -> None:
    """A small limit on the size of files stands for the disk."""
    script = """
import resource, signal, sys, pathlib
import hidato_opt as ho
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
model = ho.build_model([[0] * 6] * 6)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
folder = pathlib.Path(sys.argv[1])
try:
    model.write(folder / "b.lp")
except ho.InvalidOption as error:
    print("error:", error)
print(sorted(entry.name for entry in folder.iterdir()))
"""
    run = subprocess.run(
        [sys.executable, "-c", script, tmp_path], capture_output=True, text=True, timeout=60
    )
    assert "error: cannot write the model: " in run.stdout, run
    assert run.stdout.endswith("[]\n")


def test_an_error_half_way_leaves_the_old_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    file = tmp_path / "b.lp"
    file.write_text("old")
    model = build_model(BOARD)
    monkeypatch.setattr(lp_format, "_bound_lines", stop)
    with pytest.raises(KeyboardInterrupt):
        model.write(file)
    assert file.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1
