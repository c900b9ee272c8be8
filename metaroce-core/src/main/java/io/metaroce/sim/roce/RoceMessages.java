package io.metaroce.sim.roce;

import java.util.Arrays;

/**
 * The messages of one queue pair that have not been acknowledged, in their order, and which packets they are. A ring
 * that grows when more wait than ever before.
 */
final class RoceMessages {
    private static final int FIRST_RING = 4;

    private int[] ends = new int[FIRST_RING]; // the packet behind the last one
    private int[] lastBytes = new int[FIRST_RING];
    private int first; // number of the oldest message
    private int next; // number of the message that will be added
    private int firstStart; // first packet of the oldest message
    private int end; // the packet behind all
    private int found; // message that was asked for last

    /** Adds a message; one without bytes takes a packet too. */
    void add(long bytes) {
        if (next - first == ends.length) {
            grow();
        }
        long packets = Math.max(1, (bytes + RocePacket.PAYLOAD_BYTES - 1) / RocePacket.PAYLOAD_BYTES);
        end = Math.addExact(end, Math.toIntExact(packets));
        ends[slot(next)] = end;
        lastBytes[slot(next)] = (int) (bytes - (packets - 1) * RocePacket.PAYLOAD_BYTES);
        next++;
    }

    /** The packet behind all that have been added. */
    int end() {
        return end;
    }

    /** Forgets the oldest message if all of it lies below {@code psn}. Returns whether it did. */
    boolean takeBelow(int psn) {
        if (first == next || ends[slot(first)] > psn) {
            return false;
        }
        firstStart = ends[slot(first)];
        first++;
        found = Math.max(found, first);
        return true;
    }

    /** The packet behind the last one of a message, counted from 0, that has not been forgotten. */
    int endOf(int number) {
        return ends[slot(number)];
    }

    /** Messages added so far. */
    int added() {
        return next;
    }

    boolean isFirst(int psn) {
        return psn == startOf(find(psn));
    }

    boolean isLast(int psn) {
        return psn == ends[slot(find(psn))] - 1;
    }

    int payloadBytes(int psn) {
        return isLast(psn) ? lastBytes[slot(find(psn))] : RocePacket.PAYLOAD_BYTES;
    }

    // Mostly the one asked for before, or the next.
    private int find(int psn) {
        if (psn < startOf(found)) {
            found = first;
        }
        while (ends[slot(found)] <= psn) {
            found++;
        }
        return found;
    }

    private int startOf(int number) {
        return number == first ? firstStart : ends[slot(number - 1)];
    }

    private int slot(int number) {
        return number & (ends.length - 1);
    }

    private void grow() {
        int[] oldEnds = ends;
        int[] oldBytes = lastBytes;
        ends = Arrays.copyOf(ends, 2 * oldEnds.length);
        lastBytes = Arrays.copyOf(lastBytes, 2 * oldEnds.length);
        for (int number = first; number < next; number++) {
            ends[slot(number)] = oldEnds[number & (oldEnds.length - 1)];
            lastBytes[slot(number)] = oldBytes[number & (oldEnds.length - 1)];
        }
    }
}
