package io.metaroce.sim;

import io.metaroce.num.FixedPoint;

/**
 * Pauses by priority flow control: when what came in over one link exceeds its part of the shared bytes, the other end
 * of that link is told to hold data back, and what still comes goes to a headroom set aside for this link.
 *
 * @param headroomBytes set aside for each link that leads to a switch, out of the shared bytes
 * @param resumeBytes how far below its part a link must be before data may go on
 * @param reactionPs from the arrival of a pause to its effect
 */
public record PfcConfig(long headroomBytes, long resumeBytes, long reactionPs) {
    /** A pause on the wire: 64 bytes, preamble and gap. */
    public static final int FRAME_BYTES = 84;
    /** As public configurations have it. */
    public static final long RESUME_BYTES = 3_000;

    /** Checks the bounds. */
    public PfcConfig {
        if (headroomBytes < 0 || resumeBytes < 0 || reactionPs < 0) {
            throw new IllegalArgumentException("pauses: headroom " + headroomBytes + " and resume " + resumeBytes
                    + " bytes and reaction " + reactionPs + " ps must not be negative");
        }
    }

    /**
     * With the headroom that never overflows: the packet that is too much, what the link carries until a pause is felt
     * (a packet sent before it the other way, the pause itself, both ways, the reaction), and the packet begun last.
     *
     * @param rateBitsPerSecond rate of the links
     * @param delayPs their delay
     * @param packetBytes longest packet on the wire
     */
    public static PfcConfig ofLink(long rateBitsPerSecond, long delayPs, int packetBytes, long reactionPs) {
        long feltPs = 2 * delayPs + reactionPs;
        long carried = FixedPoint.mulDiv(feltPs, rateBitsPerSecond, 8 * SimTime.S);
        return new PfcConfig(carried + FRAME_BYTES + 3L * packetBytes, RESUME_BYTES, reactionPs);
    }

    /** The same with another headroom. */
    public PfcConfig withHeadroom(long bytes) {
        return new PfcConfig(bytes, resumeBytes, reactionPs);
    }
}
