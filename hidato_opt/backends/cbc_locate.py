"""Where the CBC executable is, and what it says of itself.

Searched in this order: the package ``cbcbox`` (the extra ``[cbc]``), ``cbc``
on the path, and the CBC 2.10.3 of 2019 that comes with PuLP 3.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from hidato_opt.backends.process import run_folder, run_process
from hidato_opt.core.errors import BackendUnavailable, SolverFailed

INSTALL = 'pip install "hidato_opt[cbc]"'
"""The line that installs a recent CBC."""
UNRELIABLE = (
    "the preprocessing of CBC 2 loses points of some models, so it is off by default; "
    f"a recent CBC comes with {INSTALL}"
)
"""What to know about the CBC that comes with PuLP 3 and with most systems."""

_VERSION = re.compile(r"^Version: *(.*?) *$", re.MULTILINE)
_BUILT = re.compile(r"^Build Date: *(.*?) *$", re.MULTILINE)
_BANNER_SECONDS = 5.0


@dataclass(frozen=True)
class Executable:
    """A CBC that can be run.

    Attributes
    ----------
    path : str
        Its absolute path.
    source : str
        Who brought it.
    """

    path: str
    source: str

    @classmethod
    def checked(cls, path: str | os.PathLike[str], source: str) -> Executable:
        """Make sure that there is an executable file at a path.

        Raises
        ------
        BackendUnavailable
            There is none; the message says what to do.
        """
        full = os.path.abspath(path)
        if not os.path.isfile(full):
            raise BackendUnavailable(f"there is no CBC at {full} ({source}); {INSTALL}")
        if not os.access(full, os.X_OK):
            raise BackendUnavailable(
                f"the CBC at {full} ({source}) is not executable; "
                f'run chmod +x "{full}", or reinstall it: {INSTALL}'
            )
        return cls(full, source)

    @property
    def version(self) -> str:
        """The version in the executable's own words.

        Raises
        ------
        BackendUnavailable
            It cannot be run.
        SolverFailed
            What it says is not what a CBC says.
        """
        return _version_at(self.path, os.stat(self.path).st_mtime_ns)

    @property
    def is_unreliable(self) -> bool:
        """Whether it is of the line whose preprocessing loses points, see `UNRELIABLE`."""
        return self.version.startswith("2.")


def find_cbc() -> Executable:
    """Find the CBC to use.

    Raises
    ------
    BackendUnavailable
        There is none, or the first one found is not executable.
    """
    for path, source in _candidates():
        return Executable.checked(path, source)
    raise BackendUnavailable(f"there is no CBC on this machine; {INSTALL}")


def banner_version(log: str) -> str | None:
    r"""Read the version out of a log; None where there is no banner.

    Examples
    --------
    >>> banner_version("Welcome to CBC\nVersion: 2.10.3 \nBuild Date: Dec 15 2019 \n")
    '2.10.3 (Dec 15 2019)'
    """
    version, built = _VERSION.search(log), _BUILT.search(log)
    if version is None:
        return None
    return f"{version[1]} ({built[1]})" if built else version[1]


def _candidates() -> Iterator[tuple[str, str]]:
    if find_spec("cbcbox") is not None:
        import cbcbox

        yield cbcbox.cbc_bin_path(), "package cbcbox"
    import pulp

    # COIN_CMD.executable is PuLP's own look-up on the path, with .exe where that is needed.
    on_path = pulp.COIN_CMD.executable(pulp.COIN_CMD.executableExtension("cbc"))
    if on_path:
        yield on_path, "on the path"
    bundled = getattr(getattr(pulp, "PULP_CBC_CMD", None), "pulp_cbc_path", None)
    if bundled and Path(bundled).is_file():
        yield bundled, "bundled with PuLP"


@lru_cache(maxsize=8)
def _version_at(path: str, _modified: int) -> str:
    with run_folder() as folder:
        finished = run_process([path, "-quit"], folder, limit=_BANNER_SECONDS)
    version = banner_version(finished.log)
    if version is None:
        raise SolverFailed(f"{path} does not introduce itself as a CBC", finished.log)
    return version
