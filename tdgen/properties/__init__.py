"""Properties: what must hold for all inputs, as Hypothesis tests that the author of a suite writes beside its cases.

A capability that solves of trust level quick do without: nobody imports it, it is found by its entry point and called
by what `tdgen.protocols.PropertyTests` says of it.
"""

from __future__ import annotations

from tdgen.properties.author import read_sources
from tdgen.properties.checking import LIMITS, check_in_module, strengthen_by_properties
from tdgen.properties.step import add_properties

__all__ = ["LIMITS", "add_properties", "check_in_module", "read_sources", "strengthen_by_properties"]
