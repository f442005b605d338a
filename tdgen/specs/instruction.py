"""The instruction as text, and modules with functions that nobody has written yet."""

from __future__ import annotations

import ast
import re
import unicodedata

from tdgen.errors import InputError
from tdgen.source.syntax import is_constant, parse
from tdgen.source.trees import import_lines
from tdgen.types import FunctionSpec, Instruction

_CONSTRUCTOR = "    def __init__(self, *args: object, **kwargs: object) -> None:\n"
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def stub(spec: FunctionSpec) -> str:
    """The source of a unit that raises NotImplementedError whenever it is called, with what its signature names."""
    docstring = " ".join(spec.purpose.split()).partition(". ")[0].rstrip(".").replace("\\", "\\\\").replace('"', '\\"')
    head = f'{spec.signature}:\n    """{docstring}."""\n' if docstring else f"{spec.signature}:\n"
    source = f'{head}    raise NotImplementedError("{spec.name} is not written yet")\n'
    if spec.interface:
        body = source.removeprefix(head).replace("    raise", "        raise")
        lines = (head.replace(spec.signature, f"class {spec.name}"), _CONSTRUCTOR, body)
        source = "".join(lines)
    return "\n".join([*import_lines([source]), "", source])


def unwritten(source: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the functions that a module does not define, or only without a body; none where it is no Python."""
    try:
        defined = {node.name: node for node in parse(source).body if isinstance(node, _Function | ast.ClassDef)}
    except (SyntaxError, ValueError):
        return ()
    return tuple(name for name in names if name not in defined or is_open(defined[name]))


def is_open(function: _Function | ast.ClassDef) -> bool:
    """Whether a function has no body yet: a docstring, `...`, `pass`, or NotImplementedError alone.

    A class is open where all of its methods are.
    """
    if isinstance(function, ast.ClassDef):
        methods = [node for node in function.body if isinstance(node, _Function)]
        return bool(methods) and all(map(is_open, methods))
    return all(
        isinstance(node, ast.Pass)
        or is_constant(node)
        or (isinstance(node, ast.Raise) and node.exc is not None and "NotImplementedError" in ast.unparse(node.exc))
        for node in function.body
    )


MAX_CHARACTERS = 100_000

# What must stay as it is written: fenced code, inline code, doctest lines, and quoted text on one line.
_VERBATIM = re.compile(
    r"""(```.*?```|~~~.*?~~~|`[^`\n]+`|^[ \t]*(?:>>>|\.\.\.)[^\n]*$|"[^"\n]*"|(?<!\w)'[^'\n]*'(?!\w))""",
    re.DOTALL | re.MULTILINE,
)

# A path has no character of a call, a quote or a sentence, whatever the script it is written in.
_ONE_WORD = re.compile(r"[^\s()\[\]{}<>\"'`,;=|?!*，。：；（）「」、？！]+")
_HAS_A_SUFFIX = re.compile(r"\w\.[A-Za-z][A-Za-z0-9]{0,7}$")


def read_instruction(text: str) -> Instruction:
    """The instruction in `text`; InputError where it is blank, binary, a mere path, or too long to be one."""
    if not text.strip():
        raise InputError("the instruction is empty: say in a sentence or more what the functions should do")
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            f"the instruction has {len(text):,} characters, at most {MAX_CHARACTERS:,} can be planned at once: "
            "split it, or point to one part of it"
        )
    if is_path(text):
        raise InputError(
            f"the instruction is only the name of a file, {text.strip()}: give what the file says, a sentence or more"
        )
    strange = next((c for c in text if unicodedata.category(c) in ("Cc", "Cs") and c not in "\t\n\r\f"), None)
    if strange is not None:
        raise InputError(f"the instruction is not text: it holds the character U+{ord(strange):04X}")
    return Instruction(text=text, normalised=normalise(text))


def is_path(text: str) -> bool:
    """Whether a text is one word with the form of a path: `spec.md`, `docs/spec`."""
    word = text.strip()
    if not _ONE_WORD.fullmatch(word) or "://" in word:
        return False
    return "/" in word or "\\" in word or _HAS_A_SUFFIX.search(word) is not None


def is_finished_code(text: str) -> bool:
    """Whether a text is Python code in which no function is left to be written."""
    try:
        nodes = list(ast.walk(parse(text)))
    except SyntaxError:
        return False
    functions = [node for node in nodes if isinstance(node, _Function)]
    defines = functions or any(isinstance(node, ast.ClassDef | ast.Import | ast.ImportFrom) for node in nodes)
    return bool(defines) and not any(map(is_open, functions))


def normalise(text: str) -> str:
    """`text` with white space folded and Unicode composed, except in code and quotes, where each character counts."""
    pieces = _VERBATIM.split(text.replace("\r\n", "\n").strip())
    folded = [
        piece if index % 2 else re.sub(r"\s+", " ", unicodedata.normalize("NFC", piece))
        for index, piece in enumerate(pieces)
    ]
    return "".join(folded).strip()
