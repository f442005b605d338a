import asyncio

import pytest

from solution import SharedLoader


class Source:
    """A load function whose calls are finished by hand."""

    def __init__(self):
        self.calls = []
        self.futures = []
        self.cancelled = []

    async def __call__(self, key):
        future = asyncio.get_running_loop().create_future()
        self.calls.append(key)
        self.futures.append(future)
        try:
            return await future
        except asyncio.CancelledError:
            self.cancelled.append(key)
            raise


class Quick:
    """A load function that answers at once."""

    def __init__(self):
        self.calls = []

    async def __call__(self, key):
        self.calls.append(key)
        return key * 2


async def settle():
    for _ in range(20):
        await asyncio.sleep(0)


async def start(*coroutines):
    tasks = []
    for coroutine in coroutines:
        tasks.append(asyncio.ensure_future(coroutine))
        await settle()
    return tasks


def test_value_is_loaded_once_and_kept():
    async def main():
        quick = Quick()
        loader = SharedLoader(quick)
        assert await loader.get("a") == "aa"
        assert await loader.get("a") == "aa"
        assert quick.calls == ["a"]
        assert loader.kept == ["a"]

    asyncio.run(main())


def test_example():
    async def main():
        quick = Quick()
        loader = SharedLoader(quick, keep=2)
        for key in ("a", "b", "a", "c"):
            assert await loader.get(key) == key * 2
        assert quick.calls == ["a", "b", "c"]
        assert loader.kept == ["a", "c"]

    asyncio.run(main())


def test_dropped_value_is_loaded_again():
    async def main():
        quick = Quick()
        loader = SharedLoader(quick, keep=1)
        await loader.get("a")
        await loader.get("b")
        await loader.get("a")
        assert quick.calls == ["a", "b", "a"]
        assert loader.kept == ["a"]

    asyncio.run(main())


def test_callers_share_a_running_load():
    async def main():
        source = Source()
        loader = SharedLoader(source)
        tasks = await start(loader.get("a"), loader.get("a"), loader.get("a"))
        assert source.calls == ["a"]
        assert loader.loading == ["a"]
        assert loader.kept == []
        source.futures[0].set_result(7)
        assert await asyncio.gather(*tasks) == [7, 7, 7]
        assert loader.loading == []
        assert loader.kept == ["a"]

    asyncio.run(main())


def test_different_keys_run_side_by_side():
    async def main():
        source = Source()
        loader = SharedLoader(source)
        tasks = await start(loader.get("b"), loader.get("a"))
        assert loader.loading == ["b", "a"]
        source.futures[1].set_result(1)
        assert await tasks[1] == 1
        assert not tasks[0].done()
        assert loader.loading == ["b"]
        source.futures[0].set_result(2)
        assert await tasks[0] == 2
        assert loader.kept == ["a", "b"]

    asyncio.run(main())


def test_none_is_kept():
    async def main():
        calls = []

        async def load(key):
            calls.append(key)

        loader = SharedLoader(load)
        assert await loader.get("a") is None
        assert await loader.get("a") is None
        assert calls == ["a"]
        assert loader.kept == ["a"]

    asyncio.run(main())


def test_keep_zero_still_shares():
    async def main():
        source = Source()
        loader = SharedLoader(source, keep=0)
        tasks = await start(loader.get("a"), loader.get("a"))
        assert source.calls == ["a"]
        source.futures[0].set_result(1)
        assert await asyncio.gather(*tasks) == [1, 1]
        assert loader.kept == []
        (again,) = await start(loader.get("a"))
        assert source.calls == ["a", "a"]
        source.futures[1].set_result(2)
        assert await again == 2

    asyncio.run(main())


def test_negative_keep():
    with pytest.raises(ValueError):
        SharedLoader(Quick(), keep=-1)


def test_exception_for_every_waiter():
    async def main():
        source = Source()
        loader = SharedLoader(source)
        tasks = await start(loader.get("a"), loader.get("a"))
        source.futures[0].set_exception(KeyError("gone"))
        for task in tasks:
            with pytest.raises(KeyError):
                await task
        assert loader.kept == []
        assert loader.loading == []

    asyncio.run(main())


def test_load_again_after_exception():
    async def main():
        source = Source()
        loader = SharedLoader(source)
        (first,) = await start(loader.get("a"))
        source.futures[0].set_exception(OSError())
        with pytest.raises(OSError):
            await first
        (second,) = await start(loader.get("a"))
        assert source.calls == ["a", "a"]
        source.futures[1].set_result(5)
        assert await second == 5
        assert loader.kept == ["a"]

    asyncio.run(main())


def test_exception_leaves_other_keys_alone():
    async def main():
        source = Source()
        loader = SharedLoader(source)
        bad, good = await start(loader.get("bad"), loader.get("good"))
        source.futures[0].set_exception(OSError())
        with pytest.raises(OSError):
            await bad
        assert not good.done()
        source.futures[1].set_result(3)
        assert await good == 3

    asyncio.run(main())


def test_cancelled_starter_does_not_harm_others():
    async def main():
        source = Source()
        loader = SharedLoader(source)
        first, second = await start(loader.get("a"), loader.get("a"))
        first.cancel()
        await settle()
        assert first.cancelled()
        assert source.cancelled == []
        assert loader.loading == ["a"]
        source.futures[0].set_result(4)
        assert await second == 4
        assert source.calls == ["a"]

    asyncio.run(main())


def test_cancelled_joiner_does_not_harm_starter():
    async def main():
        source = Source()
        loader = SharedLoader(source)
        first, second = await start(loader.get("a"), loader.get("a"))
        second.cancel()
        await settle()
        assert second.cancelled()
        assert source.cancelled == []
        source.futures[0].set_result(4)
        assert await first == 4
        assert loader.kept == ["a"]

    asyncio.run(main())


def test_load_is_cancelled_when_nobody_waits():
    async def main():
        source = Source()
        loader = SharedLoader(source)
        first, second = await start(loader.get("a"), loader.get("a"))
        first.cancel()
        second.cancel()
        await settle()
        assert source.cancelled == ["a"]
        assert loader.loading == []
        assert loader.kept == []

    asyncio.run(main())


def test_new_load_after_cancelled_one():
    async def main():
        source = Source()
        loader = SharedLoader(source)
        (first,) = await start(loader.get("a"))
        first.cancel()
        await settle()
        (second,) = await start(loader.get("a"))
        assert source.calls == ["a", "a"]
        source.futures[1].set_result(6)
        assert await second == 6

    asyncio.run(main())


def test_forget_kept_value():
    async def main():
        quick = Quick()
        loader = SharedLoader(quick)
        await loader.get("a")
        await loader.get("b")
        assert loader.forget("a") is True
        assert loader.kept == ["b"]
        assert loader.forget("a") is False
        await loader.get("a")
        assert quick.calls == ["a", "b", "a"]

    asyncio.run(main())


def test_forget_unknown_key():
    assert SharedLoader(Quick()).forget("x") is False


def test_forget_running_load():
    async def main():
        source = Source()
        loader = SharedLoader(source)
        (task,) = await start(loader.get("a"))
        assert loader.forget("a") is True
        assert loader.loading == []
        assert loader.forget("a") is False
        await settle()
        assert source.cancelled == []
        source.futures[0].set_result(1)
        assert await task == 1
        assert loader.kept == []

    asyncio.run(main())


def test_own_load_beside_detached_one():
    async def main():
        source = Source()
        loader = SharedLoader(source)
        (old,) = await start(loader.get("a"))
        loader.forget("a")
        (new,) = await start(loader.get("a"))
        assert source.calls == ["a", "a"]
        assert loader.loading == ["a"]
        source.futures[0].set_result("old")
        assert await old == "old"
        assert loader.loading == ["a"]
        assert loader.kept == []
        source.futures[1].set_result("new")
        assert await new == "new"
        assert await loader.get("a") == "new"
        assert source.calls == ["a", "a"]

    asyncio.run(main())


def test_detached_load_that_ends_last_or_fails():
    async def main():
        source = Source()
        loader = SharedLoader(source)
        (old,) = await start(loader.get("a"))
        loader.forget("a")
        (new,) = await start(loader.get("a"))
        source.futures[1].set_result("new")
        assert await new == "new"
        source.futures[0].set_exception(OSError())
        with pytest.raises(OSError):
            await old
        assert loader.kept == ["a"]
        assert await loader.get("a") == "new"

    asyncio.run(main())
