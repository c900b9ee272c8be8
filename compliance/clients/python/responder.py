#!/usr/bin/env python3
"""A second implementation, as small as can be: receives Writes and acknowledges them. Standard library only.

It shares no line with the engine or the suite, and speaks UTP/1 on standard input and output, so that
"metaroce compliance run --target exec:... --profile responder" can test it. It has one connection at a time, one plane,
streams without receives, no congestion control, and sends nothing but the handshake, ACKs and answers to CLOSE.
"""

import json
import select
import socket
import struct
import sys
import time

MASK64 = (1 << 64) - 1
WINDOW = 256
STRIDE = 0x9E3779B1
GUARD = 4096
HEADER = struct.Struct(">BBBBIII")  # version and flags, opcode, path, epoch, DstConnId, PSN, TxStamp
X, A, M = 1, 2, 8
CONN_REQ, CONN_RETRY, CONN_ACCEPT, CONN_CONFIRM = 1, 2, 3, 5
CLOSE, CLOSE_ACK, ACK, NAK, PROBE, WRITE = 7, 8, 0x10, 0x11, 0x12, 0x20
KNOWN = {1, 2, 3, 4, 5, 6, 7, 8, 9, 0x10, 0x11, 0x12, 0x15, 0x16, 0x17, 0x18, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x30, 0x31, 0x32}
UNSUPPORTED, REM_ACCESS, INV_REQ = 6, 2, 3

TABLE = []
for n in range(256):
    for _ in range(8):
        n = (n >> 1) ^ (0x82F63B78 if n & 1 else 0)
    TABLE.append(n)


def crc32c(seed, packet):
    """The trailer: seed, then the packet with flag M taken as 0."""
    crc = 0xFFFFFFFF
    for byte in struct.pack(">I", seed) + bytes([packet[0] & 0xF7]) + packet[1:]:
        crc = (crc >> 8) ^ TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def sealed(packet, seed):
    return packet + struct.pack(">I", crc32c(seed, packet))


def after(a, b):
    """Whether the 32-bit number a is after b."""
    return 0 < (a - b) & 0xFFFFFFFF < 0x80000000


def option(kind, value):
    return struct.pack(">BB", kind, (len(value) + 2) // 4) + value


def pattern(seed, at, length):
    out = bytearray()
    block = at >> 3
    while len(out) < length + (at & 7):
        z = (seed + block + 0x9E3779B97F4A7C15) & MASK64
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
        out += struct.pack("<Q", z ^ (z >> 31))
        block += 1
    return bytes(out[at & 7:(at & 7) + length])


def request_body(own_id, nonce, crc_seed, psn_seed, address, streams, cookie=b"", service=7):
    """A CONN_REQ behind its base header, filled up to the least length."""
    plane = struct.pack(">BBBBH", 1, 0, 0, 4, address[1]) + socket.inet_aton(address[0])
    opened = struct.pack(">H", streams) + b"".join(struct.pack(">HH", 2 * i, 0) for i in range(streams))
    body = struct.pack(">IIQHH", own_id, service, nonce, 2, 0)
    for kind, value in ((0x90, plane), (0x91, struct.pack(">H", 64)), (0xA0, struct.pack(">HI", 0, crc_seed)),
                        (0xA1, struct.pack(">HI", 0, psn_seed)), (0xA4, bytes(18)), (0x19, opened)):
        body += option(kind, value)
    if cookie:
        body += option(0xA5, bytes(2) + cookie)
    body += b"\0\1\0\0"
    return body + bytes(1200 - 16 - 4 - len(body))


def terms_of(body):
    """What a CONN_ACCEPT says: number and seeds of the responder."""
    terms, at = {"id": struct.unpack_from(">I", body, 8)[0], "seed": 0, "psn": 0}, 16
    while at + 4 <= len(body) and body[at]:
        value = body[at + 2:at + 4 * body[at + 1]]
        if body[at] == 0xA0:
            terms["seed"] = struct.unpack_from(">I", value, 2)[0]
        if body[at] == 0xA1:
            terms["psn"] = struct.unpack_from(">I", value, 2)[0]
        at += 4 * max(body[at + 1], 1)
    return terms


class Path:
    """What has come on one path: an edge, what lies beyond it, the newest stamp with its epoch, three counters."""

    def __init__(self, first):
        self.cum, self.beyond, self.echo, self.epoch = first, set(), None, 0
        self.received = self.marked = self.duplicates = self.flags = 0
        self.arrival = 0

    def arrived(self, stamp, epoch, marked, now):
        if self.echo is None or after(stamp, self.echo):
            self.echo, self.epoch, self.arrival = stamp, epoch, now
        self.received += 1
        self.marked += marked

    def accept(self, psn):
        """True when the slot is new."""
        if not 0 <= (psn - self.cum) & 0xFFFFFFFF < WINDOW or psn in self.beyond:
            self.duplicates += 1
            return False
        self.beyond.add(psn)
        while self.cum in self.beyond:
            self.beyond.remove(self.cum)
            self.cum = (self.cum + 1) & 0xFFFFFFFF
        return True

    def block(self, number, now):
        words = [0, 0, 0, 0]
        for psn in self.beyond:
            bit = (psn - self.cum) & 0xFFFFFFFF
            words[bit >> 6] |= 1 << (bit & 63)
        while words and not words[-1]:
            words.pop()
        delay = min(max(now - self.arrival, 0) // 64, 0xFFFE)
        head = struct.pack(">BBBBIIHHIHH", number, self.epoch, self.flags, len(words), self.cum, self.echo or 0, delay, 0,
                           self.received & 0xFFFFFFFF, self.marked & 0xFFFF, self.duplicates & 0xFFFF)
        self.flags = 0
        return head + struct.pack(f">{len(words)}Q", *words)


class Region:
    def __init__(self, key, address, length):
        self.key, self.address, self.length, self.alive = key, address, length, True
        self.bytes = bytearray(b"\xA5" * GUARD + b"\0" * length + b"\xA5" * GUARD)


class Stream:
    def __init__(self):
        self.next, self.open, self.error = 0, {}, 0
        self.faults = {}


class Responder:
    """The engine, the memory and the agent in one."""

    def __init__(self):
        self.seq, self.socket = 0, None
        self.reset()

    def reset(self):
        if self.socket:
            self.socket.close()
        self.socket, self.regions, self.counters, self.seq = None, {}, {}, 0
        self.peer = self.nonce = None
        self.established = self.closed = False
        self.own_id, self.own_seed, self.next_region, self.ack_seq = 0x51DE0001, 0x0BADF00D, 1, 1
        self.paths, self.streams, self.accepted, self.to = {}, {}, 0, None

    def count(self, name):
        self.counters[name] = self.counters.get(name, 0) + 1

    def event(self, **fields):
        print(json.dumps({**fields, "seq": self.seq, "t": time.monotonic_ns()}), flush=True)
        self.seq += 1

    # ---- packets that leave

    def send(self, opcode, body, psn=0, flags=0, seed=None):
        stamp = (time.monotonic_ns() // 16) & 0xFFFFFFFF
        head = HEADER.pack(0x10 | flags, opcode, 0, 0, self.peer["id"] if self.peer else 0, psn, stamp)
        self.socket.sendto(sealed(head + body, self.peer["seed"] if seed is None and self.peer else seed or 0), self.to)

    def report(self, opcode, body, flags=0):
        self.send(opcode, body, self.ack_seq, flags)
        self.ack_seq += 1

    def ack(self, numbers, answers_probe=False, echo=b""):
        now = time.monotonic_ns()
        updates = [struct.pack(">HBBII", number, 0x10 | (0x40 if s.error else 0), s.error, s.next & 0xFFFFFFFF, 0)
                   for number, s in sorted(self.streams.items())]
        blocks = [self.paths[number].block(number, now) for number in numbers]
        body = struct.pack(">HHIBBBB", 0x4FA1, 1, (self.accepted // 64) & 0xFFFFFFFF, len(blocks), len(updates),
                           0x80 if answers_probe else 0, 0) + b"".join(blocks + updates)
        if echo:
            body += option(2, b"\0\0" + echo) + b"\0\1\0\0"
        self.report(ACK, body, X if echo else 0)

    def connect(self, address):
        host, port = address.rsplit(":", 1)
        self.to, self.nonce = (host, int(port)), 0x1122334455667788
        body = request_body(self.own_id, self.nonce, self.own_seed, 5000, self.socket.getsockname(), self.opened)
        self.send(CONN_REQ, body, flags=X, seed=0)

    # ---- packets that arrive

    def take(self, packet):
        self.count("rx_packets")
        if len(packet) < 16 or packet[0] >> 4 != 1:
            return self.count("drop_short" if len(packet) < 16 else "drop_version")
        first, opcode, path, epoch, to, psn, stamp = HEADER.unpack_from(packet)
        if opcode not in KNOWN and opcode >= 0x80:
            return self.count("drop_opcode")
        if to != self.own_id:
            return self.count("drop_no_connection")
        seed = 0 if opcode <= 6 or opcode == 9 else self.own_seed
        if len(packet) < 20 or crc32c(seed, packet[:-4]) != struct.unpack(">I", packet[-4:])[0]:
            return self.count("drop_integrity")
        if opcode not in KNOWN:
            self.count("drop_opcode")
            return self.unsupported(psn, path)
        body = packet[16:-4]
        if opcode == CONN_ACCEPT and len(body) >= 16:
            return self.accepted_by(body)
        if not self.established:
            return self.count("drop_state")
        if opcode == CLOSE and len(body) == 8:
            self.send(CLOSE_ACK, body[:2] + b"\0\0" + body[4:])
            if not self.closed:
                self.closed = True
                self.event(evt="conn_state", conn=1, state="closed", why="PEER_CLOSE")
        elif self.closed:
            self.count("drop_state")
        elif opcode == PROBE and len(body) >= 12:
            self.probed(body, path, epoch, stamp)
        elif opcode == WRITE:
            self.written(first, path, epoch, psn, stamp, body)

    def accepted_by(self, body):
        if self.established or struct.unpack_from(">Q", body)[0] != self.nonce:
            return
        self.peer = terms_of(body)
        self.established = True
        self.send(CONN_CONFIRM, struct.pack(">Q", self.nonce), seed=0)
        self.event(evt="conn_state", conn=1, state="established")

    def unsupported(self, psn, path):
        self.report(NAK, struct.pack(">BBHIIIBBH", UNSUPPORTED, 0, 0, 0, 0, psn, path, 0, 0))

    def at(self, number):
        return self.paths.setdefault(number, Path((self.peer["psn"] + number * STRIDE) & 0xFFFFFFFF))

    def probed(self, body, path, epoch, stamp):
        if body[0] & 0x80:
            self.at(path).arrived(stamp, epoch, 0, time.monotonic_ns())
            self.ack([path], True)
        else:
            self.ack([], True, body[4:12])

    def written(self, first, path, epoch, psn, stamp, body):
        if len(body) < 28:
            return self.count("drop_length")
        stream, flags, _, msn, offset, key, total, address = struct.unpack_from(">HBBIIIIQ", body)
        at = 28
        if first & X:
            at, critical = self.options(body)
            if at < 0:
                return self.count("drop_tlv")
            if critical:
                self.count("drop_tlv_critical")
                return self.unsupported(psn, path)
        row = self.at(path)
        if WINDOW <= (psn - row.cum) & 0xFFFFFFFF < 0x80000000:
            self.count("drop_window")
            row.flags |= 0x20
            return self.ack([path])
        row.arrived(stamp, epoch, 1 if first & M else 0, time.monotonic_ns())
        if row.accept(psn):
            self.count("rx_slots")
            self.message(self.streams.setdefault(stream, Stream()), flags, msn, offset, key, total, address, body[at:])
        self.ack(sorted(self.paths))

    @staticmethod
    def options(body):
        at, critical = 28, False
        while at + 4 <= len(body):
            kind, words = body[at], body[at + 1]
            if not words or at + 4 * words > len(body):
                return -1, False
            at += 4 * words
            if not kind:
                return at, critical
            critical |= bool(kind & 0x80)
        return -1, False

    def message(self, stream, flags, msn, offset, key, total, address, payload):
        if stream.error or (msn - stream.next) & 0xFFFFFFFF >= 0x80000000 or flags & 2:
            return
        got = stream.open.setdefault(msn, [0, total])
        region = next((r for r in self.regions.values() if r.key == key and r.alive), None)
        fault = 0
        if offset + len(payload) > total:
            fault = INV_REQ
        elif payload and (region is None or not region.writable or len(payload) > region.length
                          or not 0 <= address - region.address <= region.length - len(payload)):
            fault = REM_ACCESS
        if fault:
            stream.faults[msn] = fault
        elif payload:
            start = GUARD + address - region.address
            region.bytes[start:start + len(payload)] = payload
            self.accepted += len(payload)
        got[0] += len(payload)
        while True:
            if stream.next in stream.faults:
                stream.error = stream.faults[stream.next]
                return
            waiting = stream.open.get(stream.next)
            if waiting is None or waiting[0] < waiting[1]:
                return
            del stream.open[stream.next]
            stream.next = (stream.next + 1) & 0xFFFFFFFF

    # ---- the agent

    def command(self, request):
        name = request["cmd"]
        region = self.regions.get(request.get("mr"))
        if name == "hello":
            return {"utp": 1, "iut": {"vendor": "metaroce", "name": "responder.py", "version": "1"}, "caps": [], "params": {}}
        if name in ("reset", "bye"):
            self.reset()
        elif name in ("cfg", "barrier"):
            pass
        elif name == "ep_open":
            self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.socket.bind(("127.0.0.1", 0))
            return {"addresses": ["127.0.0.1:%d" % self.socket.getsockname()[1]]}
        elif name == "connect":
            self.opened = request.get("streams", 1)
            self.streams = {2 * i: Stream() for i in range(self.opened)}
            self.connect(request["to"])
            return {"conn": 1}
        elif name == "mr_reg":
            number, self.next_region = self.next_region, self.next_region + 1
            region = Region(0x1000 + 0x100 * number + number, number << 32, request["len"])
            region.writable = "remote_write" in request["access"] and not request.get("pd", 0)
            self.regions[number] = region
            return {"mr": number, "rkey": region.key, "va": region.address}
        elif name == "mr_dereg":
            region.alive = False
        elif name == "mr_fill":
            self.fill(region, request)
        elif name == "mr_check":
            return self.check(region, request)
        elif name == "mr_guard":
            guard = b"\xA5" * GUARD
            return {"intact": region.bytes[:GUARD] == guard and region.bytes[-GUARD:] == guard}
        elif name == "mr_read":
            at = GUARD + request.get("off", 0)
            return {"hex": region.bytes[at:at + request.get("len", 8)].hex()}
        elif name == "stats":
            return dict(self.counters)
        elif name == "time":
            return {"t": time.monotonic_ns()}
        else:
            raise LookupError(name)
        return {}

    @staticmethod
    def wanted(request, offset, length):
        if "byte" in request:
            return bytes([request["byte"]]) * length
        return pattern(request["seed"], request.get("at", offset), length)

    def fill(self, region, request):
        offset = request.get("off", 0)
        length = request.get("len", region.length - offset)
        region.bytes[GUARD + offset:GUARD + offset + length] = self.wanted(request, offset, length)

    def check(self, region, request):
        offset = request.get("off", 0)
        length = request.get("len", region.length - offset)
        wanted, got = self.wanted(request, offset, length), region.bytes[GUARD + offset:GUARD + offset + length]
        for i in range(length):
            if wanted[i] != got[i]:
                return {"same": False, "off": offset + i, "exp": wanted[i], "got": got[i]}
        return {"same": True}

    def run(self):
        while True:
            readable, _, _ = select.select([sys.stdin] + ([self.socket] if self.socket else []), [], [])
            if self.socket in readable:
                self.take(self.socket.recv(65536))
            elif sys.stdin in readable:
                line = sys.stdin.readline()
                if not line:
                    return
                request = json.loads(line)
                try:
                    answer = {"ok": True, **self.command(request)}
                except LookupError as e:
                    answer = {"ok": False, "err": "E_UNSUPPORTED", "msg": str(e)}
                print(json.dumps({"id": request["id"], **answer}), flush=True)


if __name__ == "__main__":
    Responder().run()
