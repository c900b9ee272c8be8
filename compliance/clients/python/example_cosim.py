#!/usr/bin/env python3
"""Two endpoints of the behavioural model and a wire that loses every eleventh packet: a connection and one Write.

    python3 compliance/clients/python/example_cosim.py ./metaroce cosim
"""

import collections
import sys

from cosim import Cosim

WIRE_NS, BYTES = 5000, 100_000
ADDRESSES = ("10.0.0.1:49741", "10.0.0.2:49741")


class Fabric:
    """Virtual time: the next thing is an arrival or a deadline."""

    def __init__(self, model):
        self.model, self.t, self.flying = model, 0, collections.deque()
        self.sides = [model.new(role="initiator", seed=1), model.new(role="responder", seed=2)]
        self.deadlines = [None, None]
        self.sent = self.lost = 0
        self.told = collections.defaultdict(list)

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
        return reply

    def command(self, side, do, **arguments):
        return self.happened(side, self.model.cmd(self.sides[side], self.t, do, **arguments)).get("answer", {})

    def step(self):
        due = [(t, side) for side, t in enumerate(self.deadlines) if t is not None]
        deadline = min(due) if due else None
        if self.flying and (deadline is None or self.flying[0][0] <= deadline[0]):
            self.t, side, packet = self.flying.popleft()
            self.happened(side, self.model.rx(self.sides[side], self.t, packet["from"], packet["hex"], ecn=2, to=packet["to"]))
        else:
            self.t, side = deadline
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
    return same and status == "SUCCESS"


def main(command):
    if not command:
        print("usage: example_cosim.py COMMAND | unix:PATH | tcp:PORT    (the behavioural model)", file=sys.stderr)
        return 2
    with Cosim(*command) as model:
        return 0 if transfer(model) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
