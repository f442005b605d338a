"""Whether a solve could run here: the model's endpoint, each kind of sandbox and the cache, found by trying them."""

from __future__ import annotations

from contextlib import closing
from typing import Final

from tdgen.errors import TdgenError
from tdgen.sandbox import open_sandbox
from tdgen.settings import SandboxKind, Settings
from tdgen.types import Frozen, Layer
from tdgen.wiring import Workplace

KINDS: Final[tuple[SandboxKind, ...]] = ("local", "docker")


class Finding(Frozen):
    """One thing that was tried: whether it works, what was seen, and of a sandbox its layers."""

    what: str
    works: bool
    told: str
    needed: bool = True
    layers: tuple[Layer, ...] = ()


class Checkup(Frozen):
    """All that was found; what is not `needed` may fail and a solve still runs."""

    findings: tuple[Finding, ...]

    @property
    def ready(self) -> bool:
        """Whether a solve could run."""
        return all(finding.works for finding in self.findings if finding.needed)


def examine(settings: Settings) -> Checkup:
    """Try everything that a solve with these settings needs. What fails is a finding, never an error."""
    sandboxes = [_sandbox(kind, settings.python) for kind in KINDS]
    return Checkup(findings=(_model(settings), _chosen(settings), *sandboxes, _cache(settings)))


def _model(settings: Settings) -> Finding:
    from tdgen.models import ScriptedModel, probe

    try:
        if settings.script:
            ScriptedModel.load(settings.script)
            return Finding(what="model", works=True, told=f"recorded answers in {settings.script}")
        models = probe(settings)
    except TdgenError as error:
        return Finding(what="model", works=False, told=str(error))
    where = settings.base_url or "OpenAI"
    if models and settings.model not in models:
        some = ", ".join(models[:5]) + (", …" if len(models) > 5 else "")
        told = f"{where} answers, but {settings.model} is not among its models ({some}): is --model right?"
        return Finding(what="model", works=True, told=told)
    return Finding(what="model", works=True, told=f"{where} answers, and has {settings.model}")


def _chosen(settings: Settings) -> Finding:
    """The sandbox that a solve would take."""
    what = f"sandbox {settings.sandbox}"
    try:
        with closing(open_sandbox(settings.sandbox, settings.python)) as sandbox:
            return Finding(what=what, works=True, told=f"takes {sandbox.describe().partition(':')[0]}")
    except TdgenError as error:
        return Finding(what=what, works=False, told=str(error))


def _sandbox(kind: SandboxKind, python: str) -> Finding:
    """One kind of sandbox, and what it enforces."""
    what = f"  {kind}"
    try:
        with closing(open_sandbox(kind, python)) as sandbox:
            return Finding(
                what=what, works=True, needed=False, told="this is what it enforces here:", layers=sandbox.layers()
            )
    except TdgenError as error:
        return Finding(what=what, works=False, needed=False, told=str(error))


def _cache(settings: Settings) -> Finding:
    workplace = Workplace(settings)
    try:
        store = workplace.store
        store.put("checkup", "")
        store.delete("checkup")
        damaged = store.verify()
        kept = len(list(store.keys("solution/")))
    except TdgenError as error:
        return Finding(what="cache", works=False, told=str(error))
    finally:
        workplace.close()
    told = f"{workplace.folder}: {kept} solution{'s' * (kept != 1)}"
    if damaged:
        told += f"; damaged entries, which are not used: {len(damaged)}; `tdgen cache clear` makes a new one"
    return Finding(what="cache", works=True, told=told)
