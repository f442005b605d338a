"""What is new is formatted as the project's settings say; what stood there stays."""

import pytest

from tdgen.project.formatting import formatted_module, formatted_tests

BEFORE = """import  os
A = {'b' : 1}


def first():
    ...


def second( x ):
    return x
"""
AFTER = BEFORE.replace(
    "    ...\n",
    "    return {'one': 1111111, \"two\": 2222222, 'three': 33333333, 'four': 444444444, 'five': 55555555, 'six': 6}\n",
)


@pytest.fixture
def settings(tmp_path):
    """The project with these settings in its pyproject.toml."""

    def write(text):
        (tmp_path / "pyproject.toml").write_text(text)
        return tmp_path

    return write


@pytest.mark.parametrize("tool", ["[tool.ruff]\nline-length = 60\n", "[tool.black]\nline-length = 60\n"])
def test_what_is_new_follows_the_settings(settings, tool):
    """Another quote, another width: and not a byte beside it, though that is not formatted."""
    made = formatted_module(BEFORE, AFTER, settings(tool))
    assert made.startswith("import  os\nA = {'b' : 1}\n\n\ndef first():\n")
    assert made.endswith("\n\n\ndef second( x ):\n    return x\n")
    assert '        "one": 1111111,\n' in made
    assert max(map(len, made.splitlines())) <= 60


def test_settings_of_quotes_are_heard(settings):
    """As all of the formatter's are."""
    root = settings("[tool.ruff.format]\nquote-style = 'single'\n")
    assert "'two': 2222222" in formatted_module(BEFORE, AFTER, root)
    assert formatted_tests({"test_a.py": 'x = "1"\n'}, root) == {"test_a.py": "x = '1'\n"}


@pytest.mark.parametrize("text", ["", "[tool.ruff]\nrequired-version = '==0.0.1'\n"])
def test_without_settings_all_stays(settings, text):
    """And where ruff can't use them."""
    assert formatted_module(BEFORE, AFTER, settings(text)) == AFTER
    assert formatted_tests({"test_a.py": "x = '1'\n"}, settings(text)) == {"test_a.py": "x = '1'\n"}


def test_line_ends_stay(settings):
    """Of what is new, too."""
    before, after = (text.replace("\n", "\r\n") for text in (BEFORE, AFTER))
    made = formatted_module(before, after, settings("[tool.ruff]\nline-length = 60\n"))
    assert made.count("\r\n") == made.count("\n") > after.count("\n")


def test_an_edit_within_a_line_that_is_not_formatted_stays_small(settings):
    """A formatter that would touch what stood beside it is not heard."""
    before = "x = [ 1,\n  2,\n  3 ]\n"
    after = before.replace("2,", "22,")
    assert formatted_module(before, after, settings("[tool.ruff]\n")) == after
