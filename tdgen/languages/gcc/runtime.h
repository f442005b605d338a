/* The program that a candidate, which stands above, is compiled into: it makes calls in forks of itself.

A fork is ready before there is an order. An order is a length in a line, and as many bytes; the fork makes the calls of
all that come, up to one of length 0, which ends it: then the next one is made, while nobody waits. All values are read
by their types, and told as the tagged JSON of `tdgen.languages.bridge`. What is told of a call goes to descriptor 3,
begins with the call's nonce, and is written once, after what the call gave was freed: where memory is lost then, that
is told instead. Behind it the nonce goes to descriptor 4, and so does how the fork ended. It is killed where it holds
more than half a gigabyte, and where a call takes longer of a processor than the program's argument says. */
#include <inttypes.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define TDGEN_MOST_PAGES 131072
#define TDGEN_MOST_OBJECTS 65536
#define TDGEN_NOBODY_ASKS 67
/* What touches no memory of the candidate's is not watched: it is compiled in less time. */
#define TDGEN_OWN static __attribute__((no_sanitize("address", "undefined")))
#ifdef __cplusplus
extern "C"
#endif
size_t __sanitizer_get_current_allocated_bytes(void);

static char *tdgen_in, *tdgen_told;
static size_t tdgen_size, tdgen_room, tdgen_taken, tdgen_lost, tdgen_start;
static int64_t tdgen_first;

TDGEN_OWN size_t tdgen_allocated(void) { return __sanitizer_get_current_allocated_bytes() - tdgen_taken; }

TDGEN_OWN void tdgen_say(const char *text, size_t length) {
    while (tdgen_size + length > tdgen_room) {
        size_t before = tdgen_allocated();
        tdgen_room = tdgen_room ? 2 * tdgen_room : 65536;
        tdgen_told = (char *)realloc(tdgen_told, tdgen_room);
        tdgen_taken += tdgen_allocated() - before;
    }
    memcpy(tdgen_told + tdgen_size, text, length);
    tdgen_size += length;
}
TDGEN_OWN void tdgen_say_text(const char *text) { tdgen_say(text, strlen(text)); }
TDGEN_OWN int64_t tdgen_read_int(void) { int64_t found = strtoll(tdgen_in, &tdgen_in, 10); tdgen_in++; return found; }
TDGEN_OWN double tdgen_read_float(void) { double found = strtod(tdgen_in, &tdgen_in); tdgen_in++; return found; }
TDGEN_OWN bool tdgen_read_bool(void) { return tdgen_read_int() != 0; }
TDGEN_OWN uint8_t tdgen_read_byte(void) { return (uint8_t)tdgen_read_int(); }
TDGEN_OWN void tdgen_write_int(int64_t value) {
    char text[40];
    tdgen_say(text, (size_t)snprintf(text, sizeof text, "[\"b\",\"%" PRId64 "\"]", value));
}
TDGEN_OWN void tdgen_write_float(double value) {
    char text[64];
    tdgen_say(text, (size_t)snprintf(text, sizeof text, "[\"n\",\"%.17g\"]", value));
}
TDGEN_OWN void tdgen_write_bool(bool value) { tdgen_say_text(value ? "true" : "false"); }
TDGEN_OWN void tdgen_write_hex(uint8_t value) {
    tdgen_say(&"0123456789abcdef"[value >> 4], 1);
    tdgen_say(&"0123456789abcdef"[value & 15], 1);
}
static bool tdgen_is_utf8(const unsigned char *text, size_t length) {
    for (size_t n = 0, more; n < length; n += more + 1) {
        unsigned char first = text[n];
        more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
        if ((first >= 0x80 && first < 0xc2) || first > 0xf4 || more >= length - n) return false;
        for (size_t k = 1; k <= more; k++) if ((text[n + k] & 0xc0) != 0x80) return false;
        if ((first == 0xe0 && text[n + 1] < 0xa0) || (first == 0xed && text[n + 1] > 0x9f)) return false;
        if ((first == 0xf0 && text[n + 1] < 0x90) || (first == 0xf4 && text[n + 1] > 0x8f)) return false;
    }
    return true;
}
static void tdgen_write_bytes(const char *text, size_t length) {
    if (!tdgen_is_utf8((const unsigned char *)text, length)) {
        tdgen_say_text("[\"o\",\"no UTF-8 text\"]");
        return;
    }
    size_t said = 0;
    tdgen_say_text("\"");
    for (size_t n = 0; n < length; n++) {
        unsigned char one = (unsigned char)text[n];
        if (one >= 32 && one != '"' && one != '\\') continue;
        tdgen_say(text + said, n - said);
        tdgen_say_text("\\u00");
        tdgen_write_hex(one);
        said = n + 1;
    }
    tdgen_say(text + said, length - said);
    tdgen_say_text("\"");
}
TDGEN_OWN void tdgen_begin_failure(const char *name, const char *message) {
    tdgen_size = 0;
    tdgen_say_text("[[\"raised\",");
    tdgen_write_bytes(name, strlen(name));
    tdgen_say_text(",");
    tdgen_write_bytes(message, strlen(message));
    tdgen_say_text(",[");
}
TDGEN_OWN void tdgen_fail(const char *name, const char *message) {
    tdgen_begin_failure(name, message);
    tdgen_say_text("]");
}

static void tdgen_dispatch(int64_t number);
static void tdgen_settle(char *all);
TDGEN_OWN bool tdgen_take(char **all) {
    size_t size = 0, got = 0, before = tdgen_allocated();
    char digit;
    while (read(0, &digit, 1) == 1 && digit != '\n') size = 10 * size + (size_t)(digit - '0');
    if (digit != '\n') return false;
    *all = size ? (char *)malloc(size + 1) : NULL;
    tdgen_taken += tdgen_allocated() - before;
    while (got < size) {
        ssize_t more = read(0, *all + got, size - got);
        if (more <= 0) return false;
        got += (size_t)more;
    }
    if (*all) (*all)[size] = 0;
    return true;
}
TDGEN_OWN void tdgen_send(int file, const char *text, size_t size) {
    while (size > 0) {
        ssize_t done = write(file, text, size);
        if (done < 0) _exit(65);
        text += done;
        size -= (size_t)done;
    }
}
static pid_t tdgen_parent;
TDGEN_OWN void tdgen_make_call(char *all) {
    char nonce[34] = "";
    nonce[32] = '\n';
    memcpy(nonce, all, 32);
    memset(all, '-', 32);
    tdgen_in = all + 33;
    tdgen_size = tdgen_lost = 0;
    tdgen_variant = tdgen_read_int();
    tdgen_say_text("[[\"returned\",");
    tdgen_dispatch(tdgen_read_int());
    tdgen_say_text("]]");
    fflush(stdout);
    tdgen_settle(all);
    if (tdgen_lost > 0) {
        tdgen_size = 0;
        tdgen_say_text("[[\"lost\",");
        tdgen_write_int((int64_t)tdgen_lost);
        tdgen_say_text("],[]]");
    }
    if (getppid() != tdgen_parent) _exit(65);
    tdgen_send(3, nonce, 32);
    tdgen_send(3, tdgen_told, tdgen_size);
    tdgen_send(4, nonce, 33);
}
TDGEN_OWN void tdgen_serve(rlim_t seconds) {
    static char printed[1 << 16];
    setvbuf(stdout, printed, _IOFBF, sizeof printed);
    tdgen_start = tdgen_allocated();
    for (char *all; tdgen_take(&all);) {
        struct rusage used;
        if (!all) _exit(0);
        struct rlimit most;
        getrusage(RUSAGE_SELF, &used);
        getrlimit(RLIMIT_CPU, &most);
        most.rlim_cur = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + seconds;
        setrlimit(RLIMIT_CPU, &most);
        tdgen_make_call(all);
    }
    _exit(TDGEN_NOBODY_ASKS);
}
TDGEN_OWN void tdgen_look(int number) { (void)number; }
TDGEN_OWN int tdgen_wait(pid_t child) {
    int status;
    char name[64], text[64];
    struct itimerval every = {{0, 50000}, {0, 50000}}, never = {{0, 0}, {0, 0}};
    snprintf(name, sizeof name, "/proc/%d/statm", (int)child);
    setitimer(ITIMER_REAL, &every, NULL);
    while (waitpid(child, &status, 0) != child) {
        int file = open(name, O_RDONLY);
        if (file < 0) continue;
        ssize_t got = read(file, text, sizeof text - 1);
        close(file);
        text[got > 0 ? got : 0] = 0;
        char *resident = strchr(text, ' ');
        if (resident && atol(resident) > TDGEN_MOST_PAGES) kill(child, SIGKILL);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    return status;
}
__attribute__((no_sanitize("address", "undefined"))) int main(int count, char **words) {
    rlim_t seconds = count > 1 ? (rlim_t)atol(words[1]) : 1;
    tdgen_parent = getpid();
    struct sigaction looking;
    memset(&looking, 0, sizeof looking);
    looking.sa_handler = tdgen_look;
    sigaction(SIGALRM, &looking, NULL);
    for (;;) {
        char told[32];
        pid_t child = fork();
        if (child < 0) return 1;
        tdgen_first += TDGEN_MOST_OBJECTS;
        if (child == 0) tdgen_serve(seconds);
        int status = tdgen_wait(child);
        if (WIFEXITED(status) && WEXITSTATUS(status) == TDGEN_NOBODY_ASKS) return 0;
        tdgen_send(4, told, (size_t)snprintf(told, sizeof told, "%d\n", status));
    }
}
