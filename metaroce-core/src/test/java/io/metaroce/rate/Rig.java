package io.metaroce.rate;

import io.metaroce.num.Minifloat;
import io.metaroce.param.Profiles;
import io.metaroce.param.RateConfig;

/** A congestion control on a bench: 400 Gbit/s, 12 us, packets of 4 KiB; every step is one call. */
final class Rig {
    static final int Q = 4096 + CongestionControl.PACKET_OVERHEAD_BYTES;
    static final long US = 1_000;
    static final long RTT = 12 * US;
    static final long LINE = 50_000_000_000L;
    /** Wh at the line rate: 50 Gbyte/s for 12 us and a wanted queue of 3 us. */
    static final long FULL_WINDOW = 750_000;

    final CongestionControl control;
    final RateSignal signal = new RateSignal();
    private final int paths;
    long nowNs;
    long srttNs = RTT;
    long roundMinNs = RTT;

    Rig(int paths) {
        this(Profiles.model().rate(), paths);
    }

    Rig(RateConfig config, int paths) {
        this.paths = paths;
        control = new CongestionControl(config, paths, 4096);
        control.startWith(RTT, Long.MAX_VALUE);
        for (int i = 0; i < paths; i++) {
            control.activate(i);
        }
    }

    Rig after(long ns) {
        nowNs += ns;
        return this;
    }

    Rig hint(long bytesPerSecond) {
        control.onHint(nowNs, Minifloat.encodeHint(bytesPerSecond));
        return this;
    }

    Rig send(int path, int packets) {
        for (int i = 0; i < packets; i++) {
            control.onSent(nowNs, path, Q);
        }
        return this;
    }

    Rig ack(int path, int packets) {
        return block(path, packets, 0, 0);
    }

    Rig ackMarked(int path, int packets) {
        return block(path, packets, packets, 0);
    }

    Rig lose(int path, int packets) {
        return block(path, 0, 0, packets);
    }

    /** One path block: so many packets acknowledged, so many of them marked, so many lost. */
    Rig block(int path, int acked, int marked, int lost) {
        signal.reset().marks(acked, marked).rtt(acked > 0 ? srttNs : 0, srttNs, RTT, roundMinNs);
        for (int i = 0; i < acked; i++) {
            control.onLeft(path, Q);
            signal.acked(Q);
        }
        for (int i = 0; i < lost; i++) {
            control.onLeft(path, Q);
            signal.lost(Q);
        }
        control.onSignal(nowNs, path, signal);
        return this;
    }

    /** Sends on all paths in turn until both windows are full, pacing left aside. */
    Rig fill() {
        boolean any = true;
        while (any) {
            any = false;
            for (int i = 0; i < paths; i++) {
                if (control.connectionHasRoom(nowNs, Q) && control.pathHasRoom(i, Q)) {
                    control.onSent(nowNs, i, Q);
                    any = true;
                }
            }
        }
        return this;
    }

    /** One round trip in which everything in flight is acknowledged, marked or not, one path after the other. */
    Rig roundTrip(Marks marks) {
        fill();
        long step = srttNs / paths;
        for (int i = 0; i < paths; i++) {
            after(step);
            int packets = (int) (control.inFlightBytes(i) / Q);
            if (packets > 0) {
                block(i, packets, marks == Marks.ALL ? packets : 0, 0);
            }
        }
        after(srttNs - step * paths);
        return this;
    }

    /** Whether the packets of a round trip come back marked. */
    enum Marks {
        NONE,
        ALL
    }

    /** The windows of all paths. */
    long[] windows() {
        long[] all = new long[paths];
        for (int i = 0; i < paths; i++) {
            all[i] = control.windowBytes(i);
        }
        return all;
    }
}
