package io.metaroce.datagram;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A packet to send: a header that the engine wrote into scratch space, one window on registered memory, a trailer.
 * Valid until the engine is polled again, so whoever keeps it copies it.
 */
public final class Transmit {
    /** Bytes of scratch space for headers; also the limit of packets that have no payload. */
    public static final int HEADER_BYTES_MAX = 2048;
    /** Bytes of the trailer. */
    public static final int TRAILER_BYTES = 4;

    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

    private final ByteBuffer header = ByteBuffer.allocateDirect(HEADER_BYTES_MAX);
    private int headerLength;
    private ByteBuffer payload = NOTHING;
    private int payloadOffset;
    private int payloadLength;
    private int trailer;
    private TrafficClass trafficClass = TrafficClass.DATA;
    private @Nullable Route route;

    /** Forgets the last packet; header bytes are not cleared. */
    public void reset() {
        headerLength = 0;
        noPayload();
        route = null;
    }

    /** Scratch space for the header: direct, big-endian, absolute access. */
    public ByteBuffer header() {
        return header;
    }

    /** Length of the header in bytes. */
    public int headerLength() {
        return headerLength;
    }

    /** Sets {@link #headerLength()}. */
    public void headerLength(int bytes) {
        headerLength = bytes;
    }

    /**
     * Names {@code length} bytes at {@code offset} of {@code window} as the payload; they are read when the packet
     * leaves.
     */
    public void payload(ByteBuffer window, int offset, int length) {
        payload = window;
        payloadOffset = offset;
        payloadLength = length;
    }

    /** Makes the packet one without payload. */
    public void noPayload() {
        payload(NOTHING, 0, 0);
    }

    /** Memory the payload lies in. */
    public ByteBuffer payload() {
        return payload;
    }

    /** Absolute index of the first payload byte in {@link #payload()}. */
    public int payloadOffset() {
        return payloadOffset;
    }

    /** Length of the payload in bytes. */
    public int payloadLength() {
        return payloadLength;
    }

    /** The last four bytes of the packet. */
    public int trailer() {
        return trailer;
    }

    /** Sets {@link #trailer()}. */
    public void trailer(int value) {
        trailer = value;
    }

    /** Which DSCP the packet leaves with. */
    public TrafficClass trafficClass() {
        return trafficClass;
    }

    /** Sets {@link #trafficClass()}. */
    public void trafficClass(TrafficClass value) {
        trafficClass = value;
    }

    /** Where the packet goes. */
    public Route route() {
        if (route == null) {
            throw new IllegalStateException("the packet has no route yet");
        }
        return route;
    }

    /** Sets {@link #route()}. */
    public void route(Route value) {
        route = value;
    }

    /** Length of the UDP payload in bytes: header, payload, trailer. */
    public int length() {
        return headerLength + payloadLength + TRAILER_BYTES;
    }

    /**
     * Copies header and trailer, one behind the other and without what lies between, to the absolute index {@code at}
     * of {@code target}; {@code headerLength() + TRAILER_BYTES} bytes.
     */
    public void copyAroundTo(ByteBuffer target, int at) {
        // By words: of so few bytes, the call that copies memory takes longer than the copy.
        int i = 0;
        for (; i + Long.BYTES <= headerLength; i += Long.BYTES) {
            target.putLong(at + i, header.getLong(i));
        }
        for (; i < headerLength; i++) {
            target.put(at + i, header.get(i));
        }
        target.putInt(at + headerLength, trailer);
    }

    /** Copies the whole UDP payload to the absolute index {@code at} of {@code target}; {@link #length()} bytes. */
    public void copyTo(ByteBuffer target, int at) {
        target.put(at, header, 0, headerLength);
        if (payloadLength > 0) {
            target.put(at + headerLength, payload, payloadOffset, payloadLength);
        }
        target.putInt(at + headerLength + payloadLength, trailer);
    }
}
