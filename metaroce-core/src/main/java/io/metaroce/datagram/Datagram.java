package io.metaroce.datagram;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A datagram that has arrived, lent to the engine for the length of one call. Reusable: the receiving side lays it over
 * the next datagram.
 */
public final class Datagram {
    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

    private ByteBuffer buffer = NOTHING;
    private int offset;
    private int length;
    private int plane;
    private Ecn ecn = Ecn.UNKNOWN;
    private @Nullable AddressSource source;

    /**
     * Lays this over {@code length} bytes at the absolute index {@code offset} of a big-endian buffer.
     *
     * @param source tells where the datagram came from; may be asked during the call it is lent for
     */
    public Datagram set(ByteBuffer buffer, int offset, int length, int plane, Ecn ecn, AddressSource source) {
        this.buffer = buffer;
        this.offset = offset;
        this.length = length;
        this.plane = plane;
        this.ecn = ecn;
        this.source = source;
        return this;
    }

    /** Lays this over what {@code other} turned out to hold, which shares everything but the bytes with it. */
    public Datagram insteadOf(Datagram other, ByteBuffer bytes, int bytesLength) {
        buffer = bytes;
        offset = 0;
        length = bytesLength;
        plane = other.plane;
        ecn = other.ecn;
        source = other.source;
        return this;
    }

    /** The bytes; read by absolute index only. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** Index of the first byte of the UDP payload in {@link #buffer()}. */
    public int offset() {
        return offset;
    }

    /** Length of the UDP payload in bytes. */
    public int length() {
        return length;
    }

    /** Local plane it arrived on. */
    public int plane() {
        return plane;
    }

    /** Codepoint it arrived with. */
    public Ecn ecn() {
        return ecn;
    }

    /** Observed source; allocates, so only for packets that are answered to their source. */
    public Address source() {
        if (source == null) {
            throw new IllegalStateException("the datagram has not been set");
        }
        return source.address();
    }
}
