"""Where one group of functions is worked on: attempts made, judged, mended, and what is green challenged."""

from tdgen.pipeline.workshop.bench import Bench, verdicts_on
from tdgen.pipeline.workshop.work import Finished, work

__all__ = ["Bench", "Finished", "verdicts_on", "work"]
