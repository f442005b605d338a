"""Values on their way: Python objects as plain JSON and back, and what two of them being equal means.

The files of SHIPPED go into the sandbox as they are, in one package folder of any name (they import each other
relatively): standard library only, Python 3.9 and later. There, `encode.encode` and `rebuild.rebuild` are
what is called. All else here runs on the host: `decode` reads what came back, `show` tells it in a line, `equality`
says whether two values agree.
"""

SHIPPED = (
    *("facts.py", "leaves.py", "readers.py", "arrays.py"),
    *("encode.py", "rebuild.py"),
)
