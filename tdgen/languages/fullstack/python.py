"""The service's side: units in Python as they are asked for, read, left unwritten and put together."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Final

from tdgen.depgraph import Dependencies
from tdgen.files.ruff import format_source
from tdgen.impl import DeveloperContext, assemble, mended, read_fragment, trusted_fragment
from tdgen.impl.declared import class_findings
from tdgen.impl.developer import python_form
from tdgen.impl.imports import import_findings
from tdgen.protocols import ForeignCode
from tdgen.replies import find_code
from tdgen.specs.declarations import declare_types, whole_module
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


def _context(spec: FunctionSpec, plan: Plan) -> DeveloperContext:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return DeveloperContext(spec=spec, plan=plan, pinned=(), python=version)


def rules(spec: FunctionSpec, plan: Plan) -> str:
    """What its developer is told."""
    return python_form(_context(spec, plan), is_whole=True)


def read(text: str, spec: FunctionSpec, plan: Plan) -> ForeignCode:
    """The code of an answer; ReplyError where there is none."""
    brief = _context(spec, plan)
    source = read_fragment(mended(find_code(text), brief).source, spec.name, brief.others).source
    findings = import_findings(source, packages=brief.packages, allowed=(), forbidden=())
    return ForeignCode(source, (*findings, *class_findings(source, spec)))


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
