"""Faults put into a project's functions, on a small library made up here; nothing is fetched."""

from pathlib import Path

import pytest
from projects.broken import Ranks, faults_of, given_back, kept, overfitted, played, ranks, solved
from projects.libraries import Library
from projects.measuring import opened

from tdgen.models.scripted import ScriptedModel
from tdgen.settings import Budget, Settings

WORDS = '''"""Words."""


def titled(text: str) -> str:
    """The text with a capital for each word."""
    words = text.split(" ")
    return " ".join(word[:1].upper() + word[1:] for word in words)


def unseen(text):
    """Something that no test looks at."""
    text = text * 2
    return text
'''
FILES = {
    "pyproject.toml": '[project]\nname = "words"\nversion = "1"\n',
    "words.py": WORDS,
    "tests/test_words.py": """import words

def test_titled():
    assert words.titled("a bird") == "A Bird"

def test_again():
    assert words.titled("bird") == "Bird"

def test_empty():
    assert words.titled("") == ""

def test_upper():
    assert words.titled("A") == "A"

def test_other():
    assert words.__name__ == "words"
""",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, bare_environment):
    """It in a working copy, mounted: each test leaves the copy as it was."""
    folder = tmp_path_factory.mktemp("library")
    folder.chmod(0o755)
    for name, text in FILES.items():
        (folder / "words-1" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "words-1" / name).write_text(text)
    bare_environment(folder / "words-1")
    with opened(Library("words", "1", "", "words.py"), folder / "words-1") as found:
        yield found


@pytest.fixture(scope="module")
def fault(place):
    """The one fault that its tests notice."""
    (found,) = faults_of(place, 9)
    return found


def test_a_fault_is_a_mutant_that_tests_notice(place, fault):
    """What no test runs has none; the copy is as it was."""
    assert (fault.id, fault.text == WORDS) == ("words/words::titled", False)
    assert fault.noticing
    assert set(fault.noticing) <= {
        f"tests/test_words.py::test_{name}" for name in ("titled", "again", "empty", "upper")
    }
    assert (place.copy / "words.py").read_text() == WORDS


def test_its_function_is_ranked(place, fault):
    """The one that tests run."""
    assert ranks(fault, place) == Ranks(1, 1, 1, 1)


@pytest.mark.timeout(120)
def test_what_is_given_back_is_the_original(place, fault):
    """Byte for byte; a change that knows the tests is not green."""
    back = given_back(fault, place, fault.answer)
    assert (back.outcome, back.reason, back.is_original) == ("green", "", True)
    known = overfitted(fault, place)
    assert "if text == 'a bird':\n        return 'A Bird'\n" in known
    assert given_back(fault, place, known).outcome != "green"


@pytest.mark.timeout(120)
def test_a_live_run_is_judged_by_all_tests_and_played_again(place, fault, tmp_path, monkeypatch):
    """The docs are asked as well: without an answer nothing is said of them."""
    said = {"format": 1, "model": "said", "answers": [{"purpose": "repair", "subject": "fix", "text": fault.answer}]}
    settings = Settings(trust="quick", budget=Budget(calls=1, seconds=None), cache_dir=str(tmp_path / "cache"))
    model = ScriptedModel.from_dict(said)

    def own(fault, place, settings):
        return solved(fault, place, settings, model, model)

    monkeypatch.setattr("projects.broken.solved", own)
    found = kept(fault, place, tmp_path / "logs", tmp_path / "kept", settings)
    monkeypatch.undo()
    assert (found.outcome, found.right, found.rank, found.lines) == ("undecided", True, 1, 2)
    assert kept(fault, place, tmp_path / "logs", tmp_path / "kept", settings) == found
    assert Path(tmp_path, "kept").exists()
    again, difference = played(fault, place, tmp_path / "kept", settings)
    assert (again.outcome, difference) == ("undecided", "")
