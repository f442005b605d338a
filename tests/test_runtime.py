"""Concrete tools by the settings: made when first needed, closed with their owner, refused before any work."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

from tdgen.cache import Journal
from tdgen.client import Generator
from tdgen.errors import InputError, ModelError, SandboxError
from tdgen.models import Ledger
from tdgen.protocols import Answer, Message, Request
from tdgen.runtime import Runtime, check_settings
from tdgen.sandbox.interpreter import Mounted
from tdgen.settings import Settings
from tdgen.types import Job, Probe


@pytest.fixture
def runtime(tmp_path):
    """A runtime with a cache folder of its own, closed at the end."""
    made = []

    def make(model=None, executor=None, **settings):
        made.append(Runtime(Settings(cache_dir=str(tmp_path / "cache"), **settings), model, executor))
        return made[-1]

    yield make
    for place in made:
        place.close()


class TestWhatIsAskedTooMuch:
    """Each refused in one line, before anything is paid for."""

    @pytest.mark.parametrize(
        ("settings", "said"),
        [
            ({"python": "3.8"}, "Python 3.8 is too old"),
            ({"allow": ("num py",)}, "--allow num py: that is no package"),
            ({"allow": ("subprocess",)}, "--allow subprocess opens no program to start: .*--allow-run PROGRAM"),
        ],
        ids=["an old Python", "no package", "no program"],
    )
    def test_settings(self, settings, said):
        """The line names the option and what is wrong with it."""
        with pytest.raises(InputError, match=said):
            check_settings(Settings(**settings))

    def test_modules_of_the_standard_library_may_be_allowed(self):
        """They are there already."""
        check_settings(Settings(allow=("sqlite3", "urllib.request")))

    def test_nobody_to_ask(self, runtime):
        """Without a key, an endpoint or a script, with the ways out."""
        with pytest.raises(ModelError, match="OPENAI_API_KEY"):
            runtime().check()

    def test_a_model_of_ones_own_or_a_script_needs_no_key(self, runtime):
        """They answer by themselves."""
        runtime(model=object()).check()
        runtime(script="answers.json").check()


class TestTools:
    """Made once, and each when it is first asked for."""

    def test_nothing_is_made_before_it_is_needed(self, runtime, tmp_path):
        """A runtime alone leaves no trace."""
        runtime()
        assert not (tmp_path / "cache").exists()

    def test_threads_that_need_one_at_once_get_the_same(self, runtime, monkeypatch):
        """Each is made by whoever comes first; the others wait."""
        there, made, another = runtime(), [], threading.Event()

        def opened(*_):
            made.append(SimpleNamespace(close=lambda: None))
            if len(made) > 1:
                another.set()
            another.wait(0.2)
            return made[-1]

        monkeypatch.setattr("tdgen.runtime.open_sandbox", opened)
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda _: there.sandbox, range(4)))
        assert len(made) == 1
        assert all(one is made[0] for one in found)

    def test_candidates_and_expected_values_have_a_sandbox_each(self, runtime):
        """Never the same server process."""
        place = runtime(sandbox="local")
        assert place.sandbox is place.sandbox
        assert place.sandbox is not place.oracle

    def test_programs_are_opened_for_candidates_alone(self, runtime):
        """Expected values need none; the loopback they need where a case's setup starts a server."""
        place = runtime(sandbox="local", allow_loopback=True, allow_run=("echo",))
        assert place.sandbox.describe().endswith("; network off but for its own loopback; may start echo")
        assert place.oracle.describe().endswith("; network off but for its own loopback")

    def test_a_runtime_is_docker_s(self, runtime, monkeypatch):
        """Naming one asks for the docker sandbox; where it isn't there, one line says so."""
        with pytest.raises(SandboxError, match="docker"):
            _ = runtime(docker_runtime="no-such-runtime").sandbox

    def test_allowed_packages_are_installed_where_code_runs(self, runtime, wheels):
        """Both sandboxes have them: expected values may need them too."""
        wheels.put("tiny-things", tiny="four = 4")
        place = runtime(sandbox="local", allow=("tiny-things", "sqlite3"))
        assert place.packages.imports == {"tiny", "sqlite3"}
        job = Job(module="m", source="import tiny", probes=(Probe(name="p", call="tiny.four"),))
        assert [sandbox.run(job).observations[0].value for sandbox in (place.sandbox, place.oracle)] == [4, 4]

    def test_python_is_the_one_that_runs_unless_said_otherwise(self, runtime):
        """It is in the prompts and in the keys."""
        assert runtime().python.startswith("3.")
        assert runtime(python="3.12").python == "3.12"

    def test_an_executor_of_ones_own_is_not_shut_down(self, runtime):
        """Its owner does that."""
        with ThreadPoolExecutor(1) as executor:
            place = runtime(executor=executor)
            assert place.executor is executor
            place.close()
            assert executor.submit(int, "1").result() == 1

    def test_closing_makes_room_for_new_ones(self, runtime):
        """Twice is allowed, and what is asked for afterwards is opened again."""
        place = runtime()
        first = place.executor, place.store
        place.close()
        place.close()
        assert place.executor is not first[0]
        assert place.store is not first[1]

    def test_steps_of_other_packages_are_taken_in(self, runtime, register):
        """By the entry point group tdgen.steps."""
        from tdgen.pipeline import Step

        class Found:
            name = "measure"

            @staticmethod
            def load():
                return Step("measure", lambda tools, draft: draft, after="build")

        register(tdgen_steps=[Found])
        names = [step.name for step in runtime().steps()]
        assert names[names.index("build") + 1] == "measure"

    def test_a_teams_store_is_found_by_its_scheme(self, runtime, register):
        """By the entry point group tdgen.stores, over this machine's store; an address that nobody knows is a line."""
        given = []

        class Found:
            name = "postgres"

            @staticmethod
            def load():
                return lambda *arguments, **options: (
                    given.append((arguments, options)) or SimpleNamespace(close=lambda: None)
                )

        register(tdgen_stores=[Found])
        place = runtime(store="postgres://team", store_key="secret", store_read_only=True)
        assert place.store is place.shared_store
        assert given == [(("postgres://team", "secret", place.local_store), {"read_only": True})]
        with pytest.raises(InputError, match=r"one begins with postgres:// \(TDGEN_STORE\)") as refused:
            _ = runtime(store="redis://u:secret@team").store
        assert "secret" not in str(refused.value)

    def test_where_models_answer_is_found_by_its_scheme(self, runtime, register):
        """By the entry point group tdgen.models; it is made once, and closed with the runtime."""
        made = []

        class Endpoint:
            def __init__(self):
                self.told = []
                made.append(self)

            def check(self, settings):
                self.told.append(settings.base_url)

            def prices(self, settings):
                return lambda purpose: None

            def close(self):
                self.told.append("closed")

        point = SimpleNamespace(name="bedrock", load=lambda: Endpoint)
        register(tdgen_models=[point])
        place = runtime(base_url="bedrock://here")
        place.check()
        place.check()
        place.close()
        assert [endpoint.told for endpoint in made] == [["bedrock://here", "bedrock://here", "closed"]]
        with pytest.raises(InputError, match=r"it is no address.*begins with bedrock or http or https"):
            runtime(base_url="other://here")
        with pytest.raises(InputError, match=r"lacks its https \(tdgen.models\): install tdgen anew"):
            runtime(api_key="k").check()


class Echo:
    """A model that answers whatever it is asked, and counts."""

    def __init__(self) -> None:
        self.count = 0

    def ask(self, request: Request) -> Answer:
        self.count += 1
        return Answer(text=f"answer {self.count}")


class TestTheModelInItsWrappers:
    """Announced, transcribed, resumed and budgeted, whoever answers."""

    REQUEST = Request(purpose="plan", messages=(Message(role="user", content="Plan it."),))

    @pytest.fixture
    def tools(self, runtime, solver, tmp_path):
        """What the pipeline gets, with all that it emits, around a model that echoes."""
        journal = Journal.open(tmp_path / "cache", "sha256:" + "0" * 64)

        def make(**settings):
            place = runtime(model=Echo(), **settings)
            vars(place).update(sandbox=solver.sandbox, oracle=solver.oracle)
            events = []
            return place.tools(journal, Ledger(place.settings.budget), events.append), events

        yield make
        journal.close()

    def test_every_question_is_told_and_paid_for(self, tools):
        """Three events, and one call less to spend."""
        made, events = tools(budget="calls=5")
        made.model.ask(self.REQUEST)
        assert [event.kind for event in events] == ["model_asked", "budget_told", "model_answered"]
        assert made.purse.remaining_calls() == 4

    def test_what_was_answered_is_not_asked_again(self, tools):
        """The journal answers, and says so."""
        made, _ = tools()
        first, second = made.model.ask(self.REQUEST), made.model.ask(self.REQUEST)
        assert first.text == second.text == "answer 1"
        assert second.replayed

    def test_a_transcript_is_written_where_one_is_wanted(self, tools, tmp_path):
        """With the answer, and without the key."""
        made, _ = tools(transcript=str(tmp_path / "talk"), api_key="sk-very-secret")
        made.model.ask(self.REQUEST.model_copy(update={"messages": (Message(role="user", content="sk-very-secret"),)}))
        texts = [path.read_text() for path in (tmp_path / "talk").iterdir()]
        assert any("answer 1" in text for text in texts)
        assert not any("sk-very-secret" in text for text in texts)


class TestAllowedPackages:
    """From `--allow` to green: the planner may plan with it, the code may import it, the sandbox has it."""

    @pytest.fixture
    def solved(self, solver, write, wheels, tmp_path):
        """A solution whose code imports `tiny`, which the distribution tiny-things brings."""
        wheels.put("tiny-things", tiny="def twice(number): return 2 * number")
        function = write.function(
            "double(number: int) -> int",
            cases=[write.returns(f"double({number})", str(2 * number)) for number in (0, 1, 7, -4)],
            tries=["import tiny\n\ndef double(number: int) -> int:\n    return tiny.twice(number)"],
        )
        model = solver.model(function, packages=["tiny"])
        settings = Settings(cache_dir=str(tmp_path / "cache"), trust="quick", allow=("tiny-things>=1",))
        with Generator(settings, model=model) as generator:
            return generator.solve("Write what is needed."), model

    def test_they_are_used(self, solved):
        solution, _ = solved
        assert solution.all_tests_passed
        assert "import tiny" in solution.module_source

    def test_the_model_is_told_the_names_to_import(self, solved):
        _, model = solved
        prompts = {r.purpose: "\n".join(message.content for message in r.messages) for r in model.asked}
        assert "Allowed here: tiny." in "\n".join(m.content for m in model.asked[0].messages)
        assert "and tiny" in prompts["implement"]


class TestWhatIsOpened:
    """From `--allow-loopback` and `--allow-run` to green: the code may import what it needs, the sandbox lets it."""

    def test_a_server_on_the_loopback(self, solver, write, tmp_path):
        """A case's setup starts it, and the function is told its address."""
        setup = (
            "import threading\nfrom http.server import BaseHTTPRequestHandler, HTTPServer\n"
            "class Rates(BaseHTTPRequestHandler):\n"
            "    def do_GET(self):\n        self.send_response(200)\n        self.end_headers()\n"
            "        self.wfile.write(b'1.25')\n"
            "    def log_message(self, *told):\n        pass\n"
            "server = HTTPServer(('127.0.0.1', 0), Rates)\n"
            "threading.Thread(target=server.serve_forever, daemon=True).start()\n"
            "url = f'http://127.0.0.1:{server.server_address[1]}/'"
        )
        code = (
            "import urllib.request\n\ndef rate(url: str) -> float:\n"
            "    with urllib.request.urlopen(url) as answer:\n        return float(answer.read())"
        )
        cases = [write.returns("rate(url)", "1.25", setup=setup)]
        function = write.function("rate(url: str) -> float", cases=cases, tries=[code])
        settings = Settings(cache_dir=str(tmp_path / "cache"), trust="quick", sandbox="local", allow_loopback=True)
        with Generator(settings, model=solver.model(function)) as generator:
            solution = generator.solve("Write what is needed.")
        assert solution.all_tests_passed

    def test_a_program(self, solver, write, tmp_path):
        """By its name, as people write it."""
        code = (
            "import subprocess\n\ndef ordered(text: str) -> str:\n"
            "    return subprocess.run(['sort'], input=text, capture_output=True, text=True, check=True).stdout"
        )
        cases = [write.returns("ordered('b\\na\\n')", "'a\\nb\\n'")]
        function = write.function("ordered(text: str) -> str", cases=cases, tries=[code])
        settings = Settings(cache_dir=str(tmp_path / "cache"), trust="quick", sandbox="local", allow_run=("sort",))
        with Generator(settings, model=solver.model(function)) as generator:
            solution = generator.solve("Write what is needed.")
        assert solution.all_tests_passed


def test_a_project_is_mounted_for_candidates_and_for_the_oracle(tmp_path: Path) -> None:
    """Both see it, and code is written for the Python of its environment."""
    tmp_path.chmod(0o755)  # as root, another user reads it inside
    (tmp_path / "shop.py").write_text("VALUE = 3\n")
    mounted = Mounted(root=str(tmp_path), imports=(str(tmp_path),), python=sys.executable)
    runtime = Runtime(Settings(sandbox="local"), mounted=mounted)
    try:
        assert runtime.python == f"{sys.version_info.major}.{sys.version_info.minor}"
        job = Job(module="m", source="import shop\n", probes=(Probe(name="p", call="shop.VALUE"),))
        assert [box.run(job).observations[0].value for box in (runtime.sandbox, runtime.oracle)] == [3, 3]
    finally:
        runtime.close()


def test_another_language_is_never_run_without_a_sandbox() -> None:
    """What its programs may do is the sandbox's to say, and there is none."""
    runtime = Runtime(Settings(sandbox="unsafe"))
    with pytest.raises(InputError, match="code in C runs in the local sandbox alone: leave --sandbox unsafe out"):
        runtime.sandbox_of(SimpleNamespace(name="C", programs=("gcc",)))  # type: ignore[arg-type]
