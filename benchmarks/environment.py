"""The lines that head every benchmark: what ran where."""

from __future__ import annotations

import os
import platform
import statistics
import sys
from importlib.metadata import PackageNotFoundError, version

PACKAGES = ("hidato_opt", "highspy", "pulp", "numpy", "ortools")


def header() -> str:
    """Describe the machine, the interpreter, the packages and the command."""
    packages = []
    for name in PACKAGES:
        try:
            packages.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            packages.append(f"{name} -")
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return "\n".join(
        [
            f"# {processor()}, {os.cpu_count()} cores, load {load}; {platform.platform()}",
            f"# Python {platform.python_version()}; {'; '.join(packages)}",
            f"# {' '.join(sys.argv)}",
        ]
    )


def processor() -> str:
    """Name the processor as Linux does, or as Python does elsewhere."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def spread(seconds: list[float]) -> str:
    """Write a median in milliseconds with the range around it."""
    low, middle, high = (
        1000 * value for value in (min(seconds), statistics.median(seconds), max(seconds))
    )
    return f"{middle:8.2f} ms  ({low:.2f} .. {high:.2f})"
