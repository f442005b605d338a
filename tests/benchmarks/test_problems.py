"""The problems that the simulated model knows, and which share of their tests it tells."""

import ast
import os

import pytest
from simulated.problems import annotation, by_text, data_path, load

from tdgen.errors import InputError


def test_every_second_call_is_the_testers_and_the_others_are_hidden(gap):
    """In the order in which the problem's own test makes them."""
    assert [call.arguments for call in gap.seen] == [("[]",), ("[1, 4, 5]",), ("[2, 2, 9]",)]
    assert [call.arguments for call in gap.hidden] == [("[7]",), ("[5, 1]",), ("[10, 0, 3]",)]


def test_an_example_that_the_reference_contradicts_is_disputed(problems):
    """The user's text says 7 of what is 6."""
    assert [example.value for example in problems[1].disputed] == ["7"]
    assert problems[1].examples == ()


def test_a_problem_is_told_by_its_prompt_and_by_its_contract(problems):
    """Whoever asks shows one or the other."""
    for problem in problems:
        assert by_text(problems, f"Please: {problem.instruction}") == problem
        assert by_text(problems, f"`{problem.spec.signature}`\n\n{problem.spec.purpose}") == problem
    assert by_text(problems, "sum_to(n) of quite another contract") is None


def test_annotations_are_written_with_builtin_generics():
    """As a plan has them; Any where the problem says nothing."""
    node = ast.parse("Dict[str, List[int]]", mode="eval").body
    assert annotation(node) == "dict[str, list[int]]"
    assert annotation(None) == "Any"


def test_no_data_is_told_with_the_way_out(monkeypatch, tmp_path):
    """Neither a traceback nor a guess."""
    monkeypatch.delenv("BENCHMARK_DATA", raising=False)
    with pytest.raises(InputError, match="BENCHMARK_DATA"):
        data_path()
    with pytest.raises(InputError, match="is not there"):
        data_path(str(tmp_path))


def test_data_of_another_kind_is_refused(bench, tmp_path):
    """A text that is not gzip, in one line."""
    path = tmp_path / "HumanEval.jsonl.gz"
    path.write_text("hello")
    with pytest.raises(InputError, match="can't be read"):
        load(path, bench.sandbox)


@pytest.mark.skipif(
    not os.environ.get("BENCHMARK_DATA"), reason="BENCHMARK_DATA names no folder with HumanEval.jsonl.gz"
)
def test_the_data_set_is_read_whole(bench):
    """Every problem has calls, and is told from its own instruction."""
    found = load(data_path(), bench.sandbox)
    assert all(problem.calls for problem in found)
    assert all(by_text(found, problem.instruction) == problem for problem in found)
