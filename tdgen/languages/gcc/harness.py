"""The program that a candidate is compiled into: it reads calls, and makes each of them in a fork of itself.

All values are read and written by their types. What is told goes to descriptor 3, begins with the call's nonce, and is
written once, after the call and after what it gave was freed: where memory is left over then, that is told instead. How
the fork ended goes to descriptor 4. It is killed where it holds more than half a gigabyte, and where it takes longer of
a processor than the program's argument says.
"""

from __future__ import annotations

from typing import Final

HEAD: Final = """
#include <inttypes.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TDGEN_MOST_PAGES 131072
#ifdef __cplusplus
extern "C"
#endif
size_t __sanitizer_get_current_allocated_bytes(void);

static char *tdgen_in, *tdgen_told;
static size_t tdgen_size, tdgen_room, tdgen_taken;

static void tdgen_say(const char *text, size_t length) {
    while (tdgen_size + length > tdgen_room) {
        size_t before = __sanitizer_get_current_allocated_bytes();
        tdgen_room = tdgen_room ? 2 * tdgen_room : 65536;
        tdgen_told = (char *)realloc(tdgen_told, tdgen_room);
        tdgen_taken += __sanitizer_get_current_allocated_bytes() - before;
    }
    memcpy(tdgen_told + tdgen_size, text, length);
    tdgen_size += length;
}
static void tdgen_say_text(const char *text) { tdgen_say(text, strlen(text)); }
static int64_t tdgen_read_int(void) { int64_t found = strtoll(tdgen_in, &tdgen_in, 10); tdgen_in++; return found; }
static double tdgen_read_float(void) { double found = strtod(tdgen_in, &tdgen_in); tdgen_in++; return found; }
static bool tdgen_read_bool(void) { return tdgen_read_int() != 0; }
static uint8_t tdgen_read_byte(void) { return (uint8_t)tdgen_read_int(); }
static void tdgen_write_int(int64_t value) {
    char text[32];
    tdgen_say(text, (size_t)snprintf(text, sizeof text, "%" PRId64 "\\n", value));
}
static void tdgen_write_float(double value) {
    char text[64];
    tdgen_say(text, (size_t)snprintf(text, sizeof text, "%a\\n", value));
}
static void tdgen_write_bool(bool value) { tdgen_write_int(value); }
static void tdgen_write_byte(uint8_t value) { tdgen_write_int(value); }
"""
MAIN: Final = """
static char *tdgen_take(void) {
    size_t size = 0, got = 0;
    char digit;
    while (read(0, &digit, 1) == 1 && digit != '\\n') size = 10 * size + (size_t)(digit - '0');
    char *all = size ? (char *)malloc(size + 1) : NULL;
    while (got < size) {
        ssize_t more = read(0, all + got, size - got);
        if (more <= 0) _exit(0);
        got += (size_t)more;
    }
    if (all) all[size] = 0;
    return all;
}
static void tdgen_make_call(char *all) {
    static char printed[1 << 16];
    char nonce[33] = "";
    setvbuf(stdout, printed, _IOFBF, sizeof printed);
    memcpy(nonce, all, 32);
    memset(all, '-', 32);
    tdgen_in = all + 33;
    int64_t number = tdgen_read_int();
    tdgen_say("R", 1);
    size_t left = 0;
    switch (number) {
%s    default: _exit(64);
    }
    fflush(stdout);
    if (left > 0) {
        tdgen_size = 0;
        tdgen_say("L", 1);
        tdgen_write_int((int64_t)left);
    }
    if (write(3, nonce, 32) != 32) _exit(65);
    for (size_t sent = 0; sent < tdgen_size;) {
        ssize_t done = write(3, tdgen_told + sent, tdgen_size - sent);
        if (done < 0) _exit(65);
        sent += (size_t)done;
    }
    _exit(0);
}
static int tdgen_wait(pid_t child) {
    char name[64], text[64];
    snprintf(name, sizeof name, "/proc/%%d/statm", (int)child);
    for (int turn = 1;; turn++) {
        int status;
        if (waitpid(child, &status, WNOHANG) == child) return status;
        struct timespec pause = {0, turn < 50 ? 100000 : 2000000};
        nanosleep(&pause, NULL);
        int file = turn %% 25 ? -1 : open(name, O_RDONLY);
        if (file < 0) continue;
        ssize_t got = read(file, text, sizeof text - 1);
        close(file);
        text[got > 0 ? got : 0] = 0;
        char *resident = strchr(text, ' ');
        if (resident && atol(resident) > TDGEN_MOST_PAGES) kill(child, SIGKILL);
    }
}
int main(int count, char **words) {
    rlim_t seconds = count > 1 ? (rlim_t)atol(words[1]) : 1;
    struct rlimit most = {seconds, seconds + 1};
    for (;;) {
        char *all = tdgen_take();
        if (!all) return 0;
        pid_t child = fork();
        if (child == 0) {
            close(0);
            close(4);
            setrlimit(RLIMIT_CPU, &most);
            tdgen_make_call(all);
        }
        free(all);
        char told[32];
        int size = snprintf(told, sizeof told, "%%d\\n", child < 0 ? 1 : tdgen_wait(child));
        if (write(4, told, (size_t)size) != size) return 66;
    }
}
"""
