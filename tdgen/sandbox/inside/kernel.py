"""System calls that Python has no function for, with the kernel's error as an OSError; and the calls' numbers.

The numbers are those of x86-64 and aarch64. The aarch64 column is taken from the kernel's generic table and has not
been run on such a machine. A dash stands for a call that an architecture does not have.

Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

# Harmless whatever the arguments, once files, sockets and processes are closed by the other layers.
PLAIN = """
access:21:- alarm:37:- arch_prctl:158:- brk:12:214 chdir:80:49 clock_getres:229:114 clock_gettime:228:113
clock_nanosleep:230:115 close:3:57 close_range:436:436 copy_file_range:326:285 creat:85:- dup:32:23 dup2:33:-
dup3:292:24 epoll_create:213:- epoll_create1:291:20 epoll_ctl:233:21 epoll_pwait:281:22 epoll_pwait2:441:441
epoll_wait:232:- eventfd:284:- eventfd2:290:19 exit:60:93 exit_group:231:94 faccessat:269:48 faccessat2:439:439
fadvise64:221:223 fallocate:285:47 fchdir:81:50 fdatasync:75:83 fgetxattr:193:10 flistxattr:196:13 flock:73:32
fstat:5:80 fstatfs:138:44 fsync:74:82 ftruncate:77:46 futex:202:98 futex_waitv:449:449 get_robust_list:274:100
getcpu:309:168 getcwd:79:17 getdents:78:- getdents64:217:61 getegid:108:177 geteuid:107:175 getgid:104:176
getgroups:115:158 getitimer:36:102 getpeername:52:205 getpgid:121:155 getpgrp:111:- getpid:39:172 getppid:110:173
getpriority:140:141 getrandom:318:278 getresgid:120:150 getresuid:118:148 getrlimit:97:163 getrusage:98:165
getsid:124:156 getsockname:51:204 getsockopt:55:209 gettid:186:178 gettimeofday:96:169 getuid:102:174 getxattr:191:8
lgetxattr:192:9 link:86:- linkat:265:37 listxattr:194:11 llistxattr:195:12 lseek:8:62 lstat:6:- madvise:28:233
membarrier:324:283 mincore:27:232 mkdir:83:- mkdirat:258:34 mmap:9:222 mprotect:10:226 mremap:25:216 msync:26:227
munmap:11:215 nanosleep:35:101 newfstatat:262:79 open:2:- openat:257:56 openat2:437:437 pause:34:- pipe:22:-
pipe2:293:59 poll:7:- ppoll:271:73 pread64:17:67 preadv:295:69 preadv2:327:286 pselect6:270:72 pwrite64:18:68
pwritev:296:70 pwritev2:328:287 read:0:63 readlink:89:- readlinkat:267:78 readv:19:65 recvmsg:47:212 recvfrom:45:207
rename:82:- renameat:264:38 renameat2:316:276 restart_syscall:219:128 rmdir:84:- rseq:334:293 rt_sigaction:13:134
rt_sigpending:127:136 rt_sigprocmask:14:135 rt_sigreturn:15:139 rt_sigsuspend:130:133 rt_sigtimedwait:128:137
sched_get_priority_max:146:125 sched_get_priority_min:147:126 sched_getaffinity:204:123 sched_getparam:143:121
sched_getscheduler:145:120 sched_rr_get_interval:148:127 sched_yield:24:124 select:23:- sendfile:40:71 sendto:44:206
set_robust_list:273:99 set_tid_address:218:96 setitimer:38:103 setrlimit:160:164 shutdown:48:210
sigaltstack:131:132 stat:4:- statfs:137:43 statx:332:291 symlink:88:- symlinkat:266:36 sync_file_range:277:84
sysinfo:99:179 time:201:- timer_create:222:107 timer_delete:226:111 timer_getoverrun:225:109 timer_gettime:224:108
timer_settime:223:110 timerfd_create:283:85 timerfd_gettime:287:87 timerfd_settime:286:86 times:100:153 truncate:76:45
umask:95:166 uname:63:160 unlink:87:- unlinkat:263:35 wait4:61:260 waitid:247:95 write:1:64 writev:20:66
"""

# Change a file's mode or times, of which Landlock knows nothing: done only where mounts are read-only.
MODES = """
chmod:90:- fchmod:91:52 fchmodat:268:53 fchmodat2:452:452 futimesat:261:- utime:132:- utimensat:280:88 utimes:235:-
"""

# Allowed for some arguments only, or answered in a way of their own.
CHECKED = """
clone:56:220 clone3:435:435 fcntl:72:25 ioctl:16:29 kill:62:129 prctl:157:167 prlimit64:302:261 setsockopt:54:208
socketpair:53:199 tgkill:234:131
"""

# Start another program, where the user opened some. None of setsid and setpgid: all that was started ends together.
STARTING = """
execve:59:221 fork:57:- vfork:58:-
"""

# Talk by sockets, where the user opened the loopback.
TALKING = """
accept:43:202 accept4:288:242 bind:49:200 connect:42:203 listen:50:201 sendmsg:46:211 socket:41:198
"""

# What a browser calls beside these: memory that its parts share, messages among them, and a socket at which nobody
# can call, as `connect` is none of these.
BROWSING = """
bind:49:200 listen:50:201 memfd_create:319:279 sendmsg:46:211 socket:41:198
"""

# What the sandbox itself calls; never allowed to a candidate.
OWN = """
capget:125:90 capset:126:91 landlock_add_rule:445:445 landlock_create_ruleset:444:444 landlock_restrict_self:446:446
mount_setattr:442:442 pivot_root:155:41
"""

COLUMNS = {"x86_64": 1, "aarch64": 2}
"""The architectures that the tables have."""

NEWEST = 460
"""No number above this one is known here: what is asked for beyond it is answered as by an older kernel."""


def machine() -> str:
    """This machine's architecture as the kernel names it."""
    return os.uname().machine


def numbers(table: str, architecture: str) -> dict[str, int]:
    """A table's names and numbers for `architecture` (one that is known); calls that it does not have are left out."""
    column = COLUMNS[architecture]
    rows = [entry.split(":") for entry in table.split()]
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 4, 22, 24
PR_SET_SECUREBITS, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS = 28, 36, 38, 39
PR_CAP_AMBIENT = 47
CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000


def _checked(result: int, what: str) -> int:
    """`result`, or the error that the kernel left behind."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def call(name: str, *arguments: Any) -> int:
    """The system call `name` (one of the sandbox's own) with integers, bytes, None or ctypes objects."""
    return ready(name, *arguments)()


def ready(name: str, *arguments: Any) -> Callable[[], int]:
    """`call` with all that it needs at hand: who calls this has little more to do than the system call."""
    number = ctypes.c_long(numbers(OWN, machine())[name])
    converted = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return lambda: _checked(_libc.syscall(number, *converted), name)


def prctl(option: int, *arguments: Any) -> int:
    """The system call prctl; missing arguments are 0."""
    return ready_prctl(option, *arguments)()


def ready_prctl(option: int, *arguments: Any) -> Callable[[], int]:
    """`prctl` as `ready` has it."""
    first, name = ctypes.c_int(option), f"prctl {option}"
    padded = [ctypes.c_ulong(a) if isinstance(a, int) else a for a in (*arguments, 0, 0, 0, 0)[:4]]
    return lambda: _checked(_libc.prctl(first, *padded), name)


def unshare(flags: int) -> None:
    """Leave the namespaces that `flags` (CLONE_NEW…) name, for new ones."""
    _checked(_libc.unshare(ctypes.c_int(flags)), "unshare")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """The system call mount."""
    texts = [text.encode() if text else None for text in (source, target, kind)]
    _checked(_libc.mount(*texts, ctypes.c_ulong(flags), options.encode() or None), f"mount on {target}")


def detach(target: str) -> None:
    """Unmount `target` as soon as nobody uses it, and hide it at once."""
    _checked(_libc.umount2(target.encode(), ctypes.c_int(2)), f"umount {target}")
