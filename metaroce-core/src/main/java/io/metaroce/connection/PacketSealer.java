package io.metaroce.connection;

import io.metaroce.datagram.Transmit;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.SecuredHeader;
import java.nio.ByteBuffer;

/** Encrypts what leaves on one connection, under a counter that never comes twice. */
final class PacketSealer {
    private final PhaseKeys keys;
    private final long packetsPerPhase;
    private final PacketCipher cipher = new PacketCipher();
    private final SecuredHeader header = new SecuredHeader();
    private final BaseHeader base = new BaseHeader();
    private PhaseKeys.Pair current;
    private int phase;
    private long left; // packets that may still be encrypted in this phase
    private long counter;

    PacketSealer(PhaseKeys keys, long packetsPerPhase) {
        this.keys = keys;
        this.packetsPerPhase = packetsPerPhase;
        current = keys.phase(0);
        left = packetsPerPhase;
    }

    /**
     * Replaces the packet in {@code out} by its secured form, whose bytes lie in {@code scratch} until the next one.
     */
    void seal(Transmit out, ByteBuffer scratch) {
        if (left == 0) {
            phase++;
            current = keys.phase(phase);
            left = packetsPerPhase;
        }
        left--;
        // R-SEC-001: the counter, and with it the nonce, is new for every transmission, resends included.
        counter++;
        header.wrap(scratch, 0).begin(phase, base.wrap(out.header(), 0).dstConnId(), counter);
        ByteBuffer head = out.header();
        ByteBuffer body = out.payload();
        int headPosition = head.position();
        int headLimit = head.limit();
        int bodyPosition = body.position();
        int bodyLimit = body.limit();
        head.limit(out.headerLength()).position(0);
        body.limit(out.payloadOffset() + out.payloadLength()).position(out.payloadOffset());
        scratch.clear().position(SecuredHeader.LENGTH);
        cipher.encrypt(current, header, head, body, scratch);
        int end = scratch.position();
        scratch.clear();
        head.limit(headLimit).position(headPosition);
        body.limit(bodyLimit).position(bodyPosition);
        head.put(0, scratch, 0, SecuredHeader.LENGTH);
        out.headerLength(SecuredHeader.LENGTH);
        // The end of the tag takes the place of the trailer.
        out.payload(scratch, SecuredHeader.LENGTH, end - SecuredHeader.LENGTH - Transmit.TRAILER_BYTES);
        out.trailer(scratch.getInt(end - Transmit.TRAILER_BYTES));
    }
}
