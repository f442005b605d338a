"""A developer's answer read as C: its code out of the fences, and what must not be in it.

What code may reach is held by the sandbox. What is refused here is what would reach around the harness that it is
compiled with, or do what no contract of plain data asks for: files, processes, signals, the compiler's own means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from tdgen.errors import ReplyError
from tdgen.protocols import ForeignCode
from tdgen.replies.code import fenced_blocks
from tdgen.types import FunctionSpec, Plan

HEADERS: Final = (
    *("assert", "ctype", "errno", "float", "inttypes", "limits", "math", "stdarg", "stdbool", "stddef", "stdint"),
    *("stdio", "stdlib", "string", "wchar", "wctype"),
)
_CALLABLE = """
abs labs llabs div ldiv lldiv atoi atol atoll atof strtol strtoll strtoul strtoull strtod strtof
malloc calloc realloc free qsort bsearch memcpy memmove memset memcmp memchr strlen strcmp strncmp
strcpy strncpy strcat strncat strchr strrchr strstr strspn strcspn strpbrk strtok strdup strndup
isalpha isdigit isalnum isspace isupper islower ispunct isprint iscntrl isgraph isxdigit isblank
toupper tolower printf puts putchar fprintf fputs fputc snprintf vsnprintf sscanf assert
sqrt cbrt pow exp exp2 log log2 log10 log1p expm1 sin cos tan asin acos atan atan2 sinh cosh tanh
floor ceil round lround llround trunc rint nearbyint fmod remainder fabs hypot fmin fmax copysign
isnan isinf isfinite signbit isless isgreater frexp ldexp modf nextafter fma fdim erf tgamma lgamma
iswalpha iswdigit iswspace towupper towlower va_start va_arg va_end va_copy sizeof offsetof
INT64_C UINT64_C fail
"""
_FUNCTIONS: Final = frozenset(_CALLABLE.split())
_KEYWORDS = "if for while switch return do else case defined _Alignof _Static_assert"
_WORDS: Final = frozenset(_KEYWORDS.split())
_OTHERS: Final = {"python", "py", "javascript", "js", "cpp", "c++", "java", "go", "rust"}
_CALLED: Final = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_TOP: Final = re.compile(r"\b([A-Za-z_]\w*)\s*(?:\(|\[|=|;)")
_FORBIDDEN: Final = {
    r"##|%:%:|\?\?": "pasted names and trigraphs are not allowed",
    r"\b(?:asm|extern|goto|typeof|main|errno_location|stdin|_Pragma|_Generic)\b": "this is not allowed: {}",
    r"\b__\w+": "names that begin with two underscores are the compiler's own: {}",
    r"\btdgen_\w*": "names of the harness are not the code's: {}",
    r"#\s*(?!(?:include|define|undef|if|ifdef|ifndef|else|elif|endif)\b)\w+": "this directive is not allowed: {}",
}
_QUIET: Final = re.compile(r"""//[^\n]*|/\*.*?(?:\*/|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?""", re.DOTALL)


def read(text: str, spec: FunctionSpec, plan: Plan, types: Sequence[str]) -> ForeignCode:
    """The code of an answer with what speaks against it; ReplyError where there is none."""
    source = _code(text, spec.name).strip("\n") + "\n"
    return ForeignCode(source, tuple(dict.fromkeys(_findings(source, spec, plan, types))))


def _code(text: str, name: str) -> str:
    blocks = fenced_blocks(text)
    own = [block.text for block in blocks if block.language in ("", "c", "h")]
    found = [block for block in own if name in defined(block, [name])]
    if found:
        return max(found, key=len)
    if other := next((block.language for block in blocks if block.language in _OTHERS), ""):
        raise ReplyError(f"the code is in {other}: write it in C17, in one fenced block")
    if not blocks and defined(text, [name]):
        return text
    raise ReplyError(f"there is no code of {name} in the answer: give one fenced block of C")


def blanked(source: str) -> str:
    """The source with spaces for what is in its strings, characters and comments."""
    return _QUIET.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), source)


def _findings(source: str, spec: FunctionSpec, plan: Plan, types: Sequence[str]) -> Iterator[str]:
    code = blanked(source.replace("\\\n", "  "))
    for line, text in enumerate(code.split("\n"), start=1):
        yield from (f"line {line}: {told}" for told in _line_findings(text, source.split("\n")[line - 1], spec))
    own = spec.name.strip("_")
    names = {*top_names(code)}
    others = {other.name for other in plan.functions} - {spec.name}
    for name in sorted(names - {spec.name}):
        if name in others or name in types:
            yield f"{name} is there already: use it, do not define it again"
        elif not name.lower().startswith((own.lower() + "_", f"_{own.lower()}")):
            yield f"{name} stands beside the function: name it {own}_{name.strip('_')}, and make it static"
    allowed = names | others | _FUNCTIONS | _WORDS | {spec.name} | {f"{one}_free" for one in types}
    for found in _CALLED.finditer(code):
        if found[1] not in allowed and found[1] not in _locals(code):
            line = code.count("\n", 0, found.start()) + 1
            yield f"line {line}: {found[1]} is not among the functions that may be called"


def _line_findings(text: str, whole: str, spec: FunctionSpec) -> Iterator[str]:
    if re.match(r"\s*#\s*include\b", text):
        header = re.fullmatch(r'\s*#\s*include\s*[<"](\w+)\.h[>"]\s*(?://.*|/\*.*)?', whole)
        if header is None or header[1] not in HEADERS:
            yield f"only headers of the standard library may be included, such as <string.h>: {whole.strip()}"
        return
    if (macro := re.match(r"\s*#\s*define\s+(\w+)", text)) and not macro[1].lower().strip("_").startswith(
        spec.name.lower().strip("_")
    ):
        yield f"the macro {macro[1]} is named as if it were another's: begin it with {spec.name.upper().strip('_')}_"
    for pattern, told in _FORBIDDEN.items():
        if found := re.search(pattern, text):
            yield told.format(found[0])


def _locals(code: str) -> set[str]:
    """Names of parameters and variables that are pointers to functions, as far as they are declared so."""
    return set(re.findall(r"\(\s*\*\s*(\w+)\s*\)\s*\(", code))


def top_names(code: str) -> list[str]:
    """The functions, variables and macros that blanked code defines at its top level."""
    depth, flat = 0, list[str]()
    for char in code:
        depth -= char in ")}]"
        flat.append(char if depth <= 0 or char == "\n" else " ")
        depth += char in "({["
    text = re.sub(r"(?m)^\s*#.*$", "", "".join(flat))
    macros = re.findall(r"(?m)^\s*#\s*define\s+(\w+)", code)
    return [*(name for name in _TOP.findall(text) if name not in _WORDS), *macros]


def defined(source: str, names: Sequence[str]) -> list[str]:
    """Those of the names that a source defines at its top level, with a body."""
    code = blanked(source)
    return [name for name in names if re.search(rf"(?m)^[A-Za-z_][^;{{}}()=]*\b{name}\s*\([^;{{}}]*\)\s*\{{", code)]
