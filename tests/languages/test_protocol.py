"""Back ends have all that the protocol asks for, each by itself: what is asked of one is asked of all."""

from __future__ import annotations

from contextlib import closing, nullcontext
from importlib.metadata import entry_points
from inspect import getattr_static

import pytest

from tdgen.errors import InputError, ReplyError
from tdgen.extensions import LANGUAGES
from tdgen.language import CAPABILITIES, Language, Surroundings
from tdgen.languages.fullstack import FullStack
from tdgen.languages.fullstack.planning import PAGE, SERVICE
from tdgen.languages.javascript import JavaScript
from tdgen.runtime import Runtime
from tdgen.settings import Settings
from tdgen.types import FunctionSpec, Parameter, Plan, Returns


def spec(name: str) -> FunctionSpec:
    """A function from an int to an int."""
    given = (Parameter(name="n", type="int"),)
    return FunctionSpec(name=name, purpose="About it.", parameters=given, returns=Returns(type="int"))


MISSING = object()
PLAN = Plan(module="kit", functions=(spec("halve"), spec("twice")))


@pytest.fixture(params=sorted({point.name for point in entry_points(group=LANGUAGES)}))
def language(request, tmp_path) -> Language:
    """Each back end that is installed, made for a cache of its own."""
    (point,) = entry_points(group=LANGUAGES, name=request.param)
    return point.load()(Surroundings(folder=tmp_path, python="3.12"))


def test_nothing_is_missing(language):
    """Nor left abstract: it can be made, and has each member. None is asked for: C++ would have its headers read."""
    members = {*Language.__annotations__, *(one for one in vars(Language) if not one.startswith("_"))}
    assert [one for one in sorted(members) if getattr_static(language, one, MISSING) is MISSING] == []
    assert language.capabilities <= CAPABILITIES


@pytest.fixture
def plain(language) -> Language:
    """Each of those that write plans in one language."""
    if language.reply is not None:
        pytest.skip("its plans have units in several languages")
    return language


def test_what_stands_for_code_is_a_python_module(plain):
    """Of what is unwritten, of sources whichever of them is told of by lines, and of a whole file."""
    stubs = {one.name: plain.stub(one) for one in PLAN.functions}
    modules = [
        plain.unwritten(PLAN, ""),
        plain.module(PLAN, stubs, ""),
        plain.module(PLAN, stubs, "", "halve"),
        plain.module_of(PLAN, plain.finished(PLAN, dict.fromkeys(stubs, "")), ""),
        *plain.modules(PLAN, {"twice": stubs["twice"]}, "halve", [stubs["halve"]], ""),
    ]
    for module in modules:
        compile(module, "kit", "exec")
    assert "class _Unwritten(BaseException)" in modules[0]


def test_prose_alone_is_no_code(language):
    """Neither of one function nor of all, so that its author is told."""
    with pytest.raises(ReplyError):
        language.read("I would rather not.", PLAN.functions[0], PLAN)
    with pytest.raises(ReplyError):
        language.read_module("I would rather not.", PLAN)


def test_developers_are_told_in_which_form_to_answer(language):
    """A first attempt, a repair, and who writes all at once."""
    rules = [language.rules(PLAN.functions[0], PLAN, is_repair=is_repair) for is_repair in (False, True)]
    assert all("fenced" in told for told in (*rules, language.module_rules(PLAN)[0]))


def test_a_plan_in_plain_numbers_can_be_written_in_each(plain):
    """And its code goes into one file, which has a name unless that is the module's."""
    assert plain.problems(PLAN) == []
    assert plain.file(PLAN).partition(".")[0] in ("", "kit")


@pytest.mark.parametrize(
    ("allowed", "said"),
    [
        ({"attrs", "socket"}, "--allow attrs: code in .* imports no packages"),
        ({"http.client", "socket"}, "what --allow-loopback or --allow-run opens: code in .* has no network"),
    ],
)
def test_packages_are_allowed_where_code_can_import_them(language, allowed, said):
    """Else one line says so, before any is fetched, by the options that were given."""
    imports = language.name in ("Python", "Python and JavaScript")
    with nullcontext() if imports else pytest.raises(InputError, match=f"^{said}"):
        type(language)(Surroundings(allowed=frozenset(allowed)))


def test_a_package_of_pages_is_no_service_s():
    """Of those that are asked for most it is said at once, and not that no wheel of them is there."""
    with pytest.raises(InputError, match=r"^--allow react: a page's code imports no packages"):
        FullStack(Surroundings(allowed=frozenset({"fastapi", "react"})))


def test_prompts_name_the_language_of_a_unit(language):
    """Of a plan with two sides that of its own."""
    units = (FunctionSpec(name="f", purpose="", returns=Returns(type="int"), language=side) for side in (SERVICE, PAGE))
    names = [language.name_of(unit) for unit in units]
    assert names == (["Python", "JavaScript"] if language.name == "Python and JavaScript" else [language.name] * 2)


def test_what_runs_code_is_told_with_its_version(language):
    """It is part of keys, so that what another compiler judged is judged anew."""
    versions = [text.rpartition(" ")[2][0] for text in language.judged_by]
    assert all(map(str.isdigit, versions)), language.judged_by
    assert (language.name == "Python") == (versions == [])


def test_another_compiler_has_other_keys(monkeypatch):
    """A solution is kept under who judged it; Python's key has Python alone."""
    monkeypatch.setattr(JavaScript, "judged_by", ("node 22.18",))
    with closing(Runtime(Settings(language="javascript", python="3.12"))) as runtime:
        assert runtime.judged_by == "3.12, node 22.18"
    with closing(Runtime(Settings(python="3.12"))) as runtime:
        assert runtime.judged_by == "3.12"
