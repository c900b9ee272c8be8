package io.metaroce.sim;

import java.util.Arrays;

/**
 * What came in over one link and has not left its switch: counted against its part of the shared bytes, then against
 * its headroom. Beyond its part the other end of the link is paused, well below it resumes. All that came over the link
 * waits then, whatever it waits for: that is the blocking at the head of the line.
 *
 * <p>A pause leaves next after what the port the other way is sending, takes the delay of the way back and is felt
 * after the reaction time. Pauses and resumptions on their way are instants in a ring; they alternate.
 */
final class PfcIngress implements Woken {
    private static final int FIRST_RING = 64;

    private final World world;
    private final int leaf;
    private final PfcConfig config;
    private final SharedBuffer buffer;
    private final Link wayBack;
    private final ExactPort portBack;
    private final Pausable sender;
    private final PfcCounters counters;
    private long sharedBytes;
    private long headroomBytes;
    private boolean isToldToHold;
    private boolean holds;
    private long heldSincePs;
    private long[] felt = new long[FIRST_RING];
    private int first;
    private int count;

    PfcIngress(
            World world, PfcConfig config, SharedBuffer buffer, Link wayBack, Pausable sender, PfcCounters counters) {
        this.world = world;
        this.config = config;
        this.buffer = buffer;
        this.wayBack = wayBack;
        this.portBack = wayBack.exactPort();
        this.sender = sender;
        this.counters = counters;
        leaf = world.addLeaf(this, sender.turn());
    }

    /** Room for a packet that came over the link. False when even the headroom is full. */
    boolean take(long nowPs, int bytes) {
        if (headroomBytes == 0 && sharedBytes + bytes <= buffer.threshold()) {
            sharedBytes += bytes;
            buffer.take(bytes);
            return true;
        }
        boolean hasRoom = headroomBytes + bytes <= config.headroomBytes();
        if (hasRoom) {
            headroomBytes += bytes;
            counters.headroomMaxBytes = Math.max(counters.headroomMaxBytes, headroomBytes);
        }
        if (!isToldToHold) {
            counters.pauses++;
            tell(nowPs);
        }
        return hasRoom;
    }

    /** A packet that came over the link has left. */
    void give(long nowPs, int bytes) {
        long ofHeadroom = Math.min(headroomBytes, bytes);
        headroomBytes -= ofHeadroom;
        sharedBytes -= bytes - ofHeadroom;
        buffer.give(bytes - ofHeadroom);
        boolean isLow = sharedBytes == 0 || sharedBytes + config.resumeBytes() <= buffer.threshold();
        if (isToldToHold && headroomBytes == 0 && isLow) {
            tell(nowPs);
        }
    }

    @Override
    public void onWake(long nowPs) {
        while (count > 0 && felt[first] <= nowPs) {
            first = (first + 1) & (felt.length - 1);
            count--;
            holds = !holds;
            counters.pausedPs += holds ? 0 : nowPs - heldSincePs;
            heldSincePs = nowPs;
            sender.pause(nowPs, holds);
        }
        world.rekey(leaf, count == 0 ? SimTime.NEVER : felt[first]);
    }

    private void tell(long nowPs) {
        isToldToHold = !isToldToHold;
        long feltPs = portBack.interject(nowPs, PfcConfig.FRAME_BYTES)
                + wayBack.config().delayPs()
                + config.reactionPs();
        if (count == felt.length) {
            grow();
        }
        felt[(first + count) & (felt.length - 1)] = feltPs;
        count++;
        world.rekey(leaf, felt[first]);
    }

    private void grow() {
        long[] wider = Arrays.copyOf(felt, 2 * felt.length);
        for (int i = 0; i < count; i++) {
            wider[i] = felt[(first + i) & (felt.length - 1)];
        }
        felt = wider;
        first = 0;
    }
}
