"""Many instructions from a file: a bounded window of them at once, every finished one on the disk at once.

Where to read:

- `lines`: what a line may hold, and what is wrong with one that can't be used
- `running`: the loop: a window of lines over an executor, rows as they end
- `work`: one line, here or in another process
- `output`: the folder: whose run it is, what is finished in it
- `results`: `results.jsonl`: appended, flushed, mended where it was torn
- `tally`: what all of it came to

A run that is cut off goes on from `results.jsonl`; what was in flight then goes on from its journal.
"""

from tdgen.batch.lines import Line, Malformed, examine, read_lines
from tdgen.batch.output import Output, Stamp
from tdgen.batch.results import BatchCounts, Summary
from tdgen.batch.running import run_batch, run_file

__all__ = [
    "BatchCounts",
    "Line",
    "Malformed",
    "Output",
    "Stamp",
    "Summary",
    "examine",
    "read_lines",
    "run_batch",
    "run_file",
]
