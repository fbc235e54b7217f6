"""The vocabulary of statuses: scripts compare them with words, so the words are fixed."""

from __future__ import annotations

import json
import pickle

import pytest

from hidato_opt.core.status import Status, WarmStartFate


def test_the_words_of_the_design() -> None:
    assert [status.value for status in Status] == [
        "optimal",
        "infeasible",
        "feasible",
        "gave_up",
        "time_limit",
        "node_limit",
        "solution_limit",
        "gap_limit",
        "memory_limit",
        "interrupted",
        "unbounded",
        "infeasible_or_unbounded",
        "error",
    ]
    assert [fate.value for fate in WarmStartFate] == [
        "accepted",
        "repaired",
        "rejected",
        "not_tried",
    ]


@pytest.mark.parametrize("status", Status)
def test_a_status_is_its_word(status: Status) -> None:
    assert status == status.value
    assert f"{status}" == status.value
    assert json.loads(json.dumps({"status": status})) == {"status": status.value}
    assert pickle.loads(pickle.dumps(status)) is status


def test_only_verdicts_on_the_puzzle_are_proofs() -> None:
    assert {status for status in Status if status.is_proof} == {
        Status.OPTIMAL,
        Status.INFEASIBLE,
        Status.UNBOUNDED,
    }
