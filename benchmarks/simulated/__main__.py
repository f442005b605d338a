"""Serve the simulated model until interrupted: `python -m simulated --data FILE` in the folder above."""

from __future__ import annotations

import argparse
import contextlib
import sys

from simulated.bench import Bench
from simulated.endpoint import Endpoint
from simulated.mind import SimulatedModel
from simulated.problems import data_path, load
from tdgen.errors import TdgenError


def main() -> int:
    """Serve; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default="", help="HumanEval.jsonl.gz or its folder; else BENCHMARK_DATA")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    options = parser.parse_args()
    try:
        path = data_path(options.data)
        bench = Bench.open()
    except TdgenError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    with contextlib.closing(bench):
        model = SimulatedModel(load(path, bench.sandbox), bench, options.seed)
        with Endpoint(model.reply, latency=options.latency, port=options.port) as endpoint:
            print(f"OPENAI_BASE_URL={endpoint.url}", flush=True)
            with contextlib.suppress(KeyboardInterrupt):
                endpoint.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
