package io.metaroce.sim;

import java.util.Locale;

/** Kinds of packets as drop masks and observers tell them apart: by opcode alone. */
public enum PacketKind {
    /** Every packet. */
    ALL(0x00, 0xFF),
    /** Handshake and close. */
    SETUP(0x01, 0x0F),
    /** Acknowledgements. */
    ACK(0x10, 0x10),
    /** Probes. */
    PROBE(0x12, 0x12),
    /** Acknowledgements, probes and everything else that occupies no slot while a connection stands. */
    CONTROL(0x10, 0x1F),
    /** Slot packets. */
    DATA(0x20, 0x3F);

    private final int low;
    private final int high;

    PacketKind(int low, int high) {
        this.low = low;
        this.high = high;
    }

    /** Whether a packet with this opcode is of the kind. */
    public boolean includes(int opcode) {
        return opcode >= low && opcode <= high;
    }

    /** The word in fault scripts. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
