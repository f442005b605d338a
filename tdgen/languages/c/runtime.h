static char *tdgen_read_str(void) {
    size_t length = (size_t)tdgen_read_int();
    char *text = malloc(length + 1);
    memcpy(text, tdgen_in, length);
    text[length] = 0;
    tdgen_in += length;
    return text;
}
static char *tdgen_read_maybe_str(void) { return tdgen_read_bool() ? tdgen_read_str() : NULL; }
static void tdgen_write_str(const char *value) {
    if (value) tdgen_write_bytes(value, strlen(value));
    else tdgen_say_text("[\"o\",\"NULL\"]");
}
static void tdgen_write_maybe_str(const char *value) {
    if (value) tdgen_write_bytes(value, strlen(value));
    else tdgen_say_text("null");
}
static void tdgen_settle(char *all) { (void)all; }
