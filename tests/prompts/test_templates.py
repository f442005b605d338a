"""Templates are filled strictly, and values go in word for word."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import tdgen
from tdgen.prompts import conversation, render
from tdgen.protocols import Message


@pytest.fixture
def template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], str]]:
    """Write a template named `greet` into a package of its own; gives the package's name."""
    package = tmp_path / "stage_with_prompts"
    (package / "prompts").mkdir(parents=True)
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)

    def write(text: str) -> str:
        (package / "prompts" / "greet.md").write_text(text, encoding="utf-8")
        return package.name

    yield write
    sys.modules.pop(package.name, None)


def test_a_template_is_filled(template):
    """Every $variable is replaced by its value."""
    assert render(template("Hello $who, ${how}are you?\n"), "greet", who="you", how="how ") == "Hello you, how are you?"


def test_a_missing_variable_is_an_error(template):
    """A prompt with a hole never reaches a model."""
    with pytest.raises(ValueError, match=r"prompts/greet\.md wants a value for: how, who"):
        render(template("$who $how $x"), "greet", x="1")


def test_an_unused_variable_is_an_error(template):
    """What a stage means to tell the model must have a place in the template."""
    with pytest.raises(ValueError, match="has no place for: code"):
        render(template("$who"), "greet", who="you", code="x")


def test_a_value_is_not_expanded(template):
    """Dollars and parting lines inside a value are text."""
    value = "$who costs $$5\n---user---\n${x}"
    assert conversation(template("S\n---user---\nU $who"), "greet", who=value)[1].content == f"U {value}"


def test_two_dollars_are_one(template):
    """A literal dollar is written twice in a template."""
    assert render(template("costs $$5"), "greet") == "costs $5"


def test_a_single_dollar_is_an_error(template):
    """A dollar that names nothing is a slip of the template's author."""
    with pytest.raises(ValueError, match=r"a literal dollar is written \$\$"):
        render(template("costs $5"), "greet")


def test_a_variable_may_have_any_name(template):
    """`package` and `name` are as good names for a variable as any other."""
    assert render(template("$package $name"), "greet", package="a", name="b") == "a b"


def test_an_unknown_template_is_named(template):
    """The error says which file is not there."""
    with pytest.raises(ValueError, match=r"there is no prompt stage_with_prompts/prompts/other\.md"):
        render(template(""), "other")


def test_a_conversation_has_a_system_and_a_user_part(template):
    """The line ---user--- parts the two; both are stripped, and each variable may stand in either."""
    package = template("Be $manner.\n\n---user---\nWhat is $what?\n")
    assert conversation(package, "greet", manner="brief", what="love") == (
        Message(role="system", content="Be brief."),
        Message(role="user", content="What is love?"),
    )


def test_a_conversation_without_parts_is_one_user_message(template):
    """A template need not have a system part."""
    assert conversation(template("Hi $who"), "greet", who="x") == (Message(role="user", content="Hi x"),)


def test_a_conversation_is_strict_over_both_parts(template):
    """A variable that neither part uses is an error, one that a part lacks too."""
    package = template("S $a\n---user---\nU $b")
    with pytest.raises(ValueError, match="wants a value for: b"):
        conversation(package, "greet", a="1")
    with pytest.raises(ValueError, match="has no place for: c"):
        conversation(package, "greet", a="1", b="2", c="3")


def test_a_parting_line_in_the_middle_of_another_is_an_error(template):
    """A template whose parts would reach a model as one, marker and all, is never sent."""
    with pytest.raises(ValueError, match="only on a line of its own"):
        conversation(template("S $who---user---\nU"), "greet", who="you")


def test_every_prompt_of_ours_has_its_parts():
    """What the system says and what the user says are told apart in each template that has both."""
    package = Path(tdgen.__file__).parent
    parted = [path for path in package.rglob("prompts/*.md") if "---user---" in path.read_text(encoding="utf-8")]
    assert len(parted) >= 8
    for path in parted:
        assert "\n---user---\n" in path.read_text(encoding="utf-8"), path
