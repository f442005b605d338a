"""What models say, read: the JSON or the code in an answer, and asking once more where it can't be used."""

from tdgen.replies.code import find_code, without_thinking
from tdgen.replies.effects import BytesReply, FileAfter, FileReply, NamedText, ObserveReply, Reply, content, expected
from tdgen.replies.json_text import ask, ask_for, find_json, flat_schema, form_text

__all__ = [
    "BytesReply",
    "FileAfter",
    "FileReply",
    "NamedText",
    "ObserveReply",
    "Reply",
    "ask",
    "ask_for",
    "content",
    "expected",
    "find_code",
    "find_json",
    "flat_schema",
    "form_text",
    "without_thinking",
]
