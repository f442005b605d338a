"""The whole way in TypeScript: the contract's types in the head, stripped by Node before it runs, checked by `tsc`."""

from __future__ import annotations

import pytest

from tdgen.errors import InputError
from tdgen.languages.javascript import node
from tdgen.languages.typescript import TypeScript
from tests.languages.conftest import told_of
from tests.languages.test_javascript_way import SPEC, ran, slug

SLUG = """function slug(text: string, sep: string = "-"): string {
  if (!text) throw new ValueError("empty");
  return text.toLowerCase().split(" ").join(sep);
}"""


def test_a_function_is_repaired_and_green(in_typescript, write, ts):
    """The developer is told the head with its types; a first attempt is mended, and what is written has types."""
    wrong = ts(SLUG.replace(".toLowerCase()", ""))
    solved = in_typescript(slug(write, wrong, ts(f"export {SLUG}")))
    assert (solved["slug"].outcome, len(solved["slug"].history)) == ("green", 2)
    assert 'function slug(text: string, sep: string = "-"): string' in solved.prompts("implement")[0]
    assert solved.solution.plan.module_file == "kit.ts"
    assert "function slug(text: string" in solved.solution.module_source


def test_what_is_written_passes_where_tdgen_is_not(in_typescript, write, ts, typed_sandbox):
    """The module's own tests run under `node --test`: those fail of which the code is wrong, and the others pass."""
    files = in_typescript(slug(write, ts(SLUG))).solution.files()
    assert set(files) == {"kit.ts", "kit.test.ts", "package.json", "tsconfig.json"}
    words = [node.program((22, 18)), "--test", "--test-isolation=none"]
    wrong = {**files, "kit.ts": files["kit.ts"].replace(".toLowerCase()", "")}
    code, log = ran(typed_sandbox, wrong, words)
    assert (code, "pass 2" in log, "fail 2" in log) == (1, True, True), log
    assert all(f"'A{sep}b' !== 'a{sep}b'" in log for sep in "-_"), log


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("```js\nfunction slug(text) {}\n```", "the code is in js: write it in TypeScript"),
        ("```ts\nenum Slug { A }\nfunction slug(text: string) {}\n```", "Slug stands beside the function"),
        ("```ts\nfunction slug() {}\n// @ts-nocheck\n```", "line 2: a comment to the compiler is not allowed"),
        ("```ts\ninterface Slug {}\nfunction slug() {}\n```", "Slug stands beside the function: name it _slug_Slug"),
    ],
)
def test_what_is_wrong_with_an_answer_is_told(answer, told):
    """Another language, names that are not its own, and a word to the compiler."""
    assert told in told_of(TypeScript(), answer, SPEC)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("```ts\nenum _SlugKind { A }\nfunction slug() {}\n```", "line 1: TypeScript enum is not supported"),
        ("```ts\nfunction slug(text: strin {}\n```", "SyntaxError: line 1:"),
    ],
)
def test_the_next_attempt_hears_what_is_wrong(in_typescript, write, ts, answer, told):
    """Types that can't be erased, and code that can't be read."""
    solved = in_typescript(slug(write, write.said(answer), ts(SLUG)))
    assert solved["slug"].outcome == "green"
    assert told in solved["slug"].history[0].findings[0]


def test_what_the_compiler_says_stands_against_an_attempt(in_typescript, write, ts, tmp_path, monkeypatch):
    """It reads the code beside what the code stands on, and its lines are those of the code."""
    compiler = tmp_path / "tsc"
    says = "echo 'code.ts(2,3): error TS2322: No string.'"
    compiler.write_text(
        f"#!/bin/sh\ncat code.ts given.ts tsconfig.json >> {tmp_path}/read\ngrep -q BAD code.ts && {says}\n"
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    solved = in_typescript(slug(write, ts(f'{SLUG}\nconst _slug_bad = "BAD";'), ts(SLUG)))
    assert solved["slug"].history[0].findings == ("line 2: No string. (TS2322)",)
    assert solved["slug"].outcome == "green"
    read = (tmp_path / "read").read_text()
    assert "class ValueError extends Error" in read
    assert '"strict": true' in read


def test_a_node_that_is_too_old(solver, monkeypatch):
    """One line says which is needed, which there is, and how to have another."""
    node.program.cache_clear()
    monkeypatch.setattr(node, "version", lambda path: (20, 19))
    with pytest.raises(
        InputError, match=r"needs Node 22\.18 or later \(that here is 20\.19\), which is not here: install"
    ):
        solver.generator(solver.model(), language="typescript").solve("Write slug.")
    node.program.cache_clear()
