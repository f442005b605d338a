"""Code that can do nothing to the process it runs in, told by reading it.

Who runs in one process can forge what is seen of the others there, patch a builtin that they need, or read what they
are given. Code of the closed world below can't: it computes with plain values, by builtins and methods that reach
nothing else, and sets no attribute. It may still take too long, too much memory or the process with it: then nothing is
seen of those after it, and each of them is run by itself.

What is not named here is refused: `format` reaches attributes by a text, classes are called by what they never call
themselves, and a module's own names (`re.enum`) lead everywhere.
"""

from __future__ import annotations

import ast
import builtins
import itertools
import math
from collections.abc import Collection
from typing import Final

from tdgen.source.syntax import parse, statements_of
from tdgen.source.trees import bound_names
from tdgen.types import Case
from tdgen.types.cases import plain_world

_FUNCTIONS: Final = """
abs all any ascii bin bool bytearray bytes chr complex dict divmod enumerate filter float frozenset hex int isinstance
iter len list map max min next oct ord pow range repr reversed round set slice sorted str sum tuple zip
"""
_METHODS: Final = """
add append appendleft args as_integer_ratio bit_count bit_length capitalize casefold center clear copy count decode
denominator difference difference_update discard elements encode end endswith expandtabs extend extendleft find fromhex
fromkeys get group groupdict groups hex imag index insert intersection intersection_update is_integer isalnum isalpha
isascii isdecimal isdigit isdisjoint isidentifier islower isnumeric isprintable isspace issubset issuperset istitle
isupper items join keys ljust lower lstrip maketrans most_common move_to_end numerator partition pop popitem popleft
real remove removeprefix removesuffix replace reverse rfind rindex rjust rotate rpartition rsplit rstrip setdefault sort
span splitlines start startswith strip subtract swapcase symmetric_difference symmetric_difference_update title to_bytes
total translate update upper values zfill
"""
_IMPORTED: Final = {
    "__future__": "annotations",
    "collections": "Counter OrderedDict defaultdict deque",
    "collections.abc": "Callable Collection Iterable Iterator Mapping MutableMapping Sequence",
    "itertools": " ".join(name for name in dir(itertools) if not name.startswith("_")),
    "math": " ".join(name for name in dir(math) if not name.startswith("_")),
    "re": "compile escape findall finditer fullmatch match search split sub subn A ASCII I IGNORECASE M MULTILINE S "
    "DOTALL X VERBOSE",
    "string": "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits punctuation",
    "typing": "Any Callable Dict Iterable Iterator List Optional Sequence Set Tuple Union",
}
"""What code may import, from where; each of these names may be an attribute, too."""
_ALL_BUILTINS: Final = frozenset(vars(builtins))
_BUILTINS: Final = frozenset(_FUNCTIONS.split()) | {
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, Exception)
}
_ATTRIBUTES: Final = frozenset(" ".join([_METHODS, *_IMPORTED.values()]).split())
_SYNTAX: Final = (
    *(ast.Module, ast.FunctionDef, ast.arguments, ast.arg, ast.Import, ast.ImportFrom, ast.alias),
    *(ast.Return, ast.Delete, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.For, ast.While, ast.If, ast.Raise),
    *(ast.Try, ast.ExceptHandler, ast.Assert, ast.Expr, ast.Pass, ast.Break, ast.Continue),
    *(ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Lambda, ast.IfExp, ast.Compare, ast.Call, ast.keyword, ast.Yield),
    *(ast.Dict, ast.Set, ast.List, ast.Tuple, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    *(ast.comprehension, ast.JoinedStr, ast.FormattedValue, ast.Constant, ast.Attribute, ast.Subscript, ast.Slice),
    *(ast.Starred, ast.Name, ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop),
)


def is_harmless(source: str, known: Collection[str] = ()) -> bool:
    """Whether code, beside which the names `known` are bound, can do nothing to the process that it runs in."""
    try:
        tree = parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    # What is bound in one scope may be a builtin's name in another.
    names = _BUILTINS | ((bound_names(tree) | frozenset(known)) - _ALL_BUILTINS)
    return all(_is_of_closed_world(node, names) for node in ast.walk(tree))


def is_harmless_case(case: Case, functions: Collection[str]) -> bool:
    """Whether what a case does with `functions` can do nothing to the process, and needs nothing set up in it."""
    if case.setup or case.logs is not None or case.world != plain_world():
        return False
    sources = [case.expression, *(after.expression for after in case.after)]
    known = {*functions, "result", "error"}
    return all(
        is_harmless(source, known)
        and not any(map(bound_names, statements_of(source)))  # a name is imported, if it can be
        for source in sources
    )


def _is_of_closed_world(node: ast.AST, names: Collection[str]) -> bool:
    match node:
        case ast.Name(id=name):
            return name in names and not name.startswith("__")
        case ast.Attribute(attr=name, ctx=context):
            return name in _ATTRIBUTES and isinstance(context, ast.Load)
        case ast.Import(names=modules):
            return all(module.name in _IMPORTED and not _is_hidden(module.asname) for module in modules)
        case ast.ImportFrom(module=module, names=imported, level=0):
            there = _IMPORTED.get(module or "", "").split()
            return all(one.name in there and not _is_hidden(one.asname) for one in imported)
        case ast.FunctionDef(name=name, decorator_list=decorators):
            return not decorators and not _is_hidden(name)
        case ast.arg(arg=name) | ast.ExceptHandler(name=name):
            return not _is_hidden(name)
    return isinstance(node, _SYNTAX) and not isinstance(node, ast.ImportFrom)


def _is_hidden(name: str | None) -> bool:
    return name is not None and name.startswith("__")
