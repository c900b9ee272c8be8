#!/usr/bin/env python3
"""Co-simulates a receive window in Verilog with the behavioural model, slot by slot, and stops at the first difference.

    bench.py SIMULATION... -- MODEL...      for example: bench.py vvp target/window.vvp -- ./metaroce cosim

The model is asked for a connection like any responder. Then every slot number that enters the window enters the model as
a Write on path 0 that asks for an acknowledgement; compared are what becomes of the slot (new, duplicate, beyond the
window), and edge and bitmap with the path block of that acknowledgement. Standard library only; packets are written by
the codec of the responder in Python. At the end every bin of spec/coverage.json that a window can meet was met.
"""

import json
import pathlib
import random
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "python"))
from cosim import Cosim  # noqa: E402
import responder as wire  # noqa: E402

WINDOW, SLOTS, BEYOND_MAX, STEP_NS = 256, 3000, 60, 2000
FIRST_PSN = 0xFFFFFF00  # the numbers wrap while the window is in use
OWN_ID, NONCE, OWN = 0x0B0E0001, 0x2122232425262728, ("10.0.0.1", 50000)
A = 2
ACCEPT, DUPLICATE, BEYOND = 0, 1, 2
NAMES = {ACCEPT: "accepted as new", DUPLICATE: "counted as a duplicate", BEYOND: "dropped beyond the window"}
BROKEN = {ACCEPT: "R-PATH-012", DUPLICATE: "R-PATH-005", BEYOND: "R-PATH-004"}  # by what should have happened


class Model:
    """The reference as the receiver of one path."""

    def __init__(self, command):
        self.cosim, self.t, self.stamp = Cosim(*command), 0, 1
        self.h = self.cosim.new(role="responder", seed=1)
        self.cosim.cmd(self.h, 0, "listen", service=7)
        self.region = self.cosim.cmd(self.h, 0, "mr_reg", len=64, access=["local_write", "remote_write"])["answer"]
        answer = self.ask(b"")
        if answer[1] == wire.CONN_RETRY:
            answer = self.ask(answer[24:40])
        assert answer[1] == wire.CONN_ACCEPT, "the model refuses the connection"
        self.peer = wire.terms_of(answer[16:-4])
        self.send(wire.CONN_CONFIRM, struct.pack(">Q", NONCE), seed=0)

    def send(self, opcode, body, psn=0, flags=0, to=None, seed=None):
        """One packet to the model; returns the effects."""
        self.t, self.stamp = self.t + STEP_NS, self.stamp + 1
        head = wire.HEADER.pack(0x10 | flags, opcode, 0, 0, self.peer["id"] if to is None else to, psn, self.stamp)
        packet = wire.sealed(head + body, self.peer["seed"] if seed is None else seed)
        return self.cosim.rx(self.h, self.t, "%s:%d" % OWN, packet, ecn=2)["effects"]

    def ask(self, cookie):
        body = wire.request_body(OWN_ID, NONCE, 0, FIRST_PSN, OWN, 1, cookie)
        effects = self.send(wire.CONN_REQ, body, flags=wire.X, to=0, seed=0)
        return next(bytes.fromhex(e["hex"]) for e in effects if e["kind"] == "TX")

    def slot(self, psn):
        """What becomes of the slot, then edge and bitmap as the acknowledgement has them."""
        msn = (psn - FIRST_PSN) & 0xFFFFFFFF
        body = struct.pack(">HBBIIIIQ", 0, 0, 0, msn, 0, int(self.region["rkey"]), 64, int(self.region["va"])) + bytes(64)
        effects = self.send(wire.WRITE, body, psn, A)
        first = effects[0]
        if first["kind"] == "RX_DROP":
            assert first["reason"] == "window", f"the model drops the packet: {first}"
            verdict = BEYOND
        else:
            verdict = DUPLICATE if first.get("flags", 0) & 1 else ACCEPT
        acks = [bytes.fromhex(e["hex"]) for e in effects if e["kind"] == "TX" and int(e["hex"][2:4], 16) == wire.ACK]
        assert acks, "R-ACK-002: no acknowledgement although the packet asked for one"
        return (verdict, *self.block(acks[-1]))

    @staticmethod
    def block(ack):
        path, _, _, words, cum = struct.unpack_from(">BBBBI", ack, 28)
        assert ack[24] == 1 and path == 0, "one block, of path 0"
        bits = struct.unpack_from(f">{words}Q", ack, 28 + 24)
        return cum, sum(word << 64 * i for i, word in enumerate(bits))


class Coverage:
    """Which bins were met."""

    def __init__(self, *names):
        table = json.loads((HERE.parent.parent.parent / "spec" / "coverage.json").read_text(encoding="utf-8"))
        self.bins = {group["name"]: [[low, high, 0] for low, high in group["bins"]]
                     for group in table["groups"] if group["name"] in names}

    def note(self, **values):
        for name, value in values.items():
            for row in self.bins[name]:
                row[2] += row[0] <= value <= row[1]

    def missed(self):
        return [f"{name} {low} to {high}" for name, rows in self.bins.items() for low, high, count in rows if not count]

    def total(self):
        return sum(map(len, self.bins.values()))


class Device:
    """The simulated hardware at the other end of a pipe."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.slot(FIRST_PSN)

    def slot(self, psn):
        self.process.stdin.write(f"{psn:08x}\n")
        self.process.stdin.flush()
        verdict, cum, bitmap = self.process.stdout.readline().split()
        return int(verdict), int(cum, 16), int(bitmap, 16)

    def close(self):
        self.process.stdin.close()
        self.process.wait(20)


def stimuli(edge):
    """Slot numbers: mostly ahead by little, some late, some twice, some at and beyond the end of the window, runs of 80."""
    draw, last, beyond = random.Random(7), FIRST_PSN, 0
    for number in range(SLOTS):
        cum, kind = edge(), draw.random()
        if number % 500 == 250:
            yield from (cum + i & 0xFFFFFFFF for i in range(1, 81))
            last = cum
        elif kind < 0.35:
            last = cum
        elif kind < 0.70:
            last = cum + draw.randrange(24)
        elif kind < 0.80:
            last = cum - (1 << 31) if draw.random() < 0.02 else cum - 1 - draw.randrange(draw.choice((3, 300, 5000)))
        elif kind < 0.90:
            last = cum + draw.choice((62, 63, 64, 65, 127, 128, 254, 255, draw.randrange(66, 254)))
        elif kind < 0.93 and beyond < BEYOND_MAX:  # more of them end the connection (R-ERR-004)
            beyond += 1
            yield cum + draw.choice((WINDOW, WINDOW, WINDOW + 1, 1 << 20, (1 << 31) - 1)) & 0xFFFFFFFF
            continue
        # Slots around 0 come in their turn only, so that the edge stands at each of them.
        is_near = (last + 4 & 0xFFFFFFFF) < 8 and (last - cum & 0xFFFFFFFF) < WINDOW
        yield (cum if is_near else last) & 0xFFFFFFFF


def fault(psn, wanted, got):
    """The first difference, and the requirement it breaks; None when there is none."""
    if got[0] != wanted[0]:
        return BROKEN[wanted[0]], f"slot {psn:08x} is {NAMES[got[0]]}, and should be {NAMES[wanted[0]]}"
    if got[1] != wanted[1]:
        return "R-SACK-001", f"after slot {psn:08x} the edge is {got[1]:08x}, and should be {wanted[1]:08x}"
    if got[2] != wanted[2]:
        return "R-SACK-004", f"after slot {psn:08x} the bitmap is {got[2]:064x}, and should be {wanted[2]:064x}"
    return None


def main(words):
    if "--" not in words or words[-1] == "--":
        print("usage: bench.py SIMULATION... -- MODEL...", file=sys.stderr)
        return 2
    at = words.index("--")
    device, model = Device(words[:at]), Model(words[at + 1:])
    counts, window = [0, 0, 0], [FIRST_PSN]
    coverage = Coverage("slot_ahead", "cum_psn", "verdict", "bitmap_words", "advance")
    try:
        for number, psn in enumerate(stimuli(lambda: window[0])):
            edge, wanted, got = window[0], model.slot(psn), device.slot(psn)
            counts[wanted[0]] += 1
            window[0] = wanted[1]
            ahead = (psn - edge + (1 << 31) & 0xFFFFFFFF) - (1 << 31)
            coverage.note(slot_ahead=ahead, cum_psn=edge, verdict=wanted[0], advance=wanted[1] - edge & 0xFFFFFFFF,
                          bitmap_words=(wanted[2].bit_length() + 63) // 64)
            found = fault(psn, wanted, got)
            if found:
                print(f"slot {number}: {found[0]} is broken: {found[1]} (edge {edge:08x})")
                return 1
    finally:
        device.close()
        model.cosim.close()
    print(f"{sum(counts)} slots agree: {counts[0]} new, {counts[1]} duplicates, {counts[2]} beyond the window; "
          f"the edge went from {FIRST_PSN:08x} to {window[0]:08x}")
    print(f"{coverage.total() - len(coverage.missed())} of {coverage.total()} bins" + "".join(
        f"\nnever: {bin}" for bin in coverage.missed()))
    return 1 if coverage.missed() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
