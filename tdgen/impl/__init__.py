"""From contracts to code: asking for an implementation, reading it, and telling its author what was observed."""

from tdgen.impl.coverage import Shares, covered, lines_reached, lines_there
from tdgen.impl.developer import (
    DeveloperContext,
    accidents,
    another,
    implement,
    insistence,
    method_lines,
    objected,
    repair,
    trace_repair,
)
from tdgen.impl.feedback import NO_EVIDENCE, ClassEvidence, failed_approaches

__all__ = [
    "NO_EVIDENCE",
    "ClassEvidence",
    "DeveloperContext",
    "Shares",
    "accidents",
    "another",
    "covered",
    "failed_approaches",
    "implement",
    "insistence",
    "lines_reached",
    "lines_there",
    "method_lines",
    "objected",
    "repair",
    "trace_repair",
]
