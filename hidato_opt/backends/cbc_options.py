"""The options of CBC that can be set, and how they are worded on its command line.

CBC 2.10 ignores what it does not know and every value out of range, without a
word in its exit code; so names and values are checked here, against what CBC
2.10 and the present one have in common.  What could change the meaning of an
answer is left out on purpose: with ``cutoff``, ``increment`` or the tolerances
"infeasible" is no longer a statement about the model, and with
``maxIterations`` all three versions tried here called a point optimal that was
not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hidato_opt.core.errors import InvalidOption, UnknownOption
from hidato_opt.core.options import RunOptions

_MANY = 2**31 - 1
_CUTS = ("off", "root", "ifmove", "forceon")
_HEURISTIC = ("off", "on", "both", "before")

RANGES: dict[str, tuple[int, int]] = {
    "cutDepth": (-1, _MANY),
    "cutLength": (-1, _MANY),
    "depthMiniBab": (-_MANY, _MANY),
    "hotStartMaxIts": (0, _MANY),
    "idiotCrash": (-1, _MANY),
    "maxNodes": (1, _MANY),
    "maxSolutions": (1, 2**30 - 1),
    "passCuts": (-_MANY, _MANY),
    "passFeasibilityPump": (0, 10_000),
    "passPresolve": (-200, 100),
    "passTreeCuts": (-_MANY, _MANY),
    "pumpTune": (0, 100_000_000),
    "slowcutpasses": (-1, _MANY),
    "sprintCrash": (-1, _MANY),
    "strongBranching": (0, 999_999),
    "trustPseudoCosts": (-3, _MANY),
}
"""Options whose value is a whole number, and its least and greatest value."""

KEYWORDS: dict[str, tuple[str, ...]] = {
    "cliqueCuts": (*_CUTS, "onglobal"),
    "combineSolutions": _HEURISTIC,
    "cutsOnOff": (*_CUTS, "on"),
    "Dins": (*_HEURISTIC, "often"),
    "DivingCoefficient": _HEURISTIC,
    "DivingFractional": _HEURISTIC,
    "DivingGuided": _HEURISTIC,
    "DivingLineSearch": _HEURISTIC,
    "DivingPseudoCost": _HEURISTIC,
    "DivingSome": _HEURISTIC,
    "DivingVectorLength": _HEURISTIC,
    "feasibilityPump": _HEURISTIC,
    "flowCoverCuts": (*_CUTS, "onglobal"),
    "GMICuts": (*_CUTS, "endonly", "long", "longroot", "longifmove"),
    "gomoryCuts": (*_CUTS, "onglobal", "forceandglobal"),
    "greedyHeuristic": _HEURISTIC,
    "heuristicsOnOff": ("off", "on"),
    "knapsackCuts": (*_CUTS, "onglobal", "forceandglobal"),
    "mixedIntegerRoundingCuts": (*_CUTS, "onglobal"),
    "nodeStrategy": ("hybrid", "fewest", "depth", "upfewest", "downfewest", "updepth", "downdepth"),
    "perturbation": ("off", "on"),
    "pivotAndFix": _HEURISTIC,
    "preprocess": ("off", "on", "equal", "sos", "trysos", "equalall", "aggregate", "forcesos"),
    "presolve": ("off", "on", "more"),
    "probingCuts": (*_CUTS, "on", "onglobal"),
    "proximitySearch": _HEURISTIC,
    "randomizedRounding": _HEURISTIC,
    "reduceAndSplitCuts": _CUTS,
    "Rens": (*_HEURISTIC, "dj", "djbefore", "usesolution"),
    "residualCapacityCuts": _CUTS,
    "Rins": (*_HEURISTIC, "often"),
    "roundingHeuristic": _HEURISTIC,
    "scaling": ("off", "equi", "geo", "auto", "dynamic"),
    "sosPrioritize": ("off", "high", "low", "orderhigh", "orderlow"),
    "twoMirCuts": (*_CUTS, "onglobal", "forceandglobal"),
    "VndVariableNeighborhoodSearch": (*_HEURISTIC, "intree"),
    "zeroHalfCuts": (*_CUTS, "onglobal"),
}
"""Options whose value is a word, and the words there are."""


def checked_options(options: Mapping[str, Any]) -> dict[str, str]:
    """Check names and values, and return the values as text.

    Raises
    ------
    UnknownOption
        A name is not among those of `RANGES` and `KEYWORDS`.
    InvalidOption
        A value is out of range or not among the words.

    Examples
    --------
    >>> checked_options({"maxNodes": 100, "gomoryCuts": "off"})
    {'maxNodes': '100', 'gomoryCuts': 'off'}
    """
    texts = {}
    for name, value in options.items():
        if name in RANGES:
            least, most = RANGES[name]
            is_whole = isinstance(value, int) and not isinstance(value, bool)
            if not (is_whole and least <= value <= most):
                raise InvalidOption(
                    f"CBC's {name} is a whole number from {least} to {most}, not {value!r}"
                )
        elif name in KEYWORDS:
            if value not in KEYWORDS[name]:
                raise InvalidOption(
                    f"CBC's {name} is one of {', '.join(KEYWORDS[name])}, not {value!r}"
                )
        else:
            raise UnknownOption.of("CBC option", name, [*RANGES, *KEYWORDS])
        texts[name] = str(value)
    return texts


def command_words(run: RunOptions) -> list[str]:
    """Word the options as the middle part of a CBC command line.

    PuLP's ``COIN_CMD`` words gap, threads and time mode.  What is CBC's own
    default (one thread, gap 0, seed 0) is left unsaid: ``-threads 1`` would
    start CBC's parallel code, and ``-randomSeed 0`` means the time of day.

    Raises
    ------
    UnknownOption, InvalidOption
        From `checked_options`.
    """
    import pulp

    texts = checked_options(run.options)
    solver = pulp.COIN_CMD(
        msg=False,
        path="cbc",
        threads=run.threads if run.threads > 1 else None,
        gapRel=run.gap or None,
        options=[f"{name} {value}" for name, value in texts.items()],
    )
    phrases = [*solver.options, *solver.getOptions()]
    if run.seed:
        phrases += [f"randomSeed {run.seed}", f"randomCbcSeed {run.seed}"]
    return [word for phrase in phrases for word in f"-{phrase}".split()]
