"""The service and its page, on this machine: `python benchmarks/bench_service.py` prints what they hold.

- A: `tdgen serve` under many posts at once and many who listen: errors other than 429, lost events, memory
- B: the page in a real Chromium, served on the loopback: its first paint, and the long tasks of a visit to a run of 200
  functions. Without chromium, chromedriver and selenium it is left out

The model is a script in both: what is measured is tdgen.
"""

from __future__ import annotations

import argparse
import os
import shutil
from importlib.util import find_spec

from service.load import load
from service.page import page
from tables import table


def main() -> None:
    """Run both parts, and print their tables."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--posts", type=int, default=200)
    reader.add_argument("--streams", type=int, default=50)
    reader.add_argument("--waiting", type=int, default=64, help="the bound of the queue")
    reader.add_argument("--functions", type=int, default=200)
    reader.add_argument("--loads", type=int, default=9)
    reader.add_argument("--parts", default="AB")
    wanted = reader.parse_args()
    print("this machine's load: " + ", ".join(f"{load:.1f}" for load in os.getloadavg()))
    if "A" in wanted.parts:
        table("A: posts and listeners", ["", "figure"], load(wanted.posts, wanted.streams, wanted.waiting).items())
    if "B" not in wanted.parts:
        return
    if not (shutil.which("chromium") and shutil.which("chromedriver") and find_spec("selenium")):
        print("\nB is left out: there is no chromium, chromedriver or selenium")
        return
    paints, tasks = page(wanted.functions, wanted.loads)
    table(f"B: first paint of {wanted.loads} loads, nothing cached", ["of", "median ms", "worst ms"], paints)
    columns = ["a visit", "tasks of 50 ms or more", "worst ms"]
    table(f"B: long tasks, {wanted.functions} functions", columns, tasks)
    print("\nthis machine's load: " + ", ".join(f"{load:.1f}" for load in os.getloadavg()))


if __name__ == "__main__":
    main()
