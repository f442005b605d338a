"""What of a class who plans some of its methods sees."""

from tdgen.source.siblings import code_of_class

TEXT = '''
class Till:
    def far(self):
        return 1

    def wanted(self, cents):
        """Take cents, as `far` does."""

    def take_all(self):
        """All."""
        return self._cents

    def _checked(self, cents):
        return int(cents)

    def wanted_by(self, name):
        return name == self._name

    @property
    def name(self):
        return self._name

    def documented(self):
        """Nothing else."""

    def __init__(self, name):
        """Open it."""
        self._name, self._cents = name, 0
'''


def test_a_planner_sees_what_a_class_keeps_and_how_other_methods_handle_it():
    """Without docstrings, which stand elsewhere in the prompt, and without what a property's name says."""
    code = code_of_class(TEXT, "Till", ["wanted"])
    assert code.startswith("# of the class Till:\n\ndef far(self):\n    return 1\n\ndef take_all(self):\n")
    assert code.endswith("def __init__(self, name):\n    self._name, self._cents = (name, 0)")
    assert "documented" not in code
    assert "property" not in code
    assert "cents, as" not in code


def test_of_a_large_class_the_nearest_methods_are_shown():
    """The constructor, what the docs name, what is called alike, private helpers, then those that stand near."""
    many = "".join(f"\n    def at_{n}(self):\n        return '{'x' * 200}'\n" for n in range(40))
    code = code_of_class(TEXT + many, "Till", ["wanted"])
    assert all(f"def {name}(" in code for name in ("__init__", "far", "wanted_by", "_checked", "take_all"))
    assert "def at_0(" in code
    assert "def at_39(" not in code
    assert code_of_class(TEXT, "Nowhere", ["wanted"]) == ""
