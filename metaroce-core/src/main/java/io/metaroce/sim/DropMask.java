package io.metaroce.sim;

/** Counts the packets of one kind that leave one host and names those to be lost: the explicit twin of random loss. */
final class DropMask {
    private final FaultPlan.Mask mask;
    private long seen;

    DropMask(FaultPlan.Mask mask) {
        this.mask = mask;
    }

    /** Counts a packet and says whether it is to be lost. */
    boolean counts(PacketPool packets, int packet) {
        int opcode = packets.length(packet) < 2 ? 0 : packets.bytes(packet).get(packets.offset(packet) + 1) & 0xFF;
        return mask.kind().includes(opcode) && mask.names(++seen);
    }
}
