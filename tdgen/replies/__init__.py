"""What models say, read: the JSON or the code in an answer, and asking once more where it can't be used."""

from tdgen.replies.asking import ask, ask_for
from tdgen.replies.code import find_code, without_thinking
from tdgen.replies.effects import FileAfter, NamedText, ObserveReply, Reply, expected
from tdgen.replies.json_text import find_json, flat_schema, form_text

__all__ = [
    "FileAfter",
    "NamedText",
    "ObserveReply",
    "Reply",
    "ask",
    "ask_for",
    "expected",
    "find_code",
    "find_json",
    "flat_schema",
    "form_text",
    "without_thinking",
]
