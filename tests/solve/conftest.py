"""No backend made for one test is found by the next."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hidato_opt.backends.registry import backend_named


@pytest.fixture(autouse=True)
def _forget_fakes() -> Iterator[None]:
    yield
    backend_named.cache_clear()
