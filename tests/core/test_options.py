"""Run options: ranges, types, and numbers that come from NumPy."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from hidato_opt.core.errors import InvalidOption, UnknownOption
from hidato_opt.core.options import RunOptions


def test_defaults_are_those_of_the_design() -> None:
    options = RunOptions()
    assert options.time_limit is None
    assert (options.threads, options.seed, options.gap, options.log) == (1, 0, 0.0, False)
    assert dict(options.options) == {}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("time_limit", -1),
        ("time_limit", math.nan),
        ("time_limit", "60"),
        ("time_limit", True),
        ("time_limit", 1j),
        ("gap", -0.1),
        ("gap", None),
        ("gap", math.nan),
        ("threads", 0),
        ("threads", -1),
        ("threads", 1.5),
        ("threads", 2.0),
        ("threads", True),
        ("threads", None),
        ("seed", -1),
        ("seed", 1.0),
        ("seed", "0"),
        ("seed", 2**31),
        ("options", ["presolve"]),
        ("options", "presolve=off"),
        ("options", None),
    ],
)
def test_a_wrong_value_is_an_error_that_names_the_option(name: str, value: Any) -> None:
    with pytest.raises(InvalidOption, match=f"^{name} must be ") as caught:
        RunOptions(**{name: value})
    assert repr(value) in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("time_limit", 0, 0.0),
        ("time_limit", np.float32(0.5), 0.5),
        ("time_limit", np.int64(3), 3.0),
        ("time_limit", Fraction(1, 4), 0.25),
        ("gap", 1, 1.0),
        ("seed", np.int32(7), 7),
        ("seed", 2**31 - 1, 2**31 - 1),
        ("threads", np.uint8(2), 2),
    ],
)
def test_numbers_of_any_make_are_taken_as_python_numbers(
    name: str, value: Any, kept: float
) -> None:
    taken = getattr(RunOptions(**{name: value}), name)
    assert taken == kept
    assert type(taken) is type(kept)


def test_an_unknown_keyword_lists_the_known_ones() -> None:
    with pytest.raises(UnknownOption, match="option 'timelimit' is not known") as caught:
        RunOptions.of({"timelimit": 3})
    assert str(caught.value).endswith("known: gap, log, options, seed, threads, time_limit")


def test_keywords_become_options() -> None:
    options = RunOptions.of({"time_limit": 2, "options": {"presolve": "off"}})
    assert options == RunOptions(time_limit=2.0, options={"presolve": "off"})


def test_an_infinite_time_limit_is_none() -> None:
    assert RunOptions(time_limit=math.inf).time_limit is None
