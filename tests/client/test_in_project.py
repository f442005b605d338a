"""Work in a project as calls: what comes of it is looked at, and then applied, or not."""

import json
from pathlib import Path

import pytest

from tdgen.client.in_project import ProjectClient
from tdgen.client.projects import ProjectGenerator
from tdgen.client.proposals import Proposal
from tdgen.errors import Cancelled, InputError
from tdgen.models.scripted import ScriptedModel
from tdgen.project.applying import RECORD

STUB = '''"""Prices."""


def gross(net: int, rate: int = 20) -> int:
    """`net` with `rate` percent of tax, rounded down."""
    ...
'''
CODE = "def gross(net: int, rate: int = 20) -> int:\n    return net * (100 + rate) // 100\n"
CASES = {"one": ("100", 120), "two": ("10", 12), "down": ("1", 1), "none": ("0", 0), "more": ("5, 100", 10)}
PARAMETERS = [{"name": "net", "type": "int"}, {"name": "rate", "type": "int", "default": "20"}]
SPEC = {"name": "gross", "purpose": "Gross.", "parameters": PARAMETERS, "returns": "int", "dependencies": []}
PLAN = {"module": "prices", "summary": "Prices.", "functions": [SPEC], "classes": [], "questions": []}


@pytest.fixture
def shop(tmp_path, work, bare_environment, warm):
    """A project of one stub, in the working directory."""
    Path("pyproject.toml").write_text("[project]\nname = 'shop'\n")
    Path("prices.py").write_text(STUB)
    bare_environment(Path())
    return tmp_path


@pytest.fixture
def client(shop):
    """A client whose model knows the answers, and what it told of modules."""
    cases = [
        {"name": name, "call": f"gross({given})", "expect": "value", "value": str(value), "why": "rounded down"}
        for name, (given, value) in CASES.items()
    ]
    said = {"plan": json.dumps(PLAN), "cases": json.dumps({"cases": cases}), "implement": f"```python\n{CODE}```"}
    answers = [
        {"purpose": purpose, "subject": "gross" * (purpose != "plan"), "text": text} for purpose, text in said.items()
    ]
    model = ScriptedModel.from_dict({"format": 1, "model": "known", "answers": answers})
    told = []
    made = ProjectClient(model=model, trust="quick", cache_dir=str(shop / "cache"), on_module=told.append)
    made.told = told
    return made


def test_a_proposal_is_looked_at_and_then_applied(client):
    """Nothing is written before; the patch takes it back; what is recorded is as it was left."""
    proposal = client.fill("prices.py")
    assert proposal.is_green
    assert Path("prices.py").read_text() == STUB
    assert "-    ...\n+    return net * (100 + rate) // 100\n" in proposal.diff
    assert [type(one).__name__ for one in client.told] == ["ProjectTask", "Part"]
    (part,) = proposal.parts
    assert (part.solution["gross"].outcome, part.gate.holds) == ("green", True)
    assert proposal.apply().read_bytes().decode() == proposal.diff
    assert "// 100" in Path("prices.py").read_text()
    assert not client.drift().number
    with pytest.raises(InputError, match=r"prices\.py was changed since it was read: nothing is written; what was to"):
        proposal.apply()


def test_the_tests_of_code_that_is_there(client):
    """They may be applied whatever they found."""
    Path("prices.py").write_text(STUB.replace("...", "return net * (100 + rate) // 100"))
    proposal = client.guard("prices.py")
    assert (proposal.is_green, proposal.findings) == (True, ())
    assert [change.path for change in proposal.changes] == ["tests/test_gross.py", "tdgen.json"]


def test_what_is_not_green_is_not_applied(client):
    """It can be looked at."""
    (part,) = client.fill("prices.py").parts
    broken = part._replace(gate=part.gate._replace(broken=("tests/test_a.py::test_a",)))
    proposal = Proposal((broken,), client.settings)
    assert (proposal.is_green, bool(proposal.diff)) == (False, True)
    with pytest.raises(InputError, match="nothing is written, as not all is green"):
        proposal.apply()


def test_nothing_fails(client):
    """Then nothing is asked, and there is nothing to apply."""
    Path("tests").mkdir()
    Path("tests/test_prices.py").write_text("def test_it():\n    assert True\n")
    fix = client.fix()
    assert (fix.problem.failing, fix.fixed, fix.changes) == ((), None, ())
    with pytest.raises(InputError, match="as no change is green"):
        fix.apply()


def test_a_client_that_was_cancelled_begins_nothing(client):
    """Also where it is cancelled between two modules."""
    client.cancel()
    with pytest.raises(Cancelled):
        client.fill("prices.py")


def test_what_an_earlier_command_left_is_finished_first(client):
    """Also by a call; whoever hears events is told."""
    Path(RECORD).write_text("")
    client.drift()
    assert not Path(RECORD).exists()


@pytest.mark.parametrize(("file", "told"), [("tdgen.json", "is damaged"), ("tests", "tests is a file, where a folder")])
def test_what_could_not_be_written_is_not_paid_for(client, file, told):
    """A record that is damaged, a file in place of the folder of tests."""
    Path(file).write_text("{")
    with pytest.raises(InputError, match=told):
        client.fill("prices.py")
    assert client.told == []


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda client: client.fill(3), "a path must be str or Path, not int"),
        (lambda client: client.add("prices.py", 3), "the instruction must be str, not int"),
        (lambda client: client.fill("nowhere.py"), "nowhere.py: there is no such file"),
        (lambda client: client.fill(), "name a module"),
        (lambda client: client.change("prices.py::gross", "doubled"), "gross is a stub"),
        (lambda client: client.fix("tests/test_no.py"), "there is no such file of tests"),
    ],
)
def test_what_cant_be_used_is_one_line(client, call, told):
    """An InputError, before anything is paid for."""
    with pytest.raises(InputError, match=told):
        call(client)


def test_what_was_solved_is_judged_again_only_where_the_project_changed(client, monkeypatch):
    """It became green in the project as it is: no other command has to see that it holds there."""
    judged = []
    verify = ProjectGenerator.verify
    monkeypatch.setattr(ProjectGenerator, "verify", lambda *given: judged.append(given) or verify(*given))
    assert client.fill("prices.py").is_green
    assert client.fill("prices.py").is_green
    assert not judged
    Path("rates.txt").write_text("20")
    assert client.fill("prices.py").is_green
    assert judged
