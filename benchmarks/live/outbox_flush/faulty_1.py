"""An outbox in a file."""

import json
from pathlib import Path


def enqueue(path, to, text):
    """Put a message into the outbox."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(json.dumps({"to": to, "text": text}, ensure_ascii=False) + "\n")


def flush(path, send):
    """Send what can be sent; how many were, and how many are left."""
    path = Path(path)
    if not path.exists():
        return 0, 0
    lines = [line for line in path.read_bytes().split(b"\n") if line.strip()]
    dead, sent, done = [], 0, 0
    try:
        for line in lines:
            try:
                message = json.loads(line)
            except ValueError:
                dead.append(line)
            else:
                try:
                    send(message["to"], message["text"])
                    sent += 1
                except ValueError:
                    dead.append(line)
            done += 1
    except ConnectionError:
        pass
    if dead:
        with open(f"{path}.dead", "ab") as file:
            file.write(b"".join(line + b"\n" for line in dead))
    if lines[done:]:
        path.write_bytes(b"".join(line + b"\n" for line in lines[done:]))
    else:
        path.unlink()
    return sent, len(lines) - done
