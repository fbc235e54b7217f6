"""What is said to highspy before a run: a silent object, options, the model's arrays."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from hidato_opt.core.errors import BackendUnavailable, InvalidOption, SolverFailed, UnknownOption
from hidato_opt.core.options import RunOptions
from hidato_opt.modelling.model import Model
from hidato_opt.modelling.names import NameTable

WRONG_VERSIONS = ((1, 14, 0),)
"""Releases that call a wrong point optimal (HiGHS issue 2961)."""

_OF_RUN_OPTIONS = {
    "log_file": "log=True",
    "log_to_console": "log=True",
    "mip_rel_gap": "gap",
    "output_flag": "log=True",
    "random_seed": "seed",
    "threads": "threads",
    "time_limit": "time_limit",
}
"""HiGHS options that a run option of ours sets."""

_REFUSED = {
    "objective_bound": "it makes HiGHS call a feasible model infeasible",
    "objective_target": "it stops a run at a point that is not the best",
    "solve_relaxation": "it changes the model; use relax()",
    "infinite_bound": "it changes the model",
    "infinite_cost": "it changes the model",
    "large_matrix_value": "it changes the model",
    "small_matrix_value": "it changes the model",
    "user_bound_scale": "it changes the model",
    "user_objective_scale": "it changes the model",
    "kkt_tolerance": "it decides what counts as feasible",
    "mip_feasibility_tolerance": "it decides what counts as feasible",
    "primal_feasibility_tolerance": "it decides what counts as feasible",
    "read_basis_file": "a MIP start is given by warm_start",
    "read_solution_file": "a MIP start is given by warm_start",
    "solution_file": "use the result",
    "write_basis_file": "use the result",
    "write_solution_to_file": "use the result",
    "write_model_file": "use write()",
    "write_model_to_file": "use write()",
    "write_presolved_model_file": "use to_highspy()",
}
"""HiGHS options that would make a verdict or a point mean something else, or write files."""

_threads_of_process: list[int] = []


def import_highspy() -> Any:
    """Import highspy; a release that is known to be wrong is refused.

    Raises
    ------
    BackendUnavailable
        It is missing, or a wrong release.
    """
    try:
        import highspy
    except ImportError as error:
        raise BackendUnavailable(
            f'HiGHS cannot be imported ({error}); install it: pip install "highspy>=1.15.1"'
        ) from None
    if _release(highspy) in WRONG_VERSIONS:
        raise BackendUnavailable(
            f"HiGHS {highspy_version(highspy)} gives wrong answers (HiGHS issue 2961); "
            f'install another release: pip install "highspy>=1.15.1"'
        )
    return highspy


def highspy_version(highspy: Any) -> str:
    """Return the release as HiGHS says it, such as ``1.15.1``."""
    return ".".join(map(str, _release(highspy)))


def new_highs() -> Any:
    """Make a Highs object that prints nothing.

    The constructor of highspy 1.16 prints a banner when it enables callbacks,
    before any option can be set; hence the subclass.
    """
    return _silent_class()()


def set_options(highs: Any, options: RunOptions) -> None:
    """Hand the run options over, the time limit excepted (each run has its own).

    Raises
    ------
    UnknownOption
        HiGHS has no option of that name.
    InvalidOption
        HiGHS refuses the value, or a run option sets it; or `threads` differs
        from an earlier value (HiGHS takes one a process).
    """
    if _threads_of_process and _threads_of_process[0] != options.threads:
        raise InvalidOption(
            f"HiGHS takes one number of threads a process: this one began with "
            f"threads={_threads_of_process[0]}, so threads={options.threads} needs a new process"
        )
    highs.setOptionValue("threads", options.threads)
    highs.setOptionValue("random_seed", options.seed)
    highs.setOptionValue("mip_rel_gap", float(options.gap))
    accepted = highs.setOptionValue("output_flag", True)
    known = {name for name in dir(highs.getOptions()) if not name.startswith("_")}
    for name, value in options.options.items():
        if name not in known:
            raise UnknownOption.of("HiGHS option", name, known)
        if name in _OF_RUN_OPTIONS:
            raise InvalidOption(f"HiGHS option {name!r} is set by {_OF_RUN_OPTIONS[name]}")
        if name in _REFUSED:
            raise InvalidOption(f"HiGHS option {name!r} is not taken: {_REFUSED[name]}")
        if not _takes(highs, name, value, accepted):
            kind = type(highs.getOptionValue(name)[1]).__name__
            raise InvalidOption(f"HiGHS option {name!r} cannot be {value!r} (it takes: {kind})")
    _threads_of_process[:] = [options.threads]


def _takes(highs: Any, name: str, value: Any, accepted: Any) -> bool:
    """Set an option; say whether HiGHS took it."""
    if isinstance(value, float) and math.isnan(value):
        return False  # HiGHS would take it, and call feasible models infeasible
    try:
        return bool(highs.setOptionValue(name, value) == accepted)
    except TypeError:
        return False


def pass_model(highs: Any, model: Model) -> None:
    """Hand the arrays of a model over in one call.

    Raises
    ------
    SolverFailed
        HiGHS refuses the model.
    """
    highspy = import_highspy()
    sense = highspy.ObjSense.kMaximize if model.maximise else highspy.ObjSense.kMinimize
    status = highs.passModel(
        model.num_columns,
        model.num_rows,
        model.num_nonzeros,
        int(highspy.MatrixFormat.kRowwise),
        int(sense),
        model.offset,
        model.cost,
        model.lower,
        model.upper,
        model.row_lower,
        model.row_upper,
        model.starts,
        model.columns,
        model.coefficients,
        model.integer.astype(np.int32),
    )
    if status == highspy.HighsStatus.kError:
        raise SolverFailed(f"HiGHS refused the model {model!r}")


def to_highspy(model: Model) -> Any:
    """Return a ``highspy.Highs`` that holds the model, with readable names, for free use.

    The columns are in the model's order, so ``model.x[1, 2, 5].column`` is the
    column's place there too.
    """
    highs = new_highs()
    pass_model(highs, model)
    names = NameTable.of(model)
    for column, name in enumerate(names.columns):
        highs.passColName(column, name)
    for row, name in enumerate(names.rows):
        highs.passRowName(row, name)
    return highs


def _release(highspy: Any) -> tuple[int, int, int]:
    return (
        highspy.HIGHS_VERSION_MAJOR,
        highspy.HIGHS_VERSION_MINOR,
        highspy.HIGHS_VERSION_PATCH,
    )


@cache
def _silent_class() -> Any:
    base: Any = import_highspy().Highs

    class SilentHighs(base):  # type: ignore[misc]  # its base is known at run time only
        def enableCallbacks(self) -> None:  # noqa: N802 - highspy's own name
            self.setOptionValue("log_to_console", False)
            super().enableCallbacks()

    return SilentHighs
