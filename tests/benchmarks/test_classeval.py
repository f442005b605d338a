"""Classes in ClassEval's shape: told by their skeleton, judged by their own tests, played again from what is kept."""

import gzip
import json

import bench_classes
import pytest
from bench_classes import main
from classeval.live import play, solve, solve_simulated, with_repairs_between
from classeval.problems import drawn, left_out, read_classes
from classeval.simulated import KnownClass, SimulatedClasses
from classeval.steps import known_steps
from simulated.faults import RATES

from tdgen.errors import InputError
from tdgen.models.scripted import Script, ScriptedAnswer
from tdgen.settings import Settings
from tdgen.types import Limits

SKELETON = '''import math


class Jar:
    """
    A jar of so many coins.
    """

    def __init__(self, coins):
        self.coins = coins

    def add(self, coins):
        """
        Put coins in.
        :return: how many there are now
        """

    def half(self):
        """
        :return: half of them, rounded down
        """
'''
CODE = '''class Jar:
    """A jar of coins."""

    def __init__(self, coins: int) -> None:
        self.coins = coins

    def add(self, coins: int) -> int:
        """Put coins in."""
        self.coins += coins
        return self.coins

    def half(self) -> int:
        """Half of them."""
        return self.coins // 2
'''
ONCE = CODE.replace("self.coins // 2", "self.coins - 1")
TEST = """import unittest

class JarTestAdd(unittest.TestCase):
    def test_add_1(self):
        self.assertEqual(Jar(2).add(3), 5)

class JarTestHalf(unittest.TestCase):
    def test_half_1(self):
        self.assertEqual(Jar(5).half(), math.floor(2.5))

    def test_half_2(self):
        self.assertEqual(Jar(2).half(), 1)

class JarTest(unittest.TestCase):
    def test_jar(self):
        jar = Jar(2)
        self.assertEqual((jar.add(3), jar.half()), (5, 2))
"""


def row(number, **changes):
    return {
        "task_id": f"Made_{number}",
        "class_name": "Jar",
        "skeleton": SKELETON,
        "test": TEST,
        "solution_code": CODE,
        "import_statement": ["import math"],
        "methods_info": [
            {"method_name": "add", "test_class": "JarTestAdd"},
            {"method_name": "half", "test_class": "JarTestHalf"},
        ],
    } | changes


@pytest.fixture
def data(tmp_path):
    """A data set of one class."""

    def write(*rows):
        path = tmp_path / "ClassEval_half.json.gz"
        path.write_bytes(gzip.compress(json.dumps(rows or [row(1)]).encode()))
        return path

    return write


@pytest.fixture
def model(solver, write):
    """A model that solves the class, and gives a wrong one where it is asked once."""
    cases = [
        write.returns("jar.coins", "2", name="starts", setup="jar = Jar(2)"),
        write.returns("jar.half()", "2", name="half_of_five", setup="jar = Jar(1)\njar.add(2)\njar.add(2)"),
        write.returns("jar.add(1)", "6", name="adds_again", setup="jar = Jar(0)\njar.add(2)\njar.add(3)"),
        write.returns("Jar(7).half()", "3", name="half_of_seven"),
    ]
    jar = write.klass(CODE, cases=cases)
    code = ScriptedAnswer(purpose="implement", subject="Jar", text=f"```python\n{CODE}```")
    solving = solver.model(jar)

    class Both:
        name = "made"

        def ask(self, request):
            if request.purpose != "implement":
                return solving.ask(request)
            text = ONCE if "Answer with the code of the whole module" in request.messages[-1].content else CODE
            answer = type(solving)(type(solving._script)(answers=(code,))).ask(request)
            return answer.model_copy(update={"text": f"```python\n{text}```"})

        def close(self):
            pass

    return Both()


def test_a_class_is_told_by_its_skeleton_alone(data):
    """Nothing of its tests or its solution stands in the instruction."""
    (one,) = read_classes(data())
    assert SKELETON.strip() in one.problem.instruction
    assert "unittest" not in one.problem.instruction
    assert "// 2" not in one.problem.instruction


def test_a_method_is_right_where_all_tests_of_its_own_pass(data):
    """A test of another method, or of the class as a whole, says nothing of it."""
    (one,) = read_classes(data())
    outcomes = {
        "hidden_test.py::JarTestAdd::test_add_1": "passed",
        "hidden_test.py::JarTestHalf::test_half_1": "passed",
        "hidden_test.py::JarTestHalf::test_half_2": "failed",
        "hidden_test.py::JarTest::test_jar": "failed",
    }
    assert one.methods_right(outcomes) == ["add"]


def test_classes_that_cannot_be_judged_here_are_left_out_with_the_reason(data, shared_sandboxes):
    """A package that is not there, or a test that the data set's own solution fails."""
    needing = row(2, import_statement=["import no_such_package"])
    failing = row(3, solution_code=ONCE)
    found = left_out(read_classes(data(row(1), needing, failing)), shared_sandboxes[0])
    assert found == {
        "Made_2": "ModuleNotFoundError: No module named 'no_such_package'",
        "Made_3": "its own solution fails test_half_1, test_jar",
    }


def test_more_classes_begin_with_the_same_ones(data):
    """The seed gives one order, and who is left out disturbs it for nobody."""
    classes = read_classes(data(*(row(number) for number in range(12))))
    six = drawn(classes, 6)
    assert drawn(classes, 4) == six[:4]
    assert drawn([one for one in classes if one != six[0]], 5) == six[1:]


@pytest.mark.timeout(120)
def test_a_live_run_is_kept_and_played_again_without_a_model(data, model, tmp_path, warm, shared_sandboxes):
    """The same figures, the methods by their own tests, and beside it the model asked once."""
    classes, kept = read_classes(data()), tmp_path / "kept" / "first"
    solve(classes, tmp_path / "logs", kept, Settings(trust="quick", search_seconds=0), model)
    (one,), differences = play(classes, kept, shared_sandboxes[0], Settings(search_seconds=0))
    assert differences == ()
    assert (one.record.outcome, one.record.last.right) == ("green", True)
    assert one.methods == ("add", "half")
    assert one.once_methods == ("add",)
    assert not one.record.beside.once.judged.right
    with pytest.raises(InputError, match="is there: name another folder"):
        solve(classes, tmp_path / "logs", kept, Settings(), model)


def test_a_repair_is_played_whatever_its_number_is():
    """A search that finds an edit in time, or none, moves the numbers of the repairs after it."""
    repairs = [ScriptedAnswer(purpose="repair", subject="Jar", attempt=n, text=str(n)) for n in (2, 4)]
    filled = with_repairs_between(Script(answers=tuple(repairs)))
    assert {answer.attempt: answer.text for answer in filled.answers} == {
        2: "2",
        3: "4",
        4: "4",
        5: "4",
        6: "4",
        7: "4",
    }


@pytest.fixture
def costs(monkeypatch):
    """The costs are told in tests of their own; what is found here is that they were asked for."""
    asked = []
    monkeypatch.setattr(bench_classes, "costs", lambda *sandboxes: asked.append(len(set(sandboxes))))
    return asked


@pytest.mark.timeout(120)
def test_the_tables_stand_beside_each_other(data, model, tmp_path, warm, costs, capsys):
    """Classes, methods, false greens and costs of tdgen and of asking once."""
    path, answers = data(), tmp_path / "kept"
    solve(read_classes(path), tmp_path / "logs", answers / "first", Settings(trust="quick"), model)
    with pytest.raises(SystemExit) as ended:
        main(["--data", str(path), "--answers", str(answers), "--no-simulated"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert "first, played again" in told
    assert "| tdgen      |       1 | 100.0% (20.7–100.0) |" in told
    assert "| Made_1 Jar |       2 | green |   yes |        2 of 2 |         no |       1 of 2 |" in told


def test_without_the_data_set_it_is_left_out_and_a_live_run_refused(monkeypatch, capsys, tmp_path, costs):
    """One line either way."""
    monkeypatch.delenv("BENCHMARK_DATA", raising=False)
    main([])
    assert "ClassEval is left out: no data set is given" in capsys.readouterr().out
    assert costs == [2]
    with pytest.raises(SystemExit, match="no data set is given"):
        main(["--live", "1"])


def test_a_live_run_without_an_endpoint_is_refused(data, tmp_path, warm):
    """Before anything is solved."""
    with pytest.raises(SystemExit, match="set OPENAI_BASE_URL"):
        main(["--data", str(data()), "--live", "1", "--answers", str(tmp_path)])


def test_data_of_another_shape_is_refused(data, tmp_path):
    """In one line."""
    path = tmp_path / "ClassEval_half.json.gz"
    path.write_bytes(gzip.compress(b'[{"task_id": 1}]'))
    with pytest.raises(InputError, match="can't be read as ClassEval's classes"):
        read_classes(path)


class TestTheSimulatedModel:
    """It knows each class's own solution and every second of its tests."""

    def test_every_second_test_is_a_case_of_its_author(self, shared_sandboxes):
        """The statements before the last assertion are the setup, and what the solution gives is expected."""
        steps = known_steps(TEST, "import math", CODE, shared_sandboxes[0])
        assert [(step.setup, step.call, step.value) for step in steps] == [
            ("", "Jar(2).add(3)", "5"),
            ("", "Jar(2).half()", "1"),
        ]

    def test_what_another_run_gives_otherwise_is_no_case(self, shared_sandboxes):
        """Random numbers tell nothing, nor does what is no literal."""
        drawing = CODE.replace("self.coins // 2", "random.random()").replace(
            "class Jar", "import random\n\n\nclass Jar"
        )
        steps = known_steps(TEST, "import math", drawing, shared_sandboxes[0])
        assert [step.call for step in steps] == ["Jar(2).add(3)"]

    @pytest.mark.parametrize("kind", RATES)
    def test_each_fault_is_one_that_the_tests_of_the_class_show(self, data, bench, kind, monkeypatch):
        """Of every kind there is a way to put it into the class; the same key draws the same one."""
        monkeypatch.setattr("classeval.simulated._HURRIED", Limits(wall_s=6.0, cpu_s=0.5))  # of what never ends
        known = KnownClass(read_classes(data())[0], bench)
        model = SimulatedClasses([known], bench)
        faulty = model._with_fault(known, kind, ("Jar", 0))
        assert faulty != known.right
        assert not model._passes(known, faulty)
        assert faulty == model._with_fault(known, kind, ("Jar", 0))

    def test_its_contract_holds_what_is_public(self, data, bench):
        """The class's words are left to the instruction."""
        known = KnownClass(read_classes(data())[0], bench)
        assert [method.signature for method in known.spec.interface.methods] == [
            "def __init__(self, coins: int) -> None",
            "def add(self, coins: int) -> int",
            "def half(self) -> int",
        ]
        assert [attribute.name for attribute in known.spec.interface.attributes] == ["coins"]

    @pytest.mark.timeout(180)
    def test_a_class_whose_first_answer_is_wrong_is_repaired(self, data, bench, tmp_path, warm, monkeypatch):
        """And the same model, asked once for the whole class, gives that wrong answer."""
        monkeypatch.setattr("classeval.simulated.drawn", lambda rates, *key: "algorithm" if key[2] == 0 else "")
        monkeypatch.setattr("classeval.simulated.draw", lambda *key: 0.0)
        classes = read_classes(data())
        model = SimulatedClasses([KnownClass(classes[0], bench)], bench)
        settings = Settings(trust="quick", search_seconds=0)
        (one,) = solve_simulated(classes, model, tmp_path, bench.sandbox, settings)
        assert (one.record.outcome, one.record.repairs) == ("green", 1)
        assert one.methods == ("add", "half")
        assert len(one.once_methods) == 1
