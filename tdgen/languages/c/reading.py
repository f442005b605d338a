"""A developer's answer read as C: only functions of the standard library that plain data asks for may be called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tdgen.language import ReadCode
from tdgen.languages.gcc.reading import FORBIDDEN, WORDS, Grammar, blanked, code, findings, own_names, top_names
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
INT64_C UINT64_C fail __builtin_add_overflow __builtin_sub_overflow __builtin_mul_overflow
"""
_TAKEN = """
abort access alarm clock close creat dprintf drem exit fclose fdopen ffs fflush fgets fopen fork fread fscanf fseek
ftell fwrite gamma getc getchar getenv getline getopt gets index j0 j1 jn kill link lseek mblen nice open pause pclose
perror pipe popen pread putc pwrite raise rand read remove rename rewind rindex scanf select signal sleep srand stime
strsep swab sync system time truncate ttyname ungetc unlink usleep vfork wait write y0 y1 yn
"""
TAKEN: Final = frozenset(_TAKEN.split())
"""Names of the C library that its headers declare, and nothing that is planned can have."""
FUNCTIONS: Final = frozenset(_CALLABLE.split())
"""What of the library may be called."""
_CALLED: Final = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_GRAMMAR: Final = Grammar(
    name="C17",
    fences={"", "c", "h"},
    others={"python", "py", "javascript", "js", "cpp", "c++", "java", "go", "rust"},
    headers=HEADERS,
    ending=r"\.h",
    example="<string.h>",
    forbidden={
        r"\b(?:asm|extern|goto|typeof|errno_location|stdin|_Pragma|_Generic)\b": "this is not allowed: {}",
        **FORBIDDEN,
    },
)


def read(text: str, spec: FunctionSpec, plan: Plan, types: Sequence[str]) -> ReadCode:
    """The code of an answer with what speaks against it; ReplyError where there is none."""
    source = code(text, spec.name, _GRAMMAR)
    quiet = blanked(source)
    names = {*top_names(quiet)}
    found = [*findings(source, spec, _GRAMMAR), *own_names(names, spec, plan, types)]
    allowed = names | {other.name for other in plan.functions} | FUNCTIONS | WORDS | {f"{one}_free" for one in types}
    pointers = set(re.findall(r"\(\s*\*\s*(\w+)\s*\)\s*\(", quiet))
    for match in _CALLED.finditer(quiet):
        if match[1] not in allowed | pointers:
            line = quiet.count("\n", 0, match.start()) + 1
            found.append(f"line {line}: {match[1]} is not among the functions that may be called")
    return ReadCode(source, tuple(dict.fromkeys(found)))
