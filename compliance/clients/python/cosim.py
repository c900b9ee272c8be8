"""A client of COSIM/1 (docs/cosim.md) in lines of JSON. Standard library only; usable inside cocotb, synchronously.

    from cosim import Cosim
    with Cosim("./metaroce", "cosim") as model:
        h = model.new(role="responder")
        effects = model.rx(h, 1000, "10.0.0.1:50000", packet)

One call is one request and one reply; a thread would lose simulation time. Every reply has a deadline.
"""

import json
import os
import select
import socket
import subprocess
import time

DEADLINE_S = 60


class Refused(Exception):
    """The model said no: `code`, and in `reply` whatever else it said (field, exp, got, requirement, legal, last8)."""

    def __init__(self, reply):
        super().__init__(f'{reply.get("err")}: {reply.get("msg", reply)}')
        self.code, self.reply = reply.get("err"), reply


class LinkBroken(Exception):
    """No reply in time, or the model is gone."""


class Cosim:
    """A model: a process that is started, `Cosim("./metaroce", "cosim")`, or one that listens, `Cosim("unix:PATH")`."""

    def __init__(self, *command, deadline_s=DEADLINE_S):
        self.deadline_s, self.count, self.pending = deadline_s, 0, b""
        self.process = self.socket = None
        if len(command) == 1 and command[0].startswith(("unix:", "tcp:")):
            self.socket = self._connected(*command[0].split(":", 1))
            self.reader = self.writer = self.socket.fileno()
        else:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
            self.reader, self.writer = self.process.stdout.fileno(), self.process.stdin.fileno()
        self.hello = self.call("hello", cosim=1, enc="ndjson", client="cosim.py")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @staticmethod
    def _connected(kind, place):
        """A model that is being started may not listen yet: tries for ten seconds."""
        family, address = (socket.AF_UNIX, place) if kind == "unix" else (socket.AF_INET, ("127.0.0.1", int(place)))
        until = time.monotonic() + 10
        while True:
            link = socket.socket(family)
            try:
                link.connect(address)
                return link
            except OSError:
                link.close()
                if time.monotonic() > until:
                    raise
                time.sleep(0.01)

    # ---- lines

    def _line(self):
        until = time.monotonic() + self.deadline_s
        while b"\n" not in self.pending:
            readable, _, _ = select.select([self.reader], [], [], max(until - time.monotonic(), 0))
            more = os.read(self.reader, 1 << 20) if readable else b""
            if not more:
                raise LinkBroken("no reply in time" if not readable else "the model is gone")
            self.pending += more
        line, _, self.pending = self.pending.partition(b"\n")
        return line

    def call(self, op, **fields):
        """One request; returns its reply, a dict. Raises Refused when the model says no."""
        self.count += 1
        data = json.dumps({"id": self.count, "op": op, **fields}).encode() + b"\n"
        while data:
            try:
                data = data[os.write(self.writer, data):]
            except OSError as e:
                raise LinkBroken(str(e)) from e
        reply = json.loads(self._line())
        if reply.get("id") != self.count:
            raise LinkBroken(f"out of step: {reply}")
        if not reply["ok"]:
            raise Refused(reply)
        return reply

    # ---- requests

    def new(self, **arguments):
        """A new endpoint; returns its handle."""
        return self.call("new", **arguments)["h"]

    def cmd(self, h, t, do, **arguments):
        """A command of its application; the reply has `effects`, `reached`, `next` and `answer`."""
        return self.call("cmd", h=h, t=t, do=do, **arguments)

    def rx(self, h, t, source, packet, **more):
        """A datagram arrives, perhaps with `to`, `plane`, `ecn`; `effects` begin with RX_ACCEPT or RX_DROP."""
        data = packet if isinstance(packet, str) else packet.hex()
        return self.call("rx", h=h, t=t, hex=data, **{"from": source}, **more)

    def advance(self, h, t):
        """Runs the deadlines up to t."""
        return self.call("advance", h=h, t=t)

    def expect(self, h, **record):
        """The device did this; raises Refused (E_MISMATCH) when the model did not."""
        return self.call("expect", h=h, **record)

    def choose(self, h, t, point, value, **more):
        """The device chose this; raises Refused (E_FORBIDDEN) when it must not."""
        return self.call("choose", h=h, t=t, point=point, value=value, **more)

    def follow(self, h, log):
        """A log of the device, in order: RX enters the model, CHOICE is checked, all else must be what the model did."""
        for record in log:
            fields = {name: value for name, value in record.items() if name != "t_ns"}
            if record["kind"] == "RX":
                self.rx(h, record["t_ns"], record["from"], record["hex"],
                        **{name: record[name] for name in ("to", "plane", "ecn") if name in record})
            elif record["kind"] == "ADVANCE":
                self.advance(h, record["t_ns"])
            elif record["kind"] == "CMD":
                fields.pop("kind")
                self.cmd(h, record["t_ns"], fields.pop("do"), **fields)
            elif record["kind"] == "CHOICE":
                fields.pop("kind")
                self.choose(h, record["t_ns"], **fields)
            else:
                self.expect(h, **record)

    def state(self, h, level="arch"):
        """The canonical dump."""
        return self.call("state", h=h, level=level)["state"]

    def hash(self, h):
        """SHA-256 of the dump of level arch."""
        return self.call("hash", h=h)["sha256"]

    def close(self):
        """Says good-bye, and ends the process that was started. May be called twice."""
        if self.reader is None:
            return
        try:
            self.call("bye")
        except (LinkBroken, Refused):
            pass
        self.reader = None
        if self.socket:
            self.socket.close()
        if self.process:
            self.process.stdin.close()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()
