package io.metaroce.sim.swarm;

import io.metaroce.sim.swarm.SwarmCase.Clock;
import io.metaroce.sim.swarm.SwarmCase.End;
import io.metaroce.sim.swarm.SwarmCase.Net;
import io.metaroce.sim.swarm.SwarmCase.Op;
import io.metaroce.sim.swarm.SwarmCase.Talk;

/**
 * How long a case may take, and how many packets: bounds that follow from its network, its work and the timers of the
 * protocol, not from what was seen.
 *
 * <p>All that backs off doubles its wait, so nothing waits much longer than the trouble lasted; beyond that it takes
 * round trips for the work, the time of its bytes, and the coarse timers of handshake and close.
 */
final class Bounds {
    private static final long MS = 1_000_000;
    private static final long LINGER_NS = 500 * MS; // a repeated request, a repeated close, once more each
    private static final long DEATH_NS = 20_000 * MS; // idle until a keepalive, then silent for the dead time
    private static final long CLOSE_NS = 5_000 * MS; // what a graceful close waits for
    private static final int BACKOFFS = 4; // one behind the other: handshake, slots, queries, close
    private static final int DOUBLINGS_MAX = 5; // seven tries of a request, 50 ms the first
    private static final int ROUNDS_AT_LEAST = 50;
    private static final int ROUNDS_PER_OP = 8;
    private static final int SHARE = 20; // of the line, for work that crowds on one port and path
    private static final long TURN_NS = 600_000; // until an application looks again
    private static final int HOPS_MAX = 4;
    private static final int BITS = 8;
    private static final int OVERHEAD_BYTES = 200;
    private static final int PACKETS_AT_LEAST = 500;
    private static final int PACKETS_PER_FRAGMENT = 60;
    private static final int PACKETS_PER_PATH = 100;
    private static final long PATH_PAUSE_NS = 10 * MS; // between two packets of a path that hears nothing, on average

    private Bounds() {}

    /** When everything has ended at the latest. */
    static long endNs(SwarmCase one) {
        long lastNs = one.healNs();
        boolean isDisturbed = false;
        for (Talk talk : one.talks()) {
            lastNs = Math.max(lastNs, Math.max(talk.endNs(), talk.beginNs()));
            isDisturbed |= talk.end() != End.DRAINED;
        }
        for (Op op : one.ops()) {
            lastNs = Math.max(lastNs, Math.max(op.postNs(), op.receiveNs()));
        }
        long rounds = ROUNDS_AT_LEAST + (long) ROUNDS_PER_OP * one.ops().size();
        long workNs = rounds * (roundTripNs(one) + TURN_NS) + SHARE * bytesNs(one);
        long waitNs = (LINGER_NS << named(one)) + BACKOFFS * lastNs + workNs + (isDisturbed ? DEATH_NS + CLOSE_NS : 0);
        return lastNs + slowest(one, waitNs);
    }

    /** How many packets may be sent until then. */
    static long packets(SwarmCase one, long endedNs) {
        long paths = (long) one.talks().size() * (one.side().paths() + one.net().planes());
        return PACKETS_AT_LEAST
                + PACKETS_PER_FRAGMENT * fragments(one)
                + paths * (PACKETS_PER_PATH + endedNs / PATH_PAUSE_NS);
    }

    // Packets lost by number, which no repair undoes: each may double the wait for an answer to a request.
    private static int named(SwarmCase one) {
        int named = 0;
        for (String fault : one.faults()) {
            String[] words = fault.split(" ", -1);
            named += words[0].equals("drop") ? words.length - 3 : words[0].equals("packet") ? 1 : 0;
        }
        return Math.min(named, DOUBLINGS_MAX);
    }

    private static long roundTripNs(SwarmCase one) {
        Net net = one.net();
        long queueNs = bitsNs(one, (long) net.queuePackets() * (one.side().payloadBytes() + OVERHEAD_BYTES));
        return 2 * HOPS_MAX * (net.delayNs() + queueNs) + 2L * net.spread() * net.skewNs();
    }

    private static long bytesNs(SwarmCase one) {
        return bitsNs(one, one.bytes() + OVERHEAD_BYTES * fragments(one));
    }

    private static long bitsNs(SwarmCase one, long bytes) {
        return bytes * BITS / one.net().gbit();
    }

    private static long fragments(SwarmCase one) {
        long fragments = 0;
        for (Op op : one.ops()) {
            fragments += op.size() / one.side().payloadBytes() + 1;
        }
        return fragments;
    }

    // What the slowest clock makes of a time.
    private static long slowest(SwarmCase one, long ns) {
        long longest = ns;
        for (Clock clock : one.clocks()) {
            longest = Math.max(longest, ns * 1000 / (1000 + clock.ratePpm() / 1000));
        }
        return longest;
    }
}
