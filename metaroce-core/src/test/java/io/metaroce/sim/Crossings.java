package io.metaroce.sim;

import io.metaroce.datagram.Datagram;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.SecuredHeader;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Looks at every packet for numbers just below and just above one point of their circle, so that a test knows what has
 * really gone past that point.
 */
final class Crossings implements PacketObserver {
    private static final int NEAR = 1 << 14;

    /** A number that travels in packets. */
    enum Counted {
        PSN,
        MSN,
        RSN,
        READ_TAG,
        ATOMIC_TAG,
        ACK_SEQ,
        HINT_SEQ,
        EPOCH
    }

    private final World world;
    private final int edge;
    private final PacketView view = new PacketView();
    private final Datagram datagram = new Datagram();
    private final Map<Counted, Set<Side>> seen = new EnumMap<>(Counted.class);

    private enum Side {
        BELOW,
        ABOVE
    }

    /**
     * Watches for numbers of 32 bits around {@code edge}, for epochs around its upper bits and hints around its lower
     * ones.
     *
     * @param edge 0 or the half of the circle
     */
    static Crossings of(World world, int edge) {
        Crossings crossings = new Crossings(world, edge);
        world.observe(crossings);
        return crossings;
    }

    private Crossings(World world, int edge) {
        this.world = world;
        this.edge = edge;
    }

    /** The numbers that were seen on both sides. */
    Set<Counted> crossed() {
        Set<Counted> both = EnumSet.noneOf(Counted.class);
        seen.forEach((number, sides) -> {
            if (sides.size() == 2) {
                both.add(number);
            }
        });
        return both;
    }

    @Override
    public void sent(long timePs, int node, int packet) {
        world.packets().show(packet, datagram, () -> {
            throw new IllegalStateException("nobody asks");
        });
        if (SecuredHeader.begins(datagram) || view.open(datagram) != null) {
            return;
        }
        DropReason fault = view.parse();
        if (fault != null || Opcode.usesSeedZero(view.opcode())) {
            return;
        }
        int opcode = view.opcode();
        if (Opcode.isReport(opcode) && opcode != Opcode.PROBE) {
            note(Counted.ACK_SEQ, view.base().psn());
        }
        if (!Opcode.isSlot(opcode)) {
            return;
        }
        note(Counted.PSN, view.base().psn());
        note(Counted.EPOCH, view.base().pathEpoch() << 24, 64 << 24);
        if (opcode <= Opcode.ATOMIC_REQ) {
            note(Counted.MSN, view.message().msn());
        }
        switch (opcode) {
            case Opcode.WRITE_IMM -> note(Counted.RSN, view.write().rsn());
            case Opcode.SEND, Opcode.SEND_IMM, Opcode.SEND_INV ->
                note(Counted.RSN, view.send().rsn());
            case Opcode.READ_REQ -> {
                note(Counted.READ_TAG, view.readRequest().rdTag());
                note(Counted.HINT_SEQ, edge + (short) (view.readRequest().hintSeq() - edge));
            }
            case Opcode.ATOMIC_REQ ->
                note(Counted.ATOMIC_TAG, view.atomicRequest().atTag());
            default -> {}
        }
    }

    private void note(Counted what, int number) {
        note(what, number, NEAR);
    }

    private void note(Counted what, int number, int near) {
        int above = number - edge;
        if (above >= -near && above < near) {
            seen.computeIfAbsent(what, key -> EnumSet.noneOf(Side.class)).add(above < 0 ? Side.BELOW : Side.ABOVE);
        }
    }
}
