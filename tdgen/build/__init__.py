"""How one group of functions is built: attempts made, judged and mended, and what is green tried harder.

`loop.py` is where to begin: a first attempt, then the strategies of `strategies.py` until all is green or the bounds
are met, then what `strengthening.py` finds. All of them take a group (`group.py`) and give back another one.
"""

from tdgen.build.evaluator import verdicts_on
from tdgen.build.function_state import DependencyFault, FaultReports
from tdgen.build.group import GroupBuild
from tdgen.build.loop import Finished, closed, go_on, tell_end, work

__all__ = [
    "DependencyFault",
    "FaultReports",
    "Finished",
    "GroupBuild",
    "closed",
    "go_on",
    "tell_end",
    "verdicts_on",
    "work",
]
