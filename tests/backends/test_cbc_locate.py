"""Which CBC is run, and what is said where there is none."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

from hidato_opt.backends import cbc_locate
from hidato_opt.backends.cbc import CbcBackend
from hidato_opt.backends.cbc_locate import INSTALL, Executable, find_cbc
from hidato_opt.core.errors import BackendUnavailable, SolverFailed

posix = pytest.mark.skipif(sys.platform == "win32", reason="scripts as executables")


def script(path: Path, body: str) -> Path:
    path.write_text(f"#!{sys.executable}\n{body}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def candidates(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """What the search goes through, in order; empty at first."""
    found: list[tuple[str, str]] = []
    monkeypatch.setattr(cbc_locate, "_candidates", lambda: iter(found))
    return found


def test_without_a_cbc_the_error_is_the_install_line(candidates: list[tuple[str, str]]) -> None:
    assert not candidates
    with pytest.raises(BackendUnavailable, match=r'pip install "hidato_opt\[cbc\]"'):
        find_cbc()
    told = CbcBackend().availability()
    assert not told.usable
    assert INSTALL in told.problem


def test_the_first_of_the_search_order_is_taken(
    candidates: list[tuple[str, str]], tmp_path: Path
) -> None:
    candidates += [(str(script(tmp_path / name, "")), f"place {name}") for name in ("one", "two")]
    assert find_cbc() == Executable(str(tmp_path / "one"), "place one")


@posix
def test_file_that_is_not_executable_is_named_with_the_cure(
    candidates: list[tuple[str, str]], tmp_path: Path
) -> None:
    """A better CBC that cannot run is not passed over for a worse one without a word."""
    broken = script(tmp_path / "my cbc", "")
    broken.chmod(0o644)
    candidates += [(str(broken), "package cbcbox"), (str(script(tmp_path / "old", "")), "old")]
    with pytest.raises(BackendUnavailable, match="not executable") as caught:
        find_cbc()
    assert f'chmod +x "{broken}"' in str(caught.value)
    assert "package cbcbox" in str(caught.value)
    told = CbcBackend().availability()
    assert not told.usable
    assert str(broken) in told.problem


def test_path_without_a_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BackendUnavailable, match=r"there is no CBC at .*nowhere"):
        Executable.checked(tmp_path / "nowhere", "given")


@posix
def test_version_in_the_words_of_the_executable(tmp_path: Path) -> None:
    body = 'print("Welcome to the CBC MILP Solver \\nVersion: 3.7 \\nBuild Date: Apr 1 2031 \\n")'
    found = CbcBackend(script(tmp_path / "cbc", body)).availability()
    assert found.usable
    assert found.version == "3.7 (Apr 1 2031)"
    assert str(tmp_path / "cbc") in found.path
    assert found.problem == ""


@posix
def test_version_2_10_comes_with_a_warning(tmp_path: Path) -> None:
    found = CbcBackend(script(tmp_path / "cbc", 'print("Version: 2.10.8 ")')).availability()
    assert found.usable
    assert found.version == "2.10.8"
    assert "preprocessing" in found.problem


@posix
def test_executable_that_is_no_cbc_is_not_usable(tmp_path: Path) -> None:
    path = script(tmp_path / "cbc", "print('what do you want?')")
    with pytest.raises(SolverFailed, match="what do you want"):
        _ = Executable.checked(path, "given").version
    assert not CbcBackend(path).availability().usable


@posix
def test_asking_for_the_version_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "temporary files"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    assert CbcBackend(script(tmp_path / "cbc", 'print("Version: 1")')).availability().usable
    assert not list(place.iterdir())


def test_what_is_found_on_this_machine_is_a_cbc() -> None:
    try:
        found = find_cbc()
    except BackendUnavailable as error:
        pytest.skip(str(error))
    assert Path(found.path).is_absolute()
    assert found.version
