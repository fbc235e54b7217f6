"""Why a path puzzle has no solution: a minimal set of clues that contradict each other."""

from __future__ import annotations

from hidato_opt.core.clock import Deadline
from hidato_opt.core.errors import Undecided
from hidato_opt.core.explanation import Explanation
from hidato_opt.core.status import Status
from hidato_opt.path.rules import PathRules
from hidato_opt.path.search import find


def explain(puzzle: PathRules, *, seed: int = 0, time_limit: float | None = None) -> Explanation:
    """Find clues that cannot be met together, as few as can be by leaving out.

    A deletion filter: each clue in turn is left out for good if the rest is
    still proven infeasible.  What remains is minimal: without any one of the
    clues it is solvable.

    Parameters
    ----------
    puzzle : PathRules
        The puzzle.
    seed : int
        Seed of the search.
    time_limit : float, optional
        Seconds for all the proofs together.

    Returns
    -------
    Explanation
        ``items`` are pairs of number and cell.

    Raises
    ------
    Undecided
        The limit came before the answer.

    Examples
    --------
    >>> from hidato_opt.path.puzzle import Hidato
    >>> explanation = explain(Hidato([[1, 0, 0, 2, 4]]))
    >>> explanation.items
    ((1, (0, 0)), (2, (0, 3)))
    >>> print(explanation)
    no path has 1 in row 1, column 1 and 2 in row 1, column 4
    """
    deadline = Deadline(time_limit)

    def is_solvable(clues: dict[int, int]) -> bool:
        outcome = find(
            puzzle.graph,
            clues,
            closed=puzzle.closed,
            links=puzzle.links,
            seed=seed,
            time_limit=deadline.remaining(),
        )
        if not outcome.status.is_proof:
            raise Undecided(f"the search met its limit ({outcome.status}); allow more time")
        return outcome.status is not Status.INFEASIBLE

    needed = puzzle.clue_positions
    if is_solvable(needed):
        return Explanation("solvable", (), "the puzzle has a solution")
    for number in sorted(needed, reverse=True):
        without = {key: cell for key, cell in needed.items() if key != number}
        if not is_solvable(without):
            needed = without
    if not needed:
        tour = "closed tour" if puzzle.closed else "path"
        links = " that keeps the links" if puzzle.links else ""
        text = f"no {tour} of moves visits all {puzzle.size} cells{links}, whatever the clues"
        return Explanation("board", (), text)
    items = tuple((number, puzzle.cell_of(needed[number])) for number in sorted(needed))
    words = [f"{number} in {puzzle.cell_name(needed[number])}" for number in sorted(needed)]
    listed = " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
    return Explanation("clues", items, f"no path has {listed}")
