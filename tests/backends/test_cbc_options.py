"""CBC's options: checked here, for CBC itself ignores what it does not like."""

from __future__ import annotations

import re
import subprocess
from itertools import pairwise
from typing import Any

import pytest

from hidato_opt.backends.cbc_locate import find_cbc
from hidato_opt.backends.cbc_options import KEYWORDS, RANGES, checked_options, command_words
from hidato_opt.core.errors import BackendUnavailable, InvalidOption, UnknownOption
from hidato_opt.core.options import RunOptions


def test_every_name_and_value_of_the_tables_is_one_that_cbc_takes() -> None:
    """CBC in its line mode is told every value, and after each asked for what it has now."""
    try:
        cbc = find_cbc()
    except BackendUnavailable as error:
        pytest.skip(str(error))
    asked = [(name, str(v)) for table in (RANGES, KEYWORDS) for name in table for v in table[name]]
    told = [line for name, value in asked for line in (f"{name} {value}", name)]
    answer = subprocess.run(
        [cbc.path, "-"], input="\n".join([*told, "quit", ""]), capture_output=True, text=True
    ).stdout
    has = re.findall(r"(\w+)'? has value (\S+)", answer)
    # CBC 2.10 marks the part of a word that may be left out: auto!matic.
    plain = [(name.lower(), re.sub(r"[!(].*", "", value).lower()) for name, value in has]
    assert plain == [(name.lower(), value.lower()) for name, value in asked]


def test_values_come_as_text() -> None:
    given = {"maxNodes": 1, "passCuts": -3, "Rins": "often"}
    assert checked_options(given) == {"maxNodes": "1", "passCuts": "-3", "Rins": "often"}


@pytest.mark.parametrize(
    "name",
    [
        "maxnodes",
        "gomory",
        "foo",
        "-maxNodes",
        "maxNodes 5 -cutoff",
        # these would change what the answer means
        *("cutoff", "increment", "maxIterations", "integerTolerance", "primalTolerance"),
        # these are set by the run options
        *("threads", "seconds", "ratioGap", "randomSeed", "logLevel"),
    ],
)
def test_unknown_names_are_refused_and_the_known_ones_listed(name: str) -> None:
    with pytest.raises(UnknownOption, match=r"known: .*gomoryCuts.*maxNodes") as caught:
        checked_options({name: 5})
    assert repr(name) in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("maxNodes", 0),
        ("maxNodes", 2**31),
        ("maxNodes", "5"),
        ("maxNodes", 5.0),
        ("maxNodes", True),
        ("maxNodes", "5 -cutoff 3"),
        ("passFeasibilityPump", 10_001),
        ("gomoryCuts", "sometimes"),
        ("gomoryCuts", "off -cutoff 3"),
        ("gomoryCuts", False),
        ("gomoryCuts", ["off"]),
    ],
)
def test_values_that_cbc_would_ignore_are_refused(name: str, value: Any) -> None:
    with pytest.raises(InvalidOption, match=name):
        checked_options({name: value})


def words(**given: Any) -> list[tuple[str, str]]:
    """The words that the options add, in pairs."""
    every = command_words(RunOptions(**given))
    pairs = list(zip(every[::2], every[1::2], strict=True))
    return [pair for pair in pairs if pair != ("-timeMode", "elapsed")]


def test_time_is_wall_clock_time() -> None:
    assert ("-timeMode", "elapsed") in pairwise(command_words(RunOptions()))


def test_defaults_of_cbc_are_left_unsaid() -> None:
    """``-threads 1`` starts the parallel code, ``-randomSeed 0`` is the time of day to CBC 2.10."""
    assert words() == []
    assert words(threads=1, seed=0, gap=0.0) == []


def test_run_options_in_the_words_of_cbc() -> None:
    expected = [
        ("-gomoryCuts", "off"),
        ("-maxNodes", "7"),
        ("-randomCbcSeed", "5"),
        ("-randomSeed", "5"),
        ("-ratio", "0.01"),
        ("-threads", "2"),
    ]
    options = {"maxNodes": 7, "gomoryCuts": "off"}
    assert sorted(words(threads=2, seed=5, gap=0.01, options=options)) == expected
