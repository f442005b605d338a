"""`tdgen schema`: what programs may rely on, as JSON schemas."""

import json
from pathlib import Path

import pytest
from jsonschema_rs import Draft202012Validator


@pytest.mark.parametrize("kind", ["solution", "events", "batch"])
def test_each_is_a_schema(tdgen, kind):
    """Of the version that its title names."""
    ran = tdgen("schema", kind)
    assert ran.code == 0
    assert ran.document["title"] == f"tdgen {kind}, format 1"
    Draft202012Validator(ran.document)


def test_a_kind_that_is_none(tdgen):
    """The kinds that there are stand in the line."""
    ran = tdgen("schema", "solutoin")
    assert (ran.code, ran.out) == (2, "")
    assert ran.last == "tdgen: there is no schema of 'solutoin': it is one of solution, events, batch"


@pytest.mark.slow
def test_a_batch_and_a_solve_give_such(tdgen, said, instruction):
    """What the commands write, held against what they promise."""
    said.green()
    Path("in.jsonl").write_text(f"{json.dumps({'id': 'a', 'instruction': instruction})}\n{{}}\n")
    common = ("--script", said.path, "--trust", "quick")
    row, solution = (Draft202012Validator(tdgen("schema", kind).document) for kind in ("batch", "solution"))
    assert tdgen("batch", "in.jsonl", "-o", "out", *common).code == 1
    rows = [json.loads(line) for line in Path("out/results.jsonl").read_text().splitlines()]
    assert {one["outcome"] for one in rows} == {"green", "malformed"}
    for one in rows:
        row.validate(one)
    solution.validate(tdgen("solve", instruction, "--json", *common).document)
