"""Fixtures that every part of the suite shares."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from hidato_opt.backends.base import Availability
from hidato_opt.backends.registry import BACKENDS, backend_named

settings.register_profile("suite", deadline=None)  # a busy machine is no failure
settings.load_profile("suite")


@pytest.fixture(scope="session")
def instances() -> Path:
    """The folder of real boards: HIDATO_OPT_INSTANCES, or shared/instances beside the project."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "instances"
    folder = Path(os.environ.get("HIDATO_OPT_INSTANCES", beside))
    if not (folder / "path" / "index.csv").is_file():
        pytest.skip(f"no boards under {folder}; set HIDATO_OPT_INSTANCES to the folder of boards")
    return folder


@pytest.fixture(scope="session")
def availabilities() -> dict[str, Availability]:
    """What each backend of the registry says of itself on this machine."""
    return {name: backend_named(name).availability() for name in BACKENDS}
