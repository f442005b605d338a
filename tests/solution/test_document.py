"""The JSON contract as models and schemas, held against what real runs give."""

import json

import pytest
from jsonschema_rs import Draft202012Validator

from tdgen import events
from tdgen.client import Generator
from tdgen.demo import demo_instruction, demo_settings
from tdgen.solution.document import SolutionDocument, document_schema, events_schema
from tdgen.types import Strength

pytestmark = pytest.mark.slow
KINDS = events.Event.__subclasses__()


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The demo's solution as JSON, and the events of its solve."""
    heard = []
    settings = demo_settings(str(tmp_path_factory.mktemp("cache"))).model_copy(update={"search_seconds": 0})
    with Generator(settings, on_event=heard.append) as generator:
        return json.loads(json.dumps(generator.solve(demo_instruction()).to_dict())), [one.to_dict() for one in heard]


def again(document):
    """What the model reads of a document, as it was written: a key that it does not know is missing there."""
    return json.loads(SolutionDocument.model_validate(document).model_dump_json(exclude_unset=True))


def test_the_demo_is_such_a_document(demo):
    """Each key of it is known, and the schema takes it."""
    document, _ = demo
    assert again(document) == document
    Draft202012Validator(document_schema(SolutionDocument, "it")).validate(document)


def test_what_is_rarely_there_is_known_too(one_studio, write):
    """A red function, effects of all kinds, an exception, a check, types, a tolerance, findings of attempts."""
    file = {"files": [{"name": "a.json", "text": "2"}]}
    main = write.function(
        "main(argv: list[str]) -> int",
        cases=[
            write.exits(["1", "2"], 0, observe={"stdout": "3\n"}, world=file),
            write.exits([], 2, kind="error", observe={"stdout": "", "stderr": "usage\n"}),
            write.raises("main(['x'])", "ValueError"),
        ],
        tries=["import sys\ndef main(argv: list[str]) -> int:\n    return 1\n"],
    )
    red = one_studio.solve(main, entry_function="main", settings={"budget": "iterations=1"}).solution
    strong = red.results[0].model_copy(update={"strength": Strength(mutants=2, killed=1)})
    document = red.model_copy(update={"results": (strong,)}).to_dict()
    assert not document["all_tests_passed"]
    assert again(document) == json.loads(json.dumps(document))
    Draft202012Validator(document_schema(SolutionDocument, "it")).validate(json.loads(json.dumps(document)))


def test_the_events_of_the_demo_are_such(demo):
    """All kinds but those that the demo has no cause for; what is none is refused."""
    validator = Draft202012Validator(events_schema(KINDS))
    for event in demo[1]:
        validator.validate(event)
        validator.validate({"at": 1.0} | event)  # as the service tells it
    assert {"plan_made", "attempt_judged", "budget_told"} <= {event["event"] for event in demo[1]}
    assert not validator.is_valid({"event": "stage_started"})
    assert not validator.is_valid({"event": "nothing", "format": 1})
    assert not validator.is_valid(demo[1][0] | {"format": 2})


def test_a_document_without_a_key_is_none(demo):
    """Each of them is promised; a key of a later version is passed over."""
    validator = Draft202012Validator(document_schema(SolutionDocument, "it"))
    for key in demo[0]:
        assert not validator.is_valid({name: value for name, value in demo[0].items() if name != key}), key
    assert SolutionDocument.model_validate(demo[0] | {"later": 1}).format == 1
    assert validator.is_valid(demo[0] | {"later": 1})
