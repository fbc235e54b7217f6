"""Path boards without the library: rules, all solutions, and boards drawn from random walks.

Boards here are lists of rows with 0 for an empty cell, -1 for a hole and a
number for a clue; solutions are lists of rows with 0 at holes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import strategies as st

Rows = list[list[int]]
Place = tuple[int, int]


def touch(kind: str, one: Place, other: Place) -> bool:
    """Say whether two cells are a king's move (hidato) or a rook's single step (numbrix) apart."""
    down, right = abs(one[0] - other[0]), abs(one[1] - other[1])
    return max(down, right) == 1 if kind == "hidato" else down + right == 1


def open_cells(board: Rows) -> list[Place]:
    """List the cells that are no holes, row by row."""
    return [(i, j) for i, row in enumerate(board) for j, cell in enumerate(row) if cell != -1]


def is_solution(kind: str, board: Rows, solution: Rows) -> bool:
    """Check a filled board of the right shape by the rules of the text."""
    cells = open_cells(board)
    if any(
        number != 0
        for i, row in enumerate(solution)
        for j, number in enumerate(row)
        if (i, j) not in cells
    ):
        return False
    where = {solution[i][j]: (i, j) for i, j in cells}
    if sorted(where) != list(range(1, len(cells) + 1)):
        return False
    if any(board[i][j] > 0 and board[i][j] != solution[i][j] for i, j in cells):
        return False
    return all(touch(kind, where[k], where[k + 1]) for k in range(1, len(cells)))


def all_solutions(kind: str, board: Rows) -> list[Rows]:
    """Find every solution by walking from every cell."""
    cells = open_cells(board)
    clue_at = {board[i][j]: (i, j) for i, j in cells if board[i][j] > 0}

    def walks(path: list[Place]) -> Iterator[list[Place]]:
        number = len(path) + 1
        if number > len(cells):
            yield path
            return
        for cell in [clue_at[number]] if number in clue_at else cells:
            given = board[cell[0]][cell[1]]
            if cell in path or given not in (0, number):
                continue
            if not path or touch(kind, path[-1], cell):
                yield from walks([*path, cell])

    return [written(board, path) for path in walks([])]


def written(board: Rows, path: list[Place]) -> Rows:
    """Write 1, 2, ... along a path, 0 at holes."""
    solution = [[0] * len(row) for row in board]
    for number, (i, j) in enumerate(path, start=1):
        solution[i][j] = number
    return solution


@dataclass(frozen=True)
class Drawn:
    """A board with a solution that is known because the board was made from it."""

    kind: str
    board: Rows
    solution: Rows

    @property
    def size(self) -> int:
        """N, the number of open cells."""
        return len(open_cells(self.board))


@st.composite
def drawn_boards(
    draw: st.DrawFn, max_rows: int = 4, max_columns: int = 4, max_size: int = 16
) -> Drawn:
    """Draw a board by a random walk: what the walk does not reach becomes holes."""
    kind = draw(st.sampled_from(["hidato", "numbrix"]))
    rows = draw(st.integers(1, max_rows))
    columns = draw(st.integers(1, max_columns))
    cells = [(i, j) for i in range(rows) for j in range(columns)]
    path = [draw(st.sampled_from(cells))]
    length = draw(st.integers(1, min(max_size, len(cells))))
    while len(path) < length:
        free = [cell for cell in cells if cell not in path and touch(kind, path[-1], cell)]
        if not free:
            break
        path.append(draw(st.sampled_from(free)))
    given = draw(st.sets(st.integers(1, len(path))))
    board = [[-1] * columns for _ in range(rows)]
    for number, (i, j) in enumerate(path, start=1):
        board[i][j] = number if number in given else 0
    return Drawn(kind, board, written(board, path))
