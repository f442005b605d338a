"""Running pytest on files that import hypothesis, which is loaded and warm: its table of Unicode alone takes a second.

Where it can't be loaded (a part of it is compiled, for one version of Python), the files run all the same, and fail by
what they import. Standard library, pytest and hypothesis only: this file runs inside.
"""

from __future__ import annotations

import contextlib
import os
from typing import Any

from tdgen.sandbox.inside.pytesting import serve, warm_up

os.environ["HYPOTHESIS_NO_PLUGINS"] = "1"

with contextlib.suppress(ImportError):
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st

    _DRAWN = st.text() | st.lists(st.integers()) | st.floats() | st.dictionaries(st.binary(), st.booleans())

    @settings(max_examples=50, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(_DRAWN)
    def draw(value: Any) -> None:
        """Draw of what most properties draw."""

    draw()

__all__ = ["serve", "warm_up"]
