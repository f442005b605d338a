"""Who may ask: hosts, origins, tokens, sizes; and what every answer forbids a browser."""

from __future__ import annotations

import json
import socket

import pytest

from tdgen.web import callers
from tdgen.web.callers import only_caller, with_token
from tdgen.web.listening import Address

TOKEN = "a-token-of-some-length"


@pytest.fixture(scope="module")
def guarded(serve_all, one_studio):
    """A service that needs a token."""
    address = Address(port=0, callers=(only_caller(TOKEN),), names=("box.example.org",))
    return serve_all(one_studio.model(), address=address)


@pytest.fixture
def locked(guarded):
    """The service that needs a token, and a client that does not know it."""
    guarded.http.cookies.clear()
    return guarded


def test_without_the_token_nobody_is_let_in(locked):
    """Not to runs, results or history; the page itself, which holds nothing, may be seen."""
    for path in ("/runs", "/runs/x", "/runs/x/events", "/runs/x/package.zip", "/history", "/openapi.json"):
        answer = locked.http.get(path)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer"), path
    assert locked.http.post("/runs", json={"instruction": "x"}).status_code == 401
    assert locked.http.get("/").status_code == 200


@pytest.mark.parametrize("header", [f"Bearer {TOKEN}", f"bearer  {TOKEN}"])
def test_the_token_lets_in(locked, header):
    """As a bearer."""
    assert locked.http.get("/runs", headers={"authorization": header}).status_code == 200


@pytest.mark.parametrize("header", ["", "Bearer", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}"])
def test_a_wrong_token_does_not(locked, header):
    """However near it is."""
    assert locked.http.get("/runs", headers={"authorization": header}).status_code == 401


def test_tokens_are_compared_in_constant_time(monkeypatch):
    """By the standard library's means for it, always."""
    seen = []
    monkeypatch.setattr(callers.hmac, "compare_digest", lambda a, b: seen.append((a, b)) or False)
    assert with_token([only_caller(TOKEN)], "ä\ud800") is None
    assert len(seen) == 1


def test_the_page_is_remembered_by_a_cookie(locked):
    """Which no script can read, which no other site sends, and which is not the token; a wrong one is refused."""
    assert locked.http.post("/session", json={"token": "wrong"}).status_code == 401
    answer = locked.http.post("/session", json={"token": TOKEN})
    assert answer.status_code == 204
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert TOKEN not in cookie
    assert locked.http.get("/runs").status_code == 200
    locked.http.cookies.clear()
    assert locked.http.get("/runs", headers={"cookie": "tdgen=0000"}).status_code == 401


def test_the_address_may_carry_the_token_once(locked):
    """It becomes the cookie, and is gone from the address bar."""
    answer = locked.http.get(f"/?token={TOKEN}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert locked.http.get("/runs").status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "[", "localhost.evil.example:80"])
def test_a_name_that_was_not_allowed_is_refused(service, host):
    """A page of somebody else's whose name leads here (DNS rebinding) reaches nothing."""
    assert _raw(service, f"GET /runs HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").split()[1] in (
        "421",
        "400",
    )


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:9", "[::1]:80", "192.0.2.7", "box.example.org:8080"])
def test_addresses_and_allowed_names_are_served(locked, host):
    """An address can't be rebound."""
    headers = {"host": host, "authorization": f"Bearer {TOKEN}"}
    assert locked.http.get("/runs", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "headers", [{"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}]
)
def test_pages_of_others_may_not_ask(service, headers):
    """Neither read nor post; no answer ever allows another origin."""
    assert service.http.get("/runs", headers=headers).status_code == 403
    answer = service.http.post("/runs", json={"instruction": "x"}, headers=headers)
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers
    assert service.http.get("/runs", headers={"origin": service.url}).status_code == 200


def test_what_is_too_large_is_refused(service):
    """By what it says of its size, and by what it sends where it does not say."""
    body = json.dumps({"instruction": "x" * 1_100_000})
    told = service.http.post("/runs", content=body, headers={"content-type": "application/json"})
    assert told.status_code == 413
    pieces = (b"x" * 100_000 for _ in range(20))
    assert service.http.post("/runs", content=pieces).status_code == 413


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"instruction": ""}, "instruction"),
        ({"instruction": " \n"}, "the instruction is empty"),
        ({}, "instruction"),
        ({"instruction": "x", "options": {"sandbox": "unsafe"}}, "sandbox"),
        ({"instruction": "x", "options": {"budget": "calls=31"}}, "at most calls=30"),
        ({"instruction": "x", "options": {"budget": "seconds=none"}}, "at most seconds=600"),
        ({"instruction": "x", "options": {"budget": "wishes=3"}}, "wishes"),
        ({"instruction": "x", "options": {"trust": "blind"}}, "trust"),
    ],
)
def test_a_bad_order_is_refused_in_a_line(service, body, told):
    """Before anything is queued."""
    answer = service.http.post("/runs", json=body)
    assert answer.status_code == 422, answer.text
    assert told in answer.json()["error"]
    assert "\n" not in answer.json()["error"]
    assert service.http.get("/runs").json() == []


def test_an_order_that_goes_on_from_nothing_is_told_so(service):
    """What it names is not there."""
    answer = service.http.post("/runs", json={"instruction": "x", "follow": "ffffffff"})
    assert answer.status_code == 404
    assert "no kept solution" in answer.json()["error"]
    assert service.http.get("/runs").json() == []


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff\xfe", b'{"instruction": "\\ud800"}'])
def test_what_is_no_json_is_refused(service, content):
    """In a line of JSON."""
    answer = service.http.post("/runs", content=content, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]


def test_every_answer_forbids_a_browser_what_it_does_not_need(service):
    """Scripts and styles of our own alone, no frame around it, no guessing of types."""
    for path in ("/", "/runs", "/runs/none", "/static/main.js", "/static/none"):
        headers = service.http.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path", ["/static/..%2f..%2fapp.py", "/static/%2e%2e/app.py", "/static/index.html%00", "/../etc/passwd"]
)
def test_only_the_pages_own_files_are_served(service, path):
    """No path leads out of them."""
    assert _raw(service, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").split()[1] in (
        "404",
        "400",
    )


def test_the_page_has_no_script_or_style_in_it(service):
    """Its policy would not run them; nothing in its modules reads a string as HTML; nothing is from elsewhere."""
    page = service.http.get("/").text
    assert "<style" not in page
    assert "onclick" not in page
    names = [part.split('"')[0] for part in page.split("/static/")[1:]]
    modules = {"main.js", "api.js", "attempts.js", "code.js", "compose.js", "detail.js", "dom.js", "functions.js"}
    modules |= {"graph.js", "progress.js", "questions.js", "runview.js", "side.js", "state.js", "words.js"}
    for name in modules | set(names):
        answer = service.http.get(f"/static/{name}")
        assert answer.status_code == 200, name
        for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "https://"):
            assert forbidden not in answer.text, (name, forbidden)


def _raw(service, request: str) -> str:
    with socket.create_connection(("127.0.0.1", service.port), timeout=10) as line:
        line.sendall(request.encode("latin-1"))
        return line.makefile("rb").read().decode("latin-1")
