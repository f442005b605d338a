"""A change held to the docs: whose docs are asked, and what can't be said."""

from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from tdgen.client.fixing import confirm
from tdgen.errors import InputError
from tdgen.fixing.changing import read_change
from tdgen.project.index import read_index
from tdgen.project.module import read_module
from tdgen.project.root import find_project
from tdgen.pytest_files import node_ids
from tdgen.settings import Budget
from tdgen.types import Case, FileReport, Finding, FunctionResult, FunctionSpec, Plan, Returns, Suite, Value

TEXT = '''def _whole(cents):
    return int(cents)


def gross(cents):
    """The sum with tax, rounded half up."""
    return _whole(cents * 1.2)


def net(cents):
    """The sum."""
    return _whole(cents)


def bare(cents):
    return cents
'''


@pytest.fixture
def asked(tmp_path):
    """Confirm a change of the module `a`; the units that are asked about, and the opinion."""
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "a.py").write_text(TEXT)
    project = find_project(tmp_path)
    module = read_module(project, tmp_path / "a.py")
    problem = SimpleNamespace(project=project, index=read_index(project), suspects=())

    def call(code, more=(), generator=None):
        tasks = []

        def generating(task, budget):
            tasks.append(task)
            if generator is None:
                raise InputError("no model")
            return generator

        changed = read_change(f"```python\n# a.py\n{code}```", {"a.py": module})
        changed = SimpleNamespace(texts=(*changed.texts, *more), units=changed.units)
        opinion, spent = confirm(problem, generating, changed, Budget())
        return [name for task in tasks for name in task.names], opinion, spent

    return call


def test_the_docs_of_what_changed_are_asked(asked):
    """Its new code is what is judged; what keeps them from being asked is told."""
    units, opinion, spent = asked("def net(cents):\n    return cents\n")
    assert (units, opinion.unknown, spent) == (["net"], ("its docs could not be asked: no model",), ())


def test_documented_callers_stand_for_what_has_no_docs(asked):
    """As they do what it does."""
    assert asked("def _whole(cents):\n    return int(cents + 0.5)\n")[0] == ["gross", "net"]


def test_without_docs_anywhere_nothing_can_be_said(asked):
    """Nobody is asked."""
    units, opinion, _ = asked("def bare(cents):\n    return 2 * cents\n")
    assert units == []
    assert opinion.unknown[0].startswith("its docs can't confirm it: bare (line 15) has no docstring")


def test_a_change_of_several_modules_is_not_asked_about(asked):
    """One module alone can be judged."""
    units, opinion, _ = asked("def net(cents):\n    return cents\n", more=[(None, "")])
    assert (units, opinion.unknown) == ([], ("the change is in several modules: their docs are not asked",))


@pytest.mark.parametrize(("outcome", "against"), [("xfailed", 0), ("failed", 1), (None, 1)])
def test_a_finding_that_the_code_before_has_too_is_told_apart(asked, outcome, against):
    """What the code failed before the change is no fault of the change's; where that can't be told, it is."""
    case = Case(name="of_2", function="net", arguments=("2",), expectation=Value(source="2"), why="The sum.")
    finding = Finding(
        unit="net", case="of_2", call="net(n)", setup="n = 2", expected="returns 2", observed="3", quote="The sum."
    )
    result = FunctionResult(
        function="net", outcome="red", suite=Suite(function="net", cases=(case,)), best=None, findings=(finding,)
    )
    spec = FunctionSpec(name="net", purpose="The sum.", returns=Returns(type="int"))
    plan = Plan(module="a", functions=(spec,))
    files = {"test_net.py": ""}
    solution = SimpleNamespace(results=[result], plan=plan, test_files=files, stopped="", cached=False, spent=())
    ran = []

    def run_made(files, overlay):
        ran.append(overlay)
        (test,) = node_ids(result.suite, spec, plan, failing={"of_2": "its docs"}).values()
        return FileReport(outcomes={test: outcome} if outcome else {})

    generator = nullcontext(SimpleNamespace(solve=lambda *_: solution, run_made=run_made))
    _, opinion, _ = asked("def net(cents):\n    return cents\n", generator=generator)
    assert (ran, len(opinion.against), len(opinion.before)) == ([{"a": TEXT}], against, 1 - against)
    told = (*opinion.against, *opinion.before)[0]
    assert told.startswith("the docs of net say “The sum.”: so net(n) after `n = 2` returns 2, and not what it does: 3")
