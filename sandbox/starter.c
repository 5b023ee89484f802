/* The first process in a bot's container: it waits for a bot to run, runs it on the pipes it is handed, and tells how it ended.
 *
 * Usage: starter SOCKET DIRECTORY SCRATCH
 *
 * It connects to SOCKET (SOCK_SEQPACKET) and then obeys, one packet a command:
 *   R argc \0 arg \0 ... \0 NAME=VALUE \0 ...   with three descriptors: run this in DIRECTORY on them; answered by "S" at once,
 *                                               and by "X code" or "K signal" when that process has ended
 *   W                                           end every other process and empty SCRATCH; answered by "C" (clean) or "D" (dirty)
 * A closed connection ends it. When a bot's main process ends, everything that it started is ended with it.
 * Static and without allocation, so that it runs in any image.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PACKET = 65536, VECTOR = 256, DEPTH = 64 };

static char packet[PACKET + 1];
static char *vector[VECTOR];
static char *environment[VECTOR];

static void tell(int link, const char *format, int number) {
    char text[32];
    int size = snprintf(text, sizeof text, format, number);
    (void)!send(link, text, (size_t)size, MSG_NOSIGNAL);
}

/* Kill and reap until this process has no descendant left: as a subreaper it inherits whatever was orphaned. */
static void end_all(void) {
    for (;;) {
        kill(-1, SIGKILL);
        if (waitpid(-1, NULL, 0) < 0 && errno == ECHILD) return;
    }
}

static int empty(int directory, int depth) {
    DIR *entries = depth > 0 ? fdopendir(directory) : NULL;
    int clean = entries != NULL;
    if (!entries) {
        close(directory);
        return 0;
    }
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        if (!unlinkat(dirfd(entries), entry->d_name, 0)) continue;
        fchmodat(dirfd(entries), entry->d_name, 0700, 0);
        int below = openat(dirfd(entries), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (below < 0 || !empty(below, depth - 1) || unlinkat(dirfd(entries), entry->d_name, AT_REMOVEDIR)) clean = 0;
    }
    closedir(entries);
    return clean;
}

static int wipe(const char *scratch) {
    end_all();
    int directory = open(scratch, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return directory >= 0 && empty(directory, DEPTH);
}

/* Cut the packet into argument vector and environment; gives 0 where it is not as it should be. */
static int parse(ssize_t size) {
    packet[size] = 0;
    char *at = packet + 1, *end = packet + size;
    int count = atoi(at), arguments = 0, variables = 0;
    at += strlen(at) + 1;
    if (count < 1) return 0;
    for (; at < end; at += strlen(at) + 1) {
        if (arguments < count) {
            if (arguments >= VECTOR - 1) return 0;
            vector[arguments++] = at;
        } else {
            if (variables >= VECTOR - 1) return 0;
            environment[variables++] = at;
        }
    }
    vector[arguments] = NULL;
    environment[variables] = NULL;
    return arguments == count;
}

static void become(const int pipes[3], const char *directory) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int stream = 0; stream < 3; stream++) {
        if (dup2(pipes[stream], stream) < 0) _exit(126);
    }
    setsid();
    if (chdir(directory)) {
        dprintf(2, "cannot enter %s: %s\n", directory, strerror(errno));
        _exit(126);
    }
    environ = environment;
    execvp(vector[0], vector);
    dprintf(2, "cannot run %s: %s\n", vector[0], strerror(errno));
    _exit(errno == ENOENT ? 127 : 126);
}

static pid_t run(int link, const int pipes[3], ssize_t size, const char *directory) {
    pid_t child = parse(size) ? fork() : -1;
    if (child == 0) become(pipes, directory);
    for (int stream = 0; stream < 3; stream++) close(pipes[stream]);
    if (child < 0) tell(link, "X%d", 126);
    else tell(link, "S", 0);
    return child;
}

/* One packet with up to three descriptors; they are above 2 and close on exec. */
static ssize_t receive(int link, int pipes[3]) {
    char room[CMSG_SPACE(3 * sizeof(int))];
    struct iovec part = {packet, PACKET};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    ssize_t size = recvmsg(link, &message, MSG_CMSG_CLOEXEC);
    struct cmsghdr *extra = size > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    pipes[0] = -1;
    if (extra && extra->cmsg_type == SCM_RIGHTS && extra->cmsg_len == CMSG_LEN(3 * sizeof(int)))
        memcpy(pipes, CMSG_DATA(extra), 3 * sizeof(int));
    return size;
}

static void reap(int link, pid_t *bot) {
    int status;
    for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
        if (ended != *bot) continue;
        *bot = -1;
        end_all();
        if (WIFSIGNALED(status)) tell(link, "K%d", WTERMSIG(status));
        else tell(link, "X%d", WEXITSTATUS(status));
    }
}

int main(int argc, char **argv) {
    struct sockaddr_un where = {.sun_family = AF_UNIX};
    if (argc != 4 || strlen(argv[1]) >= sizeof where.sun_path) return 2;
    strcpy(where.sun_path, argv[1]);
    sigset_t signals;
    sigfillset(&signals);
    sigprocmask(SIG_SETMASK, &signals, NULL);
    int children = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    int link = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_DUMPABLE, 0);
    if (children < 0 || link < 0 || connect(link, (struct sockaddr *)&where, sizeof where)) return 3;
    pid_t bot = -1;
    struct pollfd watched[2] = {{.fd = link, .events = POLLIN}, {.fd = children, .events = POLLIN}};
    for (;;) {
        if (poll(watched, 2, -1) < 0) continue;
        struct signalfd_siginfo what;
        while (read(children, &what, sizeof what) > 0) continue;
        reap(link, &bot);
        if (!watched[0].revents) continue;
        int pipes[3];
        ssize_t size = receive(link, pipes);
        if (size <= 0) break;
        if (packet[0] == 'W') {
            bot = -1;
            tell(link, wipe(argv[3]) ? "C" : "D", 0);
        } else if (packet[0] == 'R' && pipes[0] >= 0 && bot < 0) {
            bot = run(link, pipes, size, argv[2]);
        }
    }
    end_all();
    return 0;
}
