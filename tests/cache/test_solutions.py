"""Only green is kept, and what comes back is what was put, marked as cached."""

import json

import pytest

from tdgen.cache import DiskStore, Functions, Solutions, match_key
from tdgen.errors import InputError, StoreError
from tdgen.types import ClassInterface, FunctionSpec, KeptClass, Returns, digest

GREEN_KEY = digest("any")


@pytest.fixture
def memory(store: DiskStore) -> DiskStore:
    """A store with nothing in it."""
    return store


@pytest.fixture
def solutions(memory: DiskStore) -> Solutions:
    """Solutions in a store of their own."""
    return Solutions(memory)


class TestSolutions:
    """Kept by the instruction's key."""

    def test_a_solution_comes_back_marked_cached(self, store: DiskStore, make_solution):
        """Through a real store, and otherwise equal."""
        solution = make_solution()
        Solutions(store).put(solution)
        assert Solutions(store).get(solution.key) == solution.model_copy(update={"cached": True})
        assert not solution.cached

    def test_an_unknown_key_is_none(self, solutions: Solutions):
        """Nothing kept is no error."""
        assert solutions.get(GREEN_KEY) is None

    @pytest.mark.parametrize("outcome", ["red", "blocked", "undecided"])
    def test_what_is_not_green_is_refused(self, solutions: Solutions, make_solution, outcome: str):
        """And nothing of it is kept."""
        solution = make_solution(outcome=outcome)
        with pytest.raises(ValueError, match="all green"):
            solutions.put(solution)
        assert solutions.get(solution.key) is None
        assert solutions.rows() == []

    @pytest.mark.parametrize(
        "damage",
        [
            lambda content: content.pop("module_source"),
            lambda content: content.update(of_tomorrow=1),
            lambda content: content.update(key=digest("another")),
            lambda content: content["results"][0].update(outcome="red"),
        ],
        ids=["older", "newer", "another's", "red"],
    )
    def test_another_shape_counts_as_absent(self, memory: DiskStore, make_solution, damage):
        """What another version kept, or what is not this key's green solution, is never handed out."""
        solution = make_solution()
        Solutions(memory).put(solution)
        content = json.loads(memory.get(f"solution/{solution.key}"))
        damage(content)
        memory.put(f"solution/{solution.key}", json.dumps(content))
        assert Solutions(memory).get(solution.key) is None

    def test_no_json_counts_as_absent(self, memory: DiskStore):
        """Neither is what is no JSON at all."""
        memory.put(f"solution/{GREEN_KEY}", "{")
        assert Solutions(memory).get(GREEN_KEY) is None

    def test_a_lone_surrogate_is_a_store_error(self, solutions: Solutions, make_solution):
        """Text that is no Unicode can't be kept, which must not look like a crash."""
        with pytest.raises(StoreError, match="no valid Unicode"):
            solutions.put(make_solution("Double \ud800.", key=GREEN_KEY))

    def test_a_deleted_solution_is_gone(self, solutions: Solutions, make_solution):
        """From the listing too."""
        solution = make_solution()
        solutions.put(solution)
        assert solutions.delete(solution.key) is True
        assert solutions.delete(solution.key) is False
        assert solutions.get(solution.key) is None
        assert solutions.rows() == []


class TestRows:
    """A listing in a few words each."""

    def test_a_row_says_what_a_listing_shows(self, solutions: Solutions, make_solution):
        """The first line of the instruction, and figures."""
        solution = make_solution("\n  Double a number.\nThen rest.\n")
        solutions.put(solution)
        (row,) = solutions.rows()
        assert (row.key, row.instruction, row.functions) == (solution.key, "Double a number.", 1)
        assert (row.trust, row.model) == ("quick", "m")
        assert row.size > 1000

    def test_the_newest_comes_first(self, solutions: Solutions, make_solution):
        """By when they were kept."""
        for instruction in ("first", "second", "third"):
            solutions.put(make_solution(instruction))
        assert [row.instruction for row in solutions.rows()] == ["third", "second", "first"]

    def test_a_listing_reads_no_solution(self, memory: DiskStore, make_solution, monkeypatch: pytest.MonkeyPatch):
        """However large they are."""
        Solutions(memory).put(make_solution())
        read = []
        get = memory.get
        monkeypatch.setattr(memory, "get", lambda key: read.append(key) or get(key))
        assert len(Solutions(memory).rows()) == 1
        assert [key.partition("/")[0] for key in read] == ["row"]

    @pytest.mark.parametrize("row", [None, "{}"])
    def test_a_missing_row_is_made_again(self, memory: DiskStore, make_solution, row: str | None):
        """A solution whose keeping was cut off before its row was written is listed all the same."""
        solution = make_solution()
        Solutions(memory).put(solution)
        memory.delete(f"row/{solution.key}")
        if row is not None:
            memory.put(f"row/{solution.key}", row)
        assert [row.key for row in Solutions(memory).rows()] == [solution.key]
        assert memory.get(f"row/{solution.key}") not in (None, row)

    def test_a_solution_that_is_unreadable_is_not_listed(self, memory: DiskStore):
        """It counts as absent here too."""
        memory.put(f"solution/{GREEN_KEY}", "{")
        assert Solutions(memory).rows() == []


class TestResolve:
    """A few digits name a solution."""

    @pytest.fixture
    def kept(self, solutions: Solutions, make_solution) -> Solutions:
        """Three solutions, two of whose keys begin alike."""
        for digits in ("abcd1", "abcd2", "ffff0"):
            solutions.put(make_solution(key="sha256:" + digits.ljust(64, "0")))
        return solutions

    @pytest.mark.parametrize("prefix", ["ffff", "sha256:ffff", "FFFF0", " ffff\n", "ffff0".ljust(64, "0")])
    def test_a_unique_prefix(self, kept: Solutions, prefix: str):
        """With or without the tag, in either case."""
        assert match_key(prefix, kept.keys()) == "sha256:" + "ffff0".ljust(64, "0")

    def test_an_ambiguous_prefix(self, kept: Solutions):
        """The candidates are shown."""
        with pytest.raises(InputError, match=r"2 kept .* abcd \(abcd1000, abcd2000…\): give more digits"):
            match_key("abcd", kept.keys())

    def test_an_unknown_prefix(self, kept: Solutions):
        """The way to the list is shown."""
        with pytest.raises(InputError, match="starts with eeee: `tdgen cache list`"):
            match_key("eeee", kept.keys())

    @pytest.mark.parametrize("prefix", ["", "abc", "sha256:", "sha256:abc", "xyzw", "abcd%", "../abcd", "a" * 65])
    def test_what_is_no_prefix(self, kept: Solutions, prefix: str):
        """At least 4 hex digits, and nothing else."""
        with pytest.raises(InputError, match="4 hex digits or more"):
            match_key(prefix, kept.keys())


class TestFunctions:
    """Kept by the digest of spec and dependencies."""

    def test_a_function_comes_back(self, store: DiskStore, make_function):
        """As it was put."""
        Functions(store).put(GREEN_KEY, make_function())
        assert Functions(store).get(GREEN_KEY) == make_function()

    def test_an_unknown_key_is_none(self, memory: DiskStore):
        """Nothing kept is no error."""
        assert Functions(memory).get(GREEN_KEY) is None

    def test_what_is_not_green_is_refused(self, memory: DiskStore, make_function):
        """And nothing of it is kept."""
        with pytest.raises(ValueError, match="green"):
            Functions(memory).put(GREEN_KEY, make_function("red"))
        assert list(memory.keys()) == []

    def test_of_a_class_the_last_is_kept(self, memory: DiskStore, make_function):
        """With its contract; nothing that is not green."""
        spec = FunctionSpec(name="C", purpose="It counts.", returns=Returns(type="C"), interface=ClassInterface())
        functions, kept = Functions(memory), KeptClass(spec=spec, result=make_function())
        assert functions.get_class(GREEN_KEY) is None
        functions.put_class(GREEN_KEY, kept)
        assert functions.get_class(GREEN_KEY) == kept
        with pytest.raises(ValueError, match="green"):
            functions.put_class(GREEN_KEY, KeptClass(spec=spec, result=make_function("red")))
        memory.put(f"class/{GREEN_KEY}", "{")
        assert functions.get_class(GREEN_KEY) is None

    @pytest.mark.parametrize("text", ["{", '{"function": "f"}'])
    def test_another_shape_counts_as_absent(self, memory: DiskStore, text: str):
        """What another version kept is asked for anew."""
        memory.put(f"function/{GREEN_KEY}", text)
        assert Functions(memory).get(GREEN_KEY) is None

    def test_functions_are_no_solutions(self, memory: DiskStore, make_function):
        """They don't show in a listing of solutions."""
        Functions(memory).put(GREEN_KEY, make_function())
        assert Solutions(memory).rows() == []
