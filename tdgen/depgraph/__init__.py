"""The order of work: which functions must be green before which, from the specs' dependencies."""

from tdgen.depgraph.graph import Dependencies, Group

__all__ = ["Dependencies", "Group"]
