"""Rendering: a suite's cases as an ordinary pytest file, which says of any implementation what the judge says."""

from tdgen.testgen.rendering.formatting import format_source
from tdgen.testgen.rendering.suites import node_ids, render_suite

__all__ = ["format_source", "node_ids", "render_suite"]
