"""Code in JavaScript in a page of Chromium: calls of it as functions of Python, and what a case does with the page.

The browser is started once in a process and driven by its own protocol, over a pipe. Each case has a document of its
own, at an origin of its own. The code is called through a function that was there before it (`inner.js`); what a case
sees of the page is read in another world, which the code has no way to. Every request that the page makes is either
answered by the case or fails. Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import base64
import json
import os
import sys
import types
from typing import Any, Callable, NoReturn  # noqa: UP035 - Python 3.9

from tdgen.languages.bridge import Code
from tdgen.languages.program import LOST, Program, new_nonce

FLAGS = (
    *("--headless", "--disable-gpu", "--disable-breakpad", "--disable-crash-reporter", "--disable-extensions"),
    *("--disable-component-update", "--disable-background-networking", "--disable-default-apps", "--disable-sync"),
    *("--disable-notifications", "--disable-audio-output", "--hide-scrollbars", "--no-pings", "--no-first-run"),
    *("--block-new-web-contents", "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe"),
    *("--enable-blink-features=ComputedAccessibilityInfo", "--window-size=1280,800", "--disable-frame-rate-limit"),
    "--js-flags=--max-old-space-size=256 --disallow-code-generation-from-strings --no-expose-wasm",
)
ALONE = (
    *("--no-sandbox", "--single-process", "--no-zygote", "--disable-crashpad-for-testing", "--disable-dev-shm-usage"),
)
"""What it is started with where the walls are another's."""
SIZE = {"width": 1280, "height": 800, "screenWidth": 1280, "screenHeight": 800}
TAB: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Fetch.enable", {"patterns": [{"urlPattern": "*"}]}),
    ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
    ("Animation.enable", {}),
    ("Animation.setPlaybackRate", {"playbackRate": 1_000_000}),
    ("Emulation.setDeviceMetricsOverride", {**SIZE, "deviceScaleFactor": 1, "mobile": False}),
)
"""How a tab is: none of its requests goes out, it is as one that a user looks at, and what moves has arrived soon."""
CSP = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "sandbox allow-scripts allow-same-origin allow-forms allow-modals"  # and no windows
)
BLANK = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title></title></head><body>{}</body></html>'
_WRITE = """function (text) {
  document.write(text);
  document.close();
  return new Promise((resolve) => document.readyState === "complete" ? resolve() : addEventListener("load", resolve));
}"""
_START_S = 8.0
_SETTLE_MS, _MOST_MS, _MOST_ROUNDS = 20, 60_000, 200
_SERVE = "function(...given) { return this.serve(...given) }"
_KNOW = "function(known) { return this.serve('know', known.Unwritten, known.classes) }"
_BEGIN = "function(known, name, given, isAsync) { return this.serve('begin', known.functions[name], given, isAsync) }"
_running: dict[str, Browser] = {}
_known: dict[str, Any] = {}
"""The code that was checked in this process, and what is compiled once in it."""


class Failed(Exception):
    """The browser refused a command."""


class Browser:
    """One Chromium and a tab of no window. Where it ends, or its page does, this process ends too: nothing passes then.

    Program.Gone where that is while it starts, or it stays silent too long. Its own files lie in the scratch folder
    `above` those of the cases, as what a case leaves in its own folder is looked at.
    """

    def __init__(self, setup: dict[str, Any], above: str, limit: Callable[[], None] | None = None) -> None:
        def words() -> list[str]:
            return [*FLAGS, *ALONE, f"--user-data-dir={folder}", "about:blank"]

        folder = f"{above}/browser-{os.getpid()}"
        environment = {"TZ": "UTC", "LANG": "C.UTF-8", "HOME": folder, "TMPDIR": above}
        self._reader: str = setup["reader"]
        self.program = Program(setup["program"], words, environment, limit, ends=(3, 4))
        self.waited = limit is not None
        self._serial, self._session, self._answers = 0, "", dict[int, Any]()
        self.is_loaded = self._is_served = False
        self._document: Any = None
        self._frame = ""
        self._ready: tuple[int, str] | None = None
        self._patience: float | None = _START_S

    def attach(self) -> None:
        """Open its tab: one of a window costs twice the time, as the window tells what is loaded."""
        self._frame = self.ask("Target.createTarget", url="about:blank", hidden=True)["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=self._frame, flatten=True)["sessionId"]
        self.ask("Browser.setDownloadBehavior", behavior="deny")
        enabled: list[Any] = [(f"{one}.enable", {}) for one in ("Page", "Runtime", "Inspector")]
        self.together(*enabled, *TAB)
        # what fails by chance fails with the first page, in which nothing is
        self._ready = self._shown(f"https://{new_nonce().decode()}.test/", BLANK)

    def take(self) -> None:
        """Have this process end with it from now on: code comes into it."""
        self._patience = None

    def ask(self, command: str, **given: Any) -> Any:
        """What it answers to one command."""
        return self.together((command, given))[0]

    def together(self, *commands: tuple[str, dict[str, Any]]) -> list[Any]:
        """What it answers to commands that are sent one after the other, none waiting for the other's answer."""
        numbers = [self._send(*one) for one in commands]
        while any(number not in self._answers for number in numbers):
            self._hear()
        answers = [self._answers.pop(number) for number in numbers]
        for (command, _), answer in zip(commands, answers):  # noqa: B905 - Python 3.9
            if "error" in answer:
                raise Failed(f"{command}: {answer['error'].get('message')}")
        return [answer["result"] for answer in answers]

    def close(self) -> None:
        """End it."""
        self.program.close()

    def open(self, html: str, path: str) -> tuple[int, str]:
        """Have the tab show a new document, and wait until it is loaded; the world it is read from, and its reader.

        The first one waits for it: nothing was in it before, and its text is written into it.
        """
        ready, self._ready = self._ready, None
        if ready is None or path.lstrip("/"):
            return self._shown(f"https://{new_nonce().decode()}.test/{path.lstrip('/')}", html)
        text = html.encode("utf-8", "replace").decode()
        self.ask("Runtime.evaluate", expression=f"({_WRITE})({json.dumps(text)})", awaitPromise=True)
        return ready

    def _shown(self, url: str, html: str) -> tuple[int, str]:
        self._document, self._is_served, self.is_loaded = (url, html), False, False
        self._send("Page.resetNavigationHistory", {})  # a case would see how many there were before
        self._send("Page.navigate", {"url": url})
        while not self.is_loaded:
            self._hear()
        self._document = None
        made = self.ask("Page.createIsolatedWorld", frameId=self._frame, worldName="reader")
        world: int = made["executionContextId"]
        read = self.ask("Runtime.evaluate", expression=self._reader, contextId=world)
        return world, read["result"]["objectId"]

    def _send(self, command: str, given: dict[str, Any]) -> int:
        self._serial += 1
        order = {"id": self._serial, "method": command, "params": given}
        if self._session:
            order["sessionId"] = self._session
        try:
            self.program.write(json.dumps(order).encode() + b"\0")
        except Program.Gone:
            self._give_up()
        return self._serial

    def _give_up(self) -> NoReturn:
        """It is gone: once there is code in it, no case may go on, whatever exceptions it catches."""
        if self._patience is None:
            os._exit(LOST)
        raise Program.Gone

    def _hear(self) -> None:
        """Take what it says next: an answer, or an event, of which few matter."""
        try:
            said = json.loads(self.program.read(b"\0", self._patience))
        except Program.Gone:
            self._give_up()
        if "id" in said:
            self._answers[said["id"]] = said
            return
        event, parameters = said["method"], said.get("params", {})
        if event == "Fetch.requestPaused":
            self._decide(parameters["requestId"], parameters["request"]["url"], parameters.get("resourceType"))
        elif event == "Page.loadEventFired":
            self.is_loaded = self._is_served  # the one before may tell of its own as late
        elif event == "Page.javascriptDialogOpening":
            is_left = parameters["type"] == "beforeunload"  # nobody may keep the next document from coming
            self._send("Page.handleJavaScriptDialog", {"accept": is_left})
        elif event in ("Inspector.targetCrashed", "Target.detachedFromTarget"):
            self._give_up()

    def _decide(self, number: str, url: str, kind: str) -> None:
        """Answer the request of the document that is opened; all others fail."""
        if self._document is None or url != self._document[0]:
            reason = "Aborted" if kind == "Document" else "BlockedByClient"
            self._send("Fetch.failRequest", {"requestId": number, "errorReason": reason})
            return
        headers = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": CSP}
        answer = {
            "requestId": number,
            "responseCode": 200,
            "responseHeaders": [{"name": name, "value": value} for name, value in headers.items()],
            "body": base64.b64encode(self._document[1].encode("utf-8", "replace")).decode(),
        }
        self._is_served = True
        self._send("Fetch.fulfillRequest", answer)


class Site:
    """What one case sees: a document with the code in it, opened when it is first needed, or again by the case."""

    def __init__(self, setup: dict[str, Any], faulted: Callable[[Any], BaseException]) -> None:
        self._setup, self._faulted = setup, faulted
        self._reader = self._inner = ""
        self._world = 0
        self._known: dict[str, Any] = {}
        self._said = ["", ""]
        self.documents = 0
        self.dialogs: list[str] = []
        self.respond: Callable[[str, str, str | None, str], Any] = lambda method, url, body, kind: None
        self.contract: Any = None

    @property
    def _browser(self) -> Browser:
        """The browser of this process, in which a document was opened."""
        return _running["browser"]

    def open(self, html: str = "", path: str = "/") -> None:
        """Open a document with that body, or that is one itself, and put the code into it."""
        self._inner, self._said, self.dialogs = "", ["", ""], []
        self.documents += 1
        whole = html if "<html" in html.lower() else BLANK.replace("{}", html)
        self._world, self._reader = before_code(self._setup, lambda browser: browser.open(whole, path))
        browser = self._browser
        browser.take()
        source = f'"use strict"; {self._setup["source"]}\n//# sourceURL=solution'
        inner, code, known = browser.together(
            ("Runtime.evaluate", {"expression": self._setup["inner"]}),
            ("Runtime.evaluate", {"expression": source}),
            ("Runtime.evaluate", {"expression": self._setup["names"]}),
        )
        self._must_have_run(code)
        self._must_have_run(known)
        self._inner = inner["result"]["objectId"]
        self._known = {"objectId": known["result"]["objectId"]}
        self._on(self._known, declared=_KNOW)
        self.settle()

    def check(self) -> None:
        """Raise what is no code, before there is a document."""
        source = f'"use strict"; {self._setup["source"]}'
        script = {"expression": source, "sourceURL": "solution", "persistScript": False}
        self._must_have_run(before_code(self._setup, lambda browser: browser.ask("Runtime.compileScript", **script)))

    def _must_have_run(self, result: dict[str, Any]) -> None:
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            text = details.get("exception", {}).get("description", details["text"]).splitlines()[0]
            kind, _, message = text.partition(": ")
            line = details["lineNumber"] + 1 - self._setup["above"]
            where = f"line {line}: " if line > 0 else ""
            raise type(kind if kind.isidentifier() else "Error", (Exception,), {"__module__": "javascript"})(
                f"{where}{message or text}"
            )

    def _on(self, *given: Any, declared: str = _SERVE, waits: bool = False) -> Any:
        """What the code's keeper says to an order."""
        arguments = [one if isinstance(one, dict) else {"value": one} for one in given]
        asked = {"functionDeclaration": declared, "objectId": self._inner, "arguments": arguments}
        result = self._browser.ask("Runtime.callFunctionOn", awaitPromise=waits, **asked)
        self._must_have_run(result)
        return result["result"].get("value", result["result"])

    def call(self, name: str, given: str, *, is_async: bool) -> Any:
        """How a call of the code ends, with all that comes of it while it is waited for."""
        if not self._inner:  # there is no document yet
            self.open()
        self._on(self._known, name, given, is_async, declared=_BEGIN)
        faults = self._pass(_MOST_MS, is_until_done=True) if is_async else []
        outcome, after, _, _ = json.loads(self._on("tell"))
        faults += self._pass(_SETTLE_MS)
        if faults and outcome[0] == "returned":
            outcome = faults[0]
        return outcome, after

    def settle(self, ms: float = _SETTLE_MS) -> None:
        """Let time go on; raise what the code threw meanwhile where nobody caught it."""
        for fault in self._pass(ms)[:1]:
            raise self._faulted(fault)

    def _pass(self, ms: float, *, is_until_done: bool = False) -> list[Any]:
        """Let so much time go on in the page, with answers to what it asks; the errors that nobody caught."""
        faults: list[Any] = []
        for _ in range(_MOST_ROUNDS):
            state = self._on("pass", ms, is_until_done, waits=True)
            asked, ms, failed, dialogs, said, complaint, _ = json.loads(state)
            faults += failed
            self.dialogs += dialogs
            for stream, text, place in ((sys.stdout, said, 0), (sys.stderr, complaint, 1)):
                stream.write(text[len(self._said[place]) :])
                self._said[place] = text
            if not asked:
                break
            for number, method, url, body, kind in asked:
                answer = json.dumps(self.respond(method, "/" + url.split("/", 3)[3], body, kind))
                self._on("answer", number, answer)
        return faults

    def read(self, root: Any, steps: list[Any], what: str, *given: Any, is_node: bool = False) -> Any:
        """What the reader says of the elements that the steps lead to, from the document or an element of it."""
        arguments = [{"objectId": root.identity} if root else {"value": None}]
        arguments += [{"value": one} for one in (steps, what, *given)]
        declared = "function(...given) { return this(...given) }"
        asked = {"functionDeclaration": declared, "objectId": self._reader, "arguments": arguments}
        result = self._browser.ask("Runtime.callFunctionOn", returnByValue=not is_node, **asked)
        if "exceptionDetails" in result:
            text = result["exceptionDetails"].get("exception", {}).get("description", "it can't be read")
            raise LookupError(text.splitlines()[0].partition(": ")[2] or text)
        return result["result"]["objectId"] if is_node else result["result"].get("value")

    def number_of(self, identity: str) -> int:
        """The number under which the code's side holds an element of the reader's."""
        node = self._browser.ask("DOM.describeNode", objectId=identity)["node"]["backendNodeId"]
        there = self._browser.ask("DOM.resolveNode", backendNodeId=node)["object"]["objectId"]
        return int(self._on("hold", {"objectId": there}))

    def identity_of(self, number: int) -> str:
        """The reader's own of an element that the code's side holds under a number."""
        held = self._on("held", number)
        node = self._browser.ask("DOM.describeNode", objectId=held["objectId"])["node"]["backendNodeId"]
        resolved = self._browser.ask("DOM.resolveNode", backendNodeId=node, executionContextId=self._world)
        return str(resolved["object"]["objectId"])

    def input(self, *events: tuple[str, dict[str, Any]]) -> None:
        """Do what a user does by mouse or keyboard."""
        self._browser.together(*((f"Input.{kind}", parameters) for kind, parameters in events))
        self.settle()


def begun(setup: dict[str, Any], above: str, limit: Callable[[], None] | None = None) -> Browser:
    """A browser that is ready; Program.Gone where it ends or stays silent while it starts, as one may by chance."""
    browser = Browser(setup, above, limit)
    try:
        browser.attach()
    except Program.Gone:
        browser.close()
        raise
    return browser


def before_code(setup: dict[str, Any], done: Callable[[Browser], Any]) -> Any:
    """What the browser of this process comes to; it is the one that waits, or is begun when it is first needed.

    Until code was run in it, one that is gone is begun anew, a few times: by chance 6 of 408 were before their first
    document was open (`language_costs.py`, jobs at once). This process ends without one.
    """
    for _ in range(4):
        try:
            if "browser" not in _running:
                waiting = _running.pop("waiting", None)
                above = os.path.dirname(os.getcwd())  # noqa: PTH109, PTH120 - above the cases'
                _running["browser"] = waiting if waiting and waiting.program.serves() else begun(setup, above)
            return done(_running["browser"])
        except Program.Gone:
            if "browser" in _running:  # one that is silent still has the folder that the next one is to have
                _running.pop("browser").close()
    os._exit(LOST)


def warm(setup: dict[str, Any], limit: Callable[[], None], scratch: str) -> None:
    """Start a browser before there is a job."""
    _running["waiting"] = begun(setup, scratch, limit)


def opened(setup: dict[str, Any], namespace: dict[str, Any]) -> None:
    """Bind the planned names in `namespace` to functions that call the code of `setup`, and `dom` to what pages are."""
    site = Site(setup, lambda outcome: code.exception(outcome))
    if contract := setup.get("contract"):
        held: dict[str, Any] = {"__name__": "contract"}
        exec(compile(contract["text"], "contract", "exec"), held)  # noqa: S102 - a file of this package
        site.contract = held["Contract"](contract["routes"])
    if setup["source"] not in _known:  # each case of a job has the same
        site.check()
        _known[setup["source"]] = True
    module = sys.modules["dom"] = namespace["dom"] = types.ModuleType("dom")
    if "dom" not in _known:
        _known["dom"] = compile(setup["dom"], "tdgen.languages.page.dom", "exec")
    exec(_known["dom"], vars(module))  # noqa: S102 - a file of this package
    module.open_site(site)

    def ask(name: str, values: Any) -> Any:
        outcome, after = site.call(name, json.dumps(values), is_async=name in setup["async"])
        if outcome[0] == "pending":
            outcome = ["raised", "NeverSettled", "it gave a promise that never settles", []]
        return ["opaque", outcome[1]] if outcome[0] == "unreadable" else outcome[:4], after, "", ""

    code = Code(setup, namespace, ask)
