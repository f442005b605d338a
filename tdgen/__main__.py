"""The command's way in: `tdgen` and `python -m tdgen`."""

from __future__ import annotations

import io
import os
import sys
from typing import NoReturn

INTERRUPTED = 130


def main() -> NoReturn:
    """Run the command that the process was started with, and end the process with its exit code."""
    # Looking for plugins of pydantic among all that is installed takes longer than a repeat from the cache.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        from tdgen.cli import app, interrupts

        interrupts.install()
        # Python source and JSON are UTF-8 in a file or a pipe, whatever the locale says of a terminal.
        stream = sys.stdout
        if isinstance(stream, io.TextIOWrapper) and not stream.isatty():
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        app.leave(app.run(sys.argv[1:]))
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
