"""`tdgen serve`: what can't be served is one line and exit code 2, and a signal ends it in good order."""

from __future__ import annotations

import json
import signal
import socket
import sys
import urllib.request

import pytest

from tdgen.cli.serve import tools_for_agents


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--host", "0.0.0.0"], "add --token"),
        (["--host", "0.0.0.0", "--token", "short"], "too short"),
        (["--token", "ein-sehr-langes-tökchen"], "ASCII"),
        (["--token", "a" * 20, "--token-file", "x"], "twice"),
        (["--token-file", "none.txt"], "can't be read"),
        (["--host", "no.such.host.invalid", "--token", "a" * 20], "no address of this machine"),
        (["--port", "70000"], "65535"),
        (["--at-once", "0"], "--at-once"),
        (["--budget", "wishes=3"], "wishes"),
        (["--root", "nowhere"], "nowhere is no folder"),
    ],
)
def test_what_can_not_be_served_is_said(tdgen, arguments, told):
    """Before anything is."""
    ran = tdgen("serve", *arguments)
    assert ran.code == 2
    assert told in ran.err


def test_a_service_that_is_not_installed(tdgen, monkeypatch):
    """Is said with the line that installs it."""
    monkeypatch.setitem(sys.modules, "tdgen.web.listening", None)
    ran = tdgen("serve")
    assert (ran.code, ran.err) == (2, "tdgen: tdgen serve needs tdgen's extra serve: pip install 'tdgen[serve]'\n")


def test_a_port_that_is_taken(tdgen):
    """Is said in one line, with what to do."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ran = tdgen("serve", "--port", port)
    assert ran.code == 2
    assert ran.err == (
        f"tdgen: port {port} on 127.0.0.1 is taken: end what listens there, or choose another with --port "
        "(0 takes a free one)\n"
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it(start, finished, number):
    """It says where it is, answers, and leaves with 0."""
    process = start("serve", "--port", "0")
    said = process.stderr.readline().decode()
    url = said.removeprefix("tdgen is at ").split()[0]
    with urllib.request.urlopen(f"{url}healthz") as answer:
        assert json.load(answer).keys() == {"tdgen"}
    process.send_signal(number)
    ran = finished(process)
    assert (ran.code, ran.out) == (0, "")
    assert ran.last == "ended; what was going on is resumed by the next `tdgen serve`"


def test_a_service_without_the_tools_for_agents(tdgen, monkeypatch, tmp_path):
    """Goes on as before where their extra is not installed; who asks for a project's files hears what to install."""
    monkeypatch.setitem(sys.modules, "tdgen.mcp.server", None)
    assert tools_for_agents(None, is_shared=False) is None
    ran = tdgen("serve", "--root", tmp_path)
    assert (ran.code, ran.err) == (2, "tdgen: tdgen serve --root needs tdgen's extra mcp: pip install 'tdgen[mcp]'\n")


@pytest.mark.parametrize(
    ("environment", "arguments", "told"),
    [
        ({}, ["--workers", "2"], "set TDGEN_STORE=redis://"),
        ({"TDGEN_STORE": "redis://127.0.0.1:1"}, ["--workers", "2"], "127.0.0.1:1 can't be reached"),
        (
            {"TDGEN_STORE": "redis://127.0.0.1:1"},
            ["--workers", "2", "--store-read-only"],
            "leave --store-read-only out",
        ),
        ({}, ["--workers", "0"], "--workers"),
        ({}, ["--workers", "2", "--root", "."], "leave --workers out"),
    ],
)
def test_workers_that_can_not_share_are_refused(tdgen, monkeypatch, environment, arguments, told):
    """In a line, before anything is served."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    ran = tdgen("serve", "--port", "0", *arguments)
    assert (ran.code, told in ran.err, ran.err.count("\n")) == (2, True, 1), ran.err
