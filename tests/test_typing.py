"""A type checker knows every option of the library: a misspelt one is an error, every form of a right one is none."""

from pathlib import Path
from textwrap import dedent

import pytest

from tdgen.settings import Settings
from tdgen.settings.model import SettingsOptions

api = pytest.importorskip("mypy.api", reason="mypy checks the types; pip install -e '.[dev]' brings it")
PROJECT = Path(__file__).parents[1]
USE = """
    import tdgen

    tdgen.Settings(budget="calls=3", allow="numpy", api_key="secret", cache_dir="there")
    tdgen.Settings(budget=tdgen.Budget(calls=3), allow=("numpy",))
    tdgen.solve("double(n)", model="gpt-5", trust="quick", budget="calls=3")
    tdgen.Settings(trsut="quick")
    tdgen.solve("double(n)", trsut="quick")
    tdgen.solve("double(n)", trust="blind")
    tdgen.implement(trsut="quick")
    tdgen.implement(len)("a", "b")
"""
SCRIPT = '''
    import sys
    from collections.abc import Sequence
    from contextlib import aclosing

    import tdgen


    class Cheap:
        name = "cheap"

        def ask(self, request: tdgen.Request) -> tdgen.Answer:
            return tdgen.Answer(text=f"{request.purpose} of {request.subject}", usage=tdgen.Usage(calls=1))


    def follow(event: tdgen.Event) -> None:
        if isinstance(event, tdgen.events.FunctionEnded):
            print(event.function, event.outcome)


    def answer(question: tdgen.Asked) -> str:
        return "" if question.assumption else "1"


    def failing(result: tdgen.FunctionResult) -> Sequence[str]:
        return [verdict.case for verdict in result.verdicts if not verdict.passed]


    def names(cases: Sequence[tdgen.Case]) -> list[str]:
        return [case.name for case in cases]


    @tdgen.implement
    def slugify(text: str) -> str:
        """Lower case, words joined by single hyphens."""
        raise NotImplementedError


    @tdgen.implement(solve=True, trust="strict", model="gpt-5", on_event=follow)
    async def shout(text: str, times: int = 1) -> str:
        """`text` in capitals, so many times."""
        raise NotImplementedError


    async def loud(text: str) -> str:
        return slugify(text) + await shout(text, times=2)


    def main(text: str) -> int:
        model: tdgen.Model = Cheap()
        settings = tdgen.Settings(trust="quick", budget=tdgen.Budget(calls=20))
        try:
            with tdgen.Generator(settings, model=model, on_event=follow, on_question=answer) as generator:
                solution: tdgen.Solution = generator.solve(text, tdgen.Handed(module="kit"))
        except tdgen.InputError as error:
            print(error)
            return error.exit_code
        for name in solution:
            result = solution[name]
            strength: tdgen.Strength | None = result.strength
            print(name.upper(), result.source, names(result.cases), failing(result), strength and strength.score)
        return 0 if solution.all_tests_passed and "main" not in solution else 1


    async def follow_all(text: str) -> tdgen.Solution | None:
        async with tdgen.AsyncClient(on_event=follow) as client:
            async with aclosing(client.events(text, trust="quick")) as events:
                async for event in events:
                    if isinstance(event, tdgen.Solution):
                        return event
                    follow(event)
        return await tdgen.asolve(text, trust="quick")


    sys.exit(main("double(n): twice n"))
'''


def test_the_options_are_the_settings():
    """A setting that is added is an option, too."""
    assert SettingsOptions.__annotations__.keys() == Settings.model_fields.keys()


@pytest.mark.timeout(400)  # mypy reads all of tdgen where it has no cache
def test_what_a_type_checker_says(tmp_path: Path):
    """Nothing of a user's script nor of the first lines, and one error in each of the last five."""
    path, script = tmp_path / "use.py", tmp_path / "script.py"
    path.write_text(dedent(USE).lstrip())
    script.write_text(dedent(SCRIPT).lstrip())
    out, err, _ = api.run(["--config-file", str(PROJECT / "pyproject.toml"), str(path), str(script)])
    assert not err
    wrong = [line for line in out.splitlines() if ": error:" in line]
    assert [line.rpartition("use.py:")[2].partition(":")[0] for line in wrong] == ["6", "7", "8", "9", "10"], out
    assert [line.rpartition("[")[2] for line in wrong] == [
        "call-arg]",
        "call-arg]",
        "arg-type]",
        "call-overload]",
        "call-arg]",
    ]
