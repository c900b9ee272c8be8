/*
 * A client of COSIM/1 (docs/cosim.md) with binary frames, for C, C++, SystemVerilog DPI-C and VPI: opaque handle, integers
 * of fixed width, plain pointers. One call is one request and its reply; nothing happens between calls. A client is not
 * to be shared between threads. Functions that return int give a negative number when the model refused or the link
 * broke; mr_why then says what it was.
 */
#ifndef METAROCE_COSIM_H
#define METAROCE_COSIM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One record, as spec/cosim.json has it. */
typedef struct {
    uint32_t order;
    uint8_t kind, reason, path, epoch;
    uint64_t t_ns;
    uint32_t conn, psn;
    uint16_t stream, flags;
    uint32_t msn, mr, len;
    uint64_t off, arg0, arg1;
} mr_event;

/* Where a packet comes from; an IPv4 address takes the first four bytes. */
typedef struct {
    uint8_t ip[16];
    uint16_t sport, dport;
    uint8_t v6, ecn, plane, zero;
} mr_route;

enum mr_kind {
    MR_RX_ACCEPT = 1, MR_RX_DROP, MR_PLACE, MR_CQE, MR_STATE, MR_COUNTER, MR_TIMER_FIRE, MR_TX,
    MR_RX = 16, MR_ADVANCE, MR_CHOICE
};

enum { MR_REFUSED = -1, MR_BROKEN = -2 };

#define MR_NEVER UINT64_MAX

typedef struct mr_cosim mr_cosim;

/*
 * Starts a model: "unix:PATH" and "tcp:PORT" (of this machine) connect to one that listens, anything else is a command,
 * its words parted by blanks, started without a shell. NULL if there is no model.
 */
mr_cosim *mr_open(const char *model);

/* How long a reply may take before the link counts as broken; 60,000 ms unless set. */
void mr_deadline(mr_cosim *m, int ms);

/* A new endpoint with these arguments of "new", a JSON object, {} for none; its handle goes to *h. 0 when made. */
int mr_new(mr_cosim *m, const char *arguments, uint32_t *h);

/*
 * An input to endpoint h at time t. Each returns how many effects it had. At most cap of them are written to out; all
 * stay readable by mr_effect until the next call.
 */
int mr_cmd(mr_cosim *m, uint32_t h, uint64_t t, const char *json, mr_event *out, int cap);
int mr_rx(mr_cosim *m, uint32_t h, uint64_t t, const mr_route *from, const void *packet, uint32_t length, mr_event *out, int cap);
int mr_advance(mr_cosim *m, uint32_t h, uint64_t t, mr_event *out, int cap);

/* Of the last of these inputs: effect number i; its bytes (TX, and PLACE with "data"); what cmd answered, as JSON. */
int mr_effect(const mr_cosim *m, int i, mr_event *out);
const uint8_t *mr_bytes(const mr_cosim *m, int i, uint32_t *length);
const char *mr_answer(const mr_cosim *m);

/* Of the last of these inputs: the time of the endpoint; its next deadline or MR_NEVER; whether to ask advance again. */
uint64_t mr_reached(const mr_cosim *m);
uint64_t mr_next(const mr_cosim *m);
int mr_more(const mr_cosim *m);

/*
 * The device chose this, or did this: 1 allowed or the same, 0 forbidden or different. conn: 0 if there is only one.
 * packet: the bytes of a TX, or NULL.
 */
int mr_choose(mr_cosim *m, uint32_t h, uint64_t t, uint16_t point, uint16_t path, uint32_t conn, uint64_t value);
int mr_expect(mr_cosim *m, uint32_t h, const mr_event *dut, const void *packet);

/* A whole log at once; bytes: those of its TX and RX records one behind the other. 1 the same, 0 different. */
int mr_events(mr_cosim *m, uint32_t h, const mr_event *log, uint32_t count, const void *bytes, uint32_t length);

/* Any request as a JSON object, its reply as JSON; NULL when refused. Valid until the next call. */
const char *mr_call(mr_cosim *m, const char *request);

/* What was wrong with the last call: field, expected, got, requirement, as JSON. */
const char *mr_why(const mr_cosim *m);

/* A number of a JSON object, by name; otherwise when it is not there. Reads "0x…" as well. */
uint64_t mr_number(const char *json, const char *name, uint64_t otherwise);

/* Says good-bye, and ends the process that was started. NULL is allowed. */
void mr_close(mr_cosim *m);

#ifdef __cplusplus
}
#endif
#endif
