/*
 * Checks the trailers of the golden vectors with a checksum of its own, computed bit by bit.
 *
 *     cc -std=c11 -O2 -o vectors vectors.c && ./vectors spec/vectors/wire/x.json spec/vectors/bad/x.json crc32c.json ...
 *
 * A packet of wire/ has the trailer that its bytes and seed give; still with flag M turned over, no longer with any other
 * bit turned over. Of bad/, "integrity" is wrong and whatever fails at a later step of the receive pipeline is right.
 * Exit code 0: all as it should be; 1: something is not, and standard output says what; 2: a file cannot be read.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1 << 20, BYTES_MAX = 1 << 16, TRAILER = 4 };

static uint32_t crc_step(uint32_t crc, uint8_t byte) {
    crc ^= byte;
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (0x82F63B78u & (0u - (crc & 1u)));
    return crc;
}

static uint32_t crc32c(const uint8_t *bytes, size_t length) {
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < length; i++) crc = crc_step(crc, bytes[i]);
    return ~crc;
}

/* The seed in network order, then the packet without its trailer, flag M (bit 3 of the first byte) taken as 0. */
static bool is_sealed(uint32_t seed, const uint8_t *packet, size_t length) {
    if (length < TRAILER) return false;
    uint32_t crc = 0xFFFFFFFFu, trailer = 0;
    for (int shift = 24; shift >= 0; shift -= 8) crc = crc_step(crc, (uint8_t)(seed >> shift));
    for (size_t i = 0; i < length - TRAILER; i++) crc = crc_step(crc, i == 0 ? packet[0] & 0xF7 : packet[i]);
    for (size_t i = length - TRAILER; i < length; i++) trailer = trailer << 8 | packet[i];
    return ~crc == trailer;
}

/* What stands behind "name":, without the quote of a text; NULL if the name does not occur. */
static const char *value(const char *text, const char *name) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", name);
    const char *at = strstr(text, quoted);
    if (!at) return NULL;
    at += strlen(quoted);
    return at + strspn(at, " \"");
}

static size_t unhex(const char *from, uint8_t *into) {
    size_t length = 0;
    unsigned byte;
    while (length < BYTES_MAX && strspn(from, "0123456789abcdef") >= 2 && sscanf(from, "%2x", &byte) == 1) {
        into[length++] = (uint8_t)byte;
        from += 2;
    }
    return length;
}

static int wrong(const char *file, const char *what) {
    printf("%s: %s\n", file, what);
    return 1;
}

static int check_good(const char *file, uint32_t seed, uint8_t *packet, size_t length) {
    if (!is_sealed(seed, packet, length)) return wrong(file, "the trailer is not what bytes and seed give");
    packet[0] ^= 0x08;
    if (!is_sealed(seed, packet, length)) return wrong(file, "flag M changes the trailer");
    packet[0] ^= 0x08;
    for (size_t bit = 0; bit < 8 * length && bit < 8 * 128; bit++) {
        if (bit == 4) continue; /* flag M */
        packet[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        if (is_sealed(seed, packet, length)) return wrong(file, "a bit that was turned over is not noticed");
        packet[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
    }
    return is_sealed(seed + 1, packet, length) ? wrong(file, "another seed gives the same trailer") : 0;
}

static int check_bad(const char *file, const char *drop, uint32_t seed, const uint8_t *packet, size_t length) {
    static const char *const later[] = {"length", "tlv", "tlv_critical", "state", "protocol"};
    size_t end = strcspn(drop, "\"");
    if (end == strlen("integrity") && !strncmp(drop, "integrity", end))
        return is_sealed(seed, packet, length) ? wrong(file, "the trailer is right, and should not be") : 0;
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        if (end == strlen(later[i]) && !strncmp(drop, later[i], end) && !is_sealed(seed, packet, length))
            return wrong(file, "the trailer is wrong, but that is not the fault it names");
    return 0;
}

/* crc32c.json: known answers of the bare checksum, one row after the other. */
static int check_answers(const char *file, const char *text, uint8_t *bytes, int *count) {
    int faults = 0;
    for (const char *at = value(text, "hex"); at; at = value(at, "hex")) {
        size_t length = unhex(at, bytes);
        const char *answer = value(at, "crc32c");
        if (!answer || crc32c(bytes, length) != strtoul(answer, NULL, 10)) faults += wrong(file, "a known answer differs");
        (*count)++;
    }
    return faults;
}

int main(int words, char **word) {
    static char text[TEXT_MAX];
    static uint8_t bytes[BYTES_MAX];
    int faults = 0, count = 0;
    for (int i = 1; i < words; i++) {
        FILE *file = fopen(word[i], "rb");
        size_t length = file ? fread(text, 1, TEXT_MAX - 1, file) : 0;
        if (!file || length == 0 || length == TEXT_MAX - 1) {
            fprintf(stderr, "cannot read %s\n", word[i]);
            return 2;
        }
        fclose(file);
        text[length] = 0;
        const char *hex = value(text, "hex"), *seed = value(text, "crc_seed"), *drop = value(text, "drop");
        if (!hex) {
            fprintf(stderr, "no vector in %s\n", word[i]);
            return 2;
        }
        if (!seed) {
            faults += check_answers(word[i], text, bytes, &count);
            continue;
        }
        size_t bytes_length = unhex(hex, bytes);
        uint32_t number = (uint32_t)strtoul(seed, NULL, 10);
        faults += drop ? check_bad(word[i], drop, number, bytes, bytes_length) : check_good(word[i], number, bytes, bytes_length);
        count++;
    }
    printf("%d vectors, %d faults\n", count, faults);
    return faults > 0;
}
