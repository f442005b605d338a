"""The module `dom` of cases: pages, and the elements of them that a query leads to, in Playwright's words.

Queries lead from the document, or from an element, and are asked anew each time. An action needs one element that a
user could reach; what it sets off (handlers, promises, answered requests, timers that are nearly due) has happened when
it returns. Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

from json import dumps, loads
from typing import Any
from urllib.parse import urlsplit

from tdgen.languages.bridge import Foreign

_site: Any = None
KEYS = {
    "Enter": (13, "\r"),
    "Tab": (9, ""),
    "Escape": (27, ""),
    "Backspace": (8, ""),
    "Delete": (46, ""),
    "ArrowLeft": (37, ""),
    "ArrowUp": (38, ""),
    "ArrowRight": (39, ""),
    "ArrowDown": (40, ""),
    "Home": (36, ""),
    "End": (35, ""),
    "PageUp": (33, ""),
    "PageDown": (34, ""),
    "Space": (32, " "),
}
MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}


class PageError(Exception):
    """What was asked of a page can't be done: there is no such element, or a user could not reach it."""


def open_site(site: Any) -> None:
    """Have pages be of that one case's browser."""
    global _site
    _site = site


class Element(Foreign):
    """The elements that a query leads to, mostly one, to act on or to read. Code that is given it gets that one."""

    foreign_known: dict[int, Foreign] = {}  # noqa: RUF012 - as the bridge has it

    def __init__(self, steps: list[Any], root: Element | None = None) -> None:
        self._steps, self._root, self._document = steps, root, _site.documents

    @property
    def foreign_number(self) -> int:
        """The number that it has on the other side."""
        return int(_site.number_of(self.identity))

    @foreign_number.setter
    def foreign_number(self, number: int) -> None:
        self.identity, self._steps, self._root = _site.identity_of(number), [], self
        self._document = _site.documents

    @property
    def identity(self) -> str:
        """What the browser knows the one element by that is meant."""
        if "identity" not in vars(self):
            return str(self._read("node", is_node=True))
        return str(vars(self)["identity"])

    @identity.setter
    def identity(self, identity_of: str) -> None:
        vars(self)["identity"] = identity_of

    def _read(self, what: str, *given: Any, is_node: bool = False) -> Any:
        if self._document != _site.documents:
            raise PageError(f"{what.replace('_', ' ')}: its page is gone: one that was opened later took its place")
        try:
            return _site.read(self._root, self._steps, what, *given, is_node=is_node)
        except LookupError as error:
            raise PageError(f"{what.replace('_', ' ')}: {error}") from None

    def _then(self, *step: Any) -> Element:
        then = Element([*self._steps, list(step)], self._root)
        then._document = self._document
        return then

    def _act(self, what: str, *given: Any) -> None:
        self._read(what, *given)
        _site.settle()

    def locator(self, selector: str) -> Element:
        """Those within that a CSS selector fits."""
        return self._then("css", selector)

    def get_by_role(self, role: str, name: str | None = None, *, exact: bool = False) -> Element:
        """Those within of an ARIA role and, where it is given, with this in their accessible name."""
        return self._then("role", role, name, exact)

    def get_by_label(self, text: str, *, exact: bool = False) -> Element:
        """The controls within that are labelled so."""
        return self._then("label", text, None, exact)

    def get_by_text(self, text: str, *, exact: bool = False) -> Element:
        """The innermost elements within that hold this text."""
        return self._then("text", text, None, exact)

    def nth(self, place: int) -> Element:
        """The one at a place, which counts from 0."""
        return self._then("nth", place)

    @property
    def first(self) -> Element:
        """The first one."""
        return self.nth(0)

    @property
    def last(self) -> Element:
        """The last one."""
        return self.nth(-1)

    def hover(self) -> None:
        """Move the mouse over it."""
        x, y = self._read("point")
        _site.input(("dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y}))

    def click(self, *, clicks: int = 1) -> None:
        """Click on its middle."""
        x, y = self._read("point")
        at = {"x": x, "y": y}
        events = [("dispatchMouseEvent", {"type": "mouseMoved", **at})]
        for count in range(1, clicks + 1):
            mouse = {**at, "button": "left", "clickCount": count}
            events += [("dispatchMouseEvent", {"type": kind, **mouse}) for kind in ("mousePressed", "mouseReleased")]
        _site.input(*events)

    def dblclick(self) -> None:
        """Click on it twice."""
        self.click(clicks=2)

    def press(self, key: str) -> None:
        """Focus it and press a key: `Enter`, `ArrowDown`, `a`, `Shift+Tab`."""
        self._read("focus")
        *modifiers, name = [key] if key == "+" else key.split("+")
        code, text = KEYS.get(name, (ord(name[0].upper()), name if len(name) == 1 else ""))
        bits = sum(MODIFIERS.get(one, 0) for one in modifiers)
        text = "" if bits & ~MODIFIERS["Shift"] else text
        named = {"Space": " "}.get(name, name)
        key_event: dict[str, Any] = {
            "key": named,
            "code": f"Key{name.upper()}" if name.isalpha() and len(name) == 1 else name,
        }
        key_event.update(windowsVirtualKeyCode=code, modifiers=bits)
        down = {"type": "keyDown" if text else "rawKeyDown", **key_event, **({"text": text} if text else {})}
        _site.input(("dispatchKeyEvent", down), ("dispatchKeyEvent", {"type": "keyUp", **key_event}))

    def is_checked(self) -> bool:
        """Whether it is checked."""
        return bool(self._read("is_checked"))

    def check(self) -> None:
        """Have it checked, by a click where it is not."""
        if not self.is_checked():
            self.click()
        if not self.is_checked():
            raise PageError("check: it is not checked after a click")

    def uncheck(self) -> None:
        """Have it not checked, by a click where it is."""
        if self.is_checked():
            self.click()
        if self.is_checked():
            raise PageError("uncheck: it is checked after a click")

    def fill(self, value: str) -> None:
        """Have a field hold this text."""
        self._act("fill", value)

    def select_option(self, value: str) -> None:
        """Choose an option by its value or label."""
        self._act("select_option", value)

    def focus(self) -> None:
        """Focus it."""
        self._act("focus")

    def blur(self) -> None:
        """Have it lose the focus."""
        self._act("blur")

    def dispatch_event(self, type: str, **init: Any) -> None:  # noqa: A002 - Playwright's name
        """Send it an event of that type."""
        self._act("dispatch_event", type, init)


QUERIES = ("locator", "get_by_role", "get_by_label", "get_by_text", "nth")
READING = (
    *("count", "text_content", "inner_text", "inner_html", "outer_html", "get_attribute", "input_value"),
    *("is_visible", "is_hidden", "is_checked", "is_enabled", "is_disabled", "is_focused", "role", "accessible_name"),
    *("all_inner_texts", "all_text_contents"),
)
ACTING = (
    *("click", "dblclick", "hover", "press", "check", "uncheck", "fill", "select_option", "focus", "blur"),
    "dispatch_event",
)
OF_PAGE = ("requests", "dialogs", "title", "url", "accessible")


def _reading(what: str) -> Any:
    def read(self: Element, *given: Any) -> Any:
        return self._read(what, *given)

    return read


class Page(Element):
    """A page that shows this HTML, a body or a whole document, with the code in it and nothing of an earlier page."""

    def __init__(self, html: str = "", path: str = "/") -> None:
        super().__init__([])
        self._routes: list[tuple[str, str, Any]] = []
        self._requests: list[list[Any]] = []
        self._app: Any = None
        _site.respond = self._respond
        _site.open(html, path)
        self._document = _site.documents

    def route(
        self, path: str, json: Any = None, *, status: int = 200, method: str = "", body: str | None = None
    ) -> None:
        """Answer what the page fetches there, by any method or this one, by JSON or by a text."""
        text = body if body is not None else dumps(json)
        if reason := _site.contract.answered(method.upper(), path, status, text) if _site.contract else "":
            raise PageError(f"route: {reason}")
        kind = "text/plain; charset=utf-8" if body is not None else "application/json"
        answer = {"status": status, "headers": {"Content-Type": kind}, "body": text}
        self._routes.insert(0, (method.upper(), path, answer))

    def serve(self, app: Any) -> None:
        """Have an application of the service answer what no route does, from now on."""
        self._app = app

    def requests(self) -> list[list[Any]]:
        """What the page fetched so far: method, path, and what was sent, read where it is JSON."""
        return [list(one) for one in self._requests]

    def _respond(self, method: str, url: str, body: str | None, kind: str) -> Any:
        try:
            sent = loads(body) if body else body
        except ValueError:
            sent = body
        self._requests.append([method, url, sent])
        if reason := _site.contract and _site.contract.sent(method, url, sent):
            raise ContractBroken(reason)
        for wanted, path, answer in self._routes:
            if wanted in ("", method) and path in (url, urlsplit(url).path):
                return answer
        if self._app is None:
            return None
        response = self._app.answered(method, url, {"content-type": kind} if kind else {}, body)
        status, text = response["status"], response["body"]
        if reason := _site.contract and _site.contract.answered(method, url, status, text):
            raise ContractBroken(reason)
        return response

    def wait_for_timeout(self, ms: float) -> None:
        """Let so many milliseconds go on in the page, in none here."""
        _site.settle(ms)

    def dialogs(self) -> list[str]:
        """What it told or asked by dialogs: `alert: Saved`. What it asks to confirm is confirmed."""
        return list(_site.dialogs)

    def title(self) -> str:
        """Its title."""
        return str(_site.read(None, [], "title"))

    def url(self) -> str:
        """The path, query and fragment that it is at."""
        return str(_site.read(None, [], "url"))

    def accessible(self) -> list[list[str]]:
        """Role and accessible name of each element that assistive technology is told of, in their order."""
        return [list(one) for one in _site.read(None, [], "accessible")]


class ContractBroken(Exception):
    """A page asks, or the service answers, what the contract between them does not say."""


def _by_selector(what: str) -> Any:
    def done(self: Page, selector: str, *given: Any, **named: Any) -> Any:
        return getattr(self.locator(selector), what)(*given, **named)

    return done


for _name in {*READING} - {*vars(Element)}:
    setattr(Element, _name, _reading(_name))
for _name in (*READING, *ACTING):
    setattr(Page, _name, _by_selector(_name))
