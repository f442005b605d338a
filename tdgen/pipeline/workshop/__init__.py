"""Where one group of functions is worked on: attempts made, judged, mended, and what is green challenged."""

from tdgen.pipeline.workshop.bench import Bench, verdicts_on
from tdgen.pipeline.workshop.charges import Charge, Docket
from tdgen.pipeline.workshop.shop import Shop
from tdgen.pipeline.workshop.work import Finished, closed, go_on, tell_end, work

__all__ = ["Bench", "Charge", "Docket", "Finished", "Shop", "closed", "go_on", "tell_end", "verdicts_on", "work"]
