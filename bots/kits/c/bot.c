/* A starter bot in C: plays a random legal action of any game. It needs nothing but the C library.
 *
 * The referee writes one JSON object per line to our standard input and reads one answer per line from our standard
 * output. Change `choose`; the rest can stay. Debug text belongs on stderr.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- just enough JSON: walk over values, find a key of an object ------------------------------------------------ */

static const char *skip_space(const char *p) {
    while (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n') p++;
    return p;
}

static const char *skip_string(const char *p) {
    for (p++; *p && *p != '"'; p++)
        if (*p == '\\' && p[1]) p++;
    return *p ? p + 1 : p;
}

/* The first character after the value at p. */
static const char *skip_value(const char *p) {
    int depth = 0;
    do {
        if (*p == '"') {
            p = skip_string(p);
            continue;
        }
        if (*p == '{' || *p == '[') depth++;
        if (*p == '}' || *p == ']') depth--;
        if (*p) p++;
    } while (*p && (depth > 0 || !strchr(",]} \t\r\n", *p)));
    return p;
}

/* The value of a key of the object at p, or NULL. */
static const char *member(const char *p, const char *key) {
    size_t length = strlen(key);
    p = skip_space(p);
    if (*p != '{') return NULL;
    for (p = skip_space(p + 1); *p == '"'; p = skip_space(p + 1)) {
        const char *name = p + 1;
        p = skip_string(p);
        int same = (size_t)(p - 1 - name) == length && strncmp(name, key, length) == 0;
        p = skip_space(p);
        if (*p != ':') return NULL;
        p = skip_space(p + 1);
        if (same) return p;
        p = skip_space(skip_value(p));
        if (*p != ',') return NULL;
    }
    return NULL;
}

/* How many values the list at p has. */
static int count_items(const char *p) {
    int items = 0;
    if (p == NULL || *p != '[') return 0;
    for (p = skip_space(p + 1); *p && *p != ']'; items++) {
        p = skip_space(skip_value(p));
        if (*p == ',') p = skip_space(p + 1);
    }
    return items;
}

static int is_type(const char *line, const char *type) {
    const char *value = member(line, "type");
    size_t length = strlen(type);
    return value && *value == '"' && strncmp(value + 1, type, length) == 0 && value[1 + length] == '"';
}

/* -- the bot ----------------------------------------------------------------------------------------------------- */

static uint64_t state = 88172645463325252ULL;

static uint64_t next_random(void) { /* xorshift64 */
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* The index of our action among `count` legal ones. `line` is the whole request, with "view" and "events". */
static int choose(const char *line, int count) {
    (void)line;
    return (int)(next_random() % (uint64_t)count);
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) { /* ends with our input: then we go */
        if (is_type(line, "start")) {
            const char *seed = member(line, "bot_seed");
            if (seed) state ^= strtoull(seed, NULL, 10) * 2654435761ULL;
            if (state == 0) state = 1;
            printf("{\"type\":\"ready\",\"name\":\"c-starter\"}\n");
        } else if (is_type(line, "decide")) {
            const char *id = member(line, "id");
            int count = count_items(member(line, "legal"));
            if (id == NULL || count == 0) continue;
            printf("{\"type\":\"choice\",\"id\":%lld,\"choice\":%d}\n", strtoll(id, NULL, 10), choose(line, count));
        }
        fflush(stdout); /* without this the answer waits in a buffer and the clock runs out */
    }
    free(line);
    return 0;
}
