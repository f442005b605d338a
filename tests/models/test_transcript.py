"""Every conversation becomes files: to read, to keep to oneself, to play again.

What an unfinished run has paid for is replayed, and only that.

Whoever looks on is told that a model is asked, writes, and has answered.
"""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tdgen.errors import InputError, ModelError
from tdgen.events import ModelAnswered, ModelAsked, ModelFailed, ModelWrote
from tdgen.models import AnnouncingModel, ResumingModel, TranscribedModel, writing_announced
from tdgen.models.scripted import ScriptedModel, script_from
from tdgen.protocols import Answer, Message, Request
from tdgen.types import Usage


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_call_is_two_files(question, told, tmp_path: Path):
    """Named by number, purpose, subject and attempt; one to read, one to use."""
    model = TranscribedModel(told("the plan", "def f(): ..."), tmp_path / "t")
    model.ask(question())
    model.ask(question("implement", "f", attempt=2))
    assert names(tmp_path / "t") == [
        "001-plan-1.json",
        "001-plan-1.md",
        "002-implement-f-2.json",
        "002-implement-f-2.md",
    ]


def test_it_reads_like_a_conversation(question, told, tmp_path: Path):
    """Each message under its role, then the answer with its facts."""
    TranscribedModel(told("the plan"), tmp_path).ask(question())
    assert (tmp_path / "001-plan-1.md").read_text() == (
        "# plan, attempt 1\n\n## system\n\nBe kind.\n\n## user\n\nHello?\n\n"
        "## answer (model told, finish_reason stop, 10 + 5 tokens, 0.0 s)\n\nthe plan\n"
    )


def test_the_prompt_is_there_before_the_answer(question, tmp_path: Path):
    """Whoever kills a run that hangs sees what it waited for."""

    class Looking:
        def ask(self, request):
            assert "Hello?" in (tmp_path / "001-plan-1.md").read_text()
            return Answer(text="")

    TranscribedModel(Looking(), tmp_path).ask(question())
    assert names(tmp_path) == ["001-plan-1.json", "001-plan-1.md"]


def test_a_failure_is_written_too(question, told, tmp_path: Path):
    """With its line."""
    with pytest.raises(ModelError):
        TranscribedModel(told(ModelError("the endpoint is down")), tmp_path).ask(question())
    assert "## failed\n\nModelError: the endpoint is down" in (tmp_path / "001-plan-1.md").read_text()


def test_keys_are_not_written(question, told, tmp_path: Path):
    """Neither the run's own nor any that a text happens to hold, in no file."""
    message = Message(role="user", content="my key is sk-abcdefghijklmnop and not swordfish")
    TranscribedModel(told("swordfish!"), tmp_path, secrets=["swordfish"]).ask(question(messages=(message,)))
    written = "".join(path.read_text() for path in tmp_path.iterdir())
    assert "swordfish" not in written
    assert "sk-abc" not in written
    assert "[redacted]!" in written


def test_only_the_owner_can_read_it(question, told, tmp_path: Path):
    """Prompts hold the user's words."""
    TranscribedModel(told(), tmp_path / "t").ask(question())
    assert stat.S_IMODE((tmp_path / "t").stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "t").iterdir()} == {0o600}


def test_a_second_run_goes_on_counting(question, told, tmp_path: Path):
    """Nothing is overwritten."""
    for _ in range(2):
        TranscribedModel(told(), tmp_path).ask(question())
    assert [name for name in names(tmp_path) if name.endswith(".md")] == ["001-plan-1.md", "002-plan-1.md"]


def test_two_runs_at_once_share_a_folder(question, told, tmp_path: Path):
    """Each call has files of its own."""
    for model in [TranscribedModel(told(), tmp_path), TranscribedModel(told(), tmp_path)]:
        model.ask(question())
    assert names(tmp_path) == ["001-plan-1.json", "001-plan-1.md", "002-plan-1.json", "002-plan-1.md"]


def test_a_subject_can_not_leave_the_folder(question, told, tmp_path: Path):
    """A model's word for a function is no path."""
    TranscribedModel(told(), tmp_path / "t").ask(question("cases", "../../etc/passwd\n" + "x" * 300))
    assert names(tmp_path) == ["t"]
    assert all(name.startswith("001-cases-.._.._etc_passwd_xxx") for name in names(tmp_path / "t"))


def test_half_characters_are_written_as_escapes(question, told, tmp_path: Path):
    """A file holds no lone surrogates, and the run does not die of one."""
    TranscribedModel(told("\ud800"), tmp_path).ask(question())
    assert "\\ud800" in (tmp_path / "001-plan-1.md").read_text()


def test_a_folder_that_is_a_file_is_one_line(told, tmp_path: Path):
    """Before anything is asked."""
    (tmp_path / "t").touch()
    with pytest.raises(InputError, match=r"the transcript folder .*t can't be used: "):
        TranscribedModel(told(), tmp_path / "t")


def test_a_transcript_becomes_a_script(question, told, tmp_path: Path):
    """Failures are left out, and of two answers to one question the later one stays."""
    model = TranscribedModel(told(ModelError("down"), "one", "two", "code"), tmp_path)
    with pytest.raises(ModelError):
        model.ask(question("trial", "f"))
    for request in (question(), question(), question("implement", "f", attempt=2, sample=1)):
        model.ask(request)
    script = script_from(tmp_path)
    assert (script.model, len(script.answers)) == ("told", 2)
    played = ScriptedModel(script)
    assert played.ask(question()).text == "two"
    assert played.ask(question("implement", "f", attempt=2, sample=1)).usage.tokens == 15


@pytest.mark.parametrize("content", ["{}", "[]", "{", '{"answer": {}, "request": {}}'])
def test_a_folder_of_other_files_is_no_transcript(content, tmp_path: Path):
    """One line names the file."""
    (tmp_path / "package.json").write_text(content)
    with pytest.raises(InputError, match=r"package\.json is not a transcript's file"):
        script_from(tmp_path)


def test_an_empty_folder_is_no_transcript(tmp_path: Path):
    """Nothing to play."""
    with pytest.raises(InputError, match="holds no transcript with an answer"):
        script_from(tmp_path)


class Journal(dict):
    """Answers in memory."""

    def put(self, key: str, text: str) -> None:
        self[key] = text


def test_a_second_run_pays_nothing(question, told):
    """The same words come back, marked and without a cost."""
    journal = Journal()
    first = ResumingModel(told("the answer"), journal).ask(question())
    inner = told()
    second = ResumingModel(inner, journal).ask(question())
    assert second == first.model_copy(update={"replayed": True, "usage": Usage()})
    assert (first.replayed, inner.asked) == (False, [])


def test_what_an_earlier_version_kept_is_found(told):
    """The key of a request stays what it was: who goes on with an unfinished run pays nothing twice."""
    journal = Journal()
    request = Request(purpose="cases", subject="f", messages=(Message(role="user", content="Hello"),))
    ResumingModel(told("one"), journal, identity="m").ask(request)
    assert [*journal] == ["sha256:e3bc72836da2a010aad95c24255fb7b4a5268db9904d764afa5a9c23dcf30c0b"]


@pytest.mark.parametrize(
    "change",
    [
        {"subject": "g"},
        {"attempt": 2},
        {"sample": 1},
        {"max_tokens": 101},
        {"json_schema": {}},
        {"messages": (Message(role="user", content="Hello!"),)},
    ],
)
def test_another_question_is_asked_anew(change, question, told):
    """Every part of a request counts."""
    journal = Journal()
    ResumingModel(told("one"), journal).ask(question("implement", "f"))
    request = question("implement", "f").model_copy(update=change)
    assert ResumingModel(told("two"), journal).ask(request).text == "two"


def test_another_model_is_asked_anew(question, told):
    """Who answers is part of the answer."""
    journal = Journal()
    ResumingModel(told("one"), journal, identity="m1").ask(question())
    assert ResumingModel(told("two"), journal, identity="m2").ask(question()).text == "two"


def test_a_failure_is_not_kept(question, told):
    """The next run may have more luck."""
    journal = Journal()
    model = ResumingModel(told(ModelError("down"), "yes"), journal)
    with pytest.raises(ModelError):
        model.ask(question())
    assert model.ask(question()).text == "yes"


def test_an_unreadable_entry_is_asked_anew(question, told):
    """And replaced."""
    journal = Journal()
    ResumingModel(told("one"), journal).ask(question())
    for key in journal:
        journal[key] = "{"
    assert ResumingModel(told("two"), journal).ask(question()).text == "two"
    assert ResumingModel(told(), journal).ask(question()).text == "two"


def test_asking_and_answering_are_events(question, told):
    """With what it cost, how long it took, and whether it was replayed."""
    seen = []
    times = iter([10.0, 12.5])
    usage = Usage(calls=1, prompt_tokens=3, completion_tokens=4)
    inner = told(Answer(text="x", usage=usage, replayed=True))
    AnnouncingModel(inner, seen.append, clock=lambda: next(times)).ask(question("repair", "f", attempt=3))
    assert seen == [
        ModelAsked(purpose="repair", subject="f", attempt=3),
        ModelAnswered(purpose="repair", subject="f", attempt=3, usage=usage, seconds=2.5, replayed=True),
    ]


def test_a_failure_has_no_answer(question, told):
    """The error itself tells it, and its kind is an event."""
    seen = []
    with pytest.raises(ModelError):
        AnnouncingModel(told(ModelError("down")), seen.append).ask(question())
    asked = {"purpose": "plan", "subject": "", "attempt": 1}
    assert seen == [ModelAsked(**asked), ModelFailed(**asked, error="ModelError")]


def test_writing_is_an_event(question):
    """The hook for streaming models says how much is there."""
    seen = []
    writing_announced(seen.append)(question("cases", "f"), 80)
    assert seen == [ModelWrote(purpose="cases", subject="f", characters=80)]
