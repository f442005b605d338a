"""Awkward but correct programs: what people need inside, and what a sandbox that is too tight would break.

A program defines `attempt()`, whose result must be the given plain value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Awkward:
    """A program and what it must return."""

    name: str
    source: str
    value: Any


def _body(name: str, body: str, value: Any) -> Awkward:
    """A program by the body of its `attempt`."""
    return Awkward(name, "def attempt():\n" + "\n".join(f"    {line}" for line in body.strip("\n").splitlines()), value)


AWKWARD = (
    _body(
        "computes in threads",
        "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(8) as pool:\n    return sum(pool.map(abs, range(-50, 50)))",
        2500,
    ),
    _body(
        "runs coroutines",
        "import asyncio\nasync def one(n):\n    await asyncio.sleep(0.001)\n    return n\nasync def all_of():\n    return list(await asyncio.gather(*map(one, range(5))))\nreturn asyncio.run(all_of())",
        [0, 1, 2, 3, 4],
    ),
    _body(
        "uses temporary files",
        "import tempfile, os, shutil\nwith tempfile.TemporaryDirectory() as folder:\n    path = os.path.join(folder, 'a')\n    with open(path, 'w') as file:\n        file.write('text')\n    shutil.copy(path, path + 'b')\n    with tempfile.NamedTemporaryFile('w+') as other:\n        other.write(open(path + 'b').read())\n        other.seek(0)\n        return other.read()",
        "text",
    ),
    _body("prints much", "for n in range(20000):\n    print('line', n)\nreturn n", 19999),
    _body("recurses deeply", "def depth(n):\n    return 0 if n == 0 else 1 + depth(n - 1)\nreturn depth(900)", 900),
    _body(
        "copies its own objects",
        "import copy, pickle\ndata = {'a': [1, (2, 3)], 'b': {4}}\nreturn pickle.loads(pickle.dumps(data)) == copy.deepcopy(data)",
        True,
    ),
    Awkward(
        "pickles its own dataclass",
        "import dataclasses, pickle\n@dataclasses.dataclass\nclass Point:\n    x: int\n    y: 'Point | None' = None\ndef attempt():\n    return pickle.loads(pickle.dumps(Point(1, Point(2)))) == Point(1, Point(2))\n",
        True,
    ),
    _body(
        "asks a database",
        "import sqlite3\nwith sqlite3.connect(':memory:') as db:\n    return db.execute('select 6 * 7').fetchone()[0]",
        42,
    ),
    _body(
        "knows time zones",
        "import datetime, zoneinfo\nzone = zoneinfo.ZoneInfo('Europe/Paris')\nreturn datetime.datetime(2024, 7, 1, tzinfo=zone).utcoffset().seconds",
        7200,
    ),
    _body(
        "hashes and encodes",
        "import hashlib, base64\nreturn base64.b64encode(hashlib.sha256(b'').digest()[:3]).decode()",
        "47DE",
    ),
    _body(
        "finds its own source", "import inspect\nreturn inspect.getsource(attempt).splitlines()[0]", "def attempt():"
    ),
    _body(
        "sets an alarm",
        "import signal\nrung = []\nsignal.signal(signal.SIGALRM, lambda *_: rung.append(1))\nsignal.setitimer(signal.ITIMER_REAL, 0.01)\nsignal.pause()\nreturn len(rung)",
        1,
    ),
    _body(
        "writes and lists files",
        "from pathlib import Path\nPath('a/b').mkdir(parents=True)\nPath('a/b/c.txt').write_text('é')\nreturn [str(p) for p in sorted(Path('.').rglob('*.txt'))]",
        ["a/b/c.txt"],
    ),
    _body(
        "waits with a lock",
        "import threading, queue\nq = queue.Queue()\nt = threading.Thread(target=q.put, args=(3,))\nt.start()\nt.join()\nreturn q.get(timeout=1)",
        3,
    ),
    _body(
        "reads compressed data",
        "import zlib, gzip, bz2\nreturn gzip.decompress(gzip.compress(zlib.decompress(zlib.compress(b'x' * 100)))).decode() == 'x' * 100",
        True,
    ),
)
