"""`tdgen doctor`: what works here and what does not, and whether a solve could run.

`tdgen sandbox build`: one line says what was made, or why nothing was.
"""

from __future__ import annotations

import pytest

from tdgen.client.checkup import Conformance, Shortfall


def test_all_well(tdgen, said):
    """Recorded answers, the local sandbox, a cache that can be written."""
    ran = tdgen("doctor", "--script", said.green().path)
    assert ran.code == 0
    assert ran.out.splitlines()[-1] == "a solve can run"
    assert "enforced  seccomp" in ran.out


def test_an_endpoint_that_answers(tdgen, endpoint):
    """And has the model."""
    ran = tdgen("doctor")
    assert ran.code == 0
    assert f"model          works  {endpoint.url} answers, and has known\n" in ran.out


def test_a_model_that_is_not_listed(tdgen, endpoint):
    """May work all the same: not every server lists its models by the names they are asked by."""
    ran = tdgen("doctor", "--model", "nobody")
    assert ran.code == 0
    assert "nobody is not among its models (known): is --model right?" in ran.out


def test_no_model(tdgen):
    """Exit code 4, and the ways out."""
    ran = tdgen("doctor")
    assert ran.code == 4
    assert "model          fails  no model is configured: set OPENAI_API_KEY" in ran.out
    assert ran.out.splitlines()[-1] == "no solve can run yet"


def test_no_cache(tdgen, said):
    """Exit code 4 as well."""
    ran = tdgen("doctor", "--script", said.green().path, "--cache-dir", "/proc/self/cache")
    assert ran.code == 4
    assert "cache          fails" in ran.out


def test_no_sandbox(tdgen, said, monkeypatch: pytest.MonkeyPatch):
    """Nor without one."""
    monkeypatch.setattr("sys.platform", "plan9")
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere")
    ran = tdgen("doctor", "--script", said.green().path, "--json")
    assert ran.code == 4
    assert ran.document["ready"] is False
    assert {f["what"].strip() for f in ran.document["findings"] if not f["works"]} >= {"sandbox auto", "local"}


class TestTheSandboxCheck:
    """`tdgen doctor --sandbox-check`: the conformance suite, told in lines."""

    @pytest.fixture
    def found(self, monkeypatch: pytest.MonkeyPatch):
        """Lets the suite find this on the sandbox that the settings ask for."""

        def put(uncontained=(), failing=()) -> None:
            def checked(settings):
                return Conformance(
                    sandbox=f"{settings.sandbox}: seccomp",
                    hostile=64,
                    awkward=15,
                    uncontained=uncontained,
                    failing=failing,
                    seconds=1.25,
                )

            monkeypatch.setattr("tdgen.client.checkup.check_sandbox", checked)

        return put

    def test_all_is_well(self, tdgen, found):
        """Exit code 0; no model and no cache are needed for it."""
        found()
        ran = tdgen("doctor", "--sandbox-check", "--sandbox", "local")
        assert ran.code == 0
        assert ran.out.splitlines() == [
            "local: seccomp",
            "64 of 64 hostile programs contained, 15 of 15 awkward ones pass, in 1.2 s",
        ]

    def test_one_line_a_program_that_went_wrong(self, tdgen, found):
        """Exit code 4, and a summary that counts."""
        found([Shortfall(program="fork bomb", why="it\nescaped")], [Shortfall(program="threads", why="died")])
        ran = tdgen("doctor", "--sandbox-check")
        assert ran.code == 4
        assert ran.out.splitlines()[1:] == [
            "not contained  fork bomb: it escaped",
            "not passing    threads: died",
            "63 of 64 hostile programs contained, 14 of 15 awkward ones pass, in 1.2 s",
        ]

    def test_as_one_document(self, tdgen, found):
        """The same for programs."""
        found([Shortfall(program="fork bomb", why="it escaped")])
        ran = tdgen("doctor", "--sandbox-check", "--json")
        assert ran.code == 4
        assert ran.document["passed"] is False
        assert ran.document["uncontained"] == [{"program": "fork bomb", "why": "it escaped"}]

    def test_no_sandbox_to_check(self, tdgen, monkeypatch: pytest.MonkeyPatch):
        """One line, exit code 4."""
        monkeypatch.setattr("sys.platform", "plan9")
        ran = tdgen("doctor", "--sandbox-check", "--sandbox", "local")
        assert ran.code == 4
        assert "the local sandbox needs Linux" in ran.last

    def test_the_unsafe_kind(self, tdgen):
        """Is refused."""
        ran = tdgen("doctor", "--sandbox-check", "--sandbox", "unsafe")
        assert ran.code == 2
        assert "confines nothing" in ran.last


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
