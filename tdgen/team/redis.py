"""Texts by key in a Redis or Valkey that a team shares.

An entry is `1 <tag> <text>`: the version of its form, 64 hex digits, UTF-8. The tag is an HMAC-SHA256 by the team's
key over namespace, key and text, so that an entry can neither be written by who lacks the key nor moved to another key;
without a team's key it is a plain digest, which shows damage alone. Nothing is ever unpickled.

A lock is a token of its holder's, kept under an expiry that the server counts: clocks of hosts don't matter. Its holder
renews it. Each write under locks goes through one script, which the server runs whole: where one of the locks has
another token by then, or none, nothing is written. So a holder that was paused for longer than its lock writes nothing
when it wakes, nor does one whose server lost its memory in a restart.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from tdgen.errors import Cancelled, InputError, LostLock, MissingExtra, StoreError, UnansweredStore

FORMAT: Final = 1
_ENTRY: Final = re.compile(rb"([1-9]\d{0,8}) (?:([0-9a-f]{64}) )?(.*)", re.DOTALL)
_POLL_SECONDS: Final = 0.05
_ANSWER_SECONDS: Final = 2.0
LOCK_S: Final = 8.0
"""A lock that is not renewed falls after this: so soon another host goes on with what a dead one left, and so long a
network may be gone without anything being begun anew."""
SLOW_S: Final = 0.5
"""An answer that takes longer is slow: a solve waits for some ten. Across the world one takes 0.3 s."""
_TIMES: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}

# KEYS: lock; ARGV: token, milliseconds. 0 where another holds the lock; a try whose answer was lost holds it already.
_TAKE: Final = """
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
"""
# KEYS: lock; ARGV: token, milliseconds; 0 milliseconds let go.
_RENEW: Final = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then return redis.call('DEL', KEYS[1]) end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
"""
# KEYS: entry, locks; ARGV: text ('' deletes), milliseconds to live (0: no end), tokens. -1 where a lock is lost.
_WRITE: Final = """
for place = 2, #KEYS do
  if redis.call('GET', KEYS[place]) ~= ARGV[place + 1] then return -1 end
end
if ARGV[1] == '' then return redis.call('DEL', KEYS[1]) end
if ARGV[2] == '0' then redis.call('SET', KEYS[1], ARGV[1]) else redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return 1
"""
# KEYS: the last starts; ARGV: how many of them, milliseconds that are left (-1: no end). Milliseconds until the next
# start, a minute after the one that many turns ago; -1 where there is too little time.
_TURN: Final = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local oldest = tonumber(redis.call('LINDEX', KEYS[1], ARGV[1] - 1) or 0)
local start = math.max(now, oldest + 60000)
if tonumber(ARGV[2]) >= 0 and start - now >= tonumber(ARGV[2]) then return -1 end
redis.call('LPUSH', KEYS[1], start)
redis.call('LTRIM', KEYS[1], 0, ARGV[1] - 1)
redis.call('PEXPIRE', KEYS[1], start - now + 60000)
return start - now
"""


Locks = Mapping[str, str]
"""Locks in the store by their names there, each with its holder's token."""


class RedisStore:
    """Texts kept in a Redis under a namespace. Implements `tdgen.protocols.Store`.

    What it gives is only as good as who may write there: without `key`, anybody with access to the server.
    """

    def __init__(
        self, url: str, key: bytes = b"", *, lock_s: float = LOCK_S, note: Callable[[str], None] = lambda _: None
    ) -> None:
        """Read `url`; nothing is asked of the server yet. InputError for a bad one, MissingExtra without redis-py.

        Besides what redis-py reads in it, it may say `namespace=shop`, whose entries no other namespace sees, and
        `ttl=30d`: how long entries live, for ever unless said. A lock that is not renewed falls after `lock_s`. `note`
        hears of entries that are passed over. `on_slow`, where it is set, is called when an answer takes over `SLOW_S`.
        """
        try:
            import redis
        except ImportError as error:
            raise MissingExtra("a shared store", "redis") from error
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        self.address = _address(url)
        url, namespace, ttl_s = _own_options(url)
        self._errors = redis.RedisError
        # Tried once more at once: a connection that idled through the server's restart is dead.
        how = {
            "socket_timeout": _ANSWER_SECONDS,
            "socket_connect_timeout": _ANSWER_SECONDS,
            "retry": Retry(NoBackoff(), 1),
        }
        try:
            self.client: Any = redis.Redis.from_url(url, **how)
            # Options of the address are read when a connection is made, which opens none yet.
            self.client.connection_pool.make_connection()
        except (ValueError, TypeError):
            raise _bad_url() from None
        self._place = f"tdgen:{namespace}:"
        self._domain = f"tdgen-store {FORMAT} {namespace}"
        self._key, self.note = key, note
        self.on_slow: Callable[[], None] | None = None
        self.ttl_s, self._lock_ms = ttl_s, round(lock_s * 1000)
        self._held = threading.local()
        scripts = (_TAKE, _RENEW, _WRITE, _TURN)
        self._take, self._renew, self._write, self._turn = map(self.client.register_script, scripts)

    def get(self, key: str) -> str | None:
        """The text kept under `key`; None where there is none, or one that can't be trusted, which is noted."""
        with self.explained():
            row = self.client.get(self.name("entry", key))
        return None if row is None else self.unsealed(key, row)

    def get_many(self, keys: Sequence[str]) -> list[str | None]:
        """What `get` gives for each of them, in one turn."""
        with self.explained():
            rows = self.client.mget([self.name("entry", key) for key in keys]) if keys else []
        return [None if row is None else self.unsealed(key, row) for key, row in zip(keys, rows, strict=True)]

    def sealed(self, key: str, text: str) -> bytes:
        """A text as it may lie on the server for `key`: with its tag."""
        content = text.encode("utf-8", "surrogatepass")
        return b"%d %s %s" % (FORMAT, self._tag(key, content), content)

    def unsealed(self, key: str, row: bytes) -> str | None:
        """The text that was `sealed` for `key`; None for one that can't be trusted, which is noted."""
        match = _ENTRY.fullmatch(row)
        if match and int(match[1]) > FORMAT:
            self.note(f"{key} in the shared store was written by a later tdgen and is passed over: upgrade tdgen")
            return None
        if not match or not match[2] or not hmac.compare_digest(self._tag(key, match[3]), match[2]):
            cause = "does not bear the team's signature" if self._key else "is damaged"
            self.note(f"{key} in the shared store {cause} and is passed over")
            return None
        with suppress(UnicodeDecodeError):
            return match[3].decode("utf-8", "surrogatepass")
        return None

    def put(self, key: str, text: str, *, under: Locks | None = None, ttl_s: float | None = None) -> None:
        """Keep `text` under `key`, for `ttl_s` seconds where they are given.

        StoreError where the server can't; LostLock where one of the locks `under` which it is written, those of this
        thread unless given, is no longer held.
        """
        self._change(key, self.sealed(key, text), under, self.ttl_s if ttl_s is None else ttl_s)

    def delete(self, key: str, *, under: Locks | None = None) -> bool:
        """Forget `key`; whether there was something to forget. StoreError as of `put`."""
        return self._change(key, b"", under, 0.0) == 1

    def keys(self, prefix: str = "") -> Iterator[str]:
        """All keys that start with `prefix`, sorted."""
        start = self.name("entry", "")
        pattern = re.sub(r"([\\*?\[\]])", r"\\\1", start + prefix) + "*"
        with self.explained():
            names = {name.decode("utf-8", "replace") for name in self.client.scan_iter(pattern, count=1000)}
        return iter(sorted(name.removeprefix(start) for name in names))

    @property
    def held(self) -> Locks:
        """The locks that this thread holds now."""
        return dict(self._held.__dict__.get("locks", {}))

    @contextmanager
    def lock(
        self,
        key: str,
        is_cancelled: Callable[[], bool] | None = None,
        on_lost: Callable[[], None] = lambda: None,
    ) -> Iterator[None]:
        """Hold `key` alone among all threads and hosts. Not reentrant; a holder that dies lets go when its lock falls.

        Cancelled where `is_cancelled` says so while others hold it. Where the lock is lost, `on_lost` is called in
        another thread, and Cancelled, by which work may end then, becomes LostLock.
        """
        name, token = self.name("lock", key), secrets.token_hex(16)
        while not self._taken(name, token):
            if is_cancelled and is_cancelled():
                raise Cancelled
            time.sleep(_POLL_SECONDS)
        ended, lost = threading.Event(), threading.Event()

        def renew() -> None:
            while not ended.wait(self._lock_ms / 4000):
                # Closed by a process that ends while a lock is held, the store opens another connection.
                with suppress(self._errors, OSError, ValueError):
                    if not self._renew(keys=[name], args=[token, self._lock_ms]):
                        lost.set()
                        on_lost()
                        return

        renewing = threading.Thread(target=renew, daemon=True)
        renewing.start()
        locks = self._held.__dict__.setdefault("locks", {})
        locks[name] = token
        try:
            yield
        except Cancelled:
            if lost.is_set():
                raise LostLock from None
            raise
        finally:
            if locks.get(name) == token:  # not where the lock fell, and this thread took it again
                del locks[name]
            ended.set()
            renewing.join()
            # A lock that can't be let go of falls by itself.
            with suppress(self._errors):
                self._renew(keys=[name], args=[token, 0])

    def book(self, name: str, in_a_minute: int, left_s: float | None) -> float:
        """Book a turn among all hosts' of that name, so many in any minute by the server's clock.

        The seconds until it; less than 0 where it would not come within `left_s`.
        """
        left = -1 if left_s is None else round(left_s * 1000)
        with self.explained():
            return float(self._turn(keys=[self.name("turns", name)], args=[in_a_minute, left])) / 1000

    def close(self) -> None:
        """Close the connections; the store opens others when it is used again."""
        self.client.close()

    def _taken(self, name: str, token: str) -> bool:
        with self.explained():
            return bool(self._take(keys=[name], args=[token, self._lock_ms]))

    def _change(self, key: str, row: bytes, under: Locks | None, ttl_s: float) -> int:
        locks = self.held if under is None else under
        with self.explained():
            done = self._write(keys=[self.name("entry", key), *locks], args=[row, round(ttl_s * 1000), *locks.values()])
        if done == -1:
            raise LostLock
        return int(done)

    def name(self, kind: str, key: str) -> str:
        """The name on the server of what is kept there under `key`, among others of its kind."""
        return f"{self._place}{kind}:{key}"

    def _tag(self, key: str, content: bytes) -> bytes:
        bound = b"".join(b"%d:%s" % (len(part), part) for part in (self._domain.encode(), key.encode(), content))
        tag = hmac.new(self._key, bound, "sha256") if self._key else hashlib.sha256(bound)
        return tag.hexdigest().encode("ascii")

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Let what goes wrong with the server surface as a StoreError of one line, without the URL's password."""
        began = time.monotonic()
        try:
            yield
            if self.on_slow and time.monotonic() - began > SLOW_S:
                # Slow is who takes long to answer nothing, too: to connect takes several turns, a long text its time.
                asked = time.monotonic()
                with suppress(self._errors):  # what was asked before has been answered: it did not fail
                    self.client.ping()
                if time.monotonic() - asked > SLOW_S:
                    self.on_slow()
        except self._errors as error:
            text, is_silent = _reason(error)
            kind = UnansweredStore if is_silent else StoreError
            raise kind(f"the shared store at {self.address} {text}") from error


def _reason(error: Exception) -> tuple[str, bool]:
    """What is wrong, and whether nobody answers at all."""
    from redis import exceptions

    said = str(error)
    # A request of more than ten keys, sent without a password, is refused as "unauthenticated multibulk length".
    if isinstance(error, exceptions.AuthenticationError) or any(
        word in said for word in ("NOAUTH", "WRONGPASS", "unauthenticated")
    ):
        return "refuses the user or password: correct them in its address", True
    if isinstance(error, exceptions.NoPermissionError) or "user executing the script" in said:
        return "does not permit this user what tdgen needs: see its ACL", False
    if isinstance(error, exceptions.ReadOnlyError) or any(
        word in said for word in ("READONLY", "read only replica", "UNBLOCKED")
    ):
        return "is a read-only replica: give the address of the primary", False
    if "OOM" in said or "maxmemory" in said:
        return "is full: raise its maxmemory, or delete entries", False
    if isinstance(error, exceptions.TimeoutError):
        return f"does not answer within {_ANSWER_SECONDS:g} s", True
    if "CERTIFICATE_VERIFY_FAILED" in said:
        return "shows a certificate that is not trusted: name its authority by ?ssl_ca_certs=FILE in the address", True
    if isinstance(error, exceptions.ConnectionError):
        return "can't be reached", True
    return f"can't be used ({said.splitlines()[0] if said else type(error).__name__})", False


def _address(url: str) -> str:
    """Host and port, or the socket's path, for messages. InputError for what is no address of a store."""
    try:
        parts = urlsplit(url)
        host = parts.path if parts.scheme == "unix" else f"{parts.hostname}:{parts.port or 6379}"
    except ValueError:
        raise _bad_url() from None
    if parts.scheme not in ("redis", "rediss", "unix") or not (parts.hostname or parts.scheme == "unix"):
        raise _bad_url()
    return host


def _own_options(url: str) -> tuple[str, str, float]:
    """The address without what redis-py does not read; the namespace, and how many seconds entries live."""
    place, _, query = url.partition("?")
    given = dict(parse_qsl(query, keep_blank_values=True))
    namespace, ttl = given.pop("namespace", ""), given.pop("ttl", "")
    match = re.fullmatch(r"([1-9]\d{0,8})([smhd])", ttl)
    if ttl and match is None:
        raise InputError(f"the store's address says ttl={ttl[:20]}: write it like ttl=30d, or 12h, 90m, 60s")
    seconds = int(match[1]) * _TIMES[match[2]] if match else 0
    return f"{place}?{urlencode(given)}" if given else place, namespace, float(seconds)


def _bad_url() -> InputError:
    # Not quoted: an address may hold a password.
    return InputError(
        "this is no address of a store: one looks like rediss://user:password@host:6379/0?namespace=shop (TDGEN_STORE)"
    )
