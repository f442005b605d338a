"""A change held to the docs: whose docs are asked, and what can't be said."""

from types import SimpleNamespace

import pytest

from tdgen.client.fixing import confirm
from tdgen.errors import InputError
from tdgen.fixing.changing import read_change
from tdgen.project.index import read_index
from tdgen.project.module import read_module
from tdgen.project.root import find_project
from tdgen.settings import Budget

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

    def call(code, more=()):
        tasks = []

        def generating(task, budget):
            tasks.append(task)
            raise InputError("no model")

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
