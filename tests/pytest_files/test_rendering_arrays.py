"""How expected arrays and tables are rendered: by golden files, and by what passes where numpy and pandas are."""

from __future__ import annotations

import pytest

from tdgen.pytest_files import node_ids
from tdgen.types import After, Returns, Tolerance, Value


def value(source, **options):
    return Value(source=source, **options)


def given(name, *arguments, **fields):
    return {"name": name, "arguments": arguments, **fields}


SCENARIOS = {
    "arrays": {
        "name": "scaled",
        "module": "signals",
        "purpose": "Values between 0 and 1, in proportion.",
        "parameters": {"values": "np.ndarray"},
        "returns": "np.ndarray",
        "packages": ("numpy",),
        "cases": [
            given("thirds", "np.array([0, 1, 3])", expectation=value("np.array([0.0, 1 / 3, 1.0])")),
            given("halves", "np.array([0.5, 1.0, 1.5])", expectation=value("np.array([0.0, 0.5, 1.0])")),
            given("rows", "np.array([[2, 4], [6, 8.0]])", expectation=value("np.array([[0.0, 0.333], [0.667, 1.0]])")),
            given("long_name", "numpy.array([1, 2])", expectation=value("numpy.array([0.0, 1.0])")),
            given("empty", "np.array([])", expectation=value("np.array([])"), kind="edge"),
        ],
        "source": """
import numpy as np


def scaled(values):
    if not values.size:
        return values
    return (values - values.min()) / (values.max() - values.min())
""",
    },
    "counts_of_arrays": {
        "name": "above",
        "module": "signals",
        "parameters": {"values": "np.ndarray", "limit": "float"},
        "returns": "np.ndarray",
        "packages": ("numpy",),
        "cases": [
            given("some", "np.array([0.5, 2.0, 3.0])", "1", expectation=value("np.array([1, 2])")),
            given("all", "np.arange(3.0)", "-1", expectation=value("np.arange(3)")),
            given("none", "np.arange(3.0)", "5", expectation=value("np.array([], dtype=np.int64)"), kind="edge"),
        ],
        "source": "import numpy as np\n\n\ndef above(values, limit):\n    return np.flatnonzero(values > limit)\n",
    },
    "tables": {
        "name": "totals",
        "module": "sales",
        "purpose": "The sum of each shop's sales.",
        "parameters": {"sales": "pd.DataFrame"},
        "returns": "pd.DataFrame",
        "packages": ("pandas",),
        "cases": [
            given(
                "two_shops",
                "pd.DataFrame({'shop': ['a', 'b', 'a'], 'sum': [1, 2, 3]})",
                expectation=value("pd.DataFrame({'shop': ['a', 'b'], 'sum': [4, 2]})"),
            ),
            given(
                "cents",
                "pd.DataFrame({'shop': ['a', 'a'], 'sum': [0.1, 0.2]})",
                expectation=value("pd.DataFrame({'shop': ['a'], 'sum': [0.3]})"),
            ),
            given(
                "rough",
                "pd.DataFrame({'shop': ['a', 'a', 'a'], 'sum': [1.0, 1.0, 1 / 3]})",
                expectation=value("pd.DataFrame({'shop': ['a'], 'sum': [2.33]})", tolerance=Tolerance(abs=0.01)),
            ),
        ],
        "source": """
import pandas as pd


def totals(sales):
    return sales.groupby("shop", as_index=False)["sum"].sum()
""",
    },
    "series_by_day": {
        "name": "by_day",
        "module": "sales",
        "parameters": {"sums": "list[float]", "start": "str"},
        "returns": "pd.Series",
        "packages": ("pandas",),
        "cases": [
            given(
                "two_days",
                "[1.0, 2.5]",
                "'2024-01-01'",
                expectation=value(
                    "pd.Series([1.0, 2.5], index=pd.to_datetime(['2024-01-01', '2024-01-02']), name='sum')"
                ),
            ),
            given(
                "first_day",
                setup="sums = pd.Series([1.0, 2.5])",
                call="by_day(sums.tolist(), '2024-01-01').index[0]",
                expectation=value("pd.Timestamp('2024-01-01')"),
            ),
        ],
        "source": """
import pandas as pd


def by_day(sums, start):
    return pd.Series(sums, index=pd.date_range(start, periods=len(sums)), name="sum")
""",
    },
    "arrays_inside": {
        "name": "split",
        "module": "signals",
        "parameters": {"values": "np.ndarray"},
        "returns": Returns(type="dict[str, np.ndarray | float]"),
        "packages": ("numpy",),
        "cases": [
            given(
                "signs",
                "np.array([-1.5, 2.0, 0.0])",
                expectation=value(
                    "{'low': np.array([-1.5]), 'high': np.array([2.0]), 'mean': np.float64(0.16666666666666666)}"
                ),
            ),
            given(
                "texts",
                call="np.array(sorted(split(np.array([1.0]))))",
                expectation=value("np.array(['high', 'low', 'mean'])"),
            ),
        ],
        "source": """
def split(values):
    return {"low": values[values < 0], "high": values[values > 0], "mean": values.mean()}
""",
    },
    "arrays_in_place": {
        "name": "clip",
        "module": "signals",
        "parameters": {"values": "np.ndarray", "limit": "int"},
        "returns": "None",
        "packages": ("numpy",),
        "cases": [
            given(
                "clipped",
                setup="values = np.array([1, 5, 9])",
                call="clip(values, 5)",
                expectation=value("None"),
                after=(After(expression="values", source="np.array([1, 5, 5])"),),
            ),
        ],
        "source": "def clip(values, limit):\n    values[values > limit] = limit\n",
    },
}


@pytest.fixture
def outcomes(array_sandbox):
    """Each case's outcome in the rendered file beside an implementation, by default the right one."""

    def run(made, source=None):
        report = array_sandbox.run_files(made.job(source))
        ids = node_ids(made.suite, made.spec, made.plan)
        assert set(report.outcomes) == set(ids.values()), report.log
        assert "warning" not in report.log
        return {case: report.outcomes[node] for case, node in ids.items()}

    return run


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_form_is_held(name, scenario, golden):
    """A file reads as its golden file does."""
    golden(name, scenario(**SCENARIOS[name]).rendered)


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_right_implementation_passes(name, scenario, outcomes):
    """All of a file's tests pass on a right implementation, apart from roundings that the case doesn't allow."""
    failed = [case for case, outcome in outcomes(scenario(**SCENARIOS[name])).items() if outcome != "passed"]
    assert failed == (["rows"] if name == "arrays" else [])


@pytest.mark.parametrize(
    ("name", "source", "failed"),
    [
        ("arrays", "def scaled(values): return [0.0, 0.5, 0.9]", {"thirds", "halves", "rows", "long_name", "empty"}),
        (
            "arrays",
            "import numpy as np\ndef scaled(values): return np.array([0, 1 / 3, 1], dtype='f4')",
            {"thirds", "halves", "rows", "long_name", "empty"},
        ),
        ("counts_of_arrays", "import numpy as np\ndef above(values, limit): return np.array([1.0, 2.0])", None),
        ("tables", "def totals(sales): return sales.groupby('shop')[['sum']].sum()", None),
        (
            "tables",
            "def totals(sales): return sales.groupby('shop', as_index=False)['sum'].sum()[['sum', 'shop']]",
            None,
        ),
        ("arrays_in_place", "def clip(values, limit): return None", None),
        ("arrays_inside", "def split(values): return {'low': values, 'high': values, 'mean': 0.0}", {"signs"}),
    ],
)
def test_a_wrong_one_fails(name, source, failed, scenario, outcomes):
    """A list for an array, another dtype, an index for a column, another order of columns; None: all cases."""
    seen = outcomes(scenario(**SCENARIOS[name]), source)
    assert {case for case, outcome in seen.items() if outcome == "failed"} == (set(seen) if failed is None else failed)


@pytest.mark.parametrize("packages", [(), ("pandas",)])
def test_a_package_that_is_not_allowed_is_refused(packages, scenario):
    """Numpy is where pandas is, and pandas nowhere else."""
    told = {**SCENARIOS["tables" if not packages else "arrays"], "packages": packages}
    if packages:
        assert "import numpy as np" in scenario(**told).rendered
    else:
        with pytest.raises(ValueError, match="nobody knows the name pd"):
            _ = scenario(**told).rendered
