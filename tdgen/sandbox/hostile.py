"""Hostile programs: what generated code must not get away with, each one tried by the conformance suite.

A program defines `attempt(site)`; `site` is a dict that names what lies outside: `secret` (a file's path), `folder`,
`pid`, `tcp` (a port), `socket` (a path) and `abstract` (a name) that somebody listens on. It returns "held" where it
was refused and anything else where it got through.
"""

from __future__ import annotations

from dataclasses import dataclass

from tdgen.types import Status

_PRELUDE = '''
import os, sys

def held(*acts):
    """Each act must be refused by the system."""
    for act in acts:
        try:
            act()
        except (OSError, MemoryError, RuntimeError, ValueError, ImportError):
            continue
        return f"escaped: {act}"
    return "held"

def syscall(*arguments):
    """A raw system call, past everything that Python knows; OSError where it is refused."""
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(*arguments) < 0:
        raise OSError(ctypes.get_errno(), "refused")
'''


@dataclass(frozen=True)
class Hostile:
    """A program, the ways in which it may end besides being refused, and the layer without which it isn't held."""

    name: str
    source: str
    ends: tuple[Status, ...] = ()
    needs: str = ""

    @property
    def module(self) -> str:
        """The program as a module's source."""
        return _PRELUDE + self.source


def _lines(name: str, acts: str, *, needs: str = "", first: str = "") -> Hostile:
    """A program whose acts, one a line, must all be refused."""
    listed = ",".join(f"lambda: {act}" for act in acts.strip().splitlines())
    return Hostile(name, f"def attempt(site):\n    {first or 'pass'}\n    return held({listed})\n", needs=needs)


def _body(name: str, body: str, *ends: Status, needs: str = "") -> Hostile:
    """A program by the body of its `attempt`."""
    indented = "\n".join(f"    {line}" for line in body.strip("\n").splitlines())
    return Hostile(name, f"def attempt(site):\n{indented}\n", ends, needs)


FILES = (
    _lines("reads a file outside", "open(site['secret']).read()\nos.open(site['secret'], os.O_RDONLY)"),
    _lines(
        "writes outside",
        "open(site['secret'], 'a').write('x')\nopen(site['folder'] + '/new', 'w')\nos.mkdir(site['folder'] + '/new')",
    ),
    _lines(
        "removes, moves and links outside",
        "os.unlink(site['secret'])\nos.rename(site['secret'], 'here')\nos.link(site['secret'], 'here')\n"
        "os.truncate(site['secret'], 0)\nos.chmod(site['secret'], 0o777)\nos.utime(site['secret'])",
    ),
    _lines("follows its own link out", "open('link').read()", first="os.symlink(site['secret'], 'link')"),
    _body("leaves a link for the host to follow", "os.symlink(site['secret'], 'out.txt')\nreturn 'held'"),
    _lines("asks for a file's size outside", "os.stat(site['secret'])", needs="mount namespace"),
    _lines("lists folders", "os.listdir('/')\nos.listdir(site['folder'])\nos.listdir('/home')", needs="Landlock"),
    _lines("writes to the interpreter", "open(os.__file__, 'a')\nos.chmod(os.__file__, 0o777)\nos.unlink(os.__file__)"),
    _lines(
        "makes and opens devices",
        "os.mknod('d', 0o060666, 0x800)\nopen('/dev/mem')\nopen('/dev/vda')\nopen('/dev/tty')",
    ),
    _lines(
        "reads of other processes",
        "open('/proc/1/environ').read()\nopen('/proc/self/environ').read()\nopen('/proc/self/mem')\n"
        "open(f\"/proc/{site['pid']}/environ\").read()\nos.listdir('/proc')",
    ),
)

NETWORK = (
    _lines("connects by TCP", "__import__('socket').create_connection(('127.0.0.1', site['tcp']), 1)"),
    _lines(
        "listens", "__import__('socket').socket().bind(('127.0.0.1', 0))\n__import__('socket').create_server(('', 0))"
    ),
    _lines("sends a datagram", "__import__('socket').socket(2, 2).sendto(b'x', ('127.0.0.1', site['tcp']))"),
    _lines("asks for a name", "__import__('socket').getaddrinfo('example.com', 80)"),
    _lines("connects to a socket file", "__import__('socket').socket(1).connect(site['socket'])"),
    _lines("connects to an abstract socket", "__import__('socket').socket(1).connect(chr(0) + site['abstract'])"),
    _lines(
        "sends through a pair of datagram sockets",
        "__import__('socket').socketpair(1, 2)[0].sendto(b'x', site['socket'])",
    ),
)

PROCESSES = (
    _body(
        "forks",
        "try:\n    pid = os.fork()\nexcept OSError:\n    return 'held'\nif pid == 0:\n    os._exit(0)\nreturn 'escaped'",
    ),
    _lines(
        "starts a program",
        "__import__('subprocess').run(['/bin/true'])\nos.execv(sys.executable, ['python'])\nos.posix_spawn('/bin/true', ['true'], {})",
    ),
    _body("runs a shell", "return 'held' if os.system('true') != 0 else 'escaped'"),
    _lines(
        "forks past Python",
        "syscall(57)\nsyscall(58)\nsyscall(56, 17, 0, 0, 0, 0)\nsyscall(435, 0, 0)",
        needs="seccomp",
    ),
    _lines(
        "signals others",
        "os.kill(site['pid'], 0)\nos.kill(os.getppid(), 9)\nos.kill(-1, 9)\nos.killpg(0, 9)",
        needs="seccomp",
    ),
    _lines(
        "traces",
        "syscall(101, 16, os.getppid(), 0, 0)\nsyscall(310, os.getppid(), 0, 0, 0, 0, 0)\nsyscall(101, 0, 0, 0, 0)",
    ),
    _lines(
        "asks the kernel for more",
        "syscall(272, 0x10000000)\nsyscall(425, 8, 0)\nsyscall(321, 0, 0, 0)\nsyscall(250, 0, 0)\nsyscall(298, 0, 0, -1, -1, 0)\n"
        "syscall(323, 0)\nsyscall(319, b'x', 0)\nsyscall(165, 0, 0, 0, 0, 0)\nsyscall(161, b'/')\nsyscall(157, 22, 2, 0)\nos.setuid(0)",
    ),
    _lines(
        "raises its limits",
        "__import__('resource').setrlimit(9, (-1, -1))\n__import__('resource').setrlimit(0, (3600, 3600))",
    ),
)

BOMBS = (
    _body(
        "takes all memory",
        "try:\n    kept = [bytearray(1 << 26) for _ in range(64)]\nexcept MemoryError:\n    return 'held'\nreturn 'escaped'",
        "died",
        needs="rlimits",
    ),
    _body(
        "takes shared memory",
        "import mmap\ntry:\n    kept = [mmap.mmap(-1, 1 << 28) for _ in range(16)]\nexcept (OSError, MemoryError):\n    return 'held'\nreturn 'escaped'",
        "died",
        needs="rlimits",
    ),
    _body(
        "starts threads without end",
        "import threading, time\ntry:\n    for _ in range(2000):\n        threading.Thread(target=time.sleep, args=(5,), daemon=True).start()\nexcept (RuntimeError, MemoryError):\n    return 'held'\nreturn 'escaped'",
        "died",
    ),
    _body(
        "fills the disk",
        "try:\n    for number in range(64):\n        with open(str(number), 'wb') as file:\n            file.write(bytes(1 << 24))\nexcept OSError:\n    return 'held'\nreturn 'escaped'",
        "died",
        needs="mount namespace",
    ),
    _body(
        "writes one huge file",
        "try:\n    with open('huge', 'wb') as file:\n        for _ in range(64):\n            file.write(bytes(1 << 22))\nexcept OSError:\n    return 'held'\nreturn 'escaped'",
        "died",
    ),
    _body(
        "opens files without end",
        "try:\n    kept = [open(os.devnull) for _ in range(5000)]\nexcept OSError:\n    return 'held'\nreturn 'escaped'",
    ),
    _body("prints without end", "while True:\n    print('x' * 65536)", "timeout"),
    _body("returns something huge", "return 'x' * (1 << 27)", "unreadable", "raised"),
    _body(
        "returns something endless",
        "def forever():\n    while True:\n        yield 'held'\nreturn forever()",
        "returned",
    ),
    _body(
        "returns something deep",
        "deep = []\nfor _ in range(100000):\n    deep = [deep]\nreturn deep",
        "unreadable",
        "died",
    ),
    _body("hangs", "while True:\n    pass", "timeout"),
    _body(
        "hangs and ignores every signal",
        "import signal\nfor number in range(1, 65):\n    try:\n        signal.signal(number, signal.SIG_IGN)\n    except (OSError, ValueError):\n        pass\nwhile True:\n    pass",
        "timeout",
    ),
    _body("hangs in C", "import re\nreturn re.match(r'(a+)+$', 'a' * 64 + 'b')", "timeout"),
    _body("computes a power without end", "return len(str((10 ** 10) ** (10 ** 8)))", "timeout", "raised", "died"),
    _body("waits for a signal", "import signal\nsignal.pause()", "timeout"),
)

EXITS = (
    _body("ends the process", "os._exit(0)", "died"),
    _body("exits", "sys.exit(0)", "raised"),
    _body("aborts", "os.abort()", "died"),
    _body("kills itself", "os.kill(os.getpid(), 9)", "died"),
    _body("crashes", "import ctypes\nctypes.string_at(0)", "died"),
    _body("recurses without end", "def deeper():\n    deeper()\ndeeper()", "raised", "died"),
    _body(
        "ends the process from a thread",
        "import threading\nthreading.Thread(target=lambda: os._exit(0)).start()\nwhile True:\n    pass",
        "died",
    ),
    Hostile("ends the process when imported", "os._exit(0)\n", ("died",)),
    Hostile("exits when imported", "sys.exit(0)\n", ("not_run",)),
    _body(
        "raises what can't be told",
        "class E(Exception):\n    def __str__(self):\n        raise SystemExit\n    __repr__ = __str__\nraise E",
        "raised",
    ),
    _body(
        "hides a hook in what it leaves",
        "sys.excepthook = sys.settrace = print = None\nimport builtins\nbuiltins.len = builtins.isinstance = None\nreturn 'held'",
        "unreadable",
        "died",
    ),
)

FORGERIES = (
    _body(
        "forges results",
        "import json, struct\nbody = json.dumps({'index': 0, 'status': 'returned', 'value': 'held', 'last': True}).encode()\n"
        "for fd in range(3, 256):\n    try:\n        os.write(fd, struct.pack('=I', len(body)) + body)\n    except OSError:\n        pass\nos._exit(0)",
        "returned",
        "died",
    ),
    _body(
        "writes nonsense where results go",
        "for fd in range(3, 256):\n    try:\n        os.write(fd, b'\\xff' * 64)\n    except OSError:\n        pass\nreturn 'held'",
        "unreadable",
    ),
    _body(
        "floods the results",
        "import struct\nfor fd in range(3, 256):\n    try:\n        while True:\n            os.write(fd, struct.pack('=I', 2) + b'{}')\n    except OSError:\n        pass\nreturn 'held'",
        "unreadable",
    ),
    _body("closes everything and hangs", "os.closerange(0, 256)\nwhile True:\n    pass", "timeout"),
    _body("closes everything", "os.closerange(0, 256)\nreturn 'held'", "died"),
    _body("answers with lone surrogates", "print(ascii('\\ud800'))\nsys.stderr.write('\\udc80')\nreturn 'held'"),
    _body(
        "looks for what others left in memory",
        "import gc\nfound = [x for x in gc.get_objects() if type(x) is dict and 'remembered' in x]\nreturn 'held' if not found else 'escaped'",
    ),
    _body(
        "shadows modules for the next run",
        "for name in ('json.py', 'random.py', 'sitecustomize.py'):\n    open(name, 'w').write('raise SystemExit')\nsys.path.insert(0, os.getcwd())\nreturn 'held'",
    ),
    _body(
        "leaves a locked folder",
        "os.mkdir('locked')\nopen('locked/file', 'w').close()\nos.mkdir('locked/inner')\nos.chmod('locked', 0) if os.path.exists('locked') else None\nreturn 'held'",
        "raised",
    ),
    _body(
        "leaves a tree without end",
        "for _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')\nreturn 'held'",
        "unreadable",
    ),
    _body(
        "leaves a thread",
        "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\nreturn 'held'",
    ),
)

HOSTILE = (*FILES, *NETWORK, *PROCESSES, *BOMBS, *EXITS, *FORGERIES)
