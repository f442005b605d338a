import asyncio

import pytest

import solution


class Sink:
    """An async send that notes what it gets, can fail, and can be held up."""

    def __init__(self):
        self.batches = []
        self.fail = False
        self.gate = None
        self.running = 0
        self.most = 0

    async def __call__(self, batch):
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            if self.gate is not None:
                await self.gate.wait()
            if self.fail:
                raise ConnectionError("down")
            self.batches.append(list(batch))
            batch.clear()
        finally:
            self.running -= 1


async def settle():
    for _ in range(10):
        await asyncio.sleep(0)


def test_sends_when_the_size_is_reached():
    async def run():
        sink = Sink()
        batcher = solution.Batcher(sink, 3)
        assert [await batcher.add(item) for item in "abcdefg"] == [1, 2, 0, 1, 2, 0, 1]
        assert sink.batches == [["a", "b", "c"], ["d", "e", "f"]]
        assert batcher.pending == ("g",)

    asyncio.run(run())


def test_size_one():
    async def run():
        sink = Sink()
        batcher = solution.Batcher(sink, 1)
        assert [await batcher.add(item) for item in "ab"] == [0, 0]
        assert sink.batches == [["a"], ["b"]]

    asyncio.run(run())


@pytest.mark.parametrize("size", [0, -1])
def test_bad_size(size):
    async def run():
        with pytest.raises(ValueError):
            solution.Batcher(Sink(), size)

    asyncio.run(run())


def test_flush():
    async def run():
        sink = Sink()
        batcher = solution.Batcher(sink, 5)
        await batcher.flush()
        assert sink.batches == []
        await batcher.add("a")
        await batcher.add("b")
        await batcher.flush()
        assert (sink.batches, batcher.pending) == ([["a", "b"]], ())
        await batcher.flush()
        assert sink.batches == [["a", "b"]]

    asyncio.run(run())


def test_failed_send_keeps_the_items():
    async def run():
        sink = Sink()
        batcher = solution.Batcher(sink, 2)
        await batcher.add("a")
        sink.fail = True
        with pytest.raises(ConnectionError):
            await batcher.add("b")
        assert batcher.pending == ("a", "b")
        with pytest.raises(ConnectionError):
            await batcher.flush()
        assert batcher.pending == ("a", "b")
        sink.fail = False
        assert await batcher.add("c") == 0
        assert sink.batches == [["a", "b", "c"]]

    asyncio.run(run())


def test_pending_until_sent():
    async def run():
        sink = Sink()
        sink.gate = asyncio.Event()
        batcher = solution.Batcher(sink, 2)
        await batcher.add("a")
        task = asyncio.create_task(batcher.add("b"))
        await settle()
        assert sink.running == 1
        assert batcher.pending == ("a", "b")
        sink.gate.set()
        assert await task == 0
        assert batcher.pending == ()

    asyncio.run(run())


def test_item_added_during_a_send_goes_into_a_later_one():
    async def run():
        sink = Sink()
        sink.gate = asyncio.Event()
        batcher = solution.Batcher(sink, 2)
        await batcher.add("a")
        first = asyncio.create_task(batcher.add("b"))
        await settle()
        second = asyncio.create_task(batcher.add("c"))
        await settle()
        assert batcher.pending == ("a", "b", "c")
        sink.gate.set()
        assert await asyncio.gather(first, second) == [1, 1]
        assert (sink.batches, batcher.pending) == ([["a", "b"]], ("c",))
        await batcher.flush()
        assert sink.batches == [["a", "b"], ["c"]]

    asyncio.run(run())


def test_enough_added_during_a_send_are_sent_next():
    async def run():
        sink = Sink()
        sink.gate = asyncio.Event()
        batcher = solution.Batcher(sink, 2)
        await batcher.add("a")
        tasks = [asyncio.create_task(batcher.add("b"))]
        await settle()
        for item in "cde":
            tasks.append(asyncio.create_task(batcher.add(item)))
            await settle()
        assert sink.most == 1
        sink.gate.set()
        await asyncio.gather(*tasks)
        assert sink.most == 1
        assert (sink.batches, batcher.pending) == ([["a", "b"], ["c", "d", "e"]], ())

    asyncio.run(run())


def test_flush_during_a_send_waits_and_sends_the_rest():
    async def run():
        sink = Sink()
        sink.gate = asyncio.Event()
        batcher = solution.Batcher(sink, 3)
        await batcher.add("a")
        first = asyncio.create_task(batcher.flush())
        await settle()
        assert await batcher.add("b") == 2
        second = asyncio.create_task(batcher.flush())
        third = asyncio.create_task(batcher.flush())
        await settle()
        assert not second.done()
        sink.gate.set()
        await asyncio.gather(first, second, third)
        assert (sink.batches, sink.most, batcher.pending) == ([["a"], ["b"]], 1, ())

    asyncio.run(run())


def test_context_manager_flushes():
    async def run():
        sink = Sink()
        async with solution.Batcher(sink, 10) as batcher:
            await batcher.add("a")
            await batcher.add("b")
            assert sink.batches == []
        assert (sink.batches, batcher.pending) == ([["a", "b"]], ())

    asyncio.run(run())


def test_context_manager_left_by_an_exception():
    async def run():
        sink = Sink()
        with pytest.raises(KeyError):
            async with solution.Batcher(sink, 10) as batcher:
                await batcher.add("a")
                raise KeyError("x")
        assert (sink.batches, batcher.pending) == ([], ("a",))
        with pytest.raises(solution.Closed):
            await batcher.add("b")
        await batcher.flush()
        assert (sink.batches, batcher.pending) == ([["a"]], ())

    asyncio.run(run())


def test_closed():
    async def run():
        sink = Sink()
        async with solution.Batcher(sink, 1) as batcher:
            await batcher.add("a")
        with pytest.raises(RuntimeError) as caught:
            await batcher.add("b")
        assert isinstance(caught.value, solution.Closed)
        assert str(caught.value) == "batcher is closed"
        assert (sink.batches, batcher.pending) == ([["a"]], ())

    asyncio.run(run())


def test_batchers_are_separate():
    async def run():
        sink = Sink()
        one, two = solution.Batcher(sink, 2), solution.Batcher(sink, 2)
        await one.add("a")
        await two.add("b")
        assert (one.pending, two.pending, sink.batches) == (("a",), ("b",), [])

    asyncio.run(run())
