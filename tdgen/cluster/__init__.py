"""Lines of a batch on many processes or machines, by dask.distributed. The extra `cluster` brings it.

Where to read:

- `executor`: a cluster as a `concurrent.futures.Executor`, and what must be so before any line is sent
- `worker`: what runs on a worker: a generator with its sandboxes warm, opened once and closed with it

Nothing else of tdgen knows dask: a batch takes any executor.
"""

from tdgen.cluster.executor import Cluster, connected

__all__ = ["Cluster", "connected"]
