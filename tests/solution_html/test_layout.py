"""Where the dependency graph's boxes and edges stand: columns, and no edge behind a box."""

from __future__ import annotations

import re
from itertools import combinations
from random import Random
from typing import get_args

import pytest

from tdgen.solution_html.layout import HEIGHT, RUNGS, WIDTH, Layout, lay_out, layers
from tdgen.types import Rung


def test_there_are_words_for_each_way_to_an_attempt():
    """Else a story could not be told."""
    assert RUNGS.keys() == set(get_args(Rung))


@pytest.mark.parametrize(
    ("needs", "columns"),
    [
        ({}, []),
        ({"a": ()}, [["a"]]),
        ({"a": (), "b": ("a",), "c": ("a", "b")}, [["a"], ["b"], ["c"]]),
        ({"a": (), "b": ("a",), "near": (), "c": ("b", "near")}, [["a"], ["b", "near"], ["c"]]),
        ({"even": ("odd",), "odd": ("even",)}, [["even"], ["odd"]]),
        ({"own": ("own", "of_no_plan")}, [["own"]]),
    ],
)
def test_the_graph_has_columns(needs, columns):
    """What is needed stands to the left, as near as it can; circles end somewhere."""
    assert layers(needs) == columns


def random_needs(number: int) -> dict[str, list[str]]:
    """A plan as large ones are: a third stands on nothing, the others on up to three before them."""
    rng = Random(number)
    names = [f"f{n}" for n in range(number)]
    counts = [0 if n < number // 3 else rng.choice([1, 2, 3]) for n in range(number)]
    return {name: [rng.choice(names[:n]) for _ in range(counts[n])] for n, name in enumerate(names)}


CASES = {
    "forty": random_needs(40),
    "two hundred": random_needs(200),
    "far apart": {"a": [], "b": ["a"], "c": ["b"], "d": ["c", "a"], "e": ["d", "a", "b"]},
    "a circle": {"even": ["odd"], "odd": ["even"], "both": ["even", "odd"]},
    "alone": {f"f{n}": [] for n in range(10)},
}


@pytest.fixture(params=CASES)
def needs(request) -> dict[str, list[str]]:
    return CASES[request.param]


def test_no_boxes_overlap_and_all_are_in_the_drawing(needs):
    """Every function has a box, within the drawing's size."""
    drawn = lay_out(needs)
    assert list(drawn.boxes) == list(needs)
    for first, second in combinations(drawn.boxes.values(), 2):
        assert abs(first.x - second.x) >= WIDTH or abs(first.y - second.y) >= HEIGHT
    assert all(0 <= x <= drawn.width - WIDTH and 0 <= y <= drawn.height - HEIGHT for x, y in drawn.boxes.values())


def test_no_edge_runs_behind_a_box(needs):
    """Every edge is drawn, and no point of it lies within a box."""
    drawn = lay_out(needs)
    wanted = {(needed, user) for user, given in needs.items() for needed in given if needed != user}
    assert {(edge.needed, edge.user) for edge in drawn.edges} == wanted
    for edge in drawn.edges:
        for x, y in points(edge.path):
            inside = [n for n, box in drawn.boxes.items() if box.x < x < box.x + WIDTH and box.y < y < box.y + HEIGHT]
            assert inside == [], f"{edge.needed} to {edge.user} at {x}, {y}"


def test_what_needs_nothing_and_is_not_needed_stands_in_rows():
    """Below the graph, so that it makes no column of two hundred."""
    drawn = lay_out(CASES["alone"])
    assert drawn.height < 10 * HEIGHT
    assert len({spot.y for spot in drawn.boxes.values()}) == 3


def test_the_same_graph_is_laid_out_the_same():
    """And goes as plain data and back."""
    drawn = lay_out(CASES["forty"])
    assert lay_out(CASES["forty"]) == drawn == Layout.model_validate_json(drawn.model_dump_json())


def points(path: str) -> list[tuple[float, float]]:
    """Points along an edge: curves between columns, and straight lines through them."""
    found = []
    x = y = 0.0
    for kind, numbers in re.findall(r"([MCH])([\d\s-]+)", path):
        given = [float(number) for number in numbers.split()]
        if kind == "C":
            x1, y1, x2, y2, x3, y3 = given
            for step in range(1, 20):
                t = step / 20
                a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
                found.append((a * x + b * x1 + c * x2 + d * x3, a * y + b * y1 + c * y2 + d * y3))
        elif kind == "H":
            found += [(x + (given[0] - x) * step / 10, y) for step in range(1, 10)]
        x, y = (given[0], y) if kind == "H" else (given[-2], given[-1])
    return found
