import argparse
import json
import re
import sys
from pathlib import Path

CUP = 35
LOWEST = -500


class Failure(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def name_argument(text):
    name = text.strip()
    if not name:
        raise argparse.ArgumentTypeError("blank name")
    return name


def amount_argument(text):
    match = re.fullmatch(r"([0-9]+)(?:\.([0-9]{1,2}))?", text)
    if match is None:
        raise argparse.ArgumentTypeError("bad amount")
    cents = int(match.group(1)) * 100 + int((match.group(2) or "0").ljust(2, "0"))
    if cents == 0:
        raise argparse.ArgumentTypeError("amount must be more than zero")
    return cents


def count_argument(text):
    if re.fullmatch(r"[0-9]+", text) is None or int(text) < 1:
        raise argparse.ArgumentTypeError("bad count")
    return int(text)


def money(cents):
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def load(path):
    if not path.exists():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise Failure(3, "coffee.json can't be read") from None
    if not isinstance(content, dict):
        raise Failure(3, "coffee.json is no JSON object")
    return content


def find(balances, name):
    for known in balances:
        if known.lower() == name.lower():
            return known
    return None


def change(path, balances, name, cents):
    balances[name] = balances.get(name, 0) + cents
    line = f"{name}: {money(balances[name])}"
    if balances[name] == 0:
        del balances[name]
    path.write_text(json.dumps(balances), encoding="utf-8")
    print(line)


def work(options):
    path = Path("coffee.json")
    balances = load(path)
    if options.command == "pay":
        known = find(balances, options.name)
        change(path, balances, known or options.name, options.amount)
        return
    if options.command == "show" and options.name is None:
        for name in sorted(balances, key=lambda one: (balances[one], one)):
            print(f"{name}: {money(balances[name])}")
        if balances:
            print(f"total: {money(sum(balances.values()))}")
        return
    known = find(balances, options.name)
    if known is None:
        raise Failure(1, f"unknown name {options.name}")
    if options.command == "show":
        print(f"{known}: {money(balances[known])}")
        return
    price = CUP * options.count
    if balances[known] - price < LOWEST:
        raise Failure(1, f"{known} has to pay first")
    change(path, balances, known, -price)


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    pay = commands.add_parser("pay")
    pay.add_argument("name", type=name_argument)
    pay.add_argument("amount", type=amount_argument)
    cup = commands.add_parser("cup")
    cup.add_argument("name", type=name_argument)
    cup.add_argument("count", type=count_argument, nargs="?", default=1)
    show = commands.add_parser("show")
    show.add_argument("name", type=name_argument, nargs="?")
    options = parser.parse_args()
    try:
        work(options)
    except Failure as failure:
        print(failure, file=sys.stderr)
        return failure.code
    return 0


if __name__ == "__main__":
    sys.exit(main())
