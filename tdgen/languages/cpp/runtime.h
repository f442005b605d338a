/* How values are read and told in C++, and the objects of a plan's classes.

Objects stay in a table, and a call names them by their numbers. Where memory is left over after a call, a fork ends all
objects; where some is left then, it makes the case's calls once more and ends what came of them: what a static table
holds is there already, and what is lost again is told. What an exception is, and what it holds, is told by its class. */
#include <cxxabi.h>
#include <typeinfo>

template <class T> struct tdgen_type;
template <> struct tdgen_type<std::int64_t> {
    static std::int64_t read() { return tdgen_read_int(); }
    static void write(std::int64_t value) { tdgen_write_int(value); }
};
template <> struct tdgen_type<double> {
    static double read() { return tdgen_read_float(); }
    static void write(double value) { tdgen_write_float(value); }
};
template <> struct tdgen_type<bool> {
    static bool read() { return tdgen_read_bool(); }
    static void write(bool value) { tdgen_write_bool(value); }
};
template <> struct tdgen_type<std::string> {
    static std::string read() {
        std::size_t length = static_cast<std::size_t>(tdgen_read_int());
        std::string text(tdgen_in, length);
        tdgen_in += length;
        return text;
    }
    static void write(const std::string& value) { tdgen_write_bytes(value.data(), value.size()); }
};
template <class T, class Items> static void tdgen_write_items(const char *before, const Items& items) {
    for (const auto& one : items) {
        tdgen_say_text(std::exchange(before, ","));
        tdgen_type<T>::write(one);
    }
    tdgen_say_text(items.empty() ? before : "");
    tdgen_say_text("]]");
}
template <class T> struct tdgen_type<std::vector<T>> {
    static std::vector<T> read() {
        std::vector<T> value;
        for (auto n = tdgen_read_int(); n > 0; n--) value.push_back(tdgen_type<T>::read());
        return value;
    }
    static void write(const std::vector<T>& value) { tdgen_write_items<T>("[\"l\",[", value); }
};
template <> struct tdgen_type<std::vector<std::uint8_t>> {
    static std::vector<std::uint8_t> read() {
        std::vector<std::uint8_t> value;
        for (auto n = tdgen_read_int(); n > 0; n--) value.push_back(static_cast<std::uint8_t>(tdgen_read_int()));
        return value;
    }
    static void write(const std::vector<std::uint8_t>& value) {
        tdgen_say_text("[\"y\",\"");
        for (std::uint8_t one : value) tdgen_write_hex(one);
        tdgen_say_text("\"]");
    }
};
template <class T> struct tdgen_type<std::set<T>> {
    static std::set<T> read() {
        std::set<T> value;
        for (auto n = tdgen_read_int(); n > 0; n--) value.insert(tdgen_type<T>::read());
        return value;
    }
    static void write(const std::set<T>& value) { tdgen_write_items<T>("[\"s\",[", value); }
};
template <class K, class V> struct tdgen_type<std::map<K, V>> {
    static std::map<K, V> read() {
        std::map<K, V> value;
        for (auto n = tdgen_read_int(); n > 0; n--) {
            auto key = tdgen_type<K>::read();
            value.emplace(std::move(key), tdgen_type<V>::read());
        }
        return value;
    }
    static void write(const std::map<K, V>& value) {
        const char *before = "[\"m\",[";
        for (const auto& [key, one] : value) {
            tdgen_say_text(std::exchange(before, ","));
            tdgen_say_text("[");
            tdgen_type<K>::write(key);
            tdgen_say_text(",");
            tdgen_type<V>::write(one);
            tdgen_say_text("]");
        }
        tdgen_say_text(value.empty() ? before : "");
        tdgen_say_text("]]");
    }
};
template <class T> struct tdgen_type<std::optional<T>> {
    static std::optional<T> read() {
        std::optional<T> value;
        if (tdgen_read_bool()) value.emplace(tdgen_type<T>::read());
        return value;
    }
    static void write(const std::optional<T>& value) {
        if (value) tdgen_type<T>::write(*value);
        else tdgen_say_text("null");
    }
};
template <class... T> struct tdgen_type<std::tuple<T...>> {
    static std::tuple<T...> read() { return std::tuple<T...>{tdgen_type<T>::read()...}; }
    static void write(const std::tuple<T...>& value) {
        const char *before = "[\"l\",[";
        std::apply([&](const T&... one) {
            ((tdgen_say_text(std::exchange(before, ",")), tdgen_type<T>::write(one)), ...);
        }, value);
        tdgen_say_text(sizeof...(T) == 0 ? before : "");
        tdgen_say_text("]]");
    }
};
template <class... T> static void tdgen_write_fields(std::initializer_list<const char *> names, const T&... values) {
    auto name = names.begin();
    const char *before = "[\"";
    ((tdgen_say_text(std::exchange(before, ",[\"")), tdgen_say_text(*name++), tdgen_say_text("\","),
      tdgen_type<T>::write(values), tdgen_say_text("]")), ...);
}
TDGEN_OWN void tdgen_fail_otherwise(const std::exception& thrown) {
    int status = 0;
    char *name = abi::__cxa_demangle(typeid(thrown).name(), nullptr, nullptr, &status);
    tdgen_fail(name ? name : "std::exception", thrown.what());
    free(name);
}

struct tdgen_object { int kind; std::shared_ptr<void> held; };
static tdgen_object tdgen_objects[TDGEN_MOST_OBJECTS];
static std::int64_t tdgen_count;
static bool tdgen_reads;
TDGEN_OWN std::int64_t tdgen_keep(int kind, std::shared_ptr<void> made) {
    if (tdgen_count == TDGEN_MOST_OBJECTS) _exit(66);
    tdgen_objects[tdgen_count] = {kind, std::move(made)};
    return tdgen_first + tdgen_count++;
}
TDGEN_OWN tdgen_object& tdgen_find() {
    std::int64_t number = tdgen_read_int() - tdgen_first;
    if (number < 0 || number >= tdgen_count) _exit(64);
    return tdgen_objects[number];
}
template <class Base, class Own> static Base& tdgen_as(void *held) {
    if constexpr (std::is_convertible_v<Own *, Base *>) return *static_cast<Own *>(held);
    _exit(64);
}
TDGEN_OWN void tdgen_say_object(const char *name, std::int64_t number) {
    tdgen_say_text("[\"h\",\"");
    tdgen_say_text(name);
    tdgen_say_text("\",");
    tdgen_say_text(std::to_string(number).c_str());
    tdgen_say_text("]");
}
TDGEN_OWN void tdgen_drop() { while (tdgen_count > 0) tdgen_objects[--tdgen_count].held.reset(); }

#define TDGEN_MOST_CALLS 65536
static char *tdgen_calls[TDGEN_MOST_CALLS];
static size_t tdgen_made, tdgen_last;
TDGEN_OWN size_t tdgen_left() { return tdgen_allocated() > tdgen_start ? tdgen_allocated() - tdgen_start : 0; }
TDGEN_OWN size_t tdgen_lost_again() {
    tdgen_drop();
    size_t once = tdgen_left();
    for (size_t n = 0; once > 0 && n < tdgen_made; n++) {
        tdgen_in = tdgen_calls[n] + 33;
        tdgen_size = 0;
        tdgen_variant = tdgen_read_int();
        tdgen_dispatch(tdgen_read_int());
    }
    tdgen_drop();
    return tdgen_left() > once ? tdgen_left() - once : 0;
}
TDGEN_OWN void tdgen_settle(char *all) {
    std::cout.flush();
    fflush(stdout);
    if (tdgen_made == TDGEN_MOST_CALLS) _exit(66);
    tdgen_calls[tdgen_made++] = all;
    if (tdgen_left() == tdgen_last && (tdgen_reads || tdgen_count == 0)) return;
    tdgen_last = tdgen_left();
    off_t printed[3];
    int ends[2], status = 0;
    if (pipe(ends)) _exit(65);
    for (int fd = 1; fd < 3; fd++) printed[fd] = lseek(fd, 0, SEEK_CUR);
    pid_t child = fork();
    if (child == 0) {
        tdgen_lost = tdgen_lost_again();
        tdgen_send(ends[1], reinterpret_cast<char *>(&tdgen_lost), sizeof tdgen_lost);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) _exit(65);
    close(ends[1]);
    if (WIFSIGNALED(status)) kill(getpid(), WTERMSIG(status));
    if (status != 0) _exit(WEXITSTATUS(status));
    if (read(ends[0], &tdgen_lost, sizeof tdgen_lost) != sizeof tdgen_lost) _exit(65);
    for (int fd = 1; fd < 3; fd++) if (ftruncate(fd, printed[fd]) || lseek(fd, printed[fd], SEEK_SET) < 0) _exit(65);
    close(ends[0]);
}
