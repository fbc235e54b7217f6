"""The presets of the path family: made by name, text and CSV; moves, headers, closed, links."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hidato_opt import build_model
from hidato_opt.core.errors import InvalidPuzzle
from hidato_opt.core.reading import loads, read_csv
from hidato_opt.core.registry import kind_named
from hidato_opt.path.board import PathBoard
from hidato_opt.path.puzzle import Hidato, Hopido, KnightTour, Numbrix, Numgame
from path.board_brute import PRESETS, leads

CLASSES = {
    "hidato": Hidato,
    "numbrix": Numbrix,
    "numgame": Numgame,
    "hopido": Hopido,
    "knight": KnightTour,
}


@pytest.mark.parametrize("kind", CLASSES)
def test_a_kind_by_name_text_registry_and_row(kind: str, tmp_path: Path) -> None:
    board = CLASSES[kind]("1 . #/. 5 .")
    assert board.kind == kind
    assert kind_named(kind).puzzle_class() is CLASSES[kind]
    assert loads(f"# kind={kind}\n1 . #\n. 5 .") == board
    file = tmp_path / "set.csv"
    file.write_text(f"name,kind,board\na,{kind},1 . #/. 5 .\n")
    assert read_csv(file) == [board]
    assert type(read_csv(file)[0]) is CLASSES[kind]


@pytest.mark.parametrize(("make", "lattice"), PRESETS)
def test_moves_are_those_of_the_geometry_and_go_both_ways(
    make: type[PathBoard], lattice: str
) -> None:
    cells = [["."] * 7 for _ in range(6)]
    for i, j in [(0, 3), (2, 2), (3, 6), (5, 0)]:
        cells[i][j] = "#"
    board = make(cells, lattice=lattice)
    tail, head = (part.tolist() for part in board.arcs)
    moves = list(zip(tail, head, strict=True))
    expected = [
        (a, b)
        for a, here in enumerate(board.cells)
        for b, there in enumerate(board.cells)
        if leads(board, here, there)
    ]
    assert moves == expected
    assert {(b, a) for a, b in moves} == set(moves)
    every = range(board.size)
    assert [(a, b) for a in every for b in every if board.is_step(a, b)] == expected


@pytest.mark.parametrize(
    ("make", "lattice", "degree"),
    [
        (Hidato, "square", 8),
        (Hidato, "hex", 6),
        (Hidato, "tri", 3),
        (Hidato, "tri12", 12),
        (Numbrix, "square", 4),
        (Numgame, "square", 8),
        (Hopido, "square", 8),
        (KnightTour, "square", 8),
    ],
)
def test_cells_inside_have_as_many_neighbours_as_the_lattice_says(
    make: type[PathBoard], lattice: str, degree: int
) -> None:
    board = make([[0] * 9] * 9, lattice=lattice)
    degrees = np.bincount(board.arcs[0], minlength=81).reshape(9, 9)
    assert (degrees[3:6, 3:6] == degree).all()
    assert degrees.max() == degree


@pytest.mark.parametrize("make", [Numgame, Hopido])
def test_numgame_moves_as_in_the_text(make: type[PathBoard]) -> None:
    """From the centre of 7x7: three straight, two diagonally."""
    moves = make([[0] * 7] * 7).moves
    reached = {(i, j) for i in range(7) for j in range(7) if moves.is_move((3, 3), (i, j))}
    assert reached == {(0, 3), (6, 3), (3, 0), (3, 6), (1, 1), (1, 5), (5, 1), (5, 5)}


def test_f16_the_odd_rows_of_hexagons_are_shifted() -> None:
    """2 lies below both ends of the first row's second cell; with even rows shifted, 3 does not."""
    board = Hidato("# shape=hex\n# 1/2 .".replace("/", "\n"))
    assert board.lattice == "hex"
    assert board.verify("# 1/2 3") == []
    result = build_model(board).solve()
    assert result.status == "optimal"
    assert result.solution.tolist() == [[0, 1], [2, 3]]
    # one row further down, the parities are exchanged
    down = Hidato("# #/# 1/2 .", lattice="hex")
    assert [violation.code for violation in down.verify("# #/# 1/2 3")] == ["not-adjacent"]
    assert build_model(down).solve().status == "infeasible"


# grids by size


def test_a_grid_by_its_size() -> None:
    assert Numgame(4).shape == (4, 4)
    assert Numgame(4).size == 16
    assert Numgame(4, 6) == Numgame([[0] * 6] * 4)
    board = KnightTour(3, 5, start=(1, 2), closed=True)
    assert (board.shape, board.clues, board.closed) == ((3, 5), {1: (1, 2)}, True)
    assert Hopido(np.int64(2), 3).shape == (2, 3)
    assert Numgame("1 ./. .").clues == {1: (0, 0)}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Numgame(0), "a grid needs rows and columns, not 0 x 0"),
        (lambda: Numgame(3, -1), "a grid needs rows and columns, not 3 x -1"),
        (lambda: Numgame([[0, 0]], 2), "columns is given only where rows is a number"),
        (lambda: Numgame(3, start=3), r"the start is a cell \(row, column\), not 3"),
        (lambda: Numgame(3, start="ab"), "the start is a cell"),
    ],
)
def test_a_grid_that_is_none(call: Any, words: str) -> None:
    with pytest.raises(InvalidPuzzle, match=words):
        call()


@pytest.mark.parametrize("start", [(0, 3), (3, 0), (-1, 0), (0, -1)])
def test_a_start_outside_names_the_cell(start: tuple[int, int]) -> None:
    with pytest.raises(InvalidPuzzle, match="the start must be an empty cell") as caught:
        Numgame(3, start=start)
    assert (caught.value.row, caught.value.column) == start


@pytest.mark.parametrize("cells", ["# ./. .", "2 ./. ."])
def test_a_start_in_a_hole_or_on_another_number_is_refused(cells: str) -> None:
    with pytest.raises(InvalidPuzzle, match="row 1, column 1: the start must be"):
        Hidato(cells, start=(0, 0))


def test_a_start_where_one_stands_is_the_clue_and_another_is_given_twice() -> None:
    assert Hidato("1 ./. .", start=(0, 0)) == Hidato("1 ./. .")
    with pytest.raises(InvalidPuzzle, match="clue 1 is given twice") as caught:
        Hidato("1 ./. .", start=(1, 1))
    assert (caught.value.row, caught.value.column, caught.value.code) == (1, 1, "given-twice")


# headers


def test_header_keys_say_what_the_parameters_say() -> None:
    text = "# kind=hidato; lattice=hex; start=1,0; closed=yes; links=r0c0-r0c1 r1c0-r1c1\n. .\n. ."
    links = [((0, 1), (0, 0)), ((1, 0), (1, 1))]
    board = Hidato(". ./. .", lattice="hex", start=(1, 0), closed=True, links=links)
    assert loads(text) == board
    assert board.links == ((0, 1), (2, 3))
    assert board.closed
    assert str(board) == (
        "# kind=hidato; lattice=hex; closed=true; links=r0c0-r0c1 r1c0-r1c1\n. .\n1 ."
    )


@pytest.mark.parametrize("word", ["true", "yes", "1", "TRUE"])
def test_closed_as_a_word(word: str) -> None:
    assert Hidato(f"# closed={word}\n1 .\n. .").closed


@pytest.mark.parametrize("word", ["false", "no", "0"])
def test_not_closed_as_a_word(word: str) -> None:
    assert not Hidato(f"# closed={word}\n1 .\n. .").closed


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("closed=maybe", "closed='maybe' is neither true nor false"),
        (
            "lattice=cubes",
            "lattice 'cubes' is not known for hidato; known: square, hex, tri, tri12",
        ),
        ("start=first", "start='first' is no cell; write row,column, 0-based"),
        ("start=9,0", "row 10, column 1: the start must be an empty cell of the board"),
        ("links=r0c0", "'r0c0' is no link; write r0c1-r1c2"),
        ("links=r0c0-r1c0 r0c0-r7c0", "row 8, column 1: a link leads to this cell"),
        ("links=r0c1-r1c1", "row 1, column 2: a link leads to this cell, which is not open"),
        ("links=r0c0-r0c0", "row 1, column 1: a link needs two cells"),
    ],
)
def test_a_header_that_makes_no_sense(header: str, words: str) -> None:
    with pytest.raises(InvalidPuzzle, match=words):
        Hidato(f"# {header}\n. #\n. .")


@pytest.mark.parametrize("kind", ["numbrix", "numgame", "hopido", "knight"])
def test_other_kinds_have_the_square_lattice_alone(kind: str) -> None:
    with pytest.raises(InvalidPuzzle, match=f"lattice 'hex' is not known for {kind}"):
        CLASSES[kind]("1 .", lattice="hex")


@st.composite
def boards(draw: st.DrawFn) -> PathBoard:
    make, lattice = draw(st.sampled_from(PRESETS))
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    row = st.lists(st.sampled_from(["#", ".", "."]), min_size=columns, max_size=columns)
    cells = draw(st.lists(row, min_size=rows, max_size=rows))
    places = [(i, j) for i in range(rows) for j in range(columns) if cells[i][j] == "."]
    if not places:
        cells[0][0], places = ".", [(0, 0)]
    for number, (i, j) in enumerate(draw(st.permutations(places)), start=1):
        if draw(st.booleans()):
            cells[i][j] = str(number)
    pairs = st.lists(st.sampled_from(places), min_size=2, max_size=2, unique=True)
    links = draw(st.lists(pairs, max_size=2)) if len(places) > 1 else []
    return make(cells, lattice=lattice, closed=draw(st.booleans()), links=links)


@given(boards())
def test_text_and_pickle_give_the_board_back(board: PathBoard) -> None:
    for again in (loads(str(board)), pickle.loads(pickle.dumps(board))):
        assert again == board
        assert hash(again) == hash(board)
        assert type(again) is type(board)
        assert (again.lattice, again.closed, again.links) == (
            board.lattice,
            board.closed,
            board.links,
        )
        assert str(again) == str(board)


def test_boards_differ_by_everything_that_matters() -> None:
    cells = "1 ./. ."
    different = [
        Hidato(cells),
        Hidato(cells, lattice="hex"),
        Hidato(cells, lattice="tri"),
        Hidato(cells, closed=True),
        Hidato(cells, links=[((0, 0), (0, 1))]),
        Hidato(". ./. ."),
        Numbrix(cells),
        Numgame(cells),
        Hopido(cells),
    ]
    assert len(set(different)) == len(different)
    twin = Hidato(cells, links=[((0, 1), (0, 0)), ((0, 0), (0, 1))], name="x")
    assert twin == Hidato(cells, links=[((0, 0), (0, 1))])


# closed tours and links by the rules


def test_a_closed_tour_must_return() -> None:
    board = Numbrix(". ./. ./. .", closed=True)
    assert board.verify("1 6/2 5/3 4") == []
    found = board.verify("1 2/4 3/5 6")
    assert [(violation.code, violation.cells) for violation in found] == [
        ("not-adjacent", ((2, 1), (0, 0)))
    ]
    assert Numbrix(". ./. ./. .").verify("1 2/4 3/5 6") == []
    assert "6 in row 3, column 2 and 1 in row 1, column 1 are not a move apart" in str(found[0])


def test_a_single_cell_is_a_tour_as_it_is() -> None:
    board = Hidato(".", closed=True)
    assert not board.closed
    assert board.verify("1") == []


def test_links_hold_consecutive_numbers_in_either_order() -> None:
    board = Hidato(". ./. .", links=[((0, 0), (1, 1))])
    assert board.verify("1 4/3 2") == []
    assert board.verify("2 3/4 1") == []
    found = board.verify("1 2/4 3")
    assert [(violation.code, violation.cells) for violation in found] == [
        ("link-broken", ((0, 0), (1, 1)))
    ]
    assert "hold 1 and 3, which do not follow each other" in found[0].message


def test_the_last_and_the_first_follow_each_other_on_a_closed_tour_alone() -> None:
    links = [((0, 0), (1, 0))]
    assert Hidato(". ./. .", closed=True, links=links).verify("1 2/4 3") == []
    found = Hidato(". ./. .", links=links).verify("1 2/4 3")
    assert [violation.code for violation in found] == ["link-broken"]


# what is known of Numgame


@pytest.mark.parametrize("size", [2, 3, 4])
def test_the_grids_below_five_have_no_tour(size: int) -> None:
    assert build_model(Numgame(size), "successor").solve().status == "infeasible"


@pytest.mark.parametrize("start", [(0, 0), (2, 2), (1, 3)])
def test_five_by_five_has_tours_from_corner_centre_and_between(start: tuple[int, int]) -> None:
    board = Numgame(5, start=start)
    result = build_model(board, "successor").solve(time_limit=60)
    assert result.status == "optimal"
    assert board.verify(result.solution) == []
    assert result.solution[start] == 1
