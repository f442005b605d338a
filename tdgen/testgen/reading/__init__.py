"""The user's own pytest file, read without running it: what its asserts say, as cases."""

from tdgen.testgen.reading.files import ReadTests, read_tests

__all__ = ["ReadTests", "read_tests"]
