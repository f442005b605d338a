"""The command line: arguments in, text out, no logic.

`running.run` is the way in. Results go to stdout, everything else to stderr; what comes from a model or from
generated code is escaped before a terminal sees it. Modules of the library are imported inside the commands that need
them, so that `tdgen --help` and a repeat from the cache start fast.
"""
