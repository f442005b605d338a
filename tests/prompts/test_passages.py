"""An instruction's passages: every word is in one of them, and the numbers can be taken away again."""

from __future__ import annotations

import pytest

from tdgen.prompts import numbered, passages, unmarked

TEXTS = {
    "sentences": ("One. Two, e.g. This. Three?", ("One.", "Two, e.g. This.", "Three?")),
    "wrapped lines": ("One\nstill one.\nTwo.", ("One\nstill one.", "Two.")),
    "quoted sentences": ('It says "no." Then it ends.', ('It says "no."', "Then it ends.")),
    "code in a sentence": ("It says `No. Never. 0` then. Yes.", ("It says `No. Never. 0` then.", "Yes.")),
    "what a colon introduces": ("Three kinds: `A`, `B`; C too.", ("Three kinds: `A`, `B`; C too.",)),
    "decimals": ("Version 1.5 is fine.", ("Version 1.5 is fine.",)),
    "list items": ("- one\n  more of it\n- two", ("- one\n  more of it", "- two")),
    "numbered items": ("1. One. Two.\n2. Three", ("1. One.", "Two.", "2. Three")),
    "a table": ("| a | b |\n|---|---|\n| 1 | 2 |", ("| a | b |", "| 1 | 2 |")),
    "a doctest": ("Like so:\n\n>>> f(1)\n2\n\nEnd.", ("Like so:", ">>> f(1)\n2", "End.")),
    "a fence": ("```\nx = 1. Y\n\ny\n```\nEnd.", ("```\nx = 1. Y\n\ny\n```", "End.")),
    "a fence that never closes": ("Code:\n```\nx\n\ny", ("Code:", "```\nx\n\ny")),
    "nothing": (" \n\n", ()),
}


@pytest.mark.parametrize(("text", "parts"), TEXTS.values(), ids=TEXTS)
def test_a_text_falls_into_its_passages(text, parts):
    """Prose into sentences; an item, a row or a block of code is one."""
    assert passages(text) == parts


@pytest.mark.parametrize("text", [text for text, _ in TEXTS.values()], ids=TEXTS)
def test_numbers_can_be_taken_away_again(text):
    """Whatever was copied out of the numbered text is then the user's."""
    told = numbered(text, passages(text))
    assert unmarked(told) == text
    assert all(f"\u27e6{n}\u27e7 {part}" in told for n, part in enumerate(passages(text), 1))


def test_only_those_that_are_named_get_a_number():
    """In their order; what stands nowhere gets none."""
    assert (
        numbered("One. Two. One. Three.", ("Two.", "One.", "Four."))
        == "One. \u27e61\u27e7 Two. \u27e62\u27e7 One. Three."
    )
