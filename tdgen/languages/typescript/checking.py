"""What TypeScript's compiler says against code, where it is installed: it reads the code, and nothing of it is run."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import which
from typing import Final

from tdgen.languages.javascript.reading import blanked

_SILENCING: Final = re.compile(r"//\s*@ts-|/\*\s*@ts-|///\s*<")
_SECONDS: Final = 60
_MOST: Final = 6
_OPTIONS: Final = {
    "target": "es2023",
    "lib": ["es2023"],
    "types": [],
    "module": "esnext",
    "strict": True,
    "noEmit": True,
}
_SURFACE: Final = """
declare const console: Record<"log" | "info" | "debug" | "warn" | "error", (...values: unknown[]) => void>;
declare function setTimeout(run: (...given: any[]) => void, wait?: number, ...given: any[]): number;
declare function setInterval(run: (...given: any[]) => void, wait?: number, ...given: any[]): number;
declare function clearTimeout(id?: number): void;
declare function clearInterval(id?: number): void;
declare function queueMicrotask(run: () => void): void;
declare function structuredClone<T>(value: T): T;
"""
"""What code has beside the language, as the sandbox gives it."""


def settings_text(files: Sequence[str]) -> str:
    """A `tsconfig.json` by which the compiler reads these files."""
    return json.dumps({"compilerOptions": _OPTIONS, "files": files}, indent=2) + "\n"


def findings(source: str, given: str) -> Iterator[str]:
    """What is wrong with the types of `source`, which stands on what is `given`, by line; at most a few."""
    if (match := _SILENCING.search(source)) and not blanked(source)[slice(*match.span())].strip():
        line = source.count("\n", 0, match.start()) + 1
        yield f"line {line}: a comment to the compiler is not allowed: write types that hold"
        return
    compiler = which("tsc")
    if compiler is None:
        return
    output = _told(compiler, source, given)
    for line, code, message in re.findall(r"^code\.ts\((\d+),\d+\): error (TS\d+): (.*)$", output, re.MULTILINE)[
        :_MOST
    ]:
        yield f"line {line}: {message} ({code})"


def version() -> str:
    """The compiler's version, as the package has it that its program is of; empty where there is no compiler."""
    compiler = which("tsc")
    if compiler is None:
        return ""
    try:
        package = Path(compiler).resolve().parents[1] / "package.json"
        return str(json.loads(package.read_text(encoding="utf-8"))["version"])
    except (OSError, ValueError, LookupError, TypeError):
        return "unknown"


def _told(compiler: str, source: str, given: str) -> str:
    with tempfile.TemporaryDirectory(prefix="tdgen-tsc-") as folder:
        Path(folder, "code.ts").write_text(f"{source}\nexport {{}};\n", encoding="utf-8", errors="replace")
        Path(folder, "given.ts").write_text(f"{given}\n{_SURFACE}", encoding="utf-8", errors="replace")
        Path(folder, "tsconfig.json").write_text(settings_text(["code.ts", "given.ts"]), encoding="utf-8")
        words = [compiler, "--project", folder, "--pretty", "false"]
        try:
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=_SECONDS, check=False)  # noqa: S603 - the user's own compiler
        except (OSError, subprocess.TimeoutExpired):
            return ""
    return done.stdout
