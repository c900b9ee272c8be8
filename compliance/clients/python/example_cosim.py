#!/usr/bin/env python3
"""Two endpoints of the behavioural model and a wire that loses every eleventh packet: a connection and one Write.

What the responder did is then taken for the log of a device: the model follows it and agrees, and does not agree with
a log in which one placement is off by one.

    python3 compliance/clients/python/example_cosim.py ./metaroce cosim
"""

import collections
import sys

from cosim import Cosim, Refused

WIRE_NS, BYTES = 5000, 100_000
ADDRESSES = ("10.0.0.1:49741", "10.0.0.2:49741")
DEVICE = {"role": "responder", "seed": 2, "params": {"paths": 1}}
COMPARED = ("RX_ACCEPT", "RX_DROP", "PLACE", "CQE", "TX")


class Fabric:
    """Virtual time: the next thing is an arrival or a deadline."""

    def __init__(self, model):
        self.model, self.t, self.flying = model, 0, collections.deque()
        self.sides = [model.new(role="initiator", seed=1, params={"paths": 1}), model.new(**DEVICE)]
        self.deadlines = [None, None]
        self.sent = self.lost = 0
        self.told = collections.defaultdict(list)
        self.log = []  # what the responder was given and what it did

    def happened(self, side, reply):
        self.deadlines[side] = reply.get("next")
        for effect in reply["effects"]:
            if effect["kind"] == "TX":
                self.sent += 1
                if self.sent % 11:
                    self.flying.append((effect["t_ns"] + WIRE_NS, 1 - side, effect))
                else:
                    self.lost += 1
            self.told[side, effect["kind"], effect.get("what")].append(effect)
            if side == 1 and effect["kind"] in COMPARED:
                self.log.append(effect)
        return reply

    def given(self, side, **record):
        if side == 1:
            self.log.append({"t_ns": self.t, **record})

    def command(self, side, do, **arguments):
        self.given(side, kind="CMD", do=do, **arguments)
        return self.happened(side, self.model.cmd(self.sides[side], self.t, do, **arguments)).get("answer", {})

    def step(self):
        due = [(t, side) for side, t in enumerate(self.deadlines) if t is not None]
        deadline = min(due) if due else None
        if self.flying and (deadline is None or self.flying[0][0] <= deadline[0]):
            self.t, side, packet = self.flying.popleft()
            self.given(side, kind="RX", ecn=2, **{name: packet[name] for name in ("from", "to", "hex")})
            self.happened(side, self.model.rx(self.sides[side], self.t, packet["from"], packet["hex"], ecn=2, to=packet["to"]))
        else:
            self.t, side = deadline
            self.given(side, kind="ADVANCE")
            self.happened(side, self.model.advance(self.sides[side], self.t))

    def until(self, *what):
        while not all(self.told[key] for key in what):
            self.step()


def transfer(model):
    fabric = Fabric(model)
    fabric.command(1, "listen", service=7)
    access = ["local_write", "remote_write"]
    source = fabric.command(0, "mr_reg", len=BYTES, access=access)
    target = fabric.command(1, "mr_reg", len=BYTES, access=access)
    fabric.command(0, "mr_fill", mr=source["mr"], seed=42)
    fabric.command(0, "connect", to=ADDRESSES[1], service=7, streams=1)
    established = [(side, "STATE", "established") for side in (0, 1)]
    fabric.until(*established)
    conn = fabric.told[established[0]][0]["conn"]
    fabric.command(0, "post_write", conn=conn, stream=0, wr=1, mr=source["mr"], off=0, len=BYTES, rkey=target["rkey"],
                   rva=target["va"])
    done = (0, "CQE", None)
    fabric.until(done)
    status = fabric.told[done][0]["status"]
    same = fabric.command(1, "mr_check", mr=target["mr"], seed=42)["same"]
    print(f"{BYTES} bytes {'arrived' if same else 'differ'} after {fabric.t // 1000} us, {status}; {fabric.sent} packets, "
          f"{fabric.lost} of them lost")
    return same and status == "SUCCESS" and followed(model, fabric.log)


def followed(model, log):
    """Whether the model agrees with the log, and finds the fault in a copy of it."""
    model.follow(model.new(**DEVICE), log)
    print(f"the model follows {len(log)} records of the responder")
    at = next(i for i, record in enumerate(log) if record["kind"] == "PLACE" and record["off"] > 0)
    faulty = log[:at] + [{**log[at], "off": log[at]["off"] + 1}] + log[at + 1:]
    try:
        model.follow(model.new(**DEVICE), faulty)
    except Refused as e:
        print(f"a placement off by one: {e.reply['field']} is {e.reply['got']}, {e.reply['exp']} was expected, "
              f"{e.reply['requirement']}")
        return e.code == "E_MISMATCH" and e.reply["field"] == "off"
    print("a placement off by one is not noticed")
    return False


def main(command):
    if not command:
        print("usage: example_cosim.py COMMAND | unix:PATH | tcp:PORT    (the behavioural model)", file=sys.stderr)
        return 2
    with Cosim(*command) as model:
        return 0 if transfer(model) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
