/*
 * Two endpoints of the behavioural model and a wire between them: a connection, one Write of a megabyte, and every packet
 * with a number divisible by 11 lost on its way. What arrives is compared with what was sent.
 *
 *     cc -std=c11 -o example example_cosim.c metaroce_cosim.c && ./example ./metaroce cosim
 */
#include "metaroce_cosim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIRE_NS = 5000, FLYING_MAX = 4096, BYTES = 1000000, EFFECTS = 4096 };

typedef struct {
    uint64_t t;
    int to;
    uint32_t length;
    mr_route from;
    uint8_t bytes[9216];
} packet;

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
        if (e->kind == MR_TX) fly(side, e, i);
        if (e->kind == MR_STATE && e->arg0 == 2) established++, conn[side] = e->conn;
        if (e->kind == MR_CQE) completed++, status = e->reason;
    }
}

static uint64_t command(int side, uint64_t t, const char *json) {
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
        happened(p->to, mr_rx(model, handle[p->to], t, &p->from, p->bytes, p->length, effects, EFFECTS));
        free(p);
    } else if (deadline[side] != MR_NEVER) {
        t = deadline[side];
        happened(side, mr_advance(model, handle[side], t, effects, EFFECTS));
    } else {
        stop("nothing is due any more");
    }
    return t;
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
    if (mr_new(model, "{\"role\":\"initiator\",\"seed\":1}", &handle[0])) stop("new");
    if (mr_new(model, "{\"role\":\"responder\",\"seed\":2}", &handle[1])) stop("new");
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
    mr_close(model);
    while (count > 0) {
        free(flying[first]);
        first = (first + 1) % FLYING_MAX;
        count--;
    }
    return same && status == 0 ? 0 : 1;
}
