"""Kept logs that a live model completes: what is asked of it, and what is kept."""

import pytest
from renewing import FilledModel

from tdgen.models.scripted import Script, ScriptedModel
from tdgen.protocols import Answer, Request


class Live:
    """A model that answers all alike; `asked` are the items that it was asked about."""

    name = "live"

    def __init__(self) -> None:
        self.asked: list[dict[str, str]] = []

    def ask(self, request: Request) -> Answer:
        self.asked.append(dict(request.items))
        return Answer(text="later")


def request(purpose: str, items: dict[str, str] | None = None, **key) -> Request:
    return Request(purpose=purpose, subject="f", items=items or {}, messages=(), **key)


def old(purpose: str, **more) -> dict:
    return {"purpose": purpose, "subject": "f", "text": "old", **more}


@pytest.mark.parametrize(
    ("kept", "asked", "is_live"),
    [
        (old("implement"), request("implement"), False),
        (old("implement"), request("repair", attempt=2), True),
        (old("settle", items={"1": "a"}), request("settle", {"1": "a"}), False),
        (old("settle", items={"1": "a"}), request("settle", {"1": "b"}), True),
        (old("settle"), request("settle", {"1": "a"}), True),
    ],
    ids=["known", "lacking", "the same call", "another call", "it does not say of which call"],
)
def test_a_live_model_is_asked_what_no_answer_surely_speaks_of(kept, asked, is_live):
    """And is asked it once: the answer is found by the same question, also when the script is played alone."""
    live = Live()
    model = FilledModel(Script.model_validate({"format": 1, "answers": [kept]}), live)
    texts = [model.ask(asked).text for _ in range(2)]
    assert texts == ["later" if is_live else "old"] * 2
    assert live.asked == [asked.items] * is_live
    assert ScriptedModel(model.script).ask(asked).text == texts[0]
