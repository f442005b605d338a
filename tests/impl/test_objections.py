"""An objection counts where it names a test that was shown and quotes words that stand there."""

from __future__ import annotations

import pytest

from tdgen.impl.objections import find_objections
from tdgen.types import OF_ASSUMPTION, OF_CONTRACT, OF_DEPENDENCY, Objection

WORDS = "Overlapping entries keep the earlier one."
QUOTED = {
    "as it is asked for": 'OBJECTION overlap: "Overlapping entries keep the earlier one."',
    "with back-ticks": "OBJECTION `overlap`: “overlapping entries keep\u00a0the earlier one”",
    "as an item of a list": '- OBJECTION overlap: "keep the earlier one"',
    "in bold": '**OBJECTION overlap:** "keep the earlier one"',
}
NONE = {
    "other words than the user's": 'OBJECTION overlap: "the later one wins"',
    "a test that was not shown": f'OBJECTION hidden: "{WORDS}"',
    "no words": "OBJECTION overlap: ",
    "a comment in the code": f'```python\n# OBJECTION overlap: "{WORDS}"\n```',
    "prose": "I have no objection to overlap.",
}


@pytest.fixture
def context(brief):
    return brief("f(x: int) -> int", instruction=f"Merge them. {WORDS}")


@pytest.mark.parametrize("line", QUOTED.values(), ids=QUOTED)
def test_it_is_found_however_it_is_marked_up(context, line):
    """The words are compared less what a copyist changes."""
    (found,) = find_objections(f"The test is wrong.\n{line}\n```python\nx = 1\n```\n", context, {"overlap"})
    assert found.case == "overlap"


def test_one_to_the_contract_quotes_the_user(brief):
    """What only the contract says is no word against it."""
    context = brief("f(x: int) -> int", instruction=f"Merge them. {WORDS}")
    (found,) = find_objections(f'OBJECTION contract: "{WORDS}" it keeps the later one', context, {"overlap"})
    assert (found.case, found.reason) == (OF_CONTRACT, "it keeps the later one")
    assert find_objections('OBJECTION contract: "def f(x: int) -> int"', context, {"overlap"}) == ()


@pytest.mark.parametrize(
    ("named", "of"),
    [
        ("assumption", OF_ASSUMPTION),
        ("Assumptions", ""),
        ("assumptions", OF_ASSUMPTION),
        ("g", f"{OF_DEPENDENCY}g"),
        ("contract of `g`", f"{OF_DEPENDENCY}g"),
        ("h", ""),
    ],
)
def test_one_to_what_else_was_planned_names_it(brief, named, of):
    """An assumption, or a function that is called; a test of the same name comes first."""
    context = brief("f(x: int) -> int", "g", instruction=f"Merge them. {WORDS}")
    calling = context.spec.model_copy(update={"dependencies": ("g",)})
    context = context.model_copy(update={"spec": calling})
    line = f'OBJECTION {named}: "{WORDS}" it keeps the later one'
    assert [one.case for one in find_objections(line, context, {"overlap"})] == [of] * bool(of)
    assert [one.case for one in find_objections(line, context, {"g"})] == ["g" if of.endswith("g") else of] * bool(of)


@pytest.mark.parametrize("text", NONE.values(), ids=NONE)
def test_nothing_else_is_one(context, text):
    """Words that nobody said prove nothing."""
    assert find_objections(text, context, {"overlap"}) == ()


@pytest.mark.parametrize(
    ("said", "quote", "reason"),
    [
        ('"keep the earlier one" - the test expects the later', "keep the earlier one", "the test expects the later"),
        ('"`f(3)` is the "third" of them"', '`f(3)` is the "third" of them', ""),
        ('"`f(3)` is the "third" of them": it counts', '`f(3)` is the "third" of them', "it counts"),
        ("`f(3)` is the “third” of them", "`f(3)` is the “third” of them", ""),
    ],
    ids=["a reason after it", "quotation marks within", "both", "no quotation marks around it"],
)
def test_quote_and_reason_are_kept_whole(brief, said, quote, reason):
    """The arbiter is told both."""
    context = brief("f(x: int) -> int", instruction='Merge them. `f(3)` is the "third" of them. Keep the earlier one.')
    (found,) = find_objections(f"OBJECTION overlap: {said}", context, {"overlap"})
    assert (found.quote, found.reason) == (quote, reason)


def test_a_test_is_objected_to_once(context):
    """The first words count."""
    text = 'OBJECTION overlap: "Merge them"\nOBJECTION overlap: "keep the earlier one"'
    assert find_objections(text, context, {"overlap"}) == (Objection(case="overlap", quote="Merge them"),)
