"""Could a solve run here? Everything that it needs is tried, and nothing is asked of a model."""

from __future__ import annotations

import time
from contextlib import closing

from tdgen.errors import InputError, TdgenError
from tdgen.extensions import LANGUAGES, SANDBOXES, registered
from tdgen.protocols import Sandbox
from tdgen.runtime import Runtime
from tdgen.sandboxes import Wants, open_sandbox
from tdgen.settings import Settings
from tdgen.types import Frozen, Layer


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


class Shortfall(Frozen):
    """One program of the conformance suite that did not fare as it should, and what was seen."""

    program: str
    why: str


class Conformance(Frozen):
    """What came of the conformance suite on one sandbox: how many programs were tried, and which went wrong."""

    sandbox: str
    hostile: int
    awkward: int
    uncontained: tuple[Shortfall, ...]
    failing: tuple[Shortfall, ...]
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether every hostile program is contained and every awkward one passes."""
        return not self.uncontained and not self.failing


def check_sandbox(settings: Settings) -> Conformance:
    """Run the conformance suite on the sandbox that a solve would take; some ten seconds.

    SandboxError where there is none; InputError for the unsafe one, which would let the hostile programs loose.
    """
    from tdgen.sandbox.conformance import check
    from tdgen.sandbox.programs import awkward, hostile, hostile_classes

    if settings.sandbox == "unsafe":
        raise InputError("--sandbox unsafe confines nothing, and hostile programs would do harm: check another kind")
    began = time.monotonic()
    with closing(_open(settings.sandbox, settings)) as sandbox:
        described = sandbox.describe()
        wrong = [result for result in check(sandbox) if not result.held]
    correct = {program.name for program in awkward()}
    shortfalls = [(Shortfall(program=result.program, why=result.why), result.program in correct) for result in wrong]
    return Conformance(
        sandbox=described,
        hostile=len(hostile()) + len(hostile_classes()),
        awkward=len(correct),
        uncontained=tuple(shortfall for shortfall, is_correct in shortfalls if not is_correct),
        failing=tuple(shortfall for shortfall, is_correct in shortfalls if is_correct),
        seconds=time.monotonic() - began,
    )


def examine(settings: Settings) -> Checkup:
    """Try everything that a solve with these settings needs. What fails is a finding, never an error."""
    sandboxes = [_sandbox(kind, settings) for kind in ("local", *registered(SANDBOXES))]
    shared = [_team(settings)] if settings.store.get_secret_value() else []
    languages = [_language(name, settings) for name in registered(LANGUAGES) if name != "python"]
    return Checkup(findings=(_model(settings), _chosen(settings), *sandboxes, *languages, _cache(settings), *shared))


def _model(settings: Settings) -> Finding:
    from tdgen.models.endpoint import open_endpoint, scheme_of
    from tdgen.models.scripted import ScriptedModel

    try:
        if settings.script:
            ScriptedModel.load(settings.script)
            return Finding(what="model", works=True, told=f"recorded answers in {settings.script}")
        with closing(open_endpoint(scheme_of(settings))) as endpoint:
            models = endpoint.names(settings)
    except TdgenError as error:
        return Finding(what="model", works=False, told=str(error))
    where = settings.base_url or "OpenAI"
    if models and settings.model not in models:
        some = ", ".join(models[:5]) + (", …" if len(models) > 5 else "")
        text = f"{where} answers, but {settings.model} is not among its models ({some}): is --model right?"
        return Finding(what="model", works=True, told=text)
    return Finding(what="model", works=True, told=f"{where} answers, and has {settings.model}")


def _open(kind: str, settings: Settings) -> Sandbox:
    return open_sandbox(kind, Wants(settings.python, runtime=settings.docker_runtime))


def _chosen(settings: Settings) -> Finding:
    """The sandbox that a solve would take."""
    what = f"sandbox {settings.sandbox}"
    try:
        with closing(_open(settings.sandbox, settings)) as sandbox:
            return Finding(what=what, works=True, told=f"takes {sandbox.describe().partition(':')[0]}")
    except TdgenError as error:
        return Finding(what=what, works=False, told=str(error))


def _sandbox(kind: str, settings: Settings) -> Finding:
    """One kind of sandbox, and what it enforces."""
    what = f"  {kind}"
    try:
        with closing(_open(kind, settings)) as sandbox:
            text = "this is what it enforces here:"
            return Finding(what=what, works=True, needed=False, told=text, layers=sandbox.layers())
    except TdgenError as error:
        return Finding(what=what, works=False, needed=False, told=str(error))


def _language(name: str, settings: Settings) -> Finding:
    """One of the languages beside Python: what runs it, and what it does without."""
    is_needed = name == settings.language
    runtime = Runtime(settings if is_needed else settings.changed(allow=()))
    try:
        language = runtime.language_of(name)
    except TdgenError as error:
        return Finding(what=f"  {name}", works=False, needed=is_needed, told=str(error))
    finally:
        runtime.close()
    told = ", ".join(language.judged_by) + "".join(f"; without {lack}" for lack in language.lacks)
    return Finding(what=f"  {name}", works=True, needed=is_needed, told=told)


def _cache(settings: Settings) -> Finding:
    runtime = Runtime(settings)
    try:
        store = runtime.local_store
        store.put("checkup", "")
        store.delete("checkup")
        damaged = store.verify()
        kept = len(list(store.keys("solution/")))
    except TdgenError as error:
        return Finding(what="cache", works=False, told=str(error))
    finally:
        runtime.close()
    text = f"{runtime.folder}: {kept} solution{'s' * (kept != 1)}"
    if damaged:
        text += f"; damaged entries, which are not used: {len(damaged)}; `tdgen cache clear --all` makes a new one"
    return Finding(what="cache", works=True, told=text)


def _team(settings: Settings) -> Finding:
    """The store that a team shares, which a solve does without where it fails."""
    runtime = Runtime(settings)
    try:
        shared = runtime.shared_store
        notes = shared.team.check() if shared else []
        where = shared.team.address if shared else ""
    except TdgenError as error:
        return Finding(what="team's store", works=False, told=str(error))
    finally:
        runtime.close()
    signed = "signed" if settings.store_key.get_secret_value() else "not signed: set TDGEN_STORE_KEY"
    text = notes[0] if notes else f"{where} answers; entries are {signed}"
    return Finding(what="team's store", works=not notes, needed=False, told=text)
