/*
 * Two endpoints of the behavioural model and a wire between them: a connection, one Write of a megabyte, and every packet
 * with a number divisible by 11 lost on its way. What arrives is compared with what was sent. What the responder did is
 * then taken for the log of a device: the model follows it and agrees, and does not agree once a placement is off by one.
 *
 *     cc -std=c11 -o example example_cosim.c metaroce_cosim.c && ./example ./metaroce cosim
 */
#include "metaroce_cosim.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIRE_NS = 5000, FLYING_MAX = 4096, BYTES = 1000000, EFFECTS = 4096, LOG_MAX = 16384 };

typedef struct {
    uint64_t t;
    int to;
    uint32_t length;
    mr_route from;
    uint8_t bytes[9216];
} packet;

/* What the responder was given (a command, a packet, nothing but time), or did. */
typedef struct {
    mr_event event; /* kind MR_RX, MR_ADVANCE, 0 for a command, or that of an effect */
    mr_route from;
    char *bytes; /* packet, or text of the command */
} entry;

static const char responder[] = "{\"role\":\"responder\",\"seed\":2,\"params\":{\"paths\":1}}";
static entry device_log[LOG_MAX];
static int logged;
static packet *flying[FLYING_MAX]; /* in order of arrival: all are equally slow */
static int first, count;
static uint64_t sent, lost, deadline[2];
static uint32_t handle[2], conn[2];
static int established, completed, status = -1;
static mr_cosim *model;
static mr_event effects[EFFECTS];

static int stop(const char *what) {
    fprintf(stderr, "%s: %s\n", what, mr_why(model));
    exit(1);
}

static void note(int side, const mr_event *event, const mr_route *from, const void *bytes, size_t length) {
    if (side != 1) return;
    if (logged == LOG_MAX) stop("the log is full");
    entry *e = &device_log[logged++];
    e->event = *event;
    if (from) e->from = *from;
    if (length > 0) {
        e->bytes = calloc(1, length + 1);
        if (!e->bytes) stop("no memory");
        memcpy(e->bytes, bytes, length);
    }
}

static void fly(int side, const mr_event *e, int i) {
    uint32_t length;
    const uint8_t *bytes = mr_bytes(model, i, &length);
    if (++sent % 11 == 0) {
        lost++;
        return;
    }
    if (count == FLYING_MAX || length > sizeof flying[0]->bytes) stop("too much under way");
    packet *p = calloc(1, sizeof *p);
    if (!p) stop("no memory");
    p->t = e->t_ns + WIRE_NS;
    p->to = 1 - side;
    p->length = length;
    p->from = (mr_route){.ip = {10, 0, 0, (uint8_t)(1 + side)}, .sport = (uint16_t)(e->arg0 >> 16),
                         .dport = (uint16_t)(e->arg0 >> 32), .ecn = 2, .plane = (uint8_t)(e->arg0 >> 8)};
    memcpy(p->bytes, bytes, length);
    flying[(first + count++) % FLYING_MAX] = p;
}

/* What an input to one side has caused. */
static void happened(int side, int many) {
    if (many < 0) stop("refused");
    deadline[side] = mr_next(model);
    for (int i = 0; i < many && i < EFFECTS; i++) {
        mr_event *e = &effects[i];
        uint32_t length;
        const uint8_t *bytes = mr_bytes(model, i, &length);
        bool compared = e->kind == MR_TX || e->kind == MR_RX_ACCEPT || e->kind == MR_RX_DROP || e->kind == MR_PLACE;
        if (compared) note(side, e, NULL, bytes, length);
        if (e->kind == MR_TX) fly(side, e, i);
        if (e->kind == MR_STATE && e->arg0 == 2) established++, conn[side] = e->conn;
        if (e->kind == MR_CQE) completed++, status = e->reason;
    }
}

static uint64_t command(int side, uint64_t t, const char *json) {
    note(side, &(mr_event){.t_ns = t}, NULL, json, strlen(json));
    happened(side, mr_cmd(model, handle[side], t, json, effects, EFFECTS));
    return mr_reached(model);
}

/* The next thing in time: an arrival or a deadline. Returns the time then. */
static uint64_t step(uint64_t t) {
    int side = deadline[0] <= deadline[1] ? 0 : 1;
    if (count > 0 && flying[first]->t <= deadline[side]) {
        packet *p = flying[first];
        first = (first + 1) % FLYING_MAX;
        count--;
        t = p->t;
        note(p->to, &(mr_event){.kind = MR_RX, .t_ns = t, .len = p->length}, &p->from, p->bytes, p->length);
        happened(p->to, mr_rx(model, handle[p->to], t, &p->from, p->bytes, p->length, effects, EFFECTS));
        free(p);
    } else if (deadline[side] != MR_NEVER) {
        t = deadline[side];
        note(side, &(mr_event){.kind = MR_ADVANCE, .t_ns = t}, NULL, NULL, 0);
        happened(side, mr_advance(model, handle[side], t, effects, EFFECTS));
    } else {
        stop("nothing is due any more");
    }
    return t;
}

/* A fresh model follows the log. Returns the number of the record that does not fit, or -1. */
static int follow(void) {
    uint32_t h;
    if (mr_new(model, responder, &h)) stop("new");
    for (int i = 0; i < logged; i++) {
        entry *e = &device_log[i];
        uint64_t t = e->event.t_ns;
        int result = 0;
        switch (e->event.kind) {
        case 0: result = mr_cmd(model, h, t, e->bytes, effects, 0); break;
        case MR_RX: result = mr_rx(model, h, t, &e->from, e->bytes, e->event.len, effects, 0); break;
        case MR_ADVANCE: result = mr_advance(model, h, t, effects, 0); break;
        default:
            result = mr_expect(model, h, &e->event, e->event.kind == MR_TX ? e->bytes : NULL);
            if (result == 0) return i;
        }
        if (result < 0) stop("the log cannot be followed");
    }
    return -1;
}

/* Whether the model agrees with the log, and finds the fault in one that was changed. */
static bool is_followed(void) {
    int at = follow();
    if (at >= 0) return printf("record %d: %s\n", at, mr_why(model)) < 0;
    printf("the model follows %d records of the responder\n", logged);
    int placed = 0;
    while (placed < logged && (device_log[placed].event.kind != MR_PLACE || device_log[placed].event.off == 0)) placed++;
    if (placed == logged) return false;
    device_log[placed].event.off++;
    at = follow();
    printf("a placement off by one: record %d: %.200s\n", at, at < 0 ? "not noticed" : mr_why(model));
    return at == placed;
}

int main(int words, char **word) {
    char name[1024] = "", json[512];
    for (int i = 1; i < words; i++) {
        strncat(name, i > 1 ? " " : "", sizeof name - strlen(name) - 1);
        strncat(name, word[i], sizeof name - strlen(name) - 1);
    }
    model = words > 1 ? mr_open(name) : NULL;
    if (!model) {
        fprintf(stderr, "usage: example COMMAND | unix:PATH | tcp:PORT    (the behavioural model)\n");
        return 2;
    }
    if (mr_new(model, "{\"role\":\"initiator\",\"seed\":1,\"params\":{\"paths\":1}}", &handle[0])) stop("new");
    if (mr_new(model, responder, &handle[1])) stop("new");
    deadline[0] = deadline[1] = MR_NEVER;

    uint64_t t = command(1, 0, "{\"do\":\"listen\",\"service\":7}");
    snprintf(json, sizeof json, "{\"do\":\"mr_reg\",\"len\":%d,\"access\":[\"local_write\",\"remote_write\"]}", BYTES);
    command(0, t, json);
    uint64_t source = mr_number(mr_answer(model), "mr", 0);
    command(1, t, json);
    uint64_t target = mr_number(mr_answer(model), "mr", 0), key = mr_number(mr_answer(model), "rkey", 0);
    uint64_t address = mr_number(mr_answer(model), "va", 0);
    snprintf(json, sizeof json, "{\"do\":\"mr_fill\",\"mr\":%" PRIu64 ",\"seed\":42}", source);
    command(0, t, json);
    command(0, t, "{\"do\":\"connect\",\"to\":\"10.0.0.2:49741\",\"service\":7,\"streams\":1}");
    for (int i = 0; established < 2 && i < 100000; i++) t = step(t);
    snprintf(json, sizeof json,
             "{\"do\":\"post_write\",\"conn\":%" PRIu32 ",\"stream\":0,\"wr\":1,\"mr\":%" PRIu64
             ",\"off\":0,\"len\":%d,\"rkey\":%" PRIu64 ",\"rva\":%" PRIu64 "}",
             conn[0], source, BYTES, key, address);
    command(0, t, json);
    for (int i = 0; completed == 0 && i < 1000000; i++) t = step(t);
    snprintf(json, sizeof json, "{\"do\":\"mr_check\",\"mr\":%" PRIu64 ",\"seed\":42}", target);
    command(1, t, json);
    int same = strstr(mr_answer(model), "\"same\":true") != NULL;
    printf("%d bytes %s after %" PRIu64 " us, status %d; %" PRIu64 " packets, %" PRIu64 " of them lost\n", BYTES,
           same ? "arrived" : "differ", t / 1000, status, sent, lost);
    bool good = same && status == 0 && is_followed();
    mr_close(model);
    for (int i = 0; i < logged; i++) free(device_log[i].bytes);
    while (count > 0) {
        free(flying[first]);
        first = (first + 1) % FLYING_MAX;
        count--;
    }
    return good ? 0 : 1;
}
