"""What fits a contract between a page and its service, and what is said of what does not."""

from __future__ import annotations

import pytest

from tdgen.languages.fullstack.schema import Contract, misfit, unknown

ITEM = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "name": {"type": ["string", "null"]}},
    "required": ["id"],
    "additionalProperties": False,
}
LIST = {"type": "object", "properties": {"items": {"type": "array", "items": ITEM}}, "required": ["items"]}
ROUTES = [
    {"method": "GET", "path": "/items", "sent": {}, "answers": [{"status": 200, "body": LIST}]},
    {"method": "GET", "path": "/items/{id}", "sent": {}, "answers": [{"status": 200, "body": ITEM}]},
    {"method": "GET", "path": "/items/last", "sent": {}, "answers": [{"status": 204, "body": {}}]},
    {"method": "POST", "path": "/items", "sent": ITEM, "answers": [{"status": 201, "body": ITEM}]},
]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"items": []}, ""),
        ({"items": [{"id": 1, "name": None}], "more": 1}, ""),
        ({}, "the body has no 'items'"),
        ([], "the body is [], no object"),
        ({"items": [{"id": "1"}]}, 'items[0].id is "1", no integer'),
        ({"items": [{"id": True}]}, "items[0].id is true, no integer"),
        ({"items": [{"id": 1, "size": 2}]}, "items[0] has 'size', of which the contract says nothing"),
    ],
)
def test_what_does_not_fit_is_told_with_its_place(value, said):
    """The first place that is not as the schema has it is named, and what stands there."""
    assert misfit(value, LIST) == said


@pytest.mark.parametrize(
    ("value", "schema", "fits"),
    [
        (1, {"anyOf": [{"type": "string"}, {"type": "integer"}]}, True),
        (1.5, {"anyOf": [{"type": "string"}, {"type": "integer"}]}, False),
        (2.0, {"type": "integer"}, True),
        ("b", {"enum": ["a", "b"]}, True),
        (1, {"enum": [True]}, False),
        ({"x": 1}, {"type": "object", "additionalProperties": {"type": "string"}}, False),
    ],
)
def test_schemas_mean_what_they_mean_elsewhere(value, schema, fits):
    """Alternatives, whole numbers written as floats, enumerations and other properties are as JSON schema has them."""
    assert (misfit(value, schema) == "") is fits


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"$ref": "#/x"}, "the schema has '$ref'"),
        ({"type": "text"}, "the schema has the type 'text'"),
        ({"properties": {"a": {"minimum": 1}}}, ".a has 'minimum'"),
        ({"items": []}, "[] is no object"),
        (ITEM, ""),
    ],
)
def test_a_schema_that_would_not_be_held_is_refused(schema, said):
    """What a schema says and nothing here would check goes back to the planner."""
    assert unknown(schema).startswith(said)
    assert bool(unknown(schema)) is bool(said)


def test_requests_are_those_of_the_contract_alone():
    """Another path, method or body is none; of two templates that fit the plainer one is meant."""
    contract = Contract(ROUTES)
    assert contract.sent("POST", "/items?x=1", {"id": 1}) == ""
    assert "has no 'id'" in contract.sent("POST", "/items", {"name": "pen"})
    assert contract.sent("DELETE", "/items", None) == "DELETE /items is no request of the contract"
    assert contract.route("GET", "/items/last")["path"] == "/items/last"
    assert contract.route("GET", "/items/7")["path"] == "/items/{id}"
    assert contract.route("GET", "/items/") is None


def test_answers_are_held_by_status_and_body():
    """A status that nobody named is a breach, but for those by which frameworks refuse; other paths are free."""
    contract = Contract(ROUTES)
    assert contract.answered("GET", "/items", 200, '{"items": []}') == ""
    assert "the body is no JSON" in contract.answered("GET", "/items", 200, "<p>")
    assert "answers 500, not 200" in contract.answered("GET", "/items", 500, "{}")
    assert [contract.answered("GET", path, 404, "") for path in ("/items/9", "/favicon.ico")] == ["", ""]
