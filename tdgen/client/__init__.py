"""The library's client: from prose to a solution, with the cache before the work and the journal beside it.

`generator` is what a user holds; `inputs` reads what is handed in, `kept` is what is kept between solves, `runs` is the
pipeline at work, and `options` are what one generator may differ in from another on the same runtime. `estimates` tells
what a solve would cost, and `checkup` whether one could run here.
"""

from tdgen.client.generator import Generator, solve
from tdgen.client.runs import Handed

__all__ = ["Generator", "Handed", "solve"]
