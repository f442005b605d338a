import pytest

import solution

EXAMPLE = 'beach "Le Havre" 2023 "12"" lens"'


def test_example():
    assert solution.split_tags(EXAMPLE) == ["beach", "Le Havre", "2023", '12" lens']


def test_example_joined():
    assert solution.join_tags(["beach", "Le Havre", "2023", '12" lens']) == EXAMPLE


@pytest.mark.parametrize("text", ["", "   ", '""', ' "" "" '])
def test_nothing(text):
    assert solution.split_tags(text) == []


def test_any_whitespace():
    assert solution.split_tags(" a\tb \n c\u00a0d  ") == ["a", "b", "c", "d"]


def test_whitespace_is_kept_in_quotes():
    assert solution.split_tags('"  a \t b "') == ["  a \t b "]
    assert solution.split_tags('" "') == [" "]


def test_quotes_within_a_bare_tag():
    assert solution.split_tags('6" a"b"c x""y') == ['6"', 'a"b"c', 'x""y']


def test_doubled_quotes():
    assert solution.split_tags('""""') == ['"']
    assert solution.split_tags('"a""" b') == ['a"', "b"]
    assert solution.split_tags('"""a"""') == ['"a"']
    assert solution.split_tags('""""""') == ['""']


@pytest.mark.parametrize("text", ['"', '"a', 'x "a b', '"a"b', '"a""', '"a b"c d', '"""', '""a'])
def test_split_error(text):
    with pytest.raises(ValueError):
        solution.split_tags(text)


def test_bare_tag_may_hold_an_open_quote():
    assert solution.split_tags('a"b c') == ['a"b', "c"]


def test_duplicates():
    assert solution.split_tags("Sea sun SEA sea Sun moon") == ["Sea", "sun", "moon"]


def test_duplicates_by_casefold():
    assert solution.split_tags("STRASSE straße ΣΑΣ σας") == ["STRASSE", "ΣΑΣ"]


def test_duplicate_of_a_quoted_tag():
    assert solution.split_tags('"Le Havre" sea "le havre" "Sea"') == ["Le Havre", "sea"]


def test_accents_differ():
    assert solution.split_tags("cote côte") == ["cote", "côte"]


@pytest.mark.parametrize(
    ("tags", "text"),
    [
        ([], ""),
        (["a", "b"], "a b"),
        (['6"'], '6"'),
        (['"6'], '"""6"'),
        (["a b"], '"a b"'),
        (['a "b"'], '"a ""b"""'),
        (["a\u00a0b"], '"a\u00a0b"'),
        (["b", "a", "b"], "b a b"),
        (['x""y'], 'x""y'),
        ([" "], '" "'),
    ],
)
def test_join(tags, text):
    assert solution.join_tags(tags) == text


def test_join_empty_tag():
    with pytest.raises(ValueError):
        solution.join_tags(["a", ""])


@pytest.mark.parametrize("tags", [['"'], ['""', '"a" b', 'c"d"'], ["\t", " x", "y "], ["ß", "t\nu"], ['a""b', 'a"" b']])
def test_round_trip(tags):
    assert solution.split_tags(solution.join_tags(tags)) == tags
