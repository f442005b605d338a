"""The figures of a run over many tasks: see `tdgen.metrics`, where each stands with its formula."""

from __future__ import annotations

from tdgen.metrics import Figures, Share, Sums, Task, density, figures, reduction, stability

__all__ = ["Figures", "Share", "Sums", "Task", "density", "figures", "reduction", "stability"]
