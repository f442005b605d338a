"""Where one group of functions is worked on: attempts made, judged, mended, and what is green challenged."""

from tdgen.pipeline.workshop.bench import Bench, verdicts_on
from tdgen.pipeline.workshop.shop import Shop
from tdgen.pipeline.workshop.work import Finished, closed, tell_end, work

__all__ = ["Bench", "Finished", "Shop", "closed", "tell_end", "verdicts_on", "work"]
