"""Merge CSV files by a key column."""

import argparse
import csv
import io
import sys


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("key")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--out")
    options = parser.parse_args(argv)
    columns: list[str] = []
    rows: dict[str, dict[str, str]] = {}
    left_out = 0
    for path in options.files:
        try:
            with open(path, encoding="utf-8", newline="") as stream:
                reader = csv.DictReader(stream, restval="")
                names = list(reader.fieldnames or [])
                if options.key not in names:
                    raise ValueError(f"no column {options.key}")
                columns += [name for name in names if name not in columns]
                for row in reader:
                    key = row[options.key]
                    if not key:
                        left_out += 1
                        continue
                    known = rows.setdefault(key, {})
                    known.update({name: row[name] for name in names if row[name]})
        except (OSError, ValueError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 1
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows.values())
    if options.out is None:
        sys.stdout.write(text.getvalue())
    else:
        with open(options.out, "w", encoding="utf-8", newline="") as stream:
            stream.write(text.getvalue())
        print(f"merged {len(rows)} rows")
    if left_out:
        print(f"left out {left_out} rows", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
