"""`tdgen sandbox build`: one line says what was made, or why nothing was."""

from __future__ import annotations

import pytest


def test_the_image_is_built(tdgen, monkeypatch: pytest.MonkeyPatch):
    """On the base that was named, under the tag that was named."""
    asked = []
    monkeypatch.setattr("tdgen.sandbox.docker.build_image", lambda *given: asked.append(given) or "sha256:1")
    ran = tdgen("sandbox", "build", "--base", "python:3.13-slim", "--tag", "mine")
    assert ran.code == 0
    assert asked == [("python:3.13-slim", "mine")]
    assert ran.out == "mine is built: sha256:1\n"


def test_no_daemon(tdgen, monkeypatch: pytest.MonkeyPatch):
    """Exit code 4, and what to do."""
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    ran = tdgen("sandbox", "build")
    assert ran.code == 4
    assert "no docker daemon answers at unix:///nowhere/docker.sock" in ran.last


def test_the_defaults_are_the_sandboxs(tdgen, monkeypatch: pytest.MonkeyPatch):
    """What is built without any option is what the sandbox looks for."""
    from tdgen.sandbox.docker import image

    asked = []
    monkeypatch.setattr("tdgen.sandbox.docker.build_image", lambda *given: asked.append(given) or "sha256:1")
    tdgen("sandbox", "build")
    assert asked == [(image.BASE, image.IMAGE)]
