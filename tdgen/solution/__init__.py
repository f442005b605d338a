"""The solution of an instruction, and the ways out of it: a folder's files, plain data, a story, a few lines."""

from tdgen.solution.solution import Solution

__all__ = ["Solution"]
