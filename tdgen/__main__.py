"""The command's way in: `tdgen` and `python -m tdgen`."""

from __future__ import annotations

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command that the process was started with, and end the process with its exit code."""
    from tdgen.cli import interrupts, running

    interrupts.install()
    if sys.stdout is not None and not sys.stdout.isatty():
        # Python source and JSON are UTF-8, whatever the locale says.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    try:
        code = running.run(sys.argv[1:])
    except KeyboardInterrupt:
        code = running.interrupted()
    running.leave(code)


if __name__ == "__main__":
    main()
