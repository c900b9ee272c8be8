package io.metaroce.connection;

import io.metaroce.datagram.Address;
import io.metaroce.sim.Addressing;
import io.metaroce.sim.Script;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.Tlv;
import io.metaroce.wire.model.Bytes;
import io.metaroce.wire.model.Packet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Connection requests of a scripted initiator. */
public final class Requests {
    /** ConnId the initiator receives on. */
    public static final int INIT_ID = 0x1A1A;
    /** Nonce of its requests. */
    public static final long NONCE = 0x1234_5678L;
    /** Seed of the trailers of packets to it. */
    public static final int CRC_SEED = 77;

    private static final int PADDING = 1200;

    private Requests() {}

    /** Parameters a request may carry. */
    public static ConnectParameters parameters() {
        Address address = Addressing.of(0, Script.PEER_NODE);
        return new ConnectParameters()
                .planes(List.of(new ConnectParameters.PlaneAddress(0, address)))
                .crcSeed(CRC_SEED)
                .psnSeed(5)
                .maxAckDelayNs(1000)
                .streamsOpen(List.of(new ConnectParameters.StreamOpen(0, 4)));
    }

    /** A request for a service. */
    public static Packet.ConnectRequest request(int initId, long nonce, int service, ConnectParameters parameters) {
        Packet.Header header = new Packet.Header(0, 0, 0, 0, 0, 0);
        return new Packet.ConnectRequest(header, initId, service, nonce, 1 << 1, options(parameters), PADDING);
    }

    /** The usual request. */
    public static Packet.ConnectRequest request(ConnectParameters parameters) {
        return request(INIT_ID, NONCE, Script.SERVICE, parameters);
    }

    /** The options that parameters are written as. */
    public static List<Packet.Option> options(ConnectParameters parameters) {
        ByteBuffer buffer = ByteBuffer.allocate(2048);
        parameters.write(buffer, 0);
        List<Packet.Option> options = new ArrayList<>();
        int at = 0;
        while (Tlv.type(buffer, at) != Tlv.END) {
            int length = Tlv.lengthBytes(buffer, at);
            options.add(new Packet.Option(Tlv.type(buffer, at), Bytes.of(buffer, at + 2, length - 2)));
            at += length;
        }
        return options;
    }
}
