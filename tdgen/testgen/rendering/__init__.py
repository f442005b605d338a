"""Rendering: a suite's cases as an ordinary pytest file, which says of any implementation what the judge says."""

from tdgen.testgen.rendering.suites import node_ids, render_suite

__all__ = ["node_ids", "render_suite"]
