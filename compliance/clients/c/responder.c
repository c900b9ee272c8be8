/*
 * A third implementation, in C11 without libraries: receives Writes and acknowledges them.
 *
 * It shares no line with the engine, the suite or the responder in Python. It speaks UTP/1 on standard input and output,
 * or over TCP with --listen PORT (127.0.0.1 only; port 0 takes a free one, which is told on standard output):
 *
 *     cc -std=c11 -O2 -o responder responder.c
 *     metaroce compliance run --target exec:./responder --profile responder@1.0
 *
 * One connection at a time, which it asks for (with the cookie if one is demanded); one plane; streams without receives;
 * no congestion control. It sends nothing but the handshake, reports, and answers to CLOSE. Every packet is acknowledged
 * at once, so there is no acknowledgement timer. Every table has a bound. A step of the receive pipeline (chapter 4.4 of
 * the specification) that fails drops the packet and counts the reason.
 */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { WINDOW = 256, PATHS = 64, STREAMS = 32, OPEN_MESSAGES = 1024, REGIONS = 64, GUARD = 4096, BLOCKS_PER_ACK = 16 };
enum { BASE = 16, TRAILER = 4, WRITE_FIXED = 28, LINE_MAX_BYTES = 256 * 1024, REGION_MAX = 64 << 20 };
enum { M = 8, X = 1 };
enum {
    CONN_REQ = 1, CONN_RETRY, CONN_ACCEPT, CONN_REJECT, CONN_CONFIRM, VERSION_NEG, CLOSE, CLOSE_ACK, RESET,
    ACK = 0x10, NAK, PROBE, STREAM_QUERY = 0x16, STREAM_STATUS, WRITE = 0x20
};
enum { REM_ACCESS = 2, INV_REQ = 3, UNSUPPORTED = 6, BEYOND_WINDOW = 8, PROTO = 9 };
static const uint32_t PSN_STRIDE = 0x9E3779B1u, OWN_ID = 0x0C0DE001u, OWN_SEED = 0x0BADF00Du, OWN_PSN = 5000;
static const int64_t STALE_NS = 16000000000, REQUEST_NS = 50000000, IDLE_MS = 600000;

/* ---- numbers and bytes ---- */

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool is_after(uint32_t a, uint32_t b) { return a != b && a - b < 0x80000000u; }

static uint64_t get(const uint8_t *at, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value = value << 8 | at[i];
    return value;
}

static uint8_t *put(uint8_t *at, uint64_t value, int bytes) {
    for (int i = bytes - 1; i >= 0; i--, value >>= 8) at[i] = (uint8_t)value;
    return at + bytes;
}

static uint32_t crc_table[256];

static void crc_prepare(void) {
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t c = n;
        for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0x82F63B78u : c >> 1;
        crc_table[n] = c;
    }
}

/* R-HDR-007, R-HDR-008: the seed, then the packet without its trailer, flag M taken as 0. */
static uint32_t crc32c(uint32_t seed, const uint8_t *packet, size_t length) {
    uint32_t crc = 0xFFFFFFFFu;
    uint8_t head[4];
    put(head, seed, 4);
    for (int i = 0; i < 4; i++) crc = crc >> 8 ^ crc_table[(crc ^ head[i]) & 0xFF];
    for (size_t i = 0; i < length; i++) {
        uint8_t byte = i ? packet[i] : (uint8_t)(packet[0] & ~M);
        crc = crc >> 8 ^ crc_table[(crc ^ byte) & 0xFF];
    }
    return ~crc;
}

/* ---- state ---- */

typedef struct {
    bool used, echoes;
    uint8_t epoch, flags, news;
    uint32_t cum, top, echo, received, marked, duplicates;
    uint64_t map[WINDOW / 64]; /* bit 0 stands for cum */
    int64_t arrival;
} path_t;

typedef struct {
    bool used, writable, alive;
    uint32_t key, length;
    uint64_t address;
    uint8_t *bytes; /* between two guards */
} region_t;

typedef struct {
    bool begun;
    uint8_t fault;
    uint32_t got, total;
} message_t;

typedef struct {
    uint8_t error;
    uint32_t next;
    message_t open[OPEN_MESSAGES]; /* message m at m mod OPEN_MESSAGES */
} stream_t;

typedef enum {
    RX_PACKETS, RX_SLOTS, DROP_SHORT, DROP_VERSION, DROP_OPCODE, DROP_NO_CONNECTION, DROP_INTEGRITY, DROP_LENGTH, DROP_TLV,
    DROP_TLV_CRITICAL, DROP_STATE, DROP_PROTOCOL, DROP_WINDOW, COUNTERS, TAKEN = COUNTERS
} counter_t;
static const char *const COUNTER_NAMES[COUNTERS] = {
    "rx_packets", "rx_slots", "drop_short", "drop_version", "drop_opcode", "drop_no_connection", "drop_integrity",
    "drop_length", "drop_tlv", "drop_tlv_critical", "drop_state", "drop_protocol", "drop_window"};

static struct {
    int udp;
    uint16_t port;
    uint64_t counters[COUNTERS], seq, accepted, nonce, next_region;
    region_t regions[REGIONS];
    path_t paths[PATHS];
    stream_t streams[STREAMS];
    int opened, tries;
    bool asked, established, closed, has_cookie;
    uint8_t cookie[16];
    int64_t again_at;
    uint32_t service, peer_id, peer_seed, peer_psn, ack_seq, beyond;
    struct sockaddr_in to;
} me = {.udp = -1};

static FILE *agent_out;

static void count(counter_t which) { me.counters[which]++; }

static void reset(void) {
    if (me.udp >= 0) close(me.udp);
    for (int i = 0; i < REGIONS; i++) free(me.regions[i].bytes);
    memset(&me, 0, sizeof me);
    me.udp = -1;
    me.next_region = 1;
    me.ack_seq = 1;
    me.nonce = 0x1122334455667788u;
}

static void tell_state(const char *state, const char *why) {
    fprintf(agent_out, "{\"evt\":\"conn_state\",\"conn\":1,\"state\":\"%s\",\"why\":\"%s\",\"seq\":%" PRIu64 ",\"t\":%" PRId64 "}\n",
            state, why, me.seq++, now_ns());
    fflush(agent_out);
}

/* ---- packets that leave ---- */

static uint8_t packet_out[2048];

/* Where the body of the next packet begins. */
static uint8_t *body_out(void) { return packet_out + BASE; }

/* Writes the base header in front of what was written up to end, seals it, sends it. */
static void send_packet(uint8_t opcode, uint8_t *end, uint32_t psn, uint8_t flags, uint32_t to, uint32_t seed) {
    uint8_t *at = put(packet_out, 0x10u | flags, 1);
    at = put(at, opcode, 1);
    at = put(at, 0, 2);
    at = put(at, to, 4);
    at = put(at, psn, 4);
    put(at, (uint64_t)(now_ns() / 16), 4);
    end = put(end, crc32c(seed, packet_out, (size_t)(end - packet_out)), TRAILER);
    /* A datagram that the system does not take is a lost one. */
    if (sendto(me.udp, packet_out, (size_t)(end - packet_out), 0, (struct sockaddr *)&me.to, sizeof me.to) < 0) return;
}

static uint8_t *option(uint8_t *at, uint8_t type, int value_bytes) {
    at = put(at, type, 1);
    return put(at, (uint64_t)(value_bytes + 2) / 4, 1);
}

static uint8_t *end_of_options(uint8_t *at) { return put(at, 0x00010000, 4); }

static void send_request(void) {
    uint8_t *at = put(body_out(), OWN_ID, 4);
    at = put(at, me.service, 4);
    at = put(at, me.nonce, 8);
    at = put(at, 0x00020000, 4); /* versions: bit 1 */
    at = put(option(at, 0x90, 10), 0x01000004, 4); /* one plane, number 0, IPv4 */
    at = put(at, me.port, 2);
    at = put(at, INADDR_LOOPBACK, 4);
    at = put(option(at, 0x91, 2), PATHS, 2);
    at = put(option(at, 0x95, 2), STREAMS, 2);
    at = put(put(option(at, 0xA0, 6), 0, 2), OWN_SEED, 4);
    at = put(put(option(at, 0xA1, 6), 0, 2), OWN_PSN, 4);
    at = option(at, 0xA4, 18); /* a token that nobody can know: it sends no RESET */
    memset(at, 0, 18);
    at = put(option(at + 18, 0x19, 2 + 4 * me.opened), (uint64_t)me.opened, 2);
    for (int i = 0; i < me.opened; i++) at = put(put(at, (uint64_t)(2 * i), 2), 0, 2);
    if (me.has_cookie) {
        at = put(option(at, 0xA5, 18), 0, 2);
        memcpy(at, me.cookie, 16);
        at += 16;
    }
    at = end_of_options(at);
    uint8_t *full = packet_out + 1200 - TRAILER; /* no answer is longer than the request */
    memset(at, 0, (size_t)(full - at));
    send_packet(CONN_REQ, full, 0, X, 0, 0);
    me.again_at = now_ns() + (REQUEST_NS << me.tries);
    me.tries++;
}

static void send_confirm(void) { send_packet(CONN_CONFIRM, put(body_out(), me.nonce, 8), 0, 0, me.peer_id, 0); }

static void report(uint8_t opcode, uint8_t *end, uint8_t flags) {
    send_packet(opcode, end, me.ack_seq++, flags, me.peer_id, me.peer_seed);
}

static uint8_t *updates(uint8_t *at) {
    for (int i = 0; i < me.opened; i++) {
        stream_t *s = &me.streams[i];
        at = put(put(at, (uint64_t)(2 * i), 2), s->error ? 0x50 : 0x10, 1); /* open; failed */
        at = put(put(put(at, s->error, 1), s->next, 4), 0, 4);
    }
    return at;
}

/* R-SACK-004: bit i of the block is PSN cum + i, counted from the least significant bit of its word. */
static uint8_t *block(uint8_t *at, int number) {
    path_t *p = &me.paths[number];
    int words = WINDOW / 64;
    while (words > 0 && p->map[words - 1] == 0) words--;
    int64_t delay = (now_ns() - p->arrival) / 64;
    at = put(put(put(put(at, (uint64_t)number, 1), p->epoch, 1), p->flags, 1), (uint64_t)words, 1);
    at = put(put(at, p->cum, 4), p->echo, 4);
    at = put(put(at, (uint64_t)(delay > 0xFFFE ? 0xFFFE : delay), 2), 0, 2);
    at = put(put(put(at, p->received, 4), p->marked, 2), p->duplicates, 2);
    for (int i = 0; i < words; i++) at = put(at, p->map[i], 8);
    p->flags = 0;
    if (p->news > 0) p->news--;
    return at;
}

/* R-ACK-008: what is new of a path is told twice. The path that caused the report comes first; -1 is none. */
static void send_ack(int cause, bool answers_probe, const uint8_t *challenge) {
    uint8_t *head = body_out();
    uint8_t *at = put(head, 0x4FA1, 2); /* rate hint: 1 Gbit/s */
    at = put(at, 1, 2);
    at = put(at, me.accepted / 64, 4);
    uint8_t *counts = at;
    at = put(put(put(at, 0, 2), answers_probe ? 0x80 : 0, 1), 0, 1);
    int blocks = 0;
    if (cause >= 0) at = block(at, cause), blocks++;
    for (int i = 0; i < PATHS && blocks < BLOCKS_PER_ACK; i++)
        if (i != cause && me.paths[i].news > 0) at = block(at, i), blocks++;
    put(put(counts, (uint64_t)blocks, 1), (uint64_t)me.opened, 1);
    at = updates(at);
    if (challenge) {
        at = put(option(at, 0x02, 10), 0, 2);
        memcpy(at, challenge, 8);
        at = end_of_options(at + 8);
    }
    report(ACK, at, challenge ? X : 0);
}

static void send_unsupported(uint32_t psn, uint8_t path) {
    uint8_t *at = put(put(put(body_out(), UNSUPPORTED, 1), 0, 3), 0, 8);
    report(NAK, put(put(put(at, psn, 4), path, 1), 0, 3), 0);
}

/* An error of the connection: it is over, and the peer is told. */
static void fail(uint8_t code) {
    uint8_t *at = put(put(put(body_out(), 0x100u + code, 2), 0x80, 1), 0, 1);
    send_packet(CLOSE, put(at, 1, 4), 0, 0, me.peer_id, me.peer_seed);
    me.closed = true;
    tell_state("closed", "ERROR");
}

/* ---- packets that arrive: steps 12 to 15, messages ---- */

static uint8_t place(uint32_t key, uint64_t address, const uint8_t *payload, uint32_t length) {
    for (int i = 0; i < REGIONS; i++) {
        region_t *r = &me.regions[i];
        if (!r->used || !r->alive || r->key != key) continue;
        /* R-MEM-002: all checks before the first byte, in a form that cannot overflow. */
        if (!r->writable || length > r->length || address - r->address > r->length - length) return REM_ACCESS;
        memcpy(r->bytes + GUARD + (address - r->address), payload, length);
        me.accepted += length;
        return 0;
    }
    return REM_ACCESS;
}

static void take_write(const uint8_t *body, const uint8_t *payload, uint32_t length) {
    uint32_t number = (uint32_t)get(body, 2), msn = (uint32_t)get(body + 4, 4), offset = (uint32_t)get(body + 8, 4);
    uint32_t total = (uint32_t)get(body + 16, 4);
    bool withdrawn = body[2] & 2;
    if (number % 2 || number / 2 >= (uint32_t)me.opened) return; /* never announced open: consumed, nothing placed */
    stream_t *s = &me.streams[number / 2];
    if (s->error || msn - s->next >= OPEN_MESSAGES || withdrawn) return;
    message_t *m = &s->open[msn % OPEN_MESSAGES];
    m->begun = true;
    m->total = total;
    uint8_t fault = 0;
    if ((uint64_t)offset + length > total) {
        fault = INV_REQ; /* R-HDR-015 */
    } else if (length > 0) {
        fault = place((uint32_t)get(body + 12, 4), get(body + 20, 8), payload, length);
    }
    if (fault) m->fault = fault;
    m->got += length;
    /* 13.2: a faulty message fails its stream when everything before it is complete. */
    for (m = &s->open[s->next % OPEN_MESSAGES]; m->begun; m = &s->open[s->next % OPEN_MESSAGES]) {
        if (m->fault) {
            s->error = m->fault;
            return;
        }
        if (m->got < m->total) return;
        memset(m, 0, sizeof *m);
        s->next++;
    }
}

/* ---- packets that arrive: steps 1 to 11, paths ---- */

static path_t *path_of(int number) {
    path_t *p = &me.paths[number];
    if (!p->used) {
        p->used = true;
        p->cum = p->top = me.peer_psn + (uint32_t)number * PSN_STRIDE; /* R-PATH-001 */
    }
    return p;
}

static void echo(path_t *p, uint32_t stamp, uint8_t epoch, bool marked) {
    int64_t now = now_ns();
    /* R-PATH-013, R-PATH-019: the highest stamp, or whatever comes after a long silence. */
    if (!p->echoes || is_after(stamp, p->echo) || now - p->arrival > STALE_NS) {
        p->echoes = true;
        p->echo = stamp;
        p->epoch = epoch;
        p->arrival = now;
    }
    p->received++;
    p->marked += marked;
    p->news = 2;
    if (marked) p->flags |= 0x40;
}

/* True when the slot is new. */
static bool accept_slot(path_t *p, uint32_t psn) {
    uint32_t bit = psn - p->cum;
    if (bit >= WINDOW || p->map[bit / 64] >> (bit % 64) & 1) {
        p->duplicates++; /* R-PATH-005 */
        return false;
    }
    if (is_after(psn, p->top)) p->flags |= 0x80;
    if (!is_after(p->top, psn)) p->top = psn + 1;
    p->map[bit / 64] |= (uint64_t)1 << (bit % 64);
    while (p->map[0] & 1) {
        for (int i = 0; i < WINDOW / 64; i++)
            p->map[i] = p->map[i] >> 1 | (i + 1 < WINDOW / 64 ? p->map[i + 1] << 63 : 0);
        p->cum++;
    }
    return true;
}

/* Where the payload begins behind a chain of options; -1 malformed, -2 an unknown critical option. */
static int after_options(const uint8_t *body, int at, int end) {
    bool critical = false;
    while (at + 4 <= end) {
        int type = body[at], bytes = 4 * body[at + 1];
        if (bytes == 0 || at + bytes > end) return -1; /* R-HDR-006 */
        at += bytes;
        if (type == 0) return critical ? -2 : at;
        critical |= type & 0x80; /* R-HDR-005 */
    }
    return -1;
}

static counter_t on_write(const uint8_t *packet, const uint8_t *body, int length) {
    uint8_t number = packet[2];
    uint32_t psn = (uint32_t)get(packet + 8, 4);
    if (length < WRITE_FIXED) return DROP_LENGTH;
    int at = packet[0] & X ? after_options(body, WRITE_FIXED, length) : WRITE_FIXED;
    if (at == -1) return DROP_TLV;
    if (at == -2) {
        send_unsupported(psn, number);
        return DROP_TLV_CRITICAL;
    }
    if (number >= PATHS) {
        fail(PROTO);
        return DROP_PROTOCOL;
    }
    path_t *p = path_of(number);
    if (psn - p->cum >= WINDOW && psn - p->cum < 0x80000000u) { /* R-PATH-004 */
        p->flags |= 0x20;
        send_ack(number, false, NULL);
        if (++me.beyond == 64) fail(BEYOND_WINDOW); /* R-ERR-004 */
        return DROP_WINDOW;
    }
    echo(p, (uint32_t)get(packet + 12, 4), packet[3], packet[0] & M);
    if (accept_slot(p, psn)) {
        count(RX_SLOTS);
        take_write(body, body + at, (uint32_t)(length - at));
    }
    send_ack(number, false, NULL);
    return TAKEN;
}

static counter_t on_accept(const uint8_t *body, int length) {
    if (!me.asked || length < 16 || get(body, 8) != me.nonce) return DROP_STATE;
    if (me.established) { /* the confirmation was lost */
        send_confirm();
        return TAKEN;
    }
    me.peer_id = (uint32_t)get(body + 8, 4);
    for (int at = 16; at + 4 <= length && body[at] != 0; at += 4 * body[at + 1]) {
        if (body[at + 1] == 0 || at + 4 * body[at + 1] > length) return DROP_TLV;
        if (body[at] == 0xA0 && body[at + 1] == 2) me.peer_seed = (uint32_t)get(body + at + 4, 4);
        if (body[at] == 0xA1 && body[at + 1] == 2) me.peer_psn = (uint32_t)get(body + at + 4, 4);
    }
    me.established = true;
    send_confirm();
    tell_state("established", "");
    return TAKEN;
}

static counter_t on_handshake(uint8_t opcode, const uint8_t *body, int length) {
    if (opcode == CONN_ACCEPT) return on_accept(body, length);
    if (!me.asked || me.established || length < 8 || get(body, 8) != me.nonce) return DROP_STATE;
    if (opcode == CONN_RETRY && length >= 24 && !me.has_cookie) { /* R-CONN-001: show that we receive where we say */
        memcpy(me.cookie, body + 8, 16);
        me.has_cookie = true;
        me.tries = 0;
        send_request();
    } else if (opcode == CONN_REJECT) {
        me.asked = false;
        tell_state("failed", "REJECTED");
    }
    return TAKEN;
}

static bool is_known(uint8_t op) {
    return (op >= 1 && op <= 9) || (op >= 0x10 && op <= 0x12) || (op >= 0x15 && op <= 0x18) || (op >= 0x20 && op <= 0x26)
        || (op >= 0x30 && op <= 0x32);
}

static counter_t on_packet(const uint8_t *packet, int length) {
    if (length < BASE) return DROP_SHORT;
    uint8_t opcode = packet[1];
    if (packet[0] >> 4 != 1) return DROP_VERSION;
    if (opcode >= 0x80) return DROP_OPCODE;
    if (get(packet + 4, 4) != OWN_ID) return DROP_NO_CONNECTION;
    uint32_t seed = opcode <= VERSION_NEG || opcode == RESET ? 0 : OWN_SEED;
    if (length < BASE + TRAILER || get(packet + length - TRAILER, 4) != crc32c(seed, packet, (size_t)length - TRAILER))
        return DROP_INTEGRITY;
    if (!is_known(opcode)) { /* R-HDR-012 */
        send_unsupported((uint32_t)get(packet + 8, 4), packet[2]);
        return DROP_OPCODE;
    }
    const uint8_t *body = packet + BASE;
    length -= BASE + TRAILER;
    if (opcode <= VERSION_NEG) return on_handshake(opcode, body, length);
    if (!me.established || (me.closed && opcode != CLOSE)) return DROP_STATE;
    if (opcode == CLOSE) {
        if (length != 8) return DROP_LENGTH;
        uint8_t *at = put(put(body_out(), get(body, 2), 2), 0, 2); /* final */
        send_packet(CLOSE_ACK, put(at, get(body + 4, 4), 4), 0, 0, me.peer_id, me.peer_seed);
        if (!me.closed) tell_state("closed", "PEER_CLOSE");
        me.closed = true;
    } else if (opcode == PROBE) {
        if (length < 12) return DROP_LENGTH;
        if (!(body[0] & 0x80)) { /* R-PATH-022: a challenge changes no path */
            send_ack(-1, true, body + 4);
            return TAKEN;
        }
        if (packet[2] >= PATHS) return DROP_PROTOCOL;
        echo(path_of(packet[2]), (uint32_t)get(packet + 12, 4), packet[3], false);
        send_ack(packet[2], true, NULL);
    } else if (opcode == STREAM_QUERY) {
        uint8_t *at = put(put(body_out(), (uint64_t)me.opened, 1), 0, 3);
        report(STREAM_STATUS, updates(at), 0);
    } else if (opcode == WRITE) {
        return on_write(packet, body, length);
    }
    return TAKEN;
}

/* ---- the agent: one line in, one line out ---- */

static const char *skip_value(const char *at) {
    int depth = 0;
    bool quoted = false;
    for (; *at; at++) {
        if (quoted) {
            if (*at == '\\' && at[1]) at++;
            else if (*at == '"') quoted = false;
        } else if (*at == '"') {
            quoted = true;
        } else if (*at == '{' || *at == '[') {
            depth++;
        } else if (*at == '}' || *at == ']') {
            if (depth-- == 0) return at;
        } else if (*at == ',' && depth == 0) {
            return at;
        }
    }
    return at;
}

/* The value of a member of the object in line, or NULL. */
static const char *member(const char *line, const char *name) {
    size_t length = strlen(name);
    const char *at = strchr(line, '{');
    while (at && *at && *at != '}') {
        at++;
        at += strspn(at, " ");
        if (*at != '"') return NULL;
        const char *key = at + 1, *colon = strchr(key, ':');
        if (!colon) return NULL;
        const char *value = colon + 1 + strspn(colon + 1, " ");
        if (strncmp(key, name, length) == 0 && key[length] == '"') return value;
        at = skip_value(value);
    }
    return NULL;
}

static uint64_t number(const char *line, const char *name, uint64_t otherwise) {
    const char *value = member(line, name);
    if (!value) return otherwise;
    return *value == '-' ? (uint64_t)strtoll(value, NULL, 10) : strtoull(value, NULL, 10);
}

static void text(const char *line, const char *name, char *into, size_t size) {
    const char *value = member(line, name);
    size_t length = value && *value == '"' ? strcspn(value + 1, "\"") : 0;
    if (length >= size) length = size - 1;
    if (length > 0) memcpy(into, value + 1, length);
    into[length] = 0;
}

static uint8_t wanted(const char *line, uint64_t at, uint64_t i) {
    const char *byte = member(line, "byte");
    if (byte) return (uint8_t)strtoull(byte, NULL, 10);
    uint64_t place = number(line, "at", at) + i;
    uint64_t z = number(line, "seed", 0) + (place >> 3) + 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint8_t)((z ^ z >> 31) >> (8 * (place & 7)));
}

static char answer[16384];

static const char *say(const char *format, ...) {
    va_list words;
    va_start(words, format);
    vsnprintf(answer, sizeof answer, format, words);
    va_end(words);
    return NULL;
}

static const char *open_endpoint(void) {
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof own;
    if (me.udp >= 0) return "E_STATE";
    me.udp = socket(AF_INET, SOCK_DGRAM, 0);
    if (me.udp < 0 || bind(me.udp, (struct sockaddr *)&own, sizeof own) || getsockname(me.udp, (struct sockaddr *)&own, &size))
        return "E_NORES";
    me.port = ntohs(own.sin_port);
    return say(",\"addresses\":[\"127.0.0.1:%u\"]", me.port);
}

static const char *connect_to(const char *line) {
    char to[64];
    text(line, "to", to, sizeof to);
    char *colon = strrchr(to, ':');
    uint64_t streams = number(line, "streams", 1);
    if (me.udp < 0 || me.asked) return "E_STATE";
    if (!colon || streams < 1 || streams > STREAMS) return "E_BADARG";
    *colon = 0;
    me.to = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)strtoul(colon + 1, NULL, 10))};
    if (inet_pton(AF_INET, to, &me.to.sin_addr) != 1) return "E_BADARG";
    me.opened = (int)streams;
    me.service = (uint32_t)number(line, "service", 7);
    me.asked = true;
    send_request();
    return say(",\"conn\":1");
}

static const char *register_memory(const char *line) {
    uint64_t length = number(line, "len", 0), n = me.next_region;
    const char *access = member(line, "access");
    if (length < 1 || length > REGION_MAX || !access) return "E_BADARG";
    if (n > REGIONS) return "E_NORES";
    region_t *r = &me.regions[n - 1];
    r->bytes = malloc(length + 2 * GUARD);
    if (!r->bytes) return "E_NORES";
    memset(r->bytes, 0xA5, length + 2 * GUARD);
    memset(r->bytes + GUARD, 0, length);
    const char *end = skip_value(access), *write = strstr(access, "\"remote_write\"");
    r->used = r->alive = true;
    r->writable = write && write < end && number(line, "pd", 0) == 0; /* streams are of domain 0 */
    r->length = (uint32_t)length;
    r->key = (uint32_t)(0x1000 + 0x101 * n);
    r->address = n << 32;
    me.next_region++;
    return say(",\"mr\":%" PRIu64 ",\"rkey\":%" PRIu32 ",\"va\":%" PRIu64, n, r->key, r->address);
}

static const char *memory(const char *cmd, const char *line) {
    uint64_t n = number(line, "mr", 0);
    if (n < 1 || n > REGIONS || !me.regions[n - 1].used) return "E_BADARG";
    region_t *r = &me.regions[n - 1];
    uint64_t offset = number(line, "off", 0);
    if (offset > r->length) return "E_BADARG";
    uint64_t length = number(line, "len", strcmp(cmd, "mr_read") ? r->length - offset : 8);
    if (length > r->length - offset) return "E_BADARG";
    uint8_t *bytes = r->bytes + GUARD + offset;
    if (!strcmp(cmd, "mr_dereg")) {
        r->alive = false;
    } else if (!strcmp(cmd, "mr_fill")) {
        for (uint64_t i = 0; i < length; i++) bytes[i] = wanted(line, offset, i);
    } else if (!strcmp(cmd, "mr_check")) {
        for (uint64_t i = 0; i < length; i++) {
            uint8_t right = wanted(line, offset, i);
            if (bytes[i] != right)
                return say(",\"same\":false,\"off\":%" PRIu64 ",\"exp\":%u,\"got\":%u", offset + i, right, bytes[i]);
        }
        return say(",\"same\":true");
    } else if (!strcmp(cmd, "mr_guard")) {
        bool intact = true;
        for (int i = 0; i < GUARD; i++) intact &= r->bytes[i] == 0xA5 && r->bytes[GUARD + r->length + (uint32_t)i] == 0xA5;
        return say(",\"intact\":%s", intact ? "true" : "false");
    } else if (!strcmp(cmd, "mr_read")) {
        char *at = answer + snprintf(answer, sizeof answer, ",\"hex\":\"");
        for (uint64_t i = 0; i < length && i < 4096; i++) at += snprintf(at, 3, "%02x", bytes[i]);
        snprintf(at, 2, "\"");
        return NULL;
    } else {
        return "E_UNSUPPORTED";
    }
    return NULL;
}

/* Carries a command out; the answer's own members are in answer. Returns the code of the refusal, or NULL. */
static const char *command(const char *cmd, const char *line) {
    answer[0] = 0;
    if (!strcmp(cmd, "hello"))
        return say(",\"utp\":1,\"iut\":{\"vendor\":\"metaroce\",\"name\":\"responder.c\",\"version\":\"1\"},\"caps\":[],\"params\":{}");
    if (!strcmp(cmd, "reset") || !strcmp(cmd, "bye")) return reset(), NULL;
    if (!strcmp(cmd, "cfg")) return NULL; /* nothing can be set, and nothing needs to be */
    if (!strcmp(cmd, "barrier")) return say(",\"next_seq\":%" PRIu64, me.seq);
    if (!strcmp(cmd, "time")) return say(",\"t\":%" PRId64, now_ns());
    if (!strcmp(cmd, "ep_open")) return open_endpoint();
    if (!strcmp(cmd, "connect")) return connect_to(line);
    if (!strcmp(cmd, "mr_reg")) return register_memory(line);
    if (!strncmp(cmd, "mr_", 3)) return memory(cmd, line);
    if (!strcmp(cmd, "stats")) {
        char *at = answer;
        for (int i = 0; i < COUNTERS; i++) at += sprintf(at, ",\"%s\":%" PRIu64, COUNTER_NAMES[i], me.counters[i]);
        return NULL;
    }
    return "E_UNSUPPORTED";
}

static void on_line(const char *line) {
    char cmd[32];
    text(line, "cmd", cmd, sizeof cmd);
    const char *code = command(cmd, line);
    uint64_t id = number(line, "id", 0);
    if (code) fprintf(agent_out, "{\"id\":%" PRIu64 ",\"ok\":false,\"err\":\"%s\",\"msg\":\"%s\"}\n", id, code, cmd);
    else fprintf(agent_out, "{\"id\":%" PRIu64 ",\"ok\":true%s}\n", id, answer);
    fflush(agent_out);
}

/* ---- waiting; every wait ends ---- */

static int until_again(void) {
    if (!me.asked || me.established) return (int)IDLE_MS;
    int64_t ms = (me.again_at - now_ns()) / 1000000;
    return ms < 0 ? 0 : (int)ms + 1;
}

static void serve(int agent_in) {
    static char lines[LINE_MAX_BYTES + 1];
    static uint8_t packet[65536];
    size_t filled = 0;
    while (true) {
        struct pollfd waits[2] = {{.fd = agent_in, .events = POLLIN}, {.fd = me.udp, .events = POLLIN}};
        int wait = until_again();
        int ready = poll(waits, me.udp >= 0 ? 2 : 1, wait);
        if (ready < 0 || (ready == 0 && wait == (int)IDLE_MS)) return; /* nobody is there any more */
        if (me.udp >= 0 && waits[1].revents) {
            ssize_t length = recv(me.udp, packet, sizeof packet, MSG_DONTWAIT);
            if (length >= 0) {
                count(RX_PACKETS);
                counter_t drop = on_packet(packet, (int)length);
                if (drop != TAKEN) count(drop);
            }
        } else if (waits[0].revents) {
            ssize_t more = read(agent_in, lines + filled, LINE_MAX_BYTES - filled);
            if (more <= 0) return;
            filled += (size_t)more;
            char *begin = lines, *end;
            while ((end = memchr(begin, '\n', filled - (size_t)(begin - lines)))) {
                *end = 0;
                on_line(begin);
                begin = end + 1;
            }
            filled -= (size_t)(begin - lines);
            memmove(lines, begin, filled);
            if (filled == LINE_MAX_BYTES) return; /* no line is that long */
        }
        if (me.asked && !me.established && now_ns() >= me.again_at) {
            if (me.tries < 7) send_request();
            else me.asked = false, tell_state("failed", "TIMEOUT");
        }
    }
}

static int accept_one(const char *port) {
    struct sockaddr_in own = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)strtoul(port, NULL, 10))};
    socklen_t size = sizeof own;
    int yes = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes)
        || bind(listener, (struct sockaddr *)&own, sizeof own) || listen(listener, 1)
        || getsockname(listener, (struct sockaddr *)&own, &size))
        return -1;
    printf("127.0.0.1:%u\n", ntohs(own.sin_port));
    fflush(stdout);
    struct pollfd caller = {.fd = listener, .events = POLLIN};
    int agent = poll(&caller, 1, (int)IDLE_MS) == 1 ? accept(listener, NULL, NULL) : -1;
    close(listener);
    return agent;
}

int main(int words, char **word) {
    int agent = STDIN_FILENO;
    agent_out = stdout;
    if (words == 3 && !strcmp(word[1], "--listen")) {
        agent = accept_one(word[2]);
        agent_out = agent < 0 ? NULL : fdopen(agent, "w");
        if (!agent_out) {
            perror("responder: --listen");
            return 1;
        }
    } else if (words != 1) {
        fprintf(stderr, "usage: responder [--listen PORT]\n");
        return 2;
    }
    crc_prepare();
    reset();
    serve(agent);
    reset();
    return 0;
}
