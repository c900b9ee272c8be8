package io.metaroce.compliance.lt;

import io.metaroce.compliance.lt.codec.Fields;
import java.util.TreeSet;

/**
 * What the tester has received on one path of the implementation: the text of chapter 4, written as plainly as can be.
 */
final class Inbound {
    private final int path;
    private int cum;
    private final TreeSet<Integer> beyond = new TreeSet<>(); // distances from cum
    private int echo;
    private int epoch;
    private boolean hasEcho;
    private long received;
    private long marked;
    private long duplicates;

    Inbound(int path, int first) {
        this.path = path;
        this.cum = first;
    }

    /** Notes an arrival: stamp, epoch, mark. */
    void arrived(int stamp, int withEpoch, boolean isMarked) {
        if (!hasEcho || stamp - echo > 0) {
            echo = stamp;
            epoch = withEpoch;
            hasEcho = true;
        }
        received++;
        marked += isMarked ? 1 : 0;
    }

    /** Accepts a slot; false when it is a duplicate. */
    boolean accept(int psn) {
        int ahead = psn - cum;
        if (ahead < 0 || !beyond.add(ahead)) {
            duplicates++;
            return false;
        }
        int moved = 0;
        while (beyond.contains(moved)) {
            moved++;
        }
        if (moved > 0) {
            TreeSet<Integer> rest = new TreeSet<>();
            for (int each : beyond) {
                if (each >= moved) {
                    rest.add(each - moved);
                }
            }
            beyond.clear();
            beyond.addAll(rest);
            cum += moved;
        }
        return true;
    }

    int cum() {
        return cum;
    }

    boolean has(int psn) {
        return psn - cum < 0 || beyond.contains(psn - cum);
    }

    boolean isTouched() {
        return hasEcho;
    }

    /** Claims marks that were not there. */
    void mark(long packets) {
        marked += packets;
    }

    /** The path block as it stands. */
    Fields block() {
        int words = beyond.isEmpty() ? 0 : Math.min(4, beyond.last() / 64 + 1);
        long[] bitmap = new long[words];
        for (int bit : beyond) {
            if (bit < 64 * words) {
                bitmap[bit >>> 6] |= 1L << bit;
            }
        }
        return new Fields()
                .put("path_id", path)
                .put("epoch", epoch)
                .put("flags", 0)
                .put("cum_psn", cum & 0xFFFF_FFFFL)
                .put("echo_stamp", echo & 0xFFFF_FFFFL)
                .put("ack_delay", 0)
                .put("sack_offset", 0)
                .put("rx_packets", received & 0xFFFF_FFFFL)
                .put("ce_packets", marked & 0xFFFF)
                .put("duplicates", duplicates & 0xFFFF)
                .put("bitmap", bitmap);
    }
}
