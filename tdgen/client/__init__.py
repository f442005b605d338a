"""The library's client: from prose to a solution, with the cache before the work and the journal beside it.

`generator` is what a user holds, and a solve's way; `asynchronous` is the same for event loops, imported by who has
one; `running` is a run's journal from its beginning to its end, and what `logging` and listeners hear of it;
`handed` reads what is handed in, and has what is kept between solves; `estimating` tells what a solve would cost,
`checkup` whether one runs here; `projects` shows an existing project to the sandboxes, `in_project` works in one,
`proposals` are what comes of that, and `fixing` asks for the changes of `tdgen fix`; `judging` runs given tests on
given code and its mutants.
"""

from tdgen.client.generator import Generator, solve
from tdgen.client.handed import Handed

__all__ = ["Generator", "Handed", "solve"]
