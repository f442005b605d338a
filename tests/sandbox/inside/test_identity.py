"""Who a server is: nobody else on this machine, so that what others do doesn't count against it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from tdgen.sandbox.local import LocalSandbox
from tdgen.types import Job, Limits, Observation, Probe

THREADS = """
import threading, time

def f():
    threads = [threading.Thread(target=time.sleep, args=(0.7,)) for _ in range(16)]
    for thread in threads:
        thread.start()
    return len(threads)
"""


def test_threads_of_one_run_leave_another_its_own() -> None:
    """Each of three sandboxes may have sixteen threads, though all three have them at once."""
    job = Job(module="m", source=THREADS, probes=(Probe(name="p", call="f()"),), limits=Limits(processes=20))

    def run(sandbox: LocalSandbox) -> Observation:
        return sandbox.run(job).observations[0]

    with LocalSandbox() as one, LocalSandbox() as two, LocalSandbox() as three, ThreadPoolExecutor(3) as executor:
        seen = list(executor.map(run, (one, two, three)))
    assert [(observation.status, observation.value) for observation in seen] == [("returned", 16)] * 3
