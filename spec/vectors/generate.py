#!/usr/bin/env python3
"""Writes the golden vectors of the wire format, from spec/wire/packets.json and the cases below.

Independent of every implementation: the encoder interprets the table, the checksum is computed bit by bit.
Usage: python3 spec/vectors/generate.py          writes wire/*.json, bad/*.json, crc32c.json, secured.json,
                                                 numbers.json
       python3 spec/vectors/generate.py --check  writes nothing, fails when a file differs
"""
import hashlib
import hmac
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
TABLE = json.loads((HERE.parent / "wire" / "packets.json").read_text(encoding="utf-8"))
PACKETS = {row["name"]: row for row in TABLE["packets"]}
TLVS = {row["name"]: row for row in TABLE["tlvs"]}
SEED = 0x1A2B3C4D  # of connections in the vectors


# ------------------------------------------------------------------ checksum

def crc32c(data, polynomial=0x82F63B78):
    """CRC32C, bit by bit; the polynomial is 0x1EDC6F41 with its bits reversed."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (polynomial if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def trailer(packet, seed):
    unmarked = bytes([packet[0] & ~0x08]) + packet[1:]
    return crc32c(seed.to_bytes(4, "big") + unmarked).to_bytes(4, "big")


# ------------------------------------------------------------------ encoder, driven by the table

class Bits:
    """A byte string that is written by bit offsets."""

    def __init__(self, length):
        self.data = bytearray(length)

    def put(self, at, bits, value):
        assert 0 <= value < 1 << bits, f"{value} does not fit into {bits} bits"
        for i in range(bits):
            if value >> (bits - 1 - i) & 1:
                self.data[(at + i) // 8] |= 0x80 >> (at + i) % 8


def put_field(out, field, values):
    """Writes one field with a fixed place; `values` must name every field that is not reserved."""
    if field["kind"] == "reserved":
        return
    value = values[field["name"]]
    if field["kind"] == "bytes":
        value = int(value, 16)
    out.put(field["at"], field["bits"], value)


def encode_fields(fields, values, length):
    out = Bits(length)
    for field in fields:
        put_field(out, field, values)
    return bytes(out.data)


def encode_structure(name, values):
    structure = TABLE["structures"][name]
    if name == "PATH_BLOCK":
        fixed = [f for f in structure["fields"] if "repeat" not in f]
        words = values["bitmap"]
        head = encode_fields(fixed, dict(values, words=len(words)), 24)
        return head + b"".join(word.to_bytes(8, "big") for word in words)
    if name == "PLANE_ADDRESS":
        fixed = [f for f in structure["fields"] if "bits_by" not in f]
        address = bytes.fromhex(values["address"])
        assert len(address) * 8 == structure["fields"][-1]["bits_by"]["cases"][str(values["family"])]
        return encode_fields(fixed, values, 4) + address
    return encode_fields(structure["fields"], values, structure["bytes"])


def encode_tlv(option):
    """An option given by name and fields, or raw by type and value."""
    if "fields" not in option:
        value = bytes.fromhex(option["value"])
        assert len(value) % 4 == 2
        return bytes([option["type"], (len(value) + 2) // 4]) + value
    row = TLVS[option["name"]]
    fields = option["fields"]
    fixed = [f for f in row["fields"] if f["kind"] != "list" and f["name"] != "private_data"]
    tail = b""
    for field in row["fields"]:
        if field["kind"] == "list":
            tail = b"".join(encode_structure(field["of"], entry) for entry in fields[field["name"]])
            fields = dict(fields, count=len(fields[field["name"]]))
        elif field["name"] == "private_data":
            data = bytes.fromhex(fields["private_data"])
            tail = data + bytes(-len(data) % 4)
            fields = dict(fields, length=len(data))
    words = row["words"] if isinstance(row["words"], int) else 1 + len(tail) // 4
    head = encode_fields(fixed, fields, words * 4 - len(tail))
    return bytes([int(row["type"], 16), words]) + head[2:] + tail


def encode_options(options):
    return b"".join(encode_tlv(o) for o in options) + bytes([0, 1, 0, 0])


def encode(name, values):
    """The packet without trailer."""
    row = PACKETS[name]
    values = dict(values, version=1, opcode=int(row["opcode"], 16))
    for part in row["body"]:
        if part["part"] == "list" and part["count"] != "rest":
            values[part["count"]] = len(values[part["name"]])
    fields = [f for h in row["layout"] for f in TABLE["headers"][h]["fields"]]
    packet = encode_fields(fields, values, row["header_bytes"])
    for part in row["body"]:
        if part["part"] == "list":
            packet += b"".join(encode_structure(part["of"], v) for v in values[part["name"]])
        elif part["part"] == "options" and (part["when"] == "always" or values["flags"] & 1):
            packet += encode_options(values["options"])
        elif part["part"] == "payload":
            packet += bytes.fromhex(values["payload"])
        elif part["part"] == "padding":
            packet += bytes(values["padding"])
    return packet


# ------------------------------------------------------------------ how a vector is written down

def with_raw_options(values):
    """Adds type and value to options that were given by name, so that a reader may use either."""
    options = []
    for option in values["options"]:
        raw = encode_tlv(option)
        options.append(dict(option, type=raw[0], value=raw[2:].hex()))
    return dict(values, options=options)


def vector(name, packet, comment, **values):
    row = PACKETS[packet]
    values.setdefault("options", [])
    if any(part["part"] == "payload" for part in row["body"]):
        values.setdefault("payload", "")
    if any(part["part"] == "padding" for part in row["body"]):
        values.setdefault("padding", 0)
    seed = 0 if row["seed"] == "zero" else SEED
    raw = encode(packet, values)
    return dict(name=name, packet=packet, opcode=int(row["opcode"], 16), comment=comment, crc_seed=seed,
                hex=(raw + trailer(raw, seed)).hex(), fields=with_raw_options(values))


def bad(name, drop, comment, raw, seed=SEED, sealed=True):
    return dict(name=name, drop=drop, comment=comment, crc_seed=seed,
                hex=(raw + trailer(raw, seed) if sealed else raw).hex())


# ------------------------------------------------------------------ cases

M, R, A, X = 8, 4, 2, 1


def base(flags=0, path=3, epoch=7, conn=0xC0FFEE01, psn=0x80000001, stamp=0x00ABCDEF):
    return dict(flags=flags, path_id=path, path_epoch=epoch, dst_conn_id=conn, psn=psn, tx_stamp=stamp)


def handshake(conn=0, stamp=0x10, flags=0):
    return base(flags, 0, 0, conn, 0, stamp)


def message(stream=5, attempt=0, flags=0, demand=0x40, msn=9, offset=0):
    return dict(stream_id=stream, attempt=attempt, message_flags=flags, demand=demand, msn=msn, message_offset=offset)


def pattern(length):
    return bytes((i * 7 + 3) & 0xFF for i in range(length)).hex()


def block(path, bitmap, **other):
    values = dict(path_id=path, epoch=1, flags=0, cum_psn=1000 * path, echo_stamp=(0xFFFFFFF0 + path) % (1 << 32), ack_delay=250,
                  sack_offset=0, rx_packets=70000 + path, ce_packets=path, duplicates=0, bitmap=bitmap)
    values.update(other)
    return values


def update(stream, flags=0x10, code=0, next_msn=12, rsn_limit=0):
    return dict(stream_id=stream, flags=flags, code=code, next_msn=next_msn, rsn_limit=rsn_limit)


def named(tlv, **fields):
    return dict(name=tlv, fields=fields)


def raw_tlv(type_, value):
    return dict(type=type_, value=value)


GREASE = raw_tlv(0x0A, "0000deadbeef")
RTT = dict(conn=0xC0FFEE01)

FULL_PARAMETERS = [
    named("PLANES", planes=[
        dict(plane=0, family=4, port=49741, address="0a000001"),
        dict(plane=1, family=6, port=50000, address="20010db8000000000000000000000007")]),
    named("MAX_PATHS", max_paths=128),
    named("TRACK_WINDOW", track_window_log2=10),
    named("SACK_WORDS", sack_words=8),
    named("MAX_PAYLOAD", max_payload=8192),
    named("MAX_STREAMS", max_streams=256),
    named("MAX_OPEN_MSGS", max_open_messages=2048),
    named("MAX_READS", max_reads=16),
    named("MAX_MESSAGE", max_message=1 << 31),
    named("STREAMS_OPEN", streams_open=[dict(stream_id=0, posted=17), dict(stream_id=4, posted=65535)]),
    named("ACK_POLICY", ack_every=16, ack_kib=64, max_ack_delay_ns=200000),
    named("CAPACITY", capacity_mbit=400000),
    named("WEIGHT", weight=2),
    named("INIT_BUDGET", init_budget=0xFFFFFFFF),
    named("ECN_MODE", ecn_mode=1),
    named("INTEGRITY", integrity=6),
    named("CRC_SEED", crc_seed=0xFEDCBA98),
    named("PSN_SEED", psn_seed=0x89ABCDEF),
    named("IDLE_TIMES", keepalive_ms=5000, dead_ms=0),
    named("FEATURES", features_supported=3, features_required=1),
    named("RESET_TOKEN", reset_token="000102030405060708090a0b0c0d0e0f"),
    named("COOKIE", cookie="f0e0d0c0b0a090807060504030201000"),
    named("ATOMIC_CAPS", atomic_caps=3),
    named("PRIVATE_DATA", private_data="68656c6c6f"),
    named("ORDERED_STASH", ordered_stash=8),
]
LEAST_PARAMETERS = [
    named("PLANES", planes=[dict(plane=0, family=4, port=49741, address="c0a80002")]),
    named("CRC_SEED", crc_seed=1),
    named("PSN_SEED", psn_seed=2),
    named("RESET_TOKEN", reset_token="ff" * 16),
]


def padded_request(options, **values):
    request = dict(init_conn_id=0xC0FFEE01, service_id=18515, nonce=0x0123456789ABCDEF, versions=2)
    request.update(values)
    used = 36 + len(encode_options(options)) + 4
    return dict(handshake(flags=X), **request, options=options, padding=max(0, 1200 - used))


def wire_vectors():
    nonce = 0x0123456789ABCDEF
    yield vector("conn_req_full", "CONN_REQ", "every parameter, two planes of both families, padded to 1200 bytes",
                 **padded_request(FULL_PARAMETERS))
    yield vector("conn_req_least", "CONN_REQ", "required parameters only, and an unknown non-critical one",
                 **padded_request(LEAST_PARAMETERS + [raw_tlv(0x3F, "abcd")], versions=6))
    yield vector("conn_req_no_flag_x", "CONN_REQ", "the chain is there although flag X is not set",
                 **dict(padded_request(LEAST_PARAMETERS), flags=0))
    yield vector("conn_retry", "CONN_RETRY", "", **handshake(**RTT), nonce=nonce, cookie="f0e0d0c0b0a090807060504030201000")
    yield vector("conn_retry_options", "CONN_RETRY", "with an unknown option", **handshake(flags=X, **RTT), nonce=1,
                 cookie="00" * 16, options=[GREASE])
    yield vector("conn_accept", "CONN_ACCEPT", "", **handshake(flags=X, **RTT), nonce=nonce, resp_conn_id=0xBEEF0002,
                 chosen_version=1, options=FULL_PARAMETERS[:-4])
    yield vector("conn_accept_ipv6", "CONN_ACCEPT", "", **handshake(flags=X, **RTT), nonce=nonce, resp_conn_id=2, chosen_version=1,
                 options=[named("PLANES", planes=[dict(plane=15, family=6, port=1, address="fe80" + "00" * 13 + "01")])]
                 + LEAST_PARAMETERS[1:] + [named("STREAMS_OPEN", streams_open=[])])
    yield vector("conn_reject", "CONN_REJECT", "no options but the end", **handshake(flags=X, **RTT), nonce=nonce, reason=4)
    yield vector("conn_reject_private", "CONN_REJECT", "private data of the application", **handshake(flags=X, **RTT),
                 nonce=nonce, reason=5, options=[named("PRIVATE_DATA", private_data=pattern(224))])
    yield vector("conn_confirm", "CONN_CONFIRM", "", **handshake(conn=0xBEEF0002), nonce=nonce)
    yield vector("version_neg", "VERSION_NEG", "", **handshake(**RTT), nonce=nonce, versions=2)
    yield vector("close", "CLOSE", "graceful", **base(psn=0), code=0, close_flags=0, close_id=1)
    yield vector("close_abort_error", "CLOSE", "abort with an error code", **base(psn=0), code=0x109, close_flags=0x80,
                 close_id=0xFFFFFFFF)
    yield vector("close_ack_pending", "CLOSE_ACK", "still draining", **base(psn=0), code=0, close_flags=0x80, close_id=1)
    yield vector("close_ack_final", "CLOSE_ACK", "", **base(psn=0), code=0, close_flags=0, close_id=1)
    yield vector("reset", "RESET", "", **handshake(), dead_conn_id=0xC0FFEE01, token="000102030405060708090a0b0c0d0e0f")

    ack = dict(rate_hint=0x95F5, plane_up=0xFFFF, rx_bytes=0x01020304, ack_flags=0)
    yield vector("ack_bare_hint", "ACK", "no blocks: a bare hint", **base(), **ack, path_blocks=[], stream_updates=[])
    yield vector("ack_one_block", "ACK", "one block of four words", **base(), **ack,
                 path_blocks=[block(3, [0xFFFFFFFFFFFFFFFE, 0x0123456789ABCDEF, 0, 0x8000000000000000], flags=0x80)],
                 stream_updates=[])
    yield vector("ack_widths", "ACK", "blocks of 0, 1, 2, 3 and 4 words, and updates", **base(), **ack,
                 path_blocks=[block(w, [1 << (i * 9 + w) for i in range(w)]) for w in range(5)],
                 stream_updates=[update(0), update(5, 0xB8, 3, 0xFFFFFFFF, 77), update(65535, 0x70, 2, 0, 0x80000000)])
    yield vector("ack_sixteen_words", "ACK", "the widest block, as a moving view, with every flag", **base(), **ack,
                 path_blocks=[block(253, [(0xF0F0F0F0F0F0F0F1 * (i + 1)) % (1 << 64) for i in range(16)], flags=0xE0,
                                    sack_offset=1024, ack_delay=0xFFFF, ce_packets=0xFFFF, duplicates=0xFFFF)],
                 stream_updates=[])
    yield vector("ack_probe_echo", "ACK", "answers two challenges, paused, with an unknown option between",
                 **base(X), **dict(ack, rate_hint=0x0800, ack_flags=0xC0, plane_up=1),
                 path_blocks=[block(1, [])], stream_updates=[update(2)],
                 options=[named("PROBE_ECHO", challenge=0xA1A2A3A4A5A6A7A8), GREASE,
                          named("PROBE_ECHO", challenge=1)])
    yield vector("ack_25_blocks", "ACK", "25 full blocks, as many as fit into 1500 bytes", **base(), **ack,
                 path_blocks=[block(i, [2 << i, i, i, 1]) for i in range(25)], stream_updates=[])
    yield vector("ack_marked", "ACK", "flag M is set and does not count in the trailer", **base(M), **ack,
                 path_blocks=[], stream_updates=[update(1)])
    yield vector("nak_rnr", "NAK", "", **base(), code=1, stream_id=5, msn=9, rsn_limit=3, slot_psn=0x80000001, slot_path=3,
                 attempt=2, retry_delay=100)
    yield vector("nak_unsupported", "NAK", "largest values", **base(), code=6, stream_id=65535, msn=0xFFFFFFFF,
                 rsn_limit=0xFFFFFFFF, slot_psn=0xFFFFFFFF, slot_path=253, attempt=7, retry_delay=0xFFFF)
    yield vector("probe_in_path", "PROBE", "flag T", **base(A), probe_flags=0x80, plane=1, challenge=0)
    yield vector("probe_keepalive", "PROBE", "flags T and K", **base(), probe_flags=0xA0, plane=0, challenge=0)
    yield vector("probe_challenge_padded", "PROBE", "flags C and P, padded to the size of a full packet", **base(psn=0),
                 probe_flags=0x50, plane=15, challenge=0xFEDCBA9876543210, padding=1024)
    yield vector("probe_options", "PROBE", "an unknown option before the padding", **base(X, psn=0), probe_flags=0x40, plane=0,
                 challenge=1, options=[GREASE], padding=5)
    yield vector("credit", "CREDIT", "", **base(), stream_updates=[update(5, 0x30, 0, 10, 64)])
    yield vector("credit_options", "CREDIT", "", **base(X), stream_updates=[update(5, 0x30), update(6, 0x30)],
                 options=[GREASE])
    yield vector("stream_query", "STREAM_QUERY", "", **base(), streams=[dict(stream_id=5), dict(stream_id=65535)])
    yield vector("stream_query_options", "STREAM_QUERY", "", **base(X), streams=[dict(stream_id=0)], options=[GREASE])
    yield vector("stream_status", "STREAM_STATUS", "as many updates as a count can say", **base(),
                 stream_updates=[update(i, 0xF8, 7, i, i) for i in range(255)])
    yield vector("plane_status", "PLANE_STATUS", "", **base(), plane_up=0xFFFD, changed=2)

    write = dict(rkey=0x00001207, message_length=4096 * 3, remote_address=0x00007F1234567000)
    yield vector("write_full", "WRITE", "a full packet of 4096 bytes", **base(), **message(), **write, payload=pattern(4096))
    yield vector("write_resent", "WRITE", "a last fragment, sent once more, acknowledged at once", **base(R | A, psn=0xFFFFFFFF),
                 **message(offset=8192, demand=0), **dict(write, message_length=8193), payload=pattern(1))
    yield vector("write_empty", "WRITE", "zero length: no payload, one slot", **base(), **message(),
                 **dict(write, message_length=0))
    yield vector("write_options", "WRITE", "options before the payload", **base(X), **message(), **write,
                 options=[GREASE, raw_tlv(0x05, "0102")], payload=pattern(64))
    yield vector("write_ordered_marked", "WRITE", "all message flags but WITHDRAWN; M set in transit", **base(M),
                 **message(attempt=7, flags=0x1C), **write, payload=pattern(33))
    yield vector("write_withdrawn", "WRITE", "withdrawn: headers, no payload", **base(R), **message(flags=0x02), **write)
    yield vector("write_imm", "WRITE_IMM", "", **base(), **message(flags=0x10), **write, rsn=0xFFFFFFFE,
                 immediate=0xDEADBEEF, payload=pattern(100))
    yield vector("write_imm_empty", "WRITE_IMM", "zero length with options", **base(X), **message(),
                 **dict(write, message_length=0), rsn=0, immediate=0, options=[])
    yield vector("send", "SEND", "", **base(), **message(), rsn=4, message_length=10, payload=pattern(10))
    yield vector("send_last_number", "SEND", "every number at its largest", **base(15, 255, 255, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF),
                 **message(65535, 7, 0x1E, 255, 0xFFFFFFFF, 0xFFFFFFFF), rsn=0xFFFFFFFF, message_length=0xFFFFFFFF,
                 payload="ff")
    yield vector("send_imm", "SEND_IMM", "", **base(), **message(flags=0x10), rsn=4, message_length=16, immediate=0x01020304,
                 payload=pattern(16))
    yield vector("send_inv", "SEND_INV", "", **base(), **message(attempt=1), rsn=4, message_length=0,
                 invalidate_rkey=0x00001207)
    yield vector("read_req", "READ_REQ", "", **base(A), **message(), rkey=0x1207, length=1 << 31, remote_address=(1 << 64) - 8,
                 rd_tag=77, rate_hint=0x85F5, hint_seq=0xABCD)
    yield vector("read_req_options", "READ_REQ", "", **base(X), **message(), rkey=1, length=0, remote_address=0, rd_tag=0,
                 rate_hint=0, hint_seq=0, options=[GREASE])
    yield vector("atomic_cas", "ATOMIC_REQ", "", **base(), **message(), rkey=0x1207, at_tag=78, remote_address=0x1000, op=0,
                 size=8, operand_a=0x1111111111111111, operand_b=0xFFFFFFFFFFFFFFFF)
    yield vector("atomic_faa", "ATOMIC_REQ", "", **base(R), **message(), rkey=0x1207, at_tag=79, remote_address=0x1008, op=1,
                 size=8, operand_a=(1 << 64) - 1, operand_b=0)
    yield vector("atomic_swap_4", "ATOMIC_REQ", "the form of four bytes", **base(), **message(), rkey=0x1207, at_tag=80,
                 remote_address=0x1004, op=2, size=4, operand_a=0xCAFEBABE, operand_b=0)
    yield vector("read_resp", "READ_RESP", "", **base(), rd_tag=77, offset=4096, tot_len=1 << 31, status=0, demand=0xFF,
                 payload=pattern(1024))
    yield vector("read_resp_failed", "READ_RESP", "status instead of data", **base(R), rd_tag=77, offset=4096,
                 tot_len=1 << 31, status=2, demand=0)
    yield vector("read_resp_options", "READ_RESP", "", **base(X), rd_tag=1, offset=0, tot_len=3, status=0, demand=0,
                 options=[GREASE], payload=pattern(3))
    yield vector("atomic_resp", "ATOMIC_RESP", "", **base(), at_tag=78, status=0, original=0x8000000000000001)
    yield vector("status_resp", "STATUS_RESP", "", **base(), tag=77, code=2, kind=0)
    yield vector("status_resp_atomic", "STATUS_RESP", "", **base(), tag=78, code=4, kind=1)


def bad_vectors():
    good = encode("SEND", dict(base(), **message(), rsn=4, message_length=10, options=[], payload=pattern(10)))
    with_x = bytes([good[0] | X]) + good[1:36]
    ack = encode("ACK", dict(base(), rate_hint=1, plane_up=1, rx_bytes=0, ack_flags=0, options=[],
                             path_blocks=[block(1, [2])], stream_updates=[update(1)]))
    nak = encode("NAK", dict(base(), code=1, stream_id=0, msn=0, rsn_limit=0, slot_psn=0, slot_path=0, attempt=0,
                             retry_delay=0, options=[]))

    def changed(packet, at, value):
        return packet[:at] + bytes([value]) + packet[at + 1:]

    yield bad("empty", "short", "no bytes at all", b"", sealed=False)
    yield bad("fifteen_bytes", "short", "one byte less than the base header", good[:15], sealed=False)
    yield bad("version_0", "version", "", changed(good, 0, 0x00))
    yield bad("version_2", "version", "", changed(good, 0, 0x20))
    yield bad("version_secured", "version", "a secured packet where none was agreed", changed(good, 0, 0xF0))
    yield bad("opcode_0", "opcode", "", changed(good, 1, 0x00))
    yield bad("opcode_13", "opcode", "a hole in the table", changed(good, 1, 0x13))
    yield bad("opcode_27", "opcode", "a slot number that is not assigned", changed(good, 1, 0x27))
    yield bad("opcode_80", "opcode", "an experiment", changed(good, 1, 0x80))
    yield bad("version_and_opcode", "version", "two faults: the earlier step decides", changed(changed(good, 0, 0), 1, 0))
    yield bad("sixteen_bytes", "integrity", "a base header without room for a trailer", good[:16], sealed=False)
    yield bad("trailer_bit", "integrity", "last bit of the trailer flipped",
              (lambda p: p[:-1] + bytes([p[-1] ^ 1]))(good + trailer(good, SEED)), sealed=False)
    yield bad("trailer_seed", "integrity", "computed with another seed", good + trailer(good, SEED ^ 1), sealed=False)
    yield bad("trailer_and_length", "integrity", "two faults: the earlier step decides", good[:20], sealed=False)
    yield bad("send_without_length", "length", "four bytes less than the fixed headers", good[:32])
    yield bad("base_only_send", "length", "", good[:16])
    yield bad("ack_block_cut", "length", "the second block is not there", changed(ack, 24, 2))
    wide = encode("ACK", dict(base(), rate_hint=1, plane_up=1, rx_bytes=0, ack_flags=0, options=[],
                              path_blocks=[block(1, [1] * 17)], stream_updates=[]))
    yield bad("ack_words_17", "length", "more words than a block can have, all of them there", wide)
    yield bad("ack_words_past_end", "length", "bitmap reaches past the packet", changed(ack, 28 + 3, 16))
    yield bad("ack_255_blocks", "length", "", changed(ack, 24, 255))
    yield bad("ack_255_updates", "length", "", changed(ack, 25, 255))
    yield bad("ack_left_over", "length", "four bytes that belong to nothing", ack + bytes(4))
    yield bad("nak_left_over", "length", "one byte that belongs to nothing", nak + bytes(1))
    yield bad("credit_cut", "length", "two updates announced, one there",
              encode("CREDIT", dict(base(), stream_updates=[update(1)], options=[]))[:16] + bytes([2, 0, 0, 0]) + bytes(12))
    yield bad("stream_query_cut", "length", "", encode("STREAM_QUERY", dict(base(), streams=[], options=[]))[:16]
              + bytes([1, 0, 0, 0]))
    yield bad("tlv_missing", "tlv", "flag X, and nothing behind the headers", with_x)
    yield bad("tlv_zero_length", "tlv", "LenWords 0", with_x + bytes([0x0A, 0, 0, 0]) + bytes(8))
    yield bad("tlv_past_end", "tlv", "LenWords 3 with two words left", with_x + bytes([0x0A, 3, 0, 0]) + bytes(4))
    yield bad("tlv_255_words", "tlv", "", with_x + bytes([0x0A, 255, 0, 0]) + bytes(64))
    yield bad("tlv_no_end", "tlv", "the chain stops without its end", with_x + bytes([0x0A, 2, 0, 0]) + bytes(4))
    yield bad("tlv_half_word", "tlv", "two bytes of an option", with_x + bytes([0x0A, 1]))
    yield bad("tlv_long_end", "tlv", "an end of two words", with_x + bytes([0, 2, 0, 0]) + bytes(4))
    yield bad("tlv_short_echo", "tlv", "a known option of the wrong length",
              with_x + bytes([2, 2, 0, 0]) + bytes(4) + bytes([0, 1, 0, 0]))
    yield bad("tlv_critical", "tlv_critical", "unknown and critical", with_x + bytes([0x8A, 1, 0, 0, 0, 1, 0, 0]))
    yield bad("tlv_parameter_in_send", "tlv_critical", "a handshake parameter elsewhere is unknown",
              with_x + bytes([0x91, 1, 0, 64, 0, 1, 0, 0]))
    yield bad("tlv_critical_in_request", "tlv_critical", "a critical parameter of no version known",
              encode("CONN_REQ", padded_request(LEAST_PARAMETERS + [raw_tlv(0xBF, "0000")])), 0)
    yield bad("request_without_chain", "tlv", "a request must carry a chain",
              encode("CONN_CONFIRM", dict(handshake(), nonce=1, options=[]))[:1] + bytes([0x01])
              + encode("CONN_CONFIRM", dict(handshake(), nonce=1, options=[]))[2:] + bytes(12), 0)


def crc_vectors():
    """Known answers: RFC 3720 B.4 and the usual check value."""
    read = ("01c00000000000000000000000000000140000000000040000000014000000182800000000000000"
            "0200000000000000")
    for name, data, crc in [
            ("zeros", bytes(32), 0x8A9136AA), ("ones", b"\xff" * 32, 0x62A8AB43),
            ("rising", bytes(range(32)), 0x46DD794E), ("falling", bytes(range(31, -1, -1)), 0x113FDB5C),
            ("iscsi_read", bytes.fromhex(read), 0xD9963A56), ("check", b"123456789", 0xE3069283)]:
        assert crc32c(data) == crc, name
        yield dict(name=name, hex=data.hex(), crc32c=crc)


def number_vectors():
    """Encodings of the small number formats: value in the unit of the format, code."""
    def hint(kbit):
        if kbit < 2048:
            return max(kbit, 1)
        if kbit >= 2047 << 31:
            return 0xFFFF
        e = kbit.bit_length() - 11
        return e << 11 | kbit >> e

    def demand(size):
        return next((c for c in range(256) if (0 if c == 0 else (16 + (c & 15)) << ((c >> 4) + 8)) >= size), 0xFF)

    rates = [1, 2047, 2048, 2049, 4095, 4096, 10_000, 1_000_000, 100_000_000, 400_000_000, (2047 << 31) - 1, 2047 << 31]
    sizes = [0, 1, 4352, 4353, 65536, 1 << 20, (1 << 20) + 1, 260_046_847, 260_046_848, 260_046_849]
    for format_, value, code in [(f, v, e(v)) for f, e, vs in
                                 [("RateHint16", hint, rates), ("Demand8", demand, sizes)] for v in vs]:
        yield dict(format=format_, value=value, code=code)
    table = {row["name"]: row for row in TABLE["numbers"]}
    for value, code in table["Demand8"]["examples"]:
        assert demand(value) == int(code, 16)
    assert hint(400_000_000) == 0x95F5 and hint(100_000_000) == 0x85F5 and hint(1_000_000) == 0x4FA1
    assert hint(10_000) == 0x1CE2 and hint(1) == 1


# ------------------------------------------------------------------ secured packets

def rotate(x, n):
    return (x << n | x >> (8 - n)) & 0xFF


def sbox():
    """The substitution of AES, computed: the inverse in GF(2^8), then an affine map."""
    box, p, q = [0] * 256, 1, 1
    while True:
        p = p ^ (p << 1) & 0xFF ^ (0x1B if p & 0x80 else 0)
        for shift in (1, 2, 4):
            q ^= q << shift & 0xFF
        q ^= 0x09 if q & 0x80 else 0
        box[p] = q ^ rotate(q, 1) ^ rotate(q, 2) ^ rotate(q, 3) ^ rotate(q, 4) ^ 0x63
        if p == 1:
            box[0] = 0x63
            return box


SBOX = sbox()


def double(x):
    return x << 1 & 0xFF ^ (0x1B if x & 0x80 else 0)


def aes128(key, block):
    """One block under AES-128."""
    words, rcon = [list(key[4 * i:4 * i + 4]) for i in range(4)], 1
    for i in range(4, 44):
        word = words[i - 1]
        if i % 4 == 0:
            word = [SBOX[b] for b in word[1:] + word[:1]]
            word[0] ^= rcon
            rcon = double(rcon)
        words.append([a ^ b for a, b in zip(words[i - 4], word)])
    keys = [sum(words[4 * r:4 * r + 4], []) for r in range(11)]
    state = [a ^ b for a, b in zip(block, keys[0])]
    for r in range(1, 11):
        state = [SBOX[state[(i + 4 * (i % 4)) % 16]] for i in range(16)]
        if r < 10:
            mixed = []
            for c in range(4):
                a = state[4 * c:4 * c + 4]
                mixed += [double(a[i]) ^ double(a[(i + 1) % 4]) ^ a[(i + 1) % 4] ^ a[(i + 2) % 4] ^ a[(i + 3) % 4]
                          for i in range(4)]
            state = mixed
        state = [a ^ b for a, b in zip(state, keys[r])]
    return bytes(state)


def gcm_seal(key, nonce, plain, covered):
    """AES-128-GCM (NIST SP 800-38D) with a nonce of 12 bytes: ciphertext and tag."""
    h = int.from_bytes(aes128(key, bytes(16)), "big")

    def times_h(x):
        z, v = 0, h
        for i in range(127, -1, -1):
            z ^= v if x >> i & 1 else 0
            v = v >> 1 ^ (0xE1 << 120 if v & 1 else 0)
        return z

    def stream(number):
        return aes128(key, nonce + number.to_bytes(4, "big"))

    cipher = b"".join(bytes(a ^ b for a, b in zip(plain[i:i + 16], stream(2 + i // 16)))
                      for i in range(0, len(plain), 16))
    y = 0
    sizes = (8 * len(covered)).to_bytes(8, "big") + (8 * len(cipher)).to_bytes(8, "big")
    for data in (covered, cipher, sizes):
        for i in range(0, len(data), 16):
            y = times_h(y ^ int.from_bytes(data[i:i + 16].ljust(16, b"\0"), "big"))
    tag = bytes(a ^ b for a, b in zip(y.to_bytes(16, "big"), stream(1)))
    return cipher + tag


def hkdf(secret, salt, purpose, length):
    key = hmac.new(salt, secret, hashlib.sha256).digest()
    out, block = b"", b""
    while len(out) < length:
        block = hmac.new(key, block + purpose + bytes([len(out) // 32 + 1]), hashlib.sha256).digest()
        out += block
    return out[:length]


def secured_vectors():
    """Secured packets: from a pre-shared key and a transcript to the bytes on the wire."""
    # NIST's test case 4 of GCM shows that the cipher above is the cipher.
    assert gcm_seal(
        bytes.fromhex("feffe9928665731c6d6a8f9467308308"), bytes.fromhex("cafebabefacedbaddecaf888"),
        bytes.fromhex("d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
                      "b16aedf5aa0de657ba637b39"), bytes.fromhex("feedfacedeadbeeffeedfacedeadbeefabaddad2")).hex() == (
        "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac97"
        "3d58e0915bc94fbc3221a5db94fae95ae7121a47")
    psk = bytes(range(16))
    transcript = hashlib.sha256(b"CONN_REQ and CONN_ACCEPT").digest()
    packets = {v["name"]: bytes.fromhex(v["hex"])[:-4] for v in wire_vectors()}
    for name, sender, phase, counter in [
            ("conn_confirm", "initiator", 0, 1), ("probe_in_path", "responder", 0, 1),
            ("write_imm", "initiator", 1, 0x0123456789AB), ("ack_one_block", "responder", 256, 1 << 33)]:
        material = hkdf(psk, transcript, b"metaroce aead-1 " + sender.encode() + phase.to_bytes(4, "big"), 28)
        nonce = bytes(a ^ b for a, b in zip(material[16:], bytes(4) + counter.to_bytes(8, "big")))
        head = encode_fields(
            TABLE["secured"]["fields"],
            dict(version=15, flags=0, key_phase=phase & 0xFF,
                 dst_conn_id=int.from_bytes(packets[name][4:8], "big"), counter=counter), 16)
        yield dict(name=name, preshared_key=psk.hex(), transcript=transcript.hex(), sender=sender, phase=phase,
                   counter=counter, key=material[:16].hex(), iv=material[16:].hex(), packet=packets[name].hex(),
                   hex=(head + gcm_seal(material[:16], nonce, packets[name], head)).hex())


# ------------------------------------------------------------------ files

def text(value):
    """JSON with one line per entry of `fields`, long strings on lines of their own."""
    if "fields" not in value:
        return json.dumps(value, indent=1) + "\n"
    head = {k: v for k, v in value.items() if k != "fields"}
    lines = [f" {json.dumps(k)}: {json.dumps(v)}" for k, v in head.items()]
    fields = []
    for k, v in value["fields"].items():
        if isinstance(v, list) and v:
            entries = ",\n".join("   " + json.dumps(e) for e in v)
            fields.append(f"  {json.dumps(k)}: [\n{entries}\n  ]")
        else:
            fields.append(f"  {json.dumps(k)}: {json.dumps(v)}")
    return "{\n" + ",\n".join(lines) + ',\n "fields": {\n' + ",\n".join(fields) + "\n }\n}\n"


def all_files():
    for directory, vectors in [("wire", wire_vectors()), ("bad", bad_vectors())]:
        for v in vectors:
            yield HERE / directory / (v["name"] + ".json"), text(v)
    yield HERE / "crc32c.json", "[\n" + ",\n".join(" " + json.dumps(v) for v in crc_vectors()) + "\n]\n"
    yield HERE / "secured.json", "[\n" + ",\n".join(" " + json.dumps(v) for v in secured_vectors()) + "\n]\n"
    yield HERE / "numbers.json", "[\n" + ",\n".join(" " + json.dumps(v) for v in number_vectors()) + "\n]\n"


def main():
    files = dict(all_files())
    stale = [p for d in ("wire", "bad") for p in (HERE / d).glob("*.json") if p not in files]
    changed = [p for p, t in files.items() if not p.exists() or p.read_text(encoding="utf-8") != t]
    if "--check" in sys.argv:
        for p in stale + changed:
            print("differs:", p.relative_to(HERE))
        sys.exit(1 if stale or changed else 0)
    for p in stale:
        p.unlink()
    for p in changed:
        p.parent.mkdir(exist_ok=True)
        p.write_text(files[p], encoding="utf-8")
    print(len(files), "files,", len(changed), "written,", len(stale), "removed")


if __name__ == "__main__":
    main()
