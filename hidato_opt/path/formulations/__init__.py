"""Path puzzles as mixed-integer programs: a module a formulation."""

from __future__ import annotations

from hidato_opt.path.formulations.assignment import assignment, two_way
from hidato_opt.path.formulations.flow import flow
from hidato_opt.path.formulations.segments import segments
from hidato_opt.path.formulations.successor import successor

FORMULATIONS = {
    "assignment": assignment,
    "two-way": two_way,
    "flow": flow,
    "segments": segments,
    "successor": successor,
}
"""The formulations of the path family by name, the default first."""

__all__ = ["FORMULATIONS", "assignment", "flow", "segments", "successor", "two_way"]
