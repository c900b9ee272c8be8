/* The client of COSIM/1 that metaroce_cosim.h describes. One file, C11 and POSIX, no library. */
#define _POSIX_C_SOURCE 200809L
#include "metaroce_cosim.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RECORD = 64, ROUTE = 24, WORDS = 64, FRAME_MAX = 16 << 20, EFFECTS_HEAD = 32 };
enum { JSON = 0x01, RX = 0x02, ADVANCE = 0x03, CMD = 0x04, CHOOSE = 0x05, EXPECT = 0x06, EVENTS = 0x07 };
enum { JSON_REPLY = 0x81, EFFECTS = 0x82, VERDICT = 0x83, ERROR = 0xFF };

typedef struct {
    uint8_t *bytes;
    size_t length, room;
} buffer;

struct mr_cosim {
    int fd, deadline_ms;
    pid_t child;
    bool broken;
    buffer out, in;
    int count;
    uint32_t flags;
    uint64_t reached, next;
    const uint8_t *records, *blob;
    char *answer;
    char why[4096];
};

/* ---- bytes ---- */

static void put(uint8_t *at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++, value >>= 8) at[i] = (uint8_t)value;
}

static uint64_t get(const uint8_t *at, int bytes) {
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--) value = value << 8 | at[i];
    return value;
}

static uint8_t *room(buffer *b, size_t more) {
    if (b->length + more > b->room) {
        size_t bigger = 2 * (b->length + more) + 256;
        uint8_t *moved = realloc(b->bytes, bigger);
        if (!moved) abort(); /* less than a few frames of memory are left: there is no simulation to save */
        b->bytes = moved;
        b->room = bigger;
    }
    uint8_t *at = b->bytes + b->length;
    b->length += more;
    return at;
}

static void add(buffer *b, const void *bytes, size_t length) {
    if (length > 0) memcpy(room(b, length), bytes, length);
}

static void add_number(buffer *b, uint64_t value, int bytes) { put(room(b, (size_t)bytes), value, bytes); }

static void add_record(buffer *b, const mr_event *e) {
    uint8_t *at = room(b, RECORD);
    put(at, e->order, 4);
    at[4] = e->kind;
    at[5] = e->reason;
    at[6] = e->path;
    at[7] = e->epoch;
    put(at + 8, e->t_ns, 8);
    put(at + 16, e->conn, 4);
    put(at + 20, e->psn, 4);
    put(at + 24, e->stream, 2);
    put(at + 26, e->flags, 2);
    put(at + 28, e->msn, 4);
    put(at + 32, e->mr, 4);
    put(at + 36, e->len, 4);
    put(at + 40, e->off, 8);
    put(at + 48, e->arg0, 8);
    put(at + 56, e->arg1, 8);
}

static mr_event record_at(const uint8_t *at) {
    return (mr_event){
        .order = (uint32_t)get(at, 4), .kind = at[4], .reason = at[5], .path = at[6], .epoch = at[7], .t_ns = get(at + 8, 8),
        .conn = (uint32_t)get(at + 16, 4), .psn = (uint32_t)get(at + 20, 4), .stream = (uint16_t)get(at + 24, 2),
        .flags = (uint16_t)get(at + 26, 2), .msn = (uint32_t)get(at + 28, 4), .mr = (uint32_t)get(at + 32, 4),
        .len = (uint32_t)get(at + 36, 4), .off = get(at + 40, 8), .arg0 = get(at + 48, 8), .arg1 = get(at + 56, 8)};
}

/* ---- the link ---- */

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int fail(mr_cosim *m, const char *what) {
    m->broken = true;
    snprintf(m->why, sizeof m->why, "{\"err\":\"link\",\"msg\":\"%s\"}", what);
    return MR_BROKEN;
}

/* Sends or receives exactly so many bytes, before the deadline. */
static int transfer(mr_cosim *m, short direction, uint8_t *bytes, size_t length, int64_t until) {
    for (size_t done = 0; done < length;) {
        struct pollfd wait = {.fd = m->fd, .events = direction};
        int64_t left = until - now_ms();
        int ready = poll(&wait, 1, left > 0 ? (int)left : 0);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return fail(m, "no reply in time");
        ssize_t moved = direction == POLLOUT ? send(m->fd, bytes + done, length - done, MSG_NOSIGNAL)
                                             : recv(m->fd, bytes + done, length - done, 0);
        if (moved < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (moved <= 0) return fail(m, "the model is gone");
        done += (size_t)moved;
    }
    return 0;
}

static void begin(mr_cosim *m, uint8_t type) {
    m->out.length = 0;
    m->why[0] = 0;
    add_number(&m->out, 0, 4);
    add_number(&m->out, type, 1);
}

static void begin_at(mr_cosim *m, uint8_t type, uint32_t h, uint64_t t) {
    begin(m, type);
    add_number(&m->out, h, 4);
    add_number(&m->out, t, 8);
}

/* Sends the frame in out and reads its reply into in, ended by a zero byte. Returns the type of the reply. */
static int exchange(mr_cosim *m) {
    if (m->broken) return MR_BROKEN;
    int64_t until = now_ms() + m->deadline_ms;
    uint8_t head[5];
    put(m->out.bytes, m->out.length - 4, 4);
    if (m->out.length > FRAME_MAX) {
        snprintf(m->why, sizeof m->why, "{\"err\":\"E_ARG\",\"msg\":\"a frame of %zu bytes\"}", m->out.length);
        return MR_REFUSED;
    }
    if (transfer(m, POLLOUT, m->out.bytes, m->out.length, until) || transfer(m, POLLIN, head, sizeof head, until))
        return MR_BROKEN;
    uint64_t length = get(head, 4);
    if (length < 1 || length > FRAME_MAX) return fail(m, "the length of a reply is impossible");
    m->in.length = 0;
    uint8_t *body = room(&m->in, (size_t)length);
    if (transfer(m, POLLIN, body, (size_t)length - 1, until)) return MR_BROKEN;
    body[length - 1] = 0;
    m->in.length--;
    if (head[4] == ERROR) {
        snprintf(m->why, sizeof m->why, "%s", (char *)body);
        return MR_REFUSED;
    }
    return head[4];
}

static int effects(mr_cosim *m, mr_event *out, int cap) {
    free(m->answer);
    m->answer = NULL;
    m->count = 0;
    int type = exchange(m);
    if (type < 0) return type;
    const uint8_t *in = m->in.bytes;
    if (type != EFFECTS || m->in.length < EFFECTS_HEAD) return fail(m, "a reply without effects");
    uint64_t count = get(in, 4), blob = get(in + 28, 4), answer = get(in + 24, 4);
    if (EFFECTS_HEAD + count * RECORD + blob + answer != m->in.length) return fail(m, "the parts of a reply do not add up");
    m->flags = (uint32_t)get(in + 4, 4);
    m->reached = get(in + 8, 8);
    m->next = get(in + 16, 8);
    m->records = in + EFFECTS_HEAD;
    m->blob = m->records + count * RECORD;
    m->count = (int)count;
    m->answer = strndup((const char *)m->blob + blob, (size_t)answer);
    for (int i = 0; i < m->count && i < cap; i++) out[i] = record_at(m->records + (size_t)i * RECORD);
    return m->count;
}

static int verdict(mr_cosim *m) {
    int type = exchange(m);
    if (type < 0) return type;
    if (type != VERDICT || m->in.length < 1) return fail(m, "a reply without verdict");
    int result = m->in.bytes[0];
    if (result != 1) snprintf(m->why, sizeof m->why, "%s", (char *)m->in.bytes + 1);
    return result;
}

/* ---- beginning and end ---- */

static int started(const char *command, pid_t *child) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return -1;
    char *copy = strdup(command), *words[WORDS + 1];
    int count = 0;
    for (char *word = strtok(copy, " "); word && count < WORDS; word = strtok(NULL, " ")) words[count++] = word;
    words[count] = NULL;
    *child = count > 0 ? fork() : -1;
    if (*child == 0) {
        dup2(ends[1], STDIN_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execvp(words[0], words);
        _exit(127);
    }
    free(copy);
    close(ends[1]);
    if (*child < 0) {
        close(ends[0]);
        return -1;
    }
    return ends[0];
}

static void rest(void) {
    struct timespec tick = {.tv_nsec = 10000000};
    nanosleep(&tick, NULL);
}

/* A model that is being started may not listen yet: tries for ten seconds. */
static int connected(const char *model) {
    struct sockaddr_un file = {.sun_family = AF_UNIX};
    struct sockaddr_in port = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    bool is_file = !strncmp(model, "unix:", 5);
    if (is_file) snprintf(file.sun_path, sizeof file.sun_path, "%s", model + 5);
    else port.sin_port = htons((uint16_t)strtoul(model + 4, NULL, 10));
    for (int64_t until = now_ms() + 10000; now_ms() < until; rest()) {
        int fd = socket(is_file ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
        if (fd < 0) return -1;
        if (!(is_file ? connect(fd, (struct sockaddr *)&file, sizeof file) : connect(fd, (struct sockaddr *)&port, sizeof port)))
            return fd;
        close(fd);
    }
    return -1;
}

mr_cosim *mr_open(const char *model) {
    static const char hello[] = "{\"id\":1,\"op\":\"hello\",\"cosim\":1,\"enc\":\"bin\",\"client\":\"metaroce_cosim.c\"}\n";
    mr_cosim *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->deadline_ms = 60000;
    bool listens = !strncmp(model, "unix:", 5) || !strncmp(model, "tcp:", 4);
    m->fd = listens ? connected(model) : started(model, &m->child);
    int64_t until = now_ms() + m->deadline_ms;
    bool is_there = m->fd >= 0;
    add(&m->out, hello, sizeof hello - 1);
    is_there = is_there && !transfer(m, POLLOUT, m->out.bytes, m->out.length, until);
    /* The reply is a line; what follows is in frames, so nothing beyond the line may be read. */
    while (is_there && (m->in.length == 0 || m->in.bytes[m->in.length - 1] != '\n')) {
        uint8_t *at = room(&m->in, 1);
        is_there = m->in.length < 4096 && !transfer(m, POLLIN, at, 1, until);
    }
    if (is_there) *room(&m->in, 1) = 0;
    if (!is_there || !strstr((char *)m->in.bytes, "\"ok\":true")) {
        m->broken = true;
        mr_close(m);
        return NULL;
    }
    return m;
}

void mr_deadline(mr_cosim *m, int ms) { m->deadline_ms = ms; }

void mr_close(mr_cosim *m) {
    if (!m) return;
    if (!m->broken) mr_call(m, "{\"op\":\"bye\"}");
    if (m->fd >= 0) close(m->fd);
    if (m->child > 0) {
        int tries = 500; /* five seconds to end by itself */
        while (tries > 0 && waitpid(m->child, NULL, WNOHANG) == 0) {
            rest();
            if (--tries == 0) {
                kill(m->child, SIGKILL);
                waitpid(m->child, NULL, 0);
            }
        }
    }
    free(m->answer);
    free(m->out.bytes);
    free(m->in.bytes);
    free(m);
}

/* ---- requests ---- */

const char *mr_call(mr_cosim *m, const char *request) {
    begin(m, JSON);
    add(&m->out, request, strlen(request));
    int type = exchange(m);
    if (type >= 0 && type != JSON_REPLY) fail(m, "a reply that is no JSON");
    return type == JSON_REPLY ? (const char *)m->in.bytes : NULL;
}

int mr_new(mr_cosim *m, const char *arguments, uint32_t *h) {
    const char *rest = strchr(arguments, '{');
    rest = rest ? rest + 1 + strspn(rest + 1, " ") : "}";
    begin(m, JSON);
    add(&m->out, "{\"op\":\"new\"", 11);
    add(&m->out, ",", *rest != '}');
    add(&m->out, rest, strlen(rest));
    int type = exchange(m);
    if (type < 0) return type;
    *h = (uint32_t)mr_number((const char *)m->in.bytes, "h", 0);
    return *h ? 0 : fail(m, "no handle in the reply to new");
}

int mr_cmd(mr_cosim *m, uint32_t h, uint64_t t, const char *json, mr_event *out, int cap) {
    begin_at(m, CMD, h, t);
    add(&m->out, json, strlen(json));
    return effects(m, out, cap);
}

int mr_rx(mr_cosim *m, uint32_t h, uint64_t t, const mr_route *from, const void *packet, uint32_t length, mr_event *out, int cap) {
    begin_at(m, RX, h, t);
    add(&m->out, from->ip, sizeof from->ip);
    add_number(&m->out, from->sport, 2);
    add_number(&m->out, from->dport, 2);
    add(&m->out, (uint8_t[]){from->v6, from->ecn, from->plane, 0}, 4);
    add(&m->out, packet, length);
    return effects(m, out, cap);
}

int mr_advance(mr_cosim *m, uint32_t h, uint64_t t, mr_event *out, int cap) {
    begin_at(m, ADVANCE, h, t);
    return effects(m, out, cap);
}

int mr_choose(mr_cosim *m, uint32_t h, uint64_t t, uint16_t point, uint16_t path, uint32_t conn, uint64_t value) {
    begin_at(m, CHOOSE, h, t);
    add_number(&m->out, point, 2);
    add_number(&m->out, path, 2);
    add_number(&m->out, conn, 4);
    add_number(&m->out, value, 8);
    return verdict(m);
}

int mr_expect(mr_cosim *m, uint32_t h, const mr_event *dut, const void *packet) {
    begin(m, EXPECT);
    add_number(&m->out, h, 4);
    add_record(&m->out, dut);
    if (packet) add(&m->out, packet, dut->len);
    return verdict(m);
}

int mr_events(mr_cosim *m, uint32_t h, const mr_event *log, uint32_t count, const void *bytes, uint32_t length) {
    begin(m, EVENTS);
    add_number(&m->out, h, 4);
    add_number(&m->out, count, 4);
    for (uint32_t i = 0; i < count; i++) add_record(&m->out, &log[i]);
    add(&m->out, bytes, length);
    return verdict(m);
}

/* ---- the last reply ---- */

int mr_effect(const mr_cosim *m, int i, mr_event *out) {
    if (i < 0 || i >= m->count) return 0;
    *out = record_at(m->records + (size_t)i * RECORD);
    return 1;
}

const uint8_t *mr_bytes(const mr_cosim *m, int i, uint32_t *length) {
    const uint8_t *at = m->blob;
    *length = 0;
    if (i < 0 || i >= m->count) return NULL;
    size_t sent = 0, all = 0;
    for (int k = 0; k < m->count; k++) {
        mr_event e = record_at(m->records + (size_t)k * RECORD);
        sent += e.kind == MR_TX ? e.len : 0;
        all += e.kind == MR_TX || e.kind == MR_PLACE ? e.len : 0;
    }
    bool placed = all > sent && get(m->in.bytes + 28, 4) == all; /* whether PLACE has bytes in this handle */
    for (int k = 0; k <= i; k++) {
        mr_event e = record_at(m->records + (size_t)k * RECORD);
        bool has = e.kind == MR_TX || (placed && e.kind == MR_PLACE);
        if (k == i) {
            *length = has ? e.len : 0;
            return has ? at : NULL;
        }
        at += has ? e.len : 0;
    }
    return NULL;
}

const char *mr_answer(const mr_cosim *m) { return m->answer ? m->answer : ""; }
uint64_t mr_reached(const mr_cosim *m) { return m->reached; }
uint64_t mr_next(const mr_cosim *m) { return m->next; }
int mr_more(const mr_cosim *m) { return (int)(m->flags & 1); }
const char *mr_why(const mr_cosim *m) { return m->why; }

uint64_t mr_number(const char *json, const char *name, uint64_t otherwise) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", name);
    const char *at = strstr(json, quoted);
    if (!at) return otherwise;
    at += strlen(quoted);
    at += strspn(at, " \"");
    return strtoull(at, NULL, 0);
}
