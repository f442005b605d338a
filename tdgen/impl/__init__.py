"""From contracts to code: asking for an implementation, reading it, and telling its author what was observed."""

from tdgen.impl.coverage import Shares, covered, lines_reached, lines_there, reachable
from tdgen.impl.developer import DeveloperContext, another, implement, repair, trace_repair
from tdgen.impl.feedback import NO_EVIDENCE, ClassEvidence, failed_approaches
from tdgen.impl.in_place import is_large, method_lines
from tdgen.impl.objections import accidents, insistence, objected
from tdgen.source.fragment import Fragment, assemble, read_fragment, trusted_fragment, with_entry

__all__ = [
    "NO_EVIDENCE",
    "ClassEvidence",
    "DeveloperContext",
    "Fragment",
    "Shares",
    "accidents",
    "another",
    "assemble",
    "covered",
    "failed_approaches",
    "implement",
    "insistence",
    "is_large",
    "lines_reached",
    "lines_there",
    "method_lines",
    "objected",
    "reachable",
    "read_fragment",
    "repair",
    "trace_repair",
    "trusted_fragment",
    "with_entry",
]
