"""The code in a developer's answer is found, however it is fenced."""

import pytest

from tdgen.errors import ReplyError
from tdgen.replies import find_code

F = "def f(x):\n    return x\n"
G = "import math\n\n\ndef g(x):\n    return math.sqrt(f(x))\n"


@pytest.mark.parametrize(
    "text",
    [
        f"```python\n{F}```",
        f"Here you are:\n```py\n{F}\n```\nThat is it.",
        f"```\n{F}```",
        f"```Python3\n{F}```",
        f"~~~python\n{F}~~~",
        f"````python\n{F}````",
        f"```python\n{F}",
        "```python\ndef f(x):\n    return x```",
        "1. the code:\n   ```python\n   def f(x):\n       return x\n   ```",
        f"```python\n```python\n{F}```\n```",
        F,
        f"\ufeff{F}",
        f"<think>maybe\n```python\ndef h(): pass\n```\n</think>\n{F}",
        f"```bash\npip install x\n```\n```python\n{F}```\n```text\n3\n```",
        f"```python\n{F}```\nUse it so:\n```python\nprint(f(3))\n```",
        f"```python\n{F}```\nIt prints\n```\n3\n```",
    ],
)
def test_code_is_found(text):
    """Fenced in any way or not at all; calls, shells and outputs beside it are left out."""
    assert find_code(text) == F


def test_a_fence_inside_a_docstring_is_text():
    """A deeper indented fence does not end the block."""
    code = 'def f(x):\n    """Give x.\n\n    ```\n    f(1)\n    ```\n    """\n    return x\n'
    assert find_code(f"```python\n{code}```") == code


def test_code_that_speaks_of_thoughts_is_whole():
    """A tag within a line is no end of a thought."""
    code = "OPEN = '<b>'\n\n\ndef f(x):\n    return x.split('</think>')[-1]\n"
    assert find_code(f"So:\n```python\n{code}```") == code


def test_blocks_with_different_names_are_joined():
    """A function and its helper, in two blocks, are one answer."""
    assert find_code(f"```python\n{F}```\nand\n```python\n{G}```") == f"{F}\n\n{G}"


def test_a_correction_takes_the_place_of_what_it_redoes():
    """The code that was quoted first, to say what is wrong with it, is not the answer."""
    draft = "def f(x):\n    # this returned the wrong thing for all negative values\n    return abs(x)\n"
    assert find_code(f"The bug:\n```python\n{draft}```\nMended:\n```python\n{F}```") == F


def test_overlapping_blocks_leave_the_longest():
    """A whole module followed by a variant of one of its functions: the module."""
    module = f"{F}\n\n{G}"
    assert find_code(f"```python\n{module}```\nor shorter\n```python\n{F}```\n") == module


def test_future_imports_keep_blocks_apart():
    """Joined code whose second half must come first would not load."""
    second = f"from __future__ import annotations\n\n{G}"
    assert find_code(f"```python\n{F}```\n```python\n{second}```") == second


def test_code_that_does_not_parse_is_handed_on():
    """Its syntax error is for the caller to show the model."""
    broken = "def f(x):\n    return (x\n"
    assert find_code(f"```python\n{broken}```") == broken


def test_a_broken_answer_is_not_replaced_by_a_small_helper():
    """Where most of the answer is broken, the broken part is the answer."""
    broken = "def f(x):\n    total = 0\n    for y in x:\n        total += y\n    return (total\n"
    assert find_code(f"```python\ndef h(): ...\n```\n```python\n{broken}```") == broken


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the answer is empty"),
        ("<think>hm", "the answer holds only thoughts"),
        ("I can't do that.", "the answer holds no fenced Python block"),
        ("x", "the answer holds no fenced Python block"),
        ("```json\n{}\n```", "the answer holds no fenced Python block"),
        ("```python\n```", "the answer holds no fenced Python block"),
    ],
)
def test_an_answer_without_code_says_so(text, reason):
    """The reason is one line for the model."""
    with pytest.raises(ReplyError, match=f"^{reason}$"):
        find_code(text)


@pytest.mark.parametrize("source", ["x = '\\d'\ndef f(): ...\n", "def f():\n    return 1 is 1\n"])
def test_reading_code_warns_nobody(source):
    """Python's warnings about generated code stay inside."""
    assert find_code(f"```python\n{source}```") == source


@pytest.mark.parametrize(
    "source", ["def f(): '\0'", "def f(): return '\ud800'", "(" * 5000, "-" * 200_000 + "1"], ids=range(4)
)
def test_what_the_parser_chokes_on_is_only_broken_code(source):
    """NUL bytes, lone surrogates and endless nesting are handed on as code that doesn't parse."""
    assert find_code(f"```python\n{source}\n```") == source + "\n"


def test_a_line_separator_in_a_string_is_not_a_line_of_the_answer():
    """The code is what the model wrote, whatever its strings hold."""
    code = "def f():\n    return 'a\u2028b\x0cc'\n"
    assert find_code(f"Here:\n```python\n{code}```\n") == code
