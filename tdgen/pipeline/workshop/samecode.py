"""Which versions of a source compile to the same byte code: found inside the sandbox, where compiling may happen."""

from __future__ import annotations

from collections.abc import Sequence

from tdgen.mutation import digests_source
from tdgen.pipeline.workshop.screening import Screen


def same_code(screen: Screen, source: str, versions: Sequence[str]) -> frozenset[int]:
    """The places of the versions whose byte code is that of `source`, or of an earlier version.

    None of them where that can't be found out.
    """
    digests = screen.computed(digests_source(), "digests", [source, *versions])
    if not isinstance(digests, list) or len(digests) != len(versions) + 1:
        return frozenset()
    first: set[object] = {digests[0]}
    same = set()
    for place, digest in enumerate(digests[1:]):
        if digest and digest in first:
            same.add(place)
        first.add(digest)
    return frozenset(same)
