package io.metaroce.bench.fuzz;

import io.metaroce.datagram.Datagram;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;

/** What whoever sees the handshake of a connection knows: which seed guards the packets to either side. */
final class Handshake {
    private final PacketView view = new PacketView();
    private int initiatorSeed;
    private int initiatorId;
    private int responderSeed;
    private int responderId;

    /** Looks at a packet that passes by. */
    void see(Datagram packet) {
        if (view.open(packet) != null || view.parse() != null) {
            return;
        }
        if (view.opcode() == Opcode.CONN_REQ) {
            initiatorSeed = seed();
            initiatorId = view.connectRequest().initConnId();
        } else if (view.opcode() == Opcode.CONN_ACCEPT) {
            responderSeed = seed();
            responderId = view.connectAccept().respConnId();
        }
    }

    /** Seed of packets to the side that connected. */
    int initiatorSeed() {
        return initiatorSeed;
    }

    /** Connection number of that side. */
    int initiatorId() {
        return initiatorId;
    }

    /** Seed of packets to the side that accepted. */
    int responderSeed() {
        return responderSeed;
    }

    /** Connection number of that side. */
    int responderId() {
        return responderId;
    }

    private int seed() {
        ConnectParameters parameters = new ConnectParameters();
        Object fault = parameters.read(view.buffer(), view.tlvOffset(), view.tlvEnd());
        if (fault != null) {
            throw new IllegalStateException("a handshake packet cannot be read: " + fault);
        }
        return parameters.crcSeed();
    }
}
