/* The quickest bot that still plays: it answers with a pseudo-random legal action, looking at as few bytes as it can. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    static char line[1 << 20], answer[128];
    static const char decide[] = "{\"type\":\"decide\",\"id\":", legal[] = "\"legal\":[";
    size_t held = 0;
    uint64_t state = 88172645463325252ULL;
    for (;;) {
        ssize_t got = read(0, line + held, sizeof line - held);
        if (got <= 0) return 0;
        held += (size_t)got;
        if (line[held - 1] != '\n') continue;
        int length = 0;
        if (strncmp(line, decide, sizeof decide - 1) == 0) {
            const char *actions = memmem(line, held, legal, sizeof legal - 1);
            unsigned count = 0, depth = 0;
            for (const char *p = actions; p && p < line + held; p++) {
                if (*p == '{' && depth++ == 0) count++;
                if (*p == '}') depth--;
            }
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            length = sprintf(answer, "{\"type\":\"choice\",\"id\":%lld,\"choice\":%u}\n",
                             atoll(line + sizeof decide - 1), count ? (unsigned)(state >> 33) % count : 0);
        } else if (strncmp(line, "{\"type\":\"start\"", 15) == 0) {
            const char *seat = memmem(line, held, "\"seat\":", 7);
            state += seat ? 1442695040888963407ULL * (unsigned)(seat[7] - '0') : 0; /* no two seats choose alike */
            length = sprintf(answer, "{\"type\":\"ready\"}\n");
        }
        held = 0;
        if (length && write(1, answer, (size_t)length) != length) return 1;
    }
}
