"""The service's side: units in Python as they are left unwritten and put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tdgen.depgraph import Dependencies
from tdgen.files.ruff import format_source
from tdgen.impl import assemble, trusted_fragment
from tdgen.specs.declarations import declare_types
from tdgen.specs.placed import whole_module
from tdgen.types import FunctionSpec, Plan

_STUB: Final = "def {0}(*args, **kwargs):\n    raise _Unwritten('{0} is not written yet')\n"
_STUB_CLASS: Final = """class _{0}Unwritten(type):
    def __getattr__(cls, name):
        raise _Unwritten(f"{0}.{{name}} is not written yet")

    def __call__(cls, *args, **kwargs):
        raise _Unwritten("{0} is not written yet")


class {0}(metaclass=_{0}Unwritten):
    pass
"""


def stub(spec: FunctionSpec) -> str:
    """The unit before anything is written."""
    return (_STUB_CLASS if spec.interface else _STUB).format(spec.name)


def in_order(plan: Plan, sources: Mapping[str, str]) -> dict[str, str]:
    """Sources by unit, what others stand on first."""
    order = [name for group in Dependencies(plan).order for name in group]
    return {name: sources[name] for name in order if name in sources}


def module_text(plan: Plan, sources: Mapping[str, str]) -> str:
    """The module to run."""
    units = {name: trusted_fragment(source) for name, source in in_order(plan, sources).items()}
    return f"{whole_module(plan, units)}\n\nclass _Unwritten(BaseException):\n    pass\n"


def finished(plan: Plan, sources: Mapping[str, str]) -> str:
    """The module as the user gets it; what nobody wrote raises NotImplementedError."""
    pieces = [
        trusted_fragment(source.replace("_Unwritten(", "NotImplementedError("))
        for source in in_order(plan, sources).values()
    ]
    return format_source(assemble(declare_types(plan), pieces, docstring=plan.summary or plan.module))
