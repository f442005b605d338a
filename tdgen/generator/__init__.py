"""The library's face: from prose to a solution, with the cache before the work and the journal beside it.

`face` is what a user holds; `handed` reads what is handed in, `shelf` is what is kept between solves, `runs` is the
pipeline at work, and `terms` are what one generator may differ in from another on the same workplace.
"""

from tdgen.generator.face import Generator, solve
from tdgen.generator.handed import Handed

__all__ = ["Generator", "Handed", "solve"]
