"""Kept logs in which tdgen asks now what nobody was asked then: a language model answers that, and no more.

A task that plays otherwise is solved again by its own answers; what they lack is asked of the model that the settings
name, as `tdgen` reads them (`OPENAI_BASE_URL`, `TDGEN_MODEL`), and put beside them. Then the log is played again, and
its records are those of now. Which answers came later is told in `LATER.md` beside the logs.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from threading import Lock

from tdgen.batch import Stamp
from tdgen.errors import ModelError
from tdgen.evaluation import Problem, evaluate, replay
from tdgen.evaluation.records import save_record
from tdgen.evaluation.running import Source
from tdgen.models.endpoint import open_endpoint, scheme_of
from tdgen.models.scripted import Script, ScriptedAnswer, ScriptedModel
from tdgen.protocols import Answer, Model, Request
from tdgen.settings import Settings, load_settings


class FilledModel:
    """Answers from a script, and what it lacks by a live model; `script` holds both, `added` what is new."""

    def __init__(self, script: Script, live: Model) -> None:
        self.script, self.added = script, list[str]()
        self._scripted, self._live, self._lock = ScriptedModel(script), live, Lock()

    @property
    def name(self) -> str:
        """Who gave the answers that were there."""
        return self.script.model

    def ask(self, request: Request) -> Answer:
        """The script's answer, where its answers say that they speak of all that is asked; else the live model's.

        One that does not say may be the answer to another question: what is asked of a function has changed since.
        """
        if set(request.items.values()) <= {item for one in self.script.answers for item in one.items.values()}:
            with suppress(ModelError):
                return self._scripted.ask(request)
        answer = self._live.ask(request)
        with self._lock:
            taken = {one.key for one in self.script.answers}
            key = request.key
            while key in taken:  # of other items, or it does not say of which: this one is found by its own
                key = key._replace(ordinal=key.ordinal + 1)
            kept = ScriptedAnswer(
                **key._asdict(),
                items=request.items,
                text=answer.text,
                finish_reason=answer.finish_reason,
                usage=answer.usage.model_copy(update={"cost": None}),
            )
            self.script = self.script.model_copy(update={"answers": (*self.script.answers, kept)})
            self._scripted = ScriptedModel(self.script)
            self.added.append(" ".join(filter(None, (key.purpose, key.subject, key.variant))))
        return answer


def renew(problems: Sequence[Problem], logs: Path, said: str) -> None:
    """Ask what a kept log lacks, and have its records say what comes of it; `said` is who answers, and when."""
    settings = load_settings({})
    endpoint = open_endpoint(scheme_of(settings))
    live = endpoint.model(settings, on_text=lambda *_: None, remaining=lambda: None, woken_by=lambda _: nullcontext())
    run = logs / "run-1"
    found = replay(problems, logs, name=logs.name, settings=Settings())
    otherwise = {one.split(": ")[0].removeprefix("run-1 ") for one in found.differences}
    for problem in (one for one in problems if one.id in otherwise):
        path = run / "scripts" / f"{problem.id}.solving.json"
        model = FilledModel(Script.model_validate_json(path.read_bytes()), live)
        with tempfile.TemporaryDirectory() as folder:
            own = _as_then(run)
            evaluate([problem], Path(folder, "logs"), name="", settings=own, alone=False, model=model, source=_nothing)
        model.script.save(path)
        print(f"{logs.name} {problem.id}: {', '.join(model.added) or 'no answer was lacking'}", flush=True)
        if model.added:
            with (logs.parent / "LATER.md").open("a", encoding="utf-8") as file:
                file.write(f"- `{logs.name}`, `{problem.id}`: {', '.join(model.added)}; {said}\n")
    changed = [one for one in problems if one.id in otherwise]
    for record in replay(changed, logs, name=logs.name, settings=Settings()).evaluation.runs[0]:
        save_record(run, record)
    endpoint.close()


def _as_then(run: Path) -> Settings:
    """The settings of now with the trust, budget and language of then."""
    then = Stamp.model_validate_json((run / "batch.json").read_bytes()).settings
    same = {key: then[key] for key in ("trust", "budget", "language") if key in then}
    return Settings.model_validate({**same, "questions": "assume" if then["questions"] else ""})


def _nothing(run: Path) -> Source:
    """No settings for a problem beside the run's: a model is given."""
    del run
    return Source(lambda name: {}, lambda name: {})
