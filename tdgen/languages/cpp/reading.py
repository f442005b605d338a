"""A developer's answer read as C++: a class's members are the contract's, what stands beside the unit is its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from tdgen.language import ReadCode
from tdgen.languages.gcc.reading import (
    FORBIDDEN,
    Grammar,
    blanked,
    code,
    findings,
    own_names,
    top_level,
    top_names,
)
from tdgen.types import FunctionSpec, Plan

HEADERS: Final = (
    *("algorithm", "array", "bit", "cassert", "cctype", "charconv", "climits", "cmath", "compare", "concepts"),
    *("cstddef", "cstdint", "cstdio", "cstdlib", "cstring", "deque", "exception", "functional", "initializer_list"),
    *("iomanip", "iostream", "iterator", "limits", "list", "map", "memory", "numbers", "numeric", "optional", "queue"),
    *("ranges", "regex", "set", "span", "sstream", "stack", "stdexcept", "string", "string_view", "tuple"),
    *("type_traits", "unordered_map", "unordered_set", "utility", "variant", "vector"),
)
_KEYWORDS = """
and and_eq asm bitand bitor catch char8_t char16_t char32_t class co_await co_return co_yield compl concept const_cast
consteval constexpr constinit decltype delete dynamic_cast explicit export friend import module mutable namespace new
noexcept not not_eq nullptr operator or or_eq private protected public reinterpret_cast requires static_assert
static_cast std template this thread_local throw try typeid typename using virtual wchar_t xor xor_eq
"""
KEYWORDS: Final = frozenset(_KEYWORDS.split())
_CALLS: Final = (
    "system popen fopen freopen tmpfile mmap fork vfork execl execlp execv execve execvp posix_spawn syscall "
    "sigaction setjmp longjmp abort exit _exit _Exit quick_exit atexit at_quick_exit getenv setenv putenv dlopen dlsym "
    "ptrace"
)
_GRAMMAR: Final = Grammar(
    name="C++20",
    fences={"", "cpp", "c++", "cc", "cxx", "hpp", "h"},
    others={"python", "py", "javascript", "js", "c", "java", "go", "rust"},
    headers=HEADERS,
    ending="",
    example="<vector>",
    forbidden={
        r"\b(?:asm|extern|goto|_Pragma|import|co_(?:await|yield|return)|reinterpret_cast)\b": (
            "this is not allowed: {}"
        ),
        r"\b(?:cin|ifstream|ofstream|fstream|filesystem|thread|jthread|async|set_terminate|set_new_handler)\b": (
            "no contract of plain data asks for this: {}"
        ),
        r"\boperator\s*(?:new|delete)\b|\bnamespace\s+std\b": "what is the library's is not the code's: {}",
        r"\[\[\s*(?:using\s+)?gnu\b": "attributes of the compiler's are not allowed: {}",
        rf"(?<![.\w>])(?:std::|::)?(?:{'|'.join(_CALLS.split())})\s*\(": (
            "no contract of plain data asks for this: {}…)"
        ),
        **FORBIDDEN,
    },
)
_KINDS: Final = re.compile(
    r"\b(?:struct|class|enum|union|using|concept)\s+(?:class\s+|struct\s+)?([A-Za-z_]\w*)\s*(?=[{:=;])"
)
_COMMENT: Final = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""", re.DOTALL)
_MACRO: Final = re.compile(r"(?m)^\s*#\s*define\s+(\w+)")
_NAMESPACE: Final = re.compile(r"\bnamespace\s+([A-Za-z_]\w*)")
_TEMPLATE: Final = re.compile(r"\b(?:template|requires)\s*<[^;{}]*?>(?=\s*[A-Za-z\[])|\bnoexcept\b|\boperator\W+")


def read(text: str, spec: FunctionSpec, plan: Plan, types: list[str], members: Sequence[str]) -> ReadCode:
    """The code of an answer with what speaks against it; ReplyError where there is none.

    `members` are those of a class, as they are to be declared.
    """
    source = code(text, spec.name, _GRAMMAR)
    quiet = blanked(source)
    flat = _TEMPLATE.sub(" ", top_level(quiet))
    named = [name for name in top_names(flat) if not re.search(rf"::\s*{name}\b", flat)]
    names = {*named, *_MACRO.findall(quiet), *_KINDS.findall(flat), *_NAMESPACE.findall(flat)}
    own = _of_class(source, quiet, flat, spec.name, members) if spec.interface else ()
    problems = (*findings(source, spec, _GRAMMAR), *own_names(names, spec, plan, types), *own)
    return ReadCode(source, tuple(dict.fromkeys(problems)))


def _of_class(source: str, quiet: str, flat: str, name: str, members: Sequence[str]) -> Iterator[str]:
    """What of a class's public members is not as the contract has it: their types, names or defaults."""
    start = re.search(rf"(?m)^\s*(?:class|struct)\s+{name}\b[^;{{}}()]*\{{", quiet)
    if not start:
        yield f"there is no class {name} at the top level: begin it with `class {name} {{`"
        return
    body = _COMMENT.sub(lambda found: " " if found[0].startswith("/") else found[0], source[start.end() :])
    own = f" {_words(body)} "
    for head in members:
        bare = re.sub(r"^explicit | override$", "", head).removesuffix(" const")
        is_else = head.startswith("virtual ") and f" {_words(bare)} const " in own  # those that override it have none
        if (f" {_words(bare)} " not in own and bare != f"{name}()") or is_else:
            yield f"a member is not declared as the contract has it: write exactly {head}"
    for out in re.finditer(rf"[^;{{}}]*\b{name}\s*::\s*~?\w+\s*\(", flat):
        if not re.search(r"\b(?:inline|template|constexpr)\b", out[0]):
            yield f"the class is in a header: define {' '.join(out[0].split())}…) within it"


def _words(text: str) -> str:
    """A text's words and signs, a space between any two."""
    return " ".join(re.findall(r"\w+|[^\w\s]", text))
