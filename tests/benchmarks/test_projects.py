"""Bodies taken from a project's functions and given back, on a small library made up here; nothing is fetched."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from bench_projects import main
from projects.libraries import Library
from projects.live import kept_tasks, play, shown_tests, solve
from projects.measuring import first_difference, given_back, measured, opened, taken_out
from projects.simulated import cases, scripted
from projects.tasks import Draw, addition, tasks_named, tasks_of

from tdgen.errors import InputError
from tdgen.settings import Settings

WORDS = '''"""Words."""

SMALL = ("a", "of")


def titled(text: str, small: tuple[str, ...] = SMALL) -> str:
    """The text with a capital for each word that is not small; ValueError where it has a mark.

    >>> titled("king of spain")
    'King of Spain'
    >>> titled("a b")
    'a B'
    >>> titled("")
    ''
    >>> titled("go!")
    Traceback (most recent call last):
    ValueError: no marks
    """
    # Spaces are kept as they are.
    if "!" in text:
        raise ValueError("no marks")
    words = text.split(" ")
    return " ".join(word if word in small else word[:1].upper() + word[1:] for word in words)


def unseen(text):
    """Something that no test looks at."""
    text = text * 2
    return text


class Page:
    """A page of text."""

    def __init__(self, text):
        self.text = text

    def lines(self):
        """The lines that are not empty."""
        found = [line for line in self.text.split("\\n") if line]

        return found  # the text ends here'''
FILES = {
    "pyproject.toml": '[project]\nname = "words"\nversion = "1"\n',
    "words.py": WORDS,
    "tests/test_words.py": """import words

def test_titled():
    assert words.titled("a bird") == "a Bird"

def test_lines():
    assert words.Page("a\\n\\nb").lines() == ["a", "b"]

def test_broken():
    assert False
""",
}
LIBRARY = Library("words", "1", "", "words.py")


def written(folder: Path) -> Path:
    """The library's project, in a folder."""
    folder.chmod(0o755)
    for name, text in FILES.items():
        (folder / "words-1" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "words-1" / name).write_text(text)
    return folder / "words-1"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The library's project."""
    return written(tmp_path)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, bare_environment):
    """It in a working copy, mounted: each test leaves the copy as it was."""
    root = written(tmp_path_factory.mktemp("library"))
    bare_environment(root)
    with opened(LIBRARY, root) as found:
        yield found


@pytest.fixture(scope="module")
def tasks(place):
    """The tasks that its tests give, by unit."""
    return {task.unit.name: task for task in tasks_of(place.checkout, place.sandbox, 9)}


def test_a_task_is_a_body_whose_loss_is_noticed(place, tasks):
    """By a test that passed: one that failed before says nothing, and what no test runs is no task."""
    assert tasks.keys() == {"titled", "Page.lines"}
    assert tasks["titled"].noticing == ("tests/test_words.py::test_titled",)
    assert place.checkout.passing == {"tests/test_words.py::test_titled", "tests/test_words.py::test_lines"}


def test_another_draw_has_no_task_that_is_known(place):
    """Nor functions where methods alone are wanted."""
    known = frozenset({"words/words::titled", "words/words::unseen"})
    for draw in (Draw(known=known), Draw(seed=5, methods=True)):
        assert [task.unit.name for task in tasks_of(place.checkout, place.sandbox, 9, draw)] == ["Page.lines"]


def test_what_is_taken_is_the_body_alone(tasks):
    """The docstring stays, and all else."""
    task = tasks["Page.lines"]
    lines = task.stub.splitlines()
    assert lines[-2:] == ['        """The lines that are not empty."""', "        raise NotImplementedError"]
    assert lines[:-1] == WORDS.splitlines()[: len(lines) - 1]


@pytest.mark.timeout(120)
def test_all_is_measured_and_the_copy_is_as_it_was(place, tasks, root):
    """The body comes back byte for byte, the gate holds, and cases from doctests lead the simulated model to green."""
    found = measured(tasks["titled"], place)
    assert (found.refused, found.difference, found.gate) == ("", "", "")
    assert (found.cases, found.solved) == (4, "green")
    assert found.tokens > 0
    assert (place.copy / "words.py").read_text() == WORDS == (root / "words.py").read_text()


def test_a_method_without_doctests(place, tasks):
    """It is given back too, at the end of a file that ends without a line's end."""
    found = measured(tasks["Page.lines"], place)
    assert (found.difference, found.gate, found.cases) == ("", "", 0)
    assert found.solved == "no doctests to take cases from"


def test_another_answer_is_another_file(place, tasks):
    """So the comparison of bytes can fail, and says where."""
    task = tasks["Page.lines"]
    with taken_out(task, place) as (filling, _):
        text = given_back(task.answer.replace("if line]", "if line.strip()]"), task, filling)
    assert first_difference(task.module.data, text.encode()).startswith("line 40: b'        found = [line for")


@pytest.mark.timeout(120)
@pytest.mark.parametrize("added", [False, True])
def test_a_live_run_is_judged_by_hidden_tests_and_played_again(place, tasks, tmp_path, added):
    """Filled, and asked for once, or added: what is kept gives the same record, and is not asked for again."""
    task, kept = tasks["titled"], tmp_path / "kept"
    with taken_out(task, place) as (filling, _):
        asked = addition(task, place.copy) if added else filling
        model = scripted(task, asked.target)
        assert shown_tests(asked) == []
    settings = Settings(trust="quick")
    found = solve(task, place, tmp_path / "logs", kept, settings, model, added=added)
    assert (found.outcome, found.right, found.added) == ("green", True, added)
    assert (found.once_right, found.once_usage.calls) == ((False, 0) if added else (True, 1))
    count = len(model.asked)
    assert not any("a bird" in message.content for request in model.asked for message in request.messages)
    assert solve(task, place, tmp_path / "logs", kept, settings, model, added=added) == found
    assert len(model.asked) == count
    (again,) = tasks_named(place.checkout, place.sandbox, kept_tasks(kept))
    assert play(again, place, kept_tasks(kept)[task.id], settings)[1] == ""


def test_tests_that_did_not_end_judge_nothing(place, tasks, tmp_path):
    """Wrong code was called right where the test that fails on it had not been come to when all were run without it."""
    report = place.checkout.report.model_copy(update={"complete": False})
    cut = place._replace(checkout=place.checkout._replace(report=report))
    with pytest.raises(InputError, match="words-1: its own tests did not end as it is"):
        solve(tasks["titled"], cut, tmp_path / "logs", tmp_path / "kept", Settings(trust="quick"))
    assert not (tmp_path / "kept").exists()


def test_a_context_with_tests_in_it_is_noticed(place, tasks):
    """By the title that a module of tests would have."""
    with taken_out(tasks["titled"], place) as (filling, _):
        target = filling.target.model_copy(update={"context": "# module tests.test_words\n\nimport words"})
        assert shown_tests(replace(filling, target=target)) == ["tests.test_words"]


def test_cases_of_doctests(tasks):
    """Values that are literals, and exceptions by their names."""
    told = [(case["call"], case["expect"], case["value"]) for case in cases(tasks["titled"])]
    assert told[1:] == [
        ("titled('a b')", "value", "'a B'"),
        ("titled('')", "value", "''"),
        ("titled('go!')", "raises", "ValueError"),
    ]


@pytest.mark.slow
def test_a_library_that_no_test_speaks_for(root):
    """It is refused in one line."""
    (root / "tests/test_words.py").write_text("import no_such_package\n")
    with pytest.raises(InputError, match="none of its own tests passes here"), opened(LIBRARY, root):
        pass


@pytest.mark.slow
def test_a_library_that_can_not_be_fetched_is_left_out(monkeypatch, tmp_path, capsys):
    """With pip's reason, and nothing stays in the cache."""
    for name, value in {"NO_INDEX": "1", "NO_CACHE_DIR": "1", "CONFIG_FILE": os.devnull, "FIND_LINKS": ""}.items():
        monkeypatch.setenv(f"PIP_{name}", value)  # nothing of this machine's is searched: that may take long
    main(["--cache", str(tmp_path), "--only", "inflection", "--answers", str(tmp_path / "none")])
    assert "inflection-0.5.1 | pip download failed: No matching distribution found" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_a_live_run_without_a_model(monkeypatch, tmp_path):
    """It says what to set."""
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(SystemExit, match="--live needs a model: set OPENAI_BASE_URL"):
        main(["--cache", str(tmp_path), "--live", "1"])


def test_a_library_that_there_is_not(tmp_path):
    """The message names those that there are."""
    with pytest.raises(SystemExit, match="there is no library nothing: there are attrs, "):
        main(["--cache", str(tmp_path), "--only", "nothing"])
