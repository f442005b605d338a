import argparse
import re
import sys


def _read(path):
    values = {}
    with open(path, encoding="utf-8") as source:
        for line in source:
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            key, sign, value = line.partition("=")
            key = re.sub(r"^export\s+", "", key).strip()
            if not sign or not key:
                raise ValueError("bad line")
            values[key] = value.strip()
    return values


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--empty", action="store_true")
    parser.add_argument("--no-extra", action="store_true")
    parser.add_argument("template")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    files = list(dict.fromkeys(options.files))
    contents = {}
    failed = False
    for path in dict.fromkeys([options.template, *files]):
        try:
            contents[path] = _read(path)
        except (OSError, ValueError) as problem:
            print(f"{path}: {problem}", file=sys.stderr)
            failed = True
    if failed:
        return 2
    wanted = contents[options.template]
    findings = []
    for path in files:
        present = contents[path]
        for key in sorted(wanted):
            if key not in present:
                findings.append(f"{path}: missing {key}")
        if options.empty:
            for key in sorted(wanted):
                if key in present and wanted[key] and not present[key]:
                    findings.append(f"{path}: empty {key}")
        if not options.no_extra:
            for key in sorted(present):
                if key not in wanted:
                    findings.append(f"{path}: extra {key}")
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
