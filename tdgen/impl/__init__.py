"""From contracts to code: asking for an implementation, reading it, and telling its author what was observed."""

from tdgen.impl.developer import Brief, implement, repair
from tdgen.impl.findings import FORBIDDEN, Findings, lint_findings
from tdgen.impl.piece import Piece, assemble, read_piece, trusted_piece

__all__ = [
    "FORBIDDEN",
    "Brief",
    "Findings",
    "Piece",
    "assemble",
    "implement",
    "lint_findings",
    "read_piece",
    "repair",
    "trusted_piece",
]
