"""Functions guarded with and without a seeded fault, on a small library made up here; nothing is fetched."""

from pathlib import Path

import pytest
from projects import guarding
from projects.guarding import Seed, guarded, kept, play, read_seeds
from projects.knowing import asked_in
from projects.libraries import LIBRARIES, Library

from tdgen.errors import InputError
from tdgen.settings import Settings
from tests.benchmarks.test_projects import FILES

pytestmark = pytest.mark.slow  # each needs a sandbox of its own

LIBRARY = Library("words", "1", "", "words.py")
TASK = "words/words::titled"


@pytest.fixture
def words(tmp_path, monkeypatch):
    """The library in a cache of its own, guarded by the model that knows it."""
    for name, text in FILES.items():
        (tmp_path / "cache/words-1" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "cache/words-1" / name).write_text(text)
    tmp_path.chmod(0o755)
    monkeypatch.setattr(guarding, "LIBRARIES", (LIBRARY,))
    settings = Settings(trust="quick", cache_dir=str(tmp_path / "kept"))
    return lambda *edit: guarded(Seed(TASK, *edit), tmp_path / "cache", settings)


def test_every_seed_names_what_it_breaks():
    """At least half of them have a fault, none is there twice, each of a library that there is."""
    seeds = read_seeds()
    faulty = [seed for seed in seeds if seed.old]
    assert len(faulty) * 2 >= len(seeds) == len({seed.task for seed in seeds})
    assert all(seed.breaks for seed in faulty)
    assert {seed.library for seed in seeds} <= set(LIBRARIES)


def test_code_as_its_docs_say(words):
    """No finding."""
    found = words()
    assert (found.outcome, found.shown, found.alarms) == ("green", (), ())
    assert found.cases > 4  # the doctests, and what was asked about


def test_a_fault_is_shown_by_what_the_original_passes(words):
    """The first words of the docs' own examples."""
    found = words("word if word in small", "word if word not in small", "a capital for each word that is not small")
    assert found.outcome == "red"
    assert [one.call for one in found.shown] == ["titled('a b')", "titled('king of spain')"]
    assert found.shown[0].quote.startswith('>>> titled("a b")')
    assert found.alarms == ()


def test_calls_are_read_from_a_prompt():
    """With what is done before them and what they may come to."""
    text = (
        "<calls>\n1. `f(x)`\n  after setup: `x = 1`\n2. `g()`\n</calls>\n\n<cases_in_doubt>\n- one: `f(x)`\n"
        "  after setup:\n      x = 2\n      x += 1\n  A: returns `2`\n  B: raises ValueError\n</cases_in_doubt>\n"
    )
    first, second = asked_in(text, "calls")
    assert (first.number, first.call, first.setup, second.number, second.setup) == ("1", "f(x)", "x = 1", "2", "")
    (doubtful,) = asked_in(text, "cases_in_doubt")
    assert (doubtful.name, doubtful.setup) == ("one", "x = 2\nx += 1")
    assert doubtful.outcomes == {"A": "returns `2`", "B": "raises ValueError"}


def test_an_edit_must_stand_there_once(words):
    """Else it is another fault than was meant."""
    with pytest.raises(InputError, match="stands there 0 times"):
        words("nowhere", "there")


def test_the_library_is_as_it_was(words, tmp_path):
    """The edit is made in a copy."""
    words("word if word in small", "word if small")
    assert Path(tmp_path, "cache/words-1/words.py").read_text() == FILES["words.py"]


def test_what_is_kept_is_played_again(words, tmp_path):
    """Without asking anybody, and with the same findings; kept once, it is not guarded again."""
    seed = Seed(TASK, "word if word in small", "word if word not in small", "small")
    settings, place = Settings(trust="quick"), (tmp_path / "cache", tmp_path / "logs", tmp_path / "answers")
    found = kept(seed, *place, settings)
    assert kept(seed, *place, settings) == found
    again, difference = play(seed, tmp_path / "cache", next((tmp_path / "answers").iterdir()), settings)
    assert (difference, again.shown) == ("", found.shown)
