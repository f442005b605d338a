"""What a finished function brought beside itself can be used by the next one, which gets a copy of its own."""

from textwrap import dedent

from tdgen.impl.merging import MOST_CHARACTERS, merged_pieces, reusable, reusable_section, with_reused
from tdgen.source.fragment import assemble, read_fragment

PARSE = read_fragment(
    dedent(
        '''\
        import re
        import textwrap

        # A number and its unit.
        _PARSE_PATTERN = re.compile(r"(\\d+)([hm])")
        _parse_seen = []


        def _parse_clean(text: str) -> str:
            return text.strip().lower()


        def _parse_words(text: str) -> list[str]:
            """Return the words of a text.

            In order.
            """
            found = []
            for number, unit in _PARSE_PATTERN.findall(_parse_clean(text)):
                found.append(number + unit)
            return found


        def _parse_remember(text: str) -> None:
            _parse_seen.append(text)


        def parse(text: str) -> int:
            _parse_remember(textwrap.dedent(text))
            return len(_parse_words(text))
        '''
    ),
    "parse",
    (),
).source
COUNT = "def count(texts: list[str]) -> int:\n    return sum(len(_words(text)) for text in texts)\n"


def test_what_keeps_nothing_is_offered_by_its_plain_name():
    """A list that is changed, and what needs it, is the function's own."""
    assert list(reusable({"parse": PARSE})) == ["_PATTERN", "_clean", "_words"]


def test_it_is_shown_short():
    """A function whole where it is short, else by its signature and the first line of its docstring; no constant."""
    shown = reusable_section(reusable({"parse": PARSE}))
    assert "_PATTERN" not in shown
    assert "def _clean(text: str) -> str:\n    return text.strip().lower()\n" in shown
    assert 'def _words(text: str) -> list[str]:\n    """Return the words of a text."""\n    ...\n' in shown
    assert reusable_section({}) == ""


def test_what_is_shown_is_bounded():
    """However much there is."""
    many = "\n".join(f"def _many_number_{n}():\n    return {n}\n\n" for n in range(500))
    shown = reusable_section(reusable({"many": f"{many}\n\ndef many(): ...\n"}))
    assert "_number_1()" in shown
    assert len(shown) < MOST_CHARACTERS + 500


def test_what_is_used_is_copied_and_written_once_in_the_end():
    """With all that it needs, imports too, and nothing else; the copies are the next function's own until then."""
    count = read_fragment(with_reused(COUNT, reusable({"parse": PARSE})), "count", {"parse"}).source
    assert count.startswith("import re\n\n\n")
    assert "textwrap" not in count
    assert "def _count_words(text: str)" in count
    module = assemble("", merged_pieces({"parse": PARSE, "count": count}))
    assert (module.count("def _words("), module.count("def _clean("), module.count("_PATTERN = ")) == (1, 1, 1)
    assert "_count_" not in module


def test_a_copy_stays_where_the_other_function_changes():
    """The second function is as it was; the two are no longer alike, and both stand in the module."""
    count = read_fragment(with_reused(COUNT, reusable({"parse": PARSE})), "count", {"parse"}).source
    repaired = PARSE.replace("text.strip().lower()", "text.strip()")
    module = assemble("", merged_pieces({"parse": repaired, "count": count}))
    assert "def _parse_clean(text: str) -> str:\n    return text.strip()\n" in module
    assert "def _count_clean(text: str) -> str:\n    return text.strip().lower()\n" in module


def test_what_the_code_defines_itself_is_its_own():
    """A name that is bound in it is no use of what is offered."""
    own = "def count(texts: list[str]) -> int:\n    _words = texts\n    return len(_words)\n"
    assert with_reused(own, reusable({"parse": PARSE})) == own
    assert with_reused("def (", reusable({"parse": PARSE})) == "def ("
