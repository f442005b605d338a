"""How one group of functions is built: attempts made, judged and mended, and what is green tried harder.

`loop.py` is where to begin: a first attempt, then the strategies of `strategies.py` until all is green or the bounds
are met, then what `strengthening.py` finds. `function_state.py` is what they look at and change.
"""

from tdgen.build.evaluator import Bench, verdicts_on
from tdgen.build.fault_reports import Charge, Docket
from tdgen.build.group import Shop
from tdgen.build.loop import Finished, closed, go_on, tell_end, work

__all__ = ["Bench", "Charge", "Docket", "Finished", "Shop", "closed", "go_on", "tell_end", "verdicts_on", "work"]
