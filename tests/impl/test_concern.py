"""Which lines decide what the user worries about."""

import json
from types import SimpleNamespace

import pytest

from tdgen.errors import ReplyError
from tdgen.impl.concern import concerned_lines
from tdgen.protocols import Answer

SOURCE = "def f(x):\n    return x + 1\n"


def asked_of(*answers):
    """What was asked, and who gives these answers in turn."""
    requests, left = [], list(answers)

    def ask(request):
        requests.append(request)
        return Answer(text=json.dumps(left.pop(0)))

    return requests, SimpleNamespace(ask=ask)


def test_the_code_is_shown_by_its_lines():
    """To who writes no tests; what is said of it are numbers."""
    requests, model = asked_of({"lines": [2, 2], "why": "it adds"})
    assert concerned_lines(model, "f", SOURCE, "one too many") == {2}
    (request,) = requests
    assert (request.purpose, request.variant, request.subject) == ("trial", "concern", "f")
    told = request.messages[-1].content
    assert "“one too many”" in told
    assert "   2      return x + 1" in told


@pytest.mark.parametrize("lines", [[3], [0], list(range(1, 14))])
def test_a_line_that_is_not_there_goes_back(lines):
    """And so do too many; a second such answer is none."""
    requests, model = asked_of({"lines": lines}, {"lines": lines})
    with pytest.raises(ReplyError):
        concerned_lines(model, "f", SOURCE, "one too many")
    assert len(requests) == 2
