"""A server of the tools by the protocol: what an agent calls, and what it is told of each.

No call waits longer than `ANSWER_S` for work: what goes on is told with its id, and asked for again.
While a client waits it hears a heartbeat. An open question is put to the client's user where the client can do that
(elicitation), else it stands in the status.

The protocol's library reads the annotations of the tools, which name what is known in a function alone: they are no
strings here.

It is served over stdin and stdout, over HTTP on this machine, or in the service behind its guard.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeVar

from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import BaseModel, Field, ValidationError
from starlette.routing import BaseRoute

from tdgen import __version__
from tdgen.client import Generator
from tdgen.errors import TdgenError
from tdgen.mcp.answers import Solved, Status
from tdgen.mcp.tools import Tools
from tdgen.mcp.work import Work
from tdgen.settings import Settings
from tdgen.types import Trust
from tdgen.web.callers import ANYBODY, Caller
from tdgen.web.guard import caller_of
from tdgen.web.listening import Address, listening, serve_app
from tdgen.web.orders import Options, Order
from tdgen.web.run_folder import RunFolder
from tdgen.web.run_queue import RunQueue

if TYPE_CHECKING:
    from tdgen.web.server import Further


ANSWER_S: Final = 20.0
"""So long a call waits for work; clients are known to give up after 60 s."""
BEAT_S: Final = 5.0
LOOK_S: Final = 0.05
REPLY_S: Final = 20.0
"""So long a client of a protocol before 2026-07-28 is waited for that asks its user within the call."""
ELICITED_WITHIN_CALLS: Final = "2026-07-28"
"""From this protocol on a question is an answer of its own: no call waits for the user."""

GUIDE: Final = """tdgen writes Python functions and classes from prose, tests first; only what every test confirms is
green. Begin with solve_start and ask solve_status until the state is none of queued and running; then solve_result has
the files. A state other than green is not right yet: say in the instruction what is right, best by an example.
write_tests gives tests alone, for code that you write; judge says whether tests hold for code and how strong they are;
guard tests code that exists against its docstrings; verify runs a kept solution's tests again."""


class Reply(BaseModel):
    """What a user says to an open question."""

    answer: str = Field(
        description="how it is meant, in words; where there are options one's number, a value as Python, or "
        "`raises ValueError`; nothing to take the assumption"
    )


@asynccontextmanager
async def opened(generator: Generator, root: Path) -> AsyncIterator[MCPServer]:
    """A server with a queue of its own, which ends with the block; the same solve, asked again, goes on from there."""
    with TemporaryDirectory(prefix="tdgen-mcp-") as folder:
        run_queue = RunQueue(generator, RunFolder(Path(folder)))
        try:
            async with sharing(generator, run_queue, root) as server:
                yield server
        finally:
            await asyncio.to_thread(run_queue.close)


@asynccontextmanager
async def sharing(generator: Generator, run_queue: RunQueue, root: Path | None) -> AsyncIterator[MCPServer]:
    """A server whose solves are runs of that queue; with no root it shows no file."""
    tools = Tools(generator, run_queue, root)
    try:
        yield make_server(tools)
    finally:
        await asyncio.to_thread(tools.works.close)


def make_server(tools: Tools) -> MCPServer:
    """A server with these tools."""
    server = MCPServer("tdgen", version=__version__, instructions=GUIDE, log_level="CRITICAL")
    _add_solving(server, tools)
    _add_status(server, tools)
    _add_testing(server, tools)

    @server.resource("tdgen://runs", mime_type="application/json", title="All solves, the newest first")
    def runs() -> list[dict[str, object]]:
        """How each stands, with its id; those that others began in the same queue among them."""
        return [status.model_dump(mode="json") for status in tools.runs()]

    @server.resource("tdgen://runs/{identity}/story", mime_type="text/html", title="The story of a solve")
    async def story(identity: str) -> str:
        """What was asked, planned, tested and written, step by step, as one HTML page."""
        try:
            return (await asyncio.to_thread(tools.result, identity)).to_html()
        except TdgenError as error:
            raise ResourceError(str(error)) from None

    return server


Instruction = Annotated[str, Field(description="what is needed, in prose; examples such as `f(2) == 4` are pinned")]
OwnTests = Annotated[str, Field(description="the source of a pytest file of your own: what it asserts is pinned")]
Identity = Annotated[str, Field(description="what solve_start, or a tool that was not ready yet, gave as `id`")]
Thorough = Annotated[
    Trust | None, Field(description="how thoroughly a result is checked; the server's own unless given")
]
Spend = Annotated[str, Field(description="such as calls=12,seconds=2m; never above the server's")]


def _add_solving(server: MCPServer, tools: Tools) -> None:
    @server.tool()
    async def solve_start(
        instruction: Instruction,
        ctx: Context,
        tests: OwnTests = "",
        trust: Thorough = None,
        budget: Spend = "",
        questions: Annotated[
            Literal["ask", "assume"],
            Field(description="ask: open questions stand in the status; assume: an assumption is recorded"),
        ] = "ask",
        follow: Annotated[str, Field(description="the key of a kept solution that the instruction changes")] = "",
    ) -> Status:
        """Begin to write Python functions or classes from prose, tests first. What is cached costs nothing."""
        options = _valid(Options, trust=trust, budget=budget, tests=tests, questions=questions)
        order = _valid(Order, instruction=instruction, options=options, follow=follow)
        begun = await _told(tools.start, order, _caller(ctx))
        return await _waited(ctx, tools, begun.id, 1.0)

    @server.tool()
    async def solve_answer(
        id: Identity,  # noqa: A002
        question: Annotated[int, Field(description="the question's number in the status")],
        answer: Annotated[str, Field(description=str(Reply.model_fields["answer"].description), max_length=10_000)],
        ctx: Context,
    ) -> Status:
        """Answer an open question of a solve."""
        await _told(tools.answer, id, question, answer)
        return await _waited(ctx, tools, id, 1.0)

    @server.tool()
    async def solve_cancel(id: Identity) -> Status:  # noqa: A002
        """End work: no model is asked any more. The same call begins where it ended."""
        return await _told(tools.cancel, id)

    @server.tool()
    async def solve_result(id: Identity) -> Solved:  # noqa: A002
        """The files of a solve that has ended, how each function ended, and what was assumed."""
        return Solved.of(await _told(tools.result, id))


def _add_status(server: MCPServer, tools: Tools) -> None:
    async def asked(id: str, ctx: Context) -> Elicit[Reply] | Reply | None:  # noqa: A002 - the argument's name
        """The user's word on an open question, where the client can ask; None where nothing is to be asked."""
        if not ctx.input_responses:
            await _waited(ctx, tools, id, ANSWER_S)
        question = await _told(tools.question, id)
        able = ctx.client_capabilities.elicitation if ctx.client_capabilities else None
        if question is None:
            return None
        if able is None or (able.form is None and able.url is not None):
            tools.told.add((id, question.number))
            return None
        options = "".join(f"\n{n}. {option}" for n, option in enumerate(question.options, 1))
        message = f"{question.question}{options}\nAssumed unless you answer: {question.assumption}"
        if (ctx.protocol_version or "") >= ELICITED_WITHIN_CALLS:
            return Elicit(message, Reply)
        try:
            said = await asyncio.wait_for(ctx.elicit(message, Reply), REPLY_S)
        except TimeoutError:
            return None
        return said.data if isinstance(said, AcceptedElicitation) else Reply(answer="")

    @server.tool()
    async def solve_status(
        id: Identity,  # noqa: A002 - what every other tool calls it
        ctx: Context,
        reply: Annotated[ElicitationResult[Reply], Resolve(asked)],
    ) -> Status:
        """How work stands; waits up to 20 s for it to end, or for a question. Ask again while it is running."""
        given = reply.data if isinstance(reply, AcceptedElicitation) else None
        question = await _told(tools.question, id)
        if (given is None and isinstance(reply, AcceptedElicitation)) or question is None:
            return await _told(tools.status, id)
        return await _told(tools.answer, id, question.number, given.answer if given else "")


def _add_testing(server: MCPServer, tools: Tools) -> None:
    @server.tool()
    async def write_tests(
        instruction: Instruction, ctx: Context, tests: OwnTests = "", trust: Thorough = None, budget: Spend = ""
    ) -> Status:
        """Tests for code that you write: prose in, pytest files and contracts out, no code. See `judge` then."""
        options = _valid(Options, trust=trust, budget=budget, tests=tests)
        return await _begun(ctx, tools, lambda: tools.begin_tests(instruction, options, _caller(ctx)))

    @server.tool()
    async def judge(
        code: Annotated[str, Field(description="the source of a module", max_length=400_000)],
        tests: Annotated[str, Field(description="the source of a pytest file that imports it", max_length=400_000)],
        ctx: Context,
        module: Annotated[str, Field(description="the name by which the tests import the code")] = "solution",
    ) -> Status:
        """Do these tests hold for this code, and how strong are they? Run in a sandbox, on the code and on mutants."""
        return await _begun(ctx, tools, lambda: tools.begin_judging(code, tests, module))

    @server.tool()
    async def verify(
        key: Annotated[str, Field(description="a kept solution's key, or its first digits", max_length=80)],
        ctx: Context,
    ) -> Status:
        """Run a kept solution's tests again, offline."""
        return await _begun(ctx, tools, lambda: tools.begin_verifying(key))

    @server.tool()
    async def guard(
        path: Annotated[str, Field(description="a file of the project, or FILE::name", max_length=1_000)],
        ctx: Context,
        trust: Thorough = None,
        budget: Spend = "",
    ) -> Status:
        """Test code that exists against its docstrings: where the two part is a finding. Nothing is written."""
        options = _valid(Options, trust=trust, budget=budget)
        return await _begun(ctx, tools, lambda: tools.begin_guarding(path, options, _caller(ctx)))


T = TypeVar("T")
Shape = TypeVar("Shape", bound=BaseModel)


def _valid(shape: type[Shape], **given: object) -> Shape:
    """What was given in the shape that the service takes; what can't be used as the tool's error, in a line."""
    try:
        return shape.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        raise ToolError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None


def _caller(ctx: Context) -> Caller:
    """Whose token a call came with; over stdin there is none."""
    request = getattr(ctx.request_context, "request", None)
    return caller_of(request.scope) if request is not None else ANYBODY


async def _told(call: Callable[..., T], *given: object) -> T:
    """What a call in a thread gives; what is wrong with it as the tool's error, in a line."""
    try:
        return await asyncio.to_thread(call, *given)
    except TdgenError as error:
        raise ToolError(str(error)) from None


async def _begun(ctx: Context, tools: Tools, begin: Callable[[], Work]) -> Status:
    return await _waited(ctx, tools, (await _told(begin)).id, ANSWER_S)


async def _waited(ctx: Context, tools: Tools, identity: str, seconds: float) -> Status:
    """How work stands when it has ended, asks something new, or so many seconds have gone; a heartbeat meanwhile."""
    began = beat = time.monotonic()
    while True:
        status = await _told(tools.status, identity)
        spent = time.monotonic() - began
        asked = (identity, status.question.number) if status.question else None
        if status.state not in ("queued", "running") or (asked and asked not in tools.told) or spent > seconds:
            return status
        if time.monotonic() - beat > BEAT_S:
            beat = time.monotonic()
            await ctx.report_progress(spent, seconds, f"{status.work} is {status.state}")
        await asyncio.sleep(LOOK_S)


MOST_BYTES = 1_000_000
"""Of a request over HTTP."""


async def serve_stdio(settings: Settings, root: Path) -> None:
    """Serve one client until it closes its end."""
    with Generator(settings) as generator:
        async with opened(generator, root) as server:
            await server.run_stdio_async()


async def serve_http(settings: Settings, root: Path, port: int, ready: Callable[[str], None]) -> None:
    """Serve clients on this machine until the process is told to end; `ready` is told the URL.

    A page in a browser is refused: the Host and Origin of each request are looked at. InputError where the port can't
    be listened at.
    """
    address = Address(port=port)
    with listening(address) as listener, Generator(settings) as generator:
        async with opened(generator, root) as server:
            app = server.streamable_http_app(host=address.host, max_request_body_size=MOST_BYTES)
            ready(f"http://{address.host}:{listener.getsockname()[1]}/mcp")
            await serve_app(app, listener)


def in_service(root: Path | None, *, is_shared: bool = False) -> "Further":
    """The tools under /mcp of the service: its guard says who may call them, and its queue has their solves.

    Where the service `is_shared` by several processes a call may come to any of them: none keeps a session.
    """

    @asynccontextmanager
    async def routes(generator: Generator, run_queue: RunQueue) -> AsyncIterator[Iterable[BaseRoute]]:
        guarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        async with sharing(generator, run_queue, root) as server:
            app = server.streamable_http_app(
                transport_security=guarded, max_request_body_size=MOST_BYTES, stateless_http=is_shared
            )
            async with server.session_manager.run():
                yield app.routes

    return routes
