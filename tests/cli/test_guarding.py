"""`tdgen guard`, from arguments to findings and test files: the real pipeline and sandbox, answered by a script."""

import asyncio
import json
import subprocess
from pathlib import Path

import pytest

from tdgen.client import Generator

PAGES = '''"""Pages of items."""

from __future__ import annotations


def _whole(number: float) -> int:
    return int(number)


def page_count(items: int, size: int) -> int:
    """How many pages of `size` items hold them all: the last page may be short. No items make no page.

    ValueError where `size` is below 1.
    """
    if size < 1:
        raise ValueError("a page holds something")
    return _whole(items / size)


def first_item(page: int, size: int) -> int:
    """The number of a page's first item, both counted from 1."""
    return (page - 1) * size + 1


class Book:
    """A book of items in pages."""

    def __init__(self, items: list[str], size: int) -> None:
        self.items = items
        self.size = size

    @property
    def pages(self) -> int:
        """How many pages it has."""
        return page_count(len(self.items), self.size)

    def bare(self) -> None:
        self.items.clear()


def unsaid(page):
    return page
'''
FILES = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "src/shop/__init__.py": "",
    "src/shop/pages.py": PAGES,
    "tests/test_shop.py": "from shop import pages\n\n\ndef test_pages():\n    assert pages.Book([], 1).items == []\n",
}
COUNT = {
    "name": "page_count",
    "purpose": "How many pages hold the items.",
    "parameters": [{"name": "items", "type": "int"}, {"name": "size", "type": "int"}],
    "returns": "int",
    "raises": [{"type": "ValueError", "when": "the size is below 1"}],
    "dependencies": [],
}
FIRST = {
    "name": "first_item",
    "purpose": "The number of a page's first item.",
    "parameters": [{"name": "page", "type": "int"}, {"name": "size", "type": "int"}],
    "returns": "int",
    "dependencies": [],
}
BOOK = {
    "name": "Book",
    "purpose": "A book.",
    "attributes": [],
    "methods": [{"signature": "pages(self) -> int", "kind": "property", "purpose": "How many pages it has."}],
    "dependencies": ["page_count"],
}
QUOTE = "How many pages of `size` items hold them all: the last page may be short."


def gives(name, call, value):
    """A case of a value."""
    return {"name": name, "call": call, "expect": "value", "value": value, "why": "the words"}


def raises(name, call):
    """A case of a ValueError."""
    return {"name": name, "call": call, "expect": "raises", "value": "ValueError", "why": "the words"}


CASES = {
    "page_count": [
        gives("full_pages", "page_count(6, 3)", "2"),
        gives("nothing", "page_count(0, 3)", "0"),
        gives("short_last_page", "page_count(7, 3)", "3"),
        gives("one_short_page", "page_count(1, 3)", "1"),
        raises("no_size", "page_count(3, 0)"),
    ],
    "first_item": [
        gives("first", "first_item(1, 10)", "1"),
        gives("second", "first_item(2, 10)", "11"),
        gives("third", "first_item(3, 5)", "11"),
    ],
    "Book": [
        gives("two_pages", "Book(['a', 'b'], 1).pages", "2"),
        gives("empty", "Book([], 1).pages", "0"),
        gives("one", "Book(['a', 'b'], 2).pages", "1"),
        gives("four", "Book(['a'] * 4, 2).pages", "2"),
        gives("nine", "Book(['a'] * 9, 3).pages", "3"),
    ],
}


@pytest.fixture
def pages(said, bare_environment, warm):
    """The project in the working directory, and all that is answered; the module's path."""
    for name, text in FILES.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    bare_environment(Path())
    plan(said, [COUNT, FIRST], [BOOK])
    for unit, cases in CASES.items():
        said.say("cases", {"cases": cases}, unit)
    ruled(said, "short_last_page", "one_short_page")
    return Path("src/shop/pages.py")


def plan(said, functions=(), classes=(), **more):
    """Have these units planned."""
    planned = {"functions": list(functions), "classes": list(classes), "questions": [], **more}
    said.say("plan", {"module": "shop.pages", "summary": "Pages.", **planned})


def ruled(said, *names, verdict="upheld", quote=QUOTE, **more):
    """Have arbiters say this of cases of `page_count`, as often as they are asked."""
    rulings = [{"case": name, "working": "", "quote": quote, "verdict": verdict, **more} for name in names]
    for sample in range(3):
        said.say("trial", {"rulings": rulings}, "page_count", sample=sample)


@pytest.fixture
def guard(tdgen, said, pages):
    """Guard the project's module with what was said."""

    def call(*arguments, name="", trust="quick"):
        return tdgen("guard", f"{pages}{name}", "--script", said.path, "--trust", trust, *arguments)

    return call


def test_an_agent_has_its_project_guarded(pages, said):
    """The finding, and a patch with the tests; nothing is written."""
    mcp = pytest.importorskip("mcp", reason="tdgen's extra mcp is not installed")
    from tdgen.mcp.server import opened
    from tdgen.settings import load_settings

    async def use():
        with Generator(load_settings({"script": str(said.path), "trust": "quick"})) as generator:
            async with opened(generator, Path()) as server, mcp.Client(server) as client:
                status = (await client.call_tool("guard", {"path": str(pages)})).structured_content
                while status["state"] == "running":
                    status = (await client.call_tool("solve_status", {"id": status["id"]})).structured_content
                return status

    status = asyncio.run(use())
    assert (status["state"], status["error"]) == ("done", "")
    assert [one["call"] for one in status["result"]["findings"]] == ["page_count(1, 3)"]
    assert "+++ b/tests/test_page_count.py\n" in status["result"]["diff"]
    assert not Path("tests/test_page_count.py").exists()


class TestFindings:
    """The code parts from its docs."""

    def test_a_finding_is_told_with_its_call_and_the_docs_words(self, guard):
        """The smallest call of those that show it; nobody is asked to mend the code."""
        ran = guard("--json")
        assert ran.code == 1, ran.err
        (found,) = ran.document["findings"]
        assert found == {
            "unit": "page_count",
            "case": "one_short_page",
            "setup": "",
            "call": "page_count(1, 3)",
            "expected": "returns `1`",
            "observed": "returns `0`",
            "quote": QUOTE,
            "also": ["short_last_page"],
        }
        outcomes = {name: told["outcome"] for name, told in ran.document["solution"]["outcomes"].items()}
        assert outcomes == {"page_count": "red", "first_item": "green", "Book": "green"}

    def test_it_stands_in_the_tests_as_an_expected_failure(self, guard, pages):
        """What holds is tested beside it; the module is not touched."""
        ran = guard()
        assert ran.code == 1, ran.err
        assert "+++ b/tests/test_page_count.py\n" in ran.out
        assert f'+    reason="the docs say: {QUOTE}",\n+)\n+def test_page_count_one_short_page() -> None:' in ran.out
        assert "/pages.py\n" not in ran.out
        assert "holds     first_item  3 cases\n" in ran.err
        found = "page_count: page_count(1, 3): expected: returns `1`, observed: returns `0`"
        place = "src/shop/pages.py:10: "
        assert f"{place}{found}; the docs say: “{QUOTE}”\n    shown also by: short_last_page\n" in ran.err
        assert "1 finding: the code does not do what its docs say" in ran.err

    def test_the_tests_are_written_and_pass(self, guard, pages):
        """In the project itself, expected failures and all; asked again it costs no call."""
        first = guard()
        ran = guard("--apply", "--json")
        assert ran.code == 1
        assert ran.document["diff"] == first.out
        assert ran.document["solution"]["cached"]
        assert ran.document["applied"]
        assert pages.read_text() == PAGES
        assert sorted(path.name for path in Path("tests").glob("test_*.py")) == [
            "test_book.py", "test_first_item.py", "test_page_count.py", "test_shop.py",
        ]  # fmt: skip
        assert own_tests() == {"passed": 12, "xfailed": 2}

    def test_what_is_kept_is_judged_in_the_project_as_it_is_now(self, guard, said, pages):
        """A helper of another module is in no key: where it changed, what held may differ by now, and is found."""
        pages.with_name("whole.py").write_text("def whole(number):\n    return -int(-number // 1)\n")
        own = "def _whole(number: float) -> int:\n    return int(number)\n"
        pages.write_text(PAGES.replace(own, "from shop.whole import whole as _whole\n"))
        plan(said, [COUNT])
        first, again = (guard("--json", name="::page_count") for _ in range(2))
        assert (first.code, again.code, again.document["solution"]["cached"]) == (0, 0, True), first.err
        pages.with_name("whole.py").write_text("def whole(number):\n    return int(number)\n")
        ran = guard("--json", name="::page_count")
        assert (ran.code, ran.document["solution"]["cached"]) == (1, False)
        assert [one["call"] for one in ran.document["findings"]] == ["page_count(1, 3)"]

    def test_its_story_can_be_shown(self, guard, tdgen):
        """Findings and all, from the cache."""
        key = guard("--json").document["solution"]["key"]
        assert "there before" in tdgen("show", key, "--html", "-").out
        assert "1 finding: its code does not do what its docs say" in tdgen("show", key).out

    def test_an_example_of_the_docs_needs_no_ruling(self, guard, pages, said):
        """What stands there word for word is what they say."""
        pages.write_text(PAGES.replace("make no page.", "make no page: page_count(4, 3) is 2."))
        example = {"function": "page_count", "quote": "page_count(4, 3) is 2", "call": "page_count(4, 3)", "value": "2"}
        plan(said, [COUNT], examples=[example])
        said.say("cases", {"cases": CASES["page_count"][:2]}, "page_count").forget("trial", "page_count")
        ran = guard("--json", name="::page_count")
        (found,) = ran.document["findings"]
        assert (found["call"], found["quote"]) == ("page_count(4, 3)", "page_count(4, 3) is 2")

    def test_code_that_is_mended_is_told_by_its_tests(self, guard, pages):
        """The expected failure is strict: who mends the code is told to take the mark away."""
        guard("--apply")
        pages.write_text(PAGES.replace("_whole(items / size)", "-(-items // size)"))
        assert own_tests() == {"passed": 12, "failed": 2}


def own_tests():
    """How many of the project's tests come out how, in the sandbox."""
    from collections import Counter

    from tdgen.sandbox.interpreter import Mounted
    from tdgen.sandbox.local import LocalSandbox
    from tdgen.types import FileJob

    root = str(Path.cwd())
    with LocalSandbox(mounted=Mounted(root=root, imports=(f"{root}/src",))) as sandbox:
        report = sandbox.run_files(FileJob(files={}, tests=(), project_tests="run"))
    return Counter(report.outcomes.values())


class TestNoFinding:
    """What the code fails is not what its docs say."""

    def test_what_the_docs_leave_open_is_not_tested(self, guard, said):
        """The case goes, and a question is told; all that is left holds."""
        plan(said, [COUNT])
        ruled(said, "short_last_page", "one_short_page", verdict="unsettled", quote="")
        ran = guard("--json", name="::page_count")
        assert (ran.code, ran.document["findings"]) == (0, []), ran.err
        assert "one_short_page" not in ran.document["diff"]
        assert len(ran.document["solution"]["questions"]) == 2

    def test_a_case_that_is_wrong_by_the_docs_is_corrected(self, guard, said):
        """With the words that say so; the code then holds."""
        said.say("cases", {"cases": [gives("three", "first_item(3, 5)", "10")]}, "first_item")
        plan(said, [FIRST])
        quote = "The number of a page's first item, both counted from 1."
        right = {"case": "three", "verdict": "revised", "quote": quote, "expect": "value", "value": "11"}
        for sample in range(3):
            said.say("trial", {"rulings": [right]}, "first_item", sample=sample)
        ran = guard(name="::first_item")
        assert ran.code == 0, ran.err
        assert "+    assert first_item(3, 5) == 11\n" in ran.out
        assert "first_item: the case three was revised" in ran.err
        assert "1 function: the code does what its docs say, as far as they are tested" in ran.err

    def test_where_arbiters_do_not_agree_it_is_undecided(self, guard, said):
        """Nobody is accused: the user is asked."""
        rulings = [{"case": "short_last_page", "quote": QUOTE, "expect": "value"}]
        for sample, value in enumerate(("2", "7", "8")):
            told = [one | {"verdict": "revised", "value": value} for one in rulings]
            said.say("trial", {"rulings": told}, "page_count", sample=sample)
        said.say("cases", {"cases": CASES["page_count"][:3]}, "page_count")
        plan(said, [COUNT])
        ran = guard("--json", name="::page_count")
        assert (ran.code, ran.document["findings"]) == (1, [])
        assert ran.document["solution"]["outcomes"]["page_count"]["outcome"] == "undecided"
        assert "short_last_page" not in ran.document["diff"]

    def test_a_quote_that_is_not_of_the_docs_proves_nothing(self, guard, said):
        """A planner's words accuse nobody."""
        plan(said, [COUNT])
        ruled(said, "short_last_page", "one_short_page", quote="the size is below 1")
        ran = guard("--json", name="::page_count")
        assert (ran.code, ran.document["findings"]) == (1, [])
        assert ran.document["solution"]["outcomes"]["page_count"]["outcome"] == "undecided"

    def test_assumptions_of_the_plan_are_notes(self, guard, said):
        """What the docs do not say is told, and held against nobody."""
        plan(said, [FIRST], questions=[{"question": "May a page be 0?", "assumption": "No: ValueError."}])
        ran = guard("--verbose", name="::first_item")
        assert ran.code == 0, ran.err
        assert "the docs do not say: May a page be 0?" in ran.err


class TestWhatIsSeen:
    """Signatures and docs, and no body."""

    def test_no_prompt_shows_a_body(self, guard, said, tmp_path):
        """Neither of what is guarded nor of what it calls; the user's concern is told to the tests' author alone."""
        guard("--transcript", tmp_path / "told", "--concern", "off by one on\nthe last page")
        told = {path.name: path.read_text() for path in (tmp_path / "told").rglob("*") if path.is_file()}
        prompts = "".join(told.values())
        assert "page_count" in prompts
        assert "(items / size)" not in prompts
        assert "int(number)" not in prompts
        assert "a page holds something" not in prompts
        worried = [name for name, text in told.items() if "off by one on the last page" in text]
        assert worried
        assert all("cases" in name for name in worried)

    def test_the_context_is_what_prompts_would_see(self, guard):
        """The code stands in none of it."""
        ran = guard("--context", "--json")
        assert ran.code == 0
        assert ran.document["units"] == {"page_count": [], "first_item": [], "Book": ["pages"]}
        assert "This is all that is promised" in ran.document["instruction"]
        assert "items / size" not in ran.out


class TestChanged:
    """What changed since a revision alone."""

    @pytest.fixture(autouse=True)
    def committed(self, pages):
        """The project as it is, in git."""
        who = ["-c", "user.name=me", "-c", "user.email=me@example.org"]
        for words in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "first"]):
            subprocess.run(["git", *words], check=True, timeout=20)

    def test_code_that_changed_and_what_stands_on_a_changed_helper(self, guard, pages):
        """Layout and comments do not count."""
        pages.write_text(PAGES.replace("(page - 1) * size + 1", "1 + (page - 1) * size  # from 1"))
        assert guard("--diff", "HEAD", "--context", "--json").document["units"] == {"first_item": []}
        pages.write_text(PAGES.replace("int(number)", "round(number)").replace("return (page", "return  (page"))
        assert guard("--diff", "HEAD", "--context", "--json").document["units"] == {"page_count": []}

    def test_all_that_changed_in_the_project_is_found(self, tdgen, pages):
        """Without a path; tests are not guarded, and modules in which nothing has docs are passed over."""
        pages.write_text(PAGES.replace("(page - 1) * size + 1", "1 + (page - 1) * size"))
        Path("src/shop/more.py").write_text('def more() -> int:\n    """One more."""\n    return 2\n')
        Path("src/shop/bare.py").write_text("X = 1\n")
        Path("tests/test_shop.py").write_text('def test_docs() -> None:\n    """It has docs."""\n')
        ran = tdgen("guard", "--diff", "HEAD", "--dry-run")
        assert ran.code == 0
        assert [line for line in ran.err.splitlines() if line.startswith("to guard")] == [
            "to guard src/shop/more.py: more",
            "to guard src/shop/pages.py: first_item",
        ]
        assert "passed over: src/shop/bare.py has nothing to guard: it has no public function or method\n" in ran.err

    def test_several_modules_are_one_patch_and_one_report(self, tdgen, pages, said):
        """What was found is a line at its place, a result of SARIF and a row of a table that others had begun."""
        Path("src/shop/bad.py").write_text('def bad(x: int) -> int:\n    """It is bad."""\n    return 1 +\n')
        Path("table.md").write_text("before\n")
        files = ("--sarif", "tdgen.sarif", "--markdown", "table.md")
        ran = tdgen("guard", "src", "--script", said.path, "--trust", "quick", "--json", *files)
        assert ran.code == 1, ran.err
        assert [(one["path"], len(one["findings"])) for one in ran.document["modules"]] == [("src/shop/pages.py", 1)]
        assert "+++ b/tests/test_page_count.py\n" in ran.document["diff"]
        assert "passed over: src/shop/bad.py does not parse: invalid syntax (line 3)\n" in ran.err
        (result,) = json.loads(Path("tdgen.sarif").read_text())["runs"][0]["results"]
        place = result["locations"][0]["physicalLocation"]
        assert (place["artifactLocation"]["uri"], place["region"]) == ("src/shop/pages.py", {"startLine": 10})
        assert {"call": "page_count(1, 3)", "quote": QUOTE}.items() <= result["properties"].items()
        assert result["message"]["text"] in ran.err
        before, _, table = Path("table.md").read_text().partition("### tdgen guard\n")
        assert before == "before\n"
        assert "| src/shop/pages.py::first_item | holds | 3 |" in table
        assert table.endswith("\n1 finding; 2 of 3 units do what their docs say\n\n")

    def test_a_report_that_can_not_be_written_costs_no_call(self, guard, said):
        """Somebody's file stays; a folder that is not there is told."""
        Path("mine.sarif").write_text("mine")
        said.path.write_text('{"answers": []}')
        assert "mine.sarif is there, and not as tdgen wrote it" in guard("--sarif", "mine.sarif").last
        assert guard("--markdown", "no/table.md").last == "tdgen: no/table.md can't be written: its folder is not there"

    def test_nothing_changed(self, guard):
        """Then there is nothing to do, and nothing wrong."""
        ran = guard("--diff", "HEAD", "--json")
        assert (ran.code, ran.document["findings"], ran.document["diff"]) == (0, [], "")
        assert ran.last == "nothing with a docstring changed in src/shop/pages.py since HEAD"

    @pytest.mark.parametrize("revision", ["nowhere", "--help", "HEAD:src", ""])
    def test_a_revision_that_is_none(self, guard, revision):
        """One line; an empty one is as if it was not given."""
        ran = guard("--diff", revision, "--dry-run")
        if revision:
            assert (ran.code, len(ran.err.splitlines())) == (2, 1)
            assert f"git knows no revision {revision!r} here" in ran.err
        else:
            assert ran.code == 0

    def test_without_git(self, guard, tmp_path):
        """One line."""
        Path(".git").rename(tmp_path / "away")
        ran = guard("--diff", "HEAD")
        assert ran.code == 2
        assert "src/shop/pages.py is in no git repository that can be read" in ran.last


def test_tests_of_code_that_changed_meanwhile_are_not_written(guard, pages, said, monkeypatch):
    """They were made for the code as it was read."""
    plan(said, [FIRST])
    solve = Generator.solve

    def meanwhile(generator, *given):
        solution = solve(generator, *given)
        pages.write_text(f"{PAGES}# mine\n")
        return solution

    monkeypatch.setattr(Generator, "solve", meanwhile)
    ran = guard("--apply", name="::first_item")
    assert ran.code == 2
    assert (
        "src/shop/pages.py was changed since it was read: nothing is written; what was to be written is in" in ran.last
    )
    assert sorted(Path("tests").iterdir()) == [Path("tests/test_shop.py")]


def test_a_file_of_tests_is_not_guarded(tdgen, pages):
    """Nobody writes tests of tests."""
    ran = tdgen("guard", "tests/test_shop.py")
    told = "tdgen: tests/test_shop.py is a file of tests: name the code that is to be guarded\n"
    assert (ran.code, ran.err) == (2, told)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("::nowhere", "src/shop/pages.py defines no nowhere"),
        (
            "::unsaid",
            "unsaid (line 41) has no docstring, so there is nothing to hold its code against: say what it does",
        ),
        ("::later", "later (line 45) is a stub: `tdgen fill` writes its body"),
        ("::Made.made", "Made.made (line 51) is abstract"),
        ("::Twice.size", "Twice.size is a property with several functions"),
        ("::marked", "marked (line 56) is used while the module is imported, so that no stub can stand in its place"),
    ],
)
def test_what_cant_be_guarded_is_one_line(guard, pages, name, told):
    """And exit code 2."""
    more = '''
def later():
    """Will be written."""


class Made:
    @abstractmethod
    def made(self):
        """It is made."""
        return 1


def marked(function):
    """The function with a mark."""
    return function


@marked
def used():
    """It is used."""
    return 2


class Twice:
    @property
    def size(self):
        """Its size."""
        return 1

    @size.setter
    def size(self, given):
        self.given = given
'''
    pages.write_text(PAGES + "\n" + more)
    ran = guard(name=name)
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert told in ran.err


def test_a_module_that_cant_be_imported_costs_no_call(guard, pages):
    """What it needs may be missing, or its top level may exit."""
    pages.write_text(PAGES.replace("\n\n\n", "\nimport nowhere_to_be_found\n\n\n", 1))
    ran = guard()
    assert ran.code == 2
    assert "src/shop/pages.py can't be imported in the sandbox as it is" in ran.last
    assert "nowhere_to_be_found" in ran.last


def test_what_others_call_on_import_is_passed_over(guard, pages, said):
    """A stub can't stand in its place; where it is all that is asked for, that is refused before a call."""
    Path("src/shop/__init__.py").write_text("from shop.pages import first_item\n\nSECOND = first_item(2, 10) + 1\n")
    plan(said, [COUNT], [BOOK])
    ran = guard("--json")
    assert ran.code == 1, ran.err
    assert sorted(ran.document["strength"] or ran.document["solution"]["outcomes"]) == ["Book", "page_count"]
    assert "passed over: first_item is called when the project is imported" in ran.err
    ran = guard(name="::first_item")
    assert ran.code == 2
    assert "first_item" in ran.last
    assert "name only what is not called on import" in ran.last


READ = """```python
def page_count(items: int, size: int) -> int:
    if size < 1:
        raise ValueError("size")
    return {}
```"""


class TestThorough:
    """At trust standard: the docs are read once more, and mutants of the code are made."""

    @pytest.fixture(autouse=True)
    def one_reading(self, change_policy, unhurried, said, pages):
        """The suite shows no short page, and what becomes of mutants does not hang on how busy the machine is."""
        change_policy("standard", readings=1, properties=0, checks_adequacy=False, seconds=600.0)
        plan(said, [COUNT])
        said.say("cases", {"cases": [*CASES["page_count"][:2], CASES["page_count"][4]]}, "page_count")

    def test_what_a_second_reading_parts_from_is_asked_and_found(self, guard, said):
        """Though no case of the suite shows it. Two arbiters must uphold what comes of that."""
        said.say("reading", READ.format("-(-items // size)"))
        asked = {"number": 1, "expect": "value", "value": "1", "name": "short_last_page"}
        said.say("settle", {"answers": [asked, {"number": 2, "expect": "open"}]}, "page_count", variant="reading")
        said.say("settle", {"answers": [asked | {"value": "0", "name": "none"}]}, "page_count", variant="survivors")
        ran = guard("--json", name="::page_count", trust="standard")
        assert ran.code == 1, ran.err
        (found,) = ran.document["findings"]
        assert (found["call"], found["expected"]) == ("page_count(1, 2)", "returns `1`")
        assert ran.document["solution"]["usage"]["calls"] == 7  # plan, reading, cases, two settled, two rulings
        assert ran.document["strength"]["page_count"] > 0.8
        assert list(ran.document["solution"]["implementations"]) == ["page_count"]
        assert len(ran.document["solution"]["attempts"]["page_count"]) == 1

    def test_a_concern_says_where_mutants_are_made_first(self, guard, said, pages):
        """At the lines that who reads the code names; no author of tests sees them. How many are killed is told."""
        pages.write_text(PAGES.replace("_whole(items / size)", "-(-items // size)"))
        said.say("reading", READ.format("-(-items // size)"))
        said.say(
            "settle", {"answers": [{"number": 1, "expect": "value", "value": "0"}]}, "page_count", variant="survivors"
        )
        said.say("trial", {"lines": [8], "why": "it divides"}, "page_count", variant="concern")
        ran = guard("--concern", "the last page is lost", name="::page_count", trust="standard")
        assert ran.code == 0, ran.err
        assert "near what you worry about)" in ran.err

    def test_a_reading_that_does_what_the_code_does_leaves_it_undecided(self, guard, said):
        """The docs may be read so: nobody is accused, and the user is asked."""
        cases = [gives("rounds", "page_count(7, 3)", "3"), *CASES["page_count"][:2], CASES["page_count"][4]]
        said.say("cases", {"cases": cases}, "page_count").say("reading", READ.format("items // size"))
        ruling = {"case": "rounds", "working": "", "quote": QUOTE, "verdict": "upheld"}
        for variant in ("", "reading"):
            for sample in range(6):
                said.say("trial", {"rulings": [ruling]}, "page_count", sample=sample, variant=variant)
        ran = guard("--json", name="::page_count", trust="standard")
        assert (ran.code, ran.document["findings"]) == (1, []), ran.err
        assert ran.document["solution"]["outcomes"]["page_count"]["outcome"] == "undecided"
        assert "rounds" not in ran.document["diff"]
        question = ran.document["solution"]["questions"][-1]
        assert "page_count(7, 3)` returns `3`; the code returned 2. Which do the docs mean?" in question["question"]

    def test_a_finding_is_shown_without_what_it_does_not_need(self, guard, said, pages):
        """What of a setup the code and the right reading do the same without is gone, in the test too."""
        pages.write_text(PAGES.replace("return page_count(len(self.items), self.size)", "return len(self.items)"))
        plan(said, classes=[BOOK | {"dependencies": []}])
        setup = "book = Book(['a'], 2)\nbook.items.append('b')\nsize = book.size\nbook.items.append('c')"
        cases = [gives("grown", "book.pages", "2") | {"setup": setup}, *CASES["Book"][:2]]
        said.say("cases", {"cases": cases}, "Book")
        code = "class Book:\n    @property\n    def pages(self):\n        return -(-len(self.items) // self.size)\n"
        said.say("reading", f"```python\n{code}```")
        ruling = {"case": "grown", "working": "", "quote": "How many pages it has.", "verdict": "upheld"}
        for sample in range(3):
            said.say("trial", {"rulings": [ruling]}, "Book", sample=sample)
        ran = guard("--json", name="::Book", trust="standard")
        (found,) = ran.document["findings"]
        assert found["setup"] == "book = Book(['a'], 2)\nbook.items.append('b')\nbook.items.append('c')"
        assert "size = book.size" not in ran.document["diff"]


KINDS = '''import functools

print("imported")


def twice(function):
    @functools.wraps(function)
    def wrapper(*given):
        return function(*given) * 2

    return wrapper


@functools.lru_cache(maxsize=None)
@twice
def letters(n: int) -> str:
    """`n` letters "a", all of it twice."""
    return "a" * n


async def later(n: int) -> int:
    """`n` and one more."""
    return n + 1


def below(n: int):
    """The numbers below `n`, one by one."""
    yield from range(n + 1)
'''


def test_decorated_async_and_generator_functions(guard, pages, said):
    """Each is tried as it is used; what the module prints on import is nobody's matter."""
    pages.write_text(KINDS)
    number = {"parameters": [{"name": "n", "type": "int"}], "purpose": "As it says.", "dependencies": []}
    returns = {"letters": "str", "later": "int", "below": "Iterator[int]"}
    functions = [{"name": name, "returns": kind, **number} for name, kind in returns.items()]
    functions[1]["is_async"] = True
    plan(said, functions)
    calls = {
        "letters": ("letters({})", "'aaaa'"),
        "later": ("asyncio.run(later({}))", "3"),
        "below": ("list(below({}))", "[0, 1]"),
    }
    for name, (call, value) in calls.items():
        said.say("cases", {"cases": [gives("two", call.format(2), value)]}, name)
    ruling = {"case": "two", "quote": "The numbers below `n`, one by one.", "verdict": "upheld"}
    said.say("trial", {"rulings": [ruling]}, "below")
    ran = guard("--json")
    assert ran.code == 1, ran.err
    assert [(one["call"], one["observed"]) for one in ran.document["findings"]] == [
        ("list(below(2))", "returns `[0, 1, 2]`")
    ]
    outcomes = {name: told["outcome"] for name, told in ran.document["solution"]["outcomes"].items()}
    assert outcomes == {"letters": "green", "later": "green", "below": "red"}


def test_what_the_budget_cant_pay_for_is_told_before_a_call(guard):
    """Each unit needs its cases, and all of them a plan."""
    ran = guard("--budget", "calls=3")
    assert ran.code == 3
    assert "src/shop/pages.py has 3 functions and classes to guard, and 3 calls are left: name some of them" in ran.last
    assert "model calls" not in ran.err


def test_what_is_passed_over_is_told(guard, pages):
    """In one line what has no docs; a docstring that no prompt can hold is no reason to refuse the others."""
    strange = '''

def stripped(text):
    """The text without "\\x1b"."""
    return text.replace("\\x1b", "")
'''
    pages.write_text(PAGES + strange)
    ran = guard("--dry-run")
    assert ran.code == 0
    assert "to guard src/shop/pages.py: page_count, first_item, Book.pages\n" in ran.err
    assert "passed over, without a docstring to hold their code against: Book.bare, unsaid\n" in ran.err
    assert "passed over: stripped (line 45) has a docstring with the character U+001B" in ran.err
