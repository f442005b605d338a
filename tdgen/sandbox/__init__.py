"""Where generated code runs, and never anywhere else: warm server processes that fork a confined child for each run.

`local.LocalSandbox` confines by the kernel's own means on Linux; `docker.DockerSandbox` does the same once more in a
locked container; `local.UnsafeSandbox` does not confine at all and is never picked by itself. `tdgen.runtime` picks the
kind. `inside/` and `in_project/` hold the programs that run on the other side of the wall.
"""
