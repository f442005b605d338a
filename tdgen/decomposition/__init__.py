"""Decomposition: what no strategy repairs is divided into helpers, which go the whole way themselves.

A capability that is found by its entry point, and imported by nobody: most solves never come to it.
"""

from __future__ import annotations

from tdgen.decomposition.working import decomposed

__all__ = ["decomposed"]
