"""A store that a team shares, on a real redis-server.

Where there is none these tests skip: `.ci/redis` installs it on Debian.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import Mock

import pytest

from tdgen.errors import Cancelled, InputError, LostLock, StoreError, UnansweredStore
from tdgen.team.redis import RedisStore

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("redis-server"), reason="no redis-server here: .ci/redis installs it"),
]


class Server(NamedTuple):
    """A redis-server on a socket in a folder of its own."""

    url: str
    client: Any


def serving(folder: Path, *options: str, port: int = 0) -> subprocess.Popen[bytes]:
    given = [
        "--port",
        str(port),
        "--bind",
        "127.0.0.1",
        "--unixsocket",
        f"{folder}/s",
        "--save",
        "",
        "--dir",
        str(folder),
    ]
    return subprocess.Popen(["redis-server", *given, *options], stdout=subprocess.DEVNULL)


def awaited(url: str) -> Any:
    import redis

    client = redis.Redis.from_url(url)
    for _ in range(200):
        with suppress(redis.RedisError):
            client.ping()
            return client
        time.sleep(0.05)
    raise AssertionError("redis-server did not start")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("redis")
    url = f"unix://{folder}/s"
    process = serving(folder)
    try:
        with closing(awaited(url)) as client:
            yield Server(url, client)
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def notes() -> list[str]:
    return []


@pytest.fixture
def store(server: Server, notes: list[str]) -> Iterator[RedisStore]:
    server.client.flushall()
    with closing(RedisStore(f"{server.url}?namespace=shop", b"team's key", note=notes.append)) as store:
        yield store


class TestTexts:
    def test_what_is_put_comes_back(self, store: RedisStore):
        """Any text, also an empty one and one that is no valid Unicode."""
        for text in ("", "é\n\0", "\ud800"):
            store.put("a", text)
            assert store.get("a") == text
        assert store.delete("a")
        assert not store.delete("a")
        assert store.get("a") is None

    def test_keys_are_those_with_a_prefix(self, store: RedisStore):
        """A prefix is text: what Redis takes for a pattern is not."""
        for key in ("row/b", "row/a", "r*w/a"):
            store.put(key, "text")
        assert list(store.keys("row/")) == ["row/a", "row/b"]
        assert list(store.keys("r*")) == ["r*w/a"]

    @pytest.mark.parametrize(("clock", "slow"), [((0.0, 1.0, 1.0, 1.1), 0), ((0.0, 1.0, 1.0, 2.0), 1), ((0.0, 0.4), 0)])
    def test_an_answer_is_slow_where_one_to_nothing_is(self, store: RedisStore, monkeypatch, clock, slow: int):
        """The first one on a connection takes several turns, and a long text its time."""
        told: list[str] = []
        store.on_slow = lambda: told.append("slow")
        monkeypatch.setattr("tdgen.team.redis.time", SimpleNamespace(monotonic=partial(next, iter(clock))))
        with store.explained():
            pass
        assert len(told) == slow

    def test_what_was_answered_slowly_did_not_fail(self, store: RedisStore, monkeypatch):
        """Though the server is gone when it is asked how long an empty answer takes."""
        from redis import RedisError

        told: list[str] = []
        store.on_slow = lambda: told.append("slow")
        monkeypatch.setattr("tdgen.team.redis.SLOW_S", -1.0)
        monkeypatch.setattr(store.client, "ping", Mock(side_effect=RedisError))
        with store.explained():
            pass
        assert told == ["slow"]

    def test_projects_do_not_see_each_other(self, store: RedisStore, server: Server):
        """A namespace is a project's own."""
        store.put("a", "text")
        with closing(RedisStore(f"{server.url}?namespace=bank", b"team's key")) as other:
            assert other.get("a") is None
            assert list(other.keys()) == []

    def test_entries_live_as_long_as_said(self, store: RedisStore, server: Server):
        """For ever, unless a time is given."""
        store.put("a", "text")
        assert server.client.ttl("tdgen:shop:entry:a") == -1
        with closing(RedisStore(f"{server.url}?namespace=shop&ttl=60s", b"team's key")) as brief:
            brief.put("a", "text")
        assert 0 < server.client.ttl("tdgen:shop:entry:a") <= 60


class TestTrust:
    def test_a_changed_entry_is_passed_over(self, store: RedisStore, server: Server, notes: list[str]):
        """Its signature does not hold, and that is told."""
        store.put("a", "text")
        entry = server.client.get("tdgen:shop:entry:a")
        server.client.set("tdgen:shop:entry:a", entry + b"!")
        assert store.get("a") is None
        assert notes == ["a in the shared store does not bear the team's signature and is passed over"]

    def test_a_signed_entry_holds_in_its_place_alone(self, store: RedisStore, server: Server):
        """Neither another key nor another project takes it."""
        store.put("a", "text")
        entry = server.client.get("tdgen:shop:entry:a")
        server.client.set("tdgen:shop:entry:b", entry)
        server.client.set("tdgen:bank:entry:a", entry)
        assert store.get("b") is None
        with closing(RedisStore(f"{server.url}?namespace=bank", b"team's key")) as other:
            assert other.get("a") is None

    @pytest.mark.parametrize("key", [b"", b"another key"])
    def test_who_lacks_the_key_can_write_nothing_that_counts(self, store: RedisStore, server: Server, key: bytes):
        """An entry without a signature, or of another's, is none."""
        with closing(RedisStore(f"{server.url}?namespace=shop", key)) as stranger:
            stranger.put("a", "text")
        assert store.get("a") is None

    @pytest.mark.parametrize("entry", [b"", b"\x80\x04K\x01.", b"1 abc", b"1 " + b"0" * 64])
    def test_what_is_no_entry_is_passed_over(self, store: RedisStore, server: Server, entry: bytes):
        """A pickle among them."""
        server.client.set("tdgen:shop:entry:a", entry)
        assert store.get("a") is None

    def test_a_later_version_is_passed_over(self, store: RedisStore, server: Server, notes: list[str]):
        """And the user hears what to do."""
        server.client.set("tdgen:shop:entry:a", b"2 who knows")
        assert store.get("a") is None
        assert notes == ["a in the shared store was written by a later tdgen and is passed over: upgrade tdgen"]


HOLDER = """
import sys
from tdgen.team.redis import RedisStore
from tdgen.errors import StoreError
store = RedisStore(sys.argv[1] + "?namespace=shop", b"team's key", lock_s=1)
with store.lock("solve"):
    print("held", flush=True)
    sys.stdin.readline()
    try:
        store.put("a", "from the paused holder")
    except StoreError as error:
        print(error, flush=True)
"""


class TestLocks:
    def test_one_holds_a_key_at_a_time(self, store: RedisStore, server: Server):
        """Who waits gets it when the holder lets go, and may give up before."""
        with closing(RedisStore(f"{server.url}?namespace=shop")) as other:
            with store.lock("solve"), pytest.raises(Cancelled), other.lock("solve", lambda: True):
                pass
            with other.lock("solve"):
                pass

    def test_a_lock_is_renewed_while_it_is_held(self, server: Server, store: RedisStore):
        """It outlasts its own time."""
        with (
            closing(RedisStore(f"{server.url}?namespace=shop", b"team's key", lock_s=0.3)) as holder,
            holder.lock("solve"),
        ):
            time.sleep(1)
            holder.put("a", "text")
        assert store.get("a") == "text"

    @pytest.mark.parametrize("is_taken", [True, False])
    def test_a_holder_that_was_paused_writes_nothing(self, server: Server, store: RedisStore, is_taken: bool):
        """Stopped for longer than its lock it has lost it, whether another took it or nobody."""
        given = [sys.executable, "-c", HOLDER, server.url]
        with subprocess.Popen(given, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            os.kill(process.pid, signal.SIGSTOP)
            try:
                while server.client.exists("tdgen:shop:lock:solve"):
                    time.sleep(0.05)
                if is_taken:
                    with store.lock("solve"):
                        store.put("a", "from who took over")
            finally:
                os.kill(process.pid, signal.SIGCONT)
            said, _ = process.communicate("\n", timeout=30)
        assert "lost its lock in the shared store" in said
        assert store.get("a") == ("from who took over" if is_taken else None)

    def test_who_loses_a_lock_hears_of_it(self, server: Server, store: RedisStore):
        """The work under it, which ends as one that is cancelled, ends as one that lost its lock."""
        lost = threading.Event()

        def work(holder: RedisStore, *, loses: bool) -> None:
            with holder.lock("solve", on_lost=lost.set):
                if loses:
                    server.client.delete("tdgen:shop:lock:solve")
                    lost.wait(30)
                raise Cancelled

        with closing(RedisStore(f"{server.url}?namespace=shop", lock_s=0.3)) as holder:
            with pytest.raises(LostLock):
                work(holder, loses=True)
            with pytest.raises(Cancelled):
                work(holder, loses=False)

    def test_a_write_names_the_locks_that_it_is_under(self, store: RedisStore, server: Server):
        """So threads that work for the holder are fenced too."""
        with store.lock("solve"):
            held = store.held
            with ThreadPoolExecutor(1) as pool:
                pool.submit(store.put, "a", "text", under=held).result()
        with pytest.raises(LostLock):
            store.put("a", "too late", under=held)
        assert store.get("a") == "text"

    def test_another_thread_is_not_fenced(self, store: RedisStore):
        """A lock binds the writes of the thread that holds it."""
        with store.lock("solve"):
            thread = threading.Thread(target=store.put, args=("a", "text"))
            thread.start()
            thread.join()
        assert store.get("a") == "text"


class TestTurns:
    def test_so_many_in_a_minute_over_all_hosts(self, store: RedisStore, server: Server):
        """The next one waits for a minute after the first, or has no time to."""
        with closing(RedisStore(f"{server.url}?namespace=shop")) as other:
            assert (store.book("model", 2, None), other.book("model", 2, None)) == (0, 0)
            assert 50 < store.book("model", 2, None) <= 60
            assert other.book("model", 2, 5.0) < 0
            assert other.book("another", 2, 5.0) == 0


class TestRefusals:
    @pytest.mark.parametrize(
        "url",
        ["", "localhost", "http://u:secret@host", "redis://", "redis://u:secret@h:port/0", "redis://u:secret@h?no=1"],
    )
    def test_a_bad_address(self, url: str):
        """It is refused before anything is asked, and not quoted: it may hold a password."""
        with pytest.raises(InputError, match="no address of a store") as caught:
            RedisStore(url)
        assert "secret" not in str(caught.value)

    @pytest.mark.parametrize("ttl", ["30", "-1d", "0s", "1y"])
    def test_a_bad_time_to_live(self, ttl: str):
        """It is told how one is written."""
        with pytest.raises(InputError, match=f"says ttl={ttl}: write it like ttl=30d"):
            RedisStore(f"redis://h?ttl={ttl}")

    def test_a_server_that_is_not_there(self, tmp_path: Path):
        """One line that names it, without a password."""
        with pytest.raises(StoreError, match="can't be reached") as caught:
            RedisStore("redis://u:secret@127.0.0.1:1/0").get("a")
        assert "secret" not in str(caught.value)

    def test_a_server_that_is_full(self, server: Server, store: RedisStore):
        """What is kept can still be read."""
        store.put("a", "text")
        server.client.config_set("maxmemory", "1")
        try:
            with pytest.raises(StoreError, match="is full: raise its maxmemory"):
                store.put("b", "text")
            assert store.get("a") == "text"
        finally:
            server.client.config_set("maxmemory", "0")

    def test_a_read_only_replica(self, server: Server, store: RedisStore):
        """It is read; writes say to take the primary."""
        store.put("a", "text")
        server.client.replicaof("127.0.0.1", "1")
        try:
            assert store.get("a") == "text"
            with pytest.raises(StoreError, match="read-only replica: give the address of the primary"):
                store.put("b", "text")
        finally:
            server.client.replicaof("NO", "ONE")

    def test_a_wrong_password(self, server: Server):
        """The server's refusal, which it words otherwise for many keys at once, and where the password stands."""
        server.client.config_set("requirepass", "right")
        try:
            with pytest.raises(StoreError, match="refuses the user or password: correct them"):
                RedisStore(f"{server.url}?password=wrong").get("a")
            with pytest.raises(StoreError, match="refuses the user or password: correct them"):
                RedisStore(server.url).get("a")
            with pytest.raises(UnansweredStore, match="refuses the user or password: correct them"):
                RedisStore(server.url).get_many([str(number) for number in range(64)])
        finally:
            server.client.config_set("requirepass", "")

    def test_a_user_who_may_only_read(self, server: Server, store: RedisStore):
        """An ACL's refusal is told as that."""
        store.put("a", "text")
        server.client.execute_command("ACL", "SETUSER", "dev", "on", ">pw", "~tdgen:*", "+@read", "+@connection")
        with closing(RedisStore(f"{server.url}?username=dev&password=pw&namespace=shop", b"team's key")) as reader:
            assert reader.get("a") == "text"
            with pytest.raises(StoreError, match="does not permit this user"):
                reader.put("a", "other")

    def test_the_users_of_the_guide(self, server: Server):
        """What it permits is enough, and no less would do."""
        guide = (Path(__file__).parents[2] / "docs/team.md").read_text()
        given = re.search(r"^ACL SETUSER ci +(.*)$", guide, re.MULTILINE)[1].replace("PASSWORD", "pw").split()
        with closing(RedisStore(f"{server.url}?username=ci&password=pw", b"team's key")) as store:
            server.client.execute_command("ACL", "SETUSER", "ci", *given)
            with store.lock("solve"):
                store.put("a", "text")
            assert (store.get("a"), list(store.keys()), store.book("model", 1, None)) == ("text", ["a"], 0)
            server.client.execute_command("ACL", "SETUSER", "ci", "-time")
            with pytest.raises(StoreError, match="does not permit this user"):
                store.book("model", 1, None)

    def test_a_server_that_never_answers(self, monkeypatch: pytest.MonkeyPatch):
        """It is given up on, not waited for."""
        monkeypatch.setattr("tdgen.team.redis._ANSWER_SECONDS", 0.2)
        refused = pytest.raises(StoreError, match=r"does not answer within 0\.2 s")
        with socket.create_server(("127.0.0.1", 0)) as silent, refused:
            RedisStore(f"redis://127.0.0.1:{silent.getsockname()[1]}").get("a")

    def test_a_server_that_was_restarted(self, tmp_path: Path):
        """The store goes on with the new one; its scripts are loaded again."""
        first = serving(tmp_path)
        awaited(f"unix://{tmp_path}/s").close()
        with closing(RedisStore(f"unix://{tmp_path}/s")) as store:
            store.put("a", "text")
            first.kill()
            first.wait()
            with pytest.raises(StoreError, match="can't be reached"):
                store.get("a")
            second = serving(tmp_path)
            try:
                awaited(f"unix://{tmp_path}/s").close()
                store.put("a", "anew")
                assert store.get("a") == "anew"
            finally:
                second.kill()
                second.wait()
