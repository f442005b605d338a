"""`tdgen doctor`: what works here and what does not, and whether a solve could run."""

import pytest


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
    ran = tdgen("doctor", "--script", said.green().path, "--json")
    assert ran.code == 4
    assert ran.document["ready"] is False
    assert {f["what"].strip() for f in ran.document["findings"] if not f["works"]} >= {"sandbox auto", "local"}
