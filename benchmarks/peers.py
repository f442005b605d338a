"""Other projects' ways to run a program in a sandbox, as far as they are installed: autogen-ext and llm-sandbox.

`pip install 'autogen-ext[docker]' 'llm-sandbox[docker]'` puts both beside tdgen. Each is used as its own documentation
says, with one container that is kept for all runs where it can keep one. The image must have a program `python`.
"""

from __future__ import annotations

import asyncio
import tempfile
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

Script = Callable[[str], bool]
"""Runs a program's text: whether it ended well."""
_ENOUGH_S = 60


@contextmanager
def scripts(image: str) -> Iterator[dict[str, Script]]:
    """Every peer that is here, ready to run; why one is left out is printed."""
    with ExitStack() as stack:
        found: dict[str, Script] = {}
        for name, make in PEERS.items():
            try:
                run = stack.enter_context(make(image))
                if not run("print(1)"):
                    raise RuntimeError(f"it runs no program (has the image {image} a `python`?)")
                found[name] = run
            except Exception as error:  # noqa: BLE001 - whatever a peer may raise, the other rows still count
                said = str(error).strip().splitlines() or [type(error).__name__]
                print(f"left out, {name}: {said[0][:150]}")
        yield found


@contextmanager
def autogen_local(image: str) -> Iterator[Script]:
    """A process of this machine's, without isolation."""
    from autogen_ext.code_executors.local import LocalCommandLineCodeExecutor

    with tempfile.TemporaryDirectory() as folder, _Loop() as loop:
        yield _autogen(loop, LocalCommandLineCodeExecutor(timeout=_ENOUGH_S, work_dir=Path(folder)))


@contextmanager
def autogen_docker(image: str) -> Iterator[Script]:
    """A container that is kept, with a folder of this machine's and its network."""
    from autogen_ext.code_executors.docker import DockerCommandLineCodeExecutor

    with tempfile.TemporaryDirectory() as folder, _Loop() as loop:
        Path(folder).chmod(0o777)
        executor = DockerCommandLineCodeExecutor(image, timeout=_ENOUGH_S, work_dir=Path(folder))
        loop.wait_for(executor.start())
        try:
            yield _autogen(loop, executor)
        finally:
            loop.wait_for(executor.stop())


def _autogen(loop: _Loop, executor: Any) -> Script:
    from autogen_core import CancellationToken
    from autogen_core.code_executor import CodeBlock

    def run(text: str) -> bool:
        block = CodeBlock(code=text, language="python")
        done = loop.wait_for(executor.execute_code_blocks([block], CancellationToken()))
        return bool(done.exit_code == 0)

    return run


@contextmanager
def llm_sandbox_docker(image: str) -> Iterator[Script]:
    """A session whose container is kept, with its network."""
    from llm_sandbox import SandboxSession

    options = {"lang": "python", "image": image, "keep_template": True, "skip_environment_setup": True}
    with SandboxSession(**options, runtime_configs={"user": "root"}) as session:
        yield lambda text: bool(session.run(text, timeout=_ENOUGH_S).exit_code == 0)


@contextmanager
def llm_sandbox_bubblewrap(image: str) -> Iterator[Script]:
    """A session in namespaces of its own."""
    from llm_sandbox import SandboxSession

    with SandboxSession(backend="bubblewrap", lang="python", skip_environment_setup=True) as session:
        yield lambda text: bool(session.run(text, timeout=_ENOUGH_S).exit_code == 0)


PEERS = {
    "autogen-ext, local": autogen_local,
    "autogen-ext, docker": autogen_docker,
    "llm-sandbox, docker": llm_sandbox_docker,
    "llm-sandbox, bubblewrap": llm_sandbox_bubblewrap,
}


class _Loop:
    """An event loop in a thread, for libraries that are asynchronous."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def wait_for(self, work: Coroutine[Any, Any, Any]) -> Any:
        """What comes of it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def __enter__(self) -> _Loop:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


if __name__ == "__main__":
    import sys
    import time

    with scripts(sys.argv[1] if len(sys.argv) > 1 else "tdgen-sandbox") as _found:
        for _name, _run in _found.items():
            for _text in ("print(1)", "raise SystemExit(3)", "print(2)"):
                _began = time.perf_counter()
                print(_name, _run(_text), f"{1000 * (time.perf_counter() - _began):.1f} ms")
