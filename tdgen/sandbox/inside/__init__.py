"""The programs that run inside the sandbox: standard library only, Python 3.9 and later, nothing of tdgen's rest.

They are imported by a server process whose `tdgen` is an empty stand-in, so that they may name each other, and the pure
files of `tdgen.values` (encode, rebuild and what these import) and `tdgen.source.names`, by the names that they have
outside.
"""
