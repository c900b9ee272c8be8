package io.metaroce.bench.micro;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.AddressSource;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.datagram.Transmit;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Packets under way between two engines. Taking one up copies its header only, right behind the one before, as a sender
 * does that fills one buffer after the other; the payload stays where it is registered until {@link #assemble}. So a
 * benchmark of the send side measures neither a copy that a kernel would make nor the walk over memory it would touch.
 */
public final class Tray {
    private static final int HEADER_BYTES = 512; // of a packet with payload, and the trailer

    private final int cellBytes;
    private final ByteBuffer memory;
    private final ByteBuffer headers;
    private final int[] headersAt;
    private final ByteBuffer[] payloads;
    private final int[] payloadOffsets;
    private final int[] payloadLengths;
    private final int[] headerLengths;
    private final int[] trailers;
    private final Datagram datagram = new Datagram();
    private final AddressSource asked;
    private final @Nullable HeadTrailer unread;
    private int count;
    private int headerBytes;

    /** An empty tray for packets that all come from {@code source}. */
    public Tray(int packets, int payloadBytesMax, Address source) {
        this(packets, payloadBytesMax, source, null);
    }

    /**
     * The same for packets of a sender that may not read payload.
     *
     * @param unread completes trailers that cover no payload yet; null when they do
     */
    Tray(int packets, int payloadBytesMax, Address source, @Nullable HeadTrailer unread) {
        this.unread = unread;
        cellBytes = Math.max(payloadBytesMax, Transmit.HEADER_BYTES_MAX) + HEADER_BYTES;
        memory = ByteBuffer.allocateDirect(packets * cellBytes);
        headers = ByteBuffer.allocateDirect(packets * Transmit.HEADER_BYTES_MAX);
        headersAt = new int[packets];
        payloads = new ByteBuffer[packets];
        payloadOffsets = new int[packets];
        payloadLengths = new int[packets];
        headerLengths = new int[packets];
        trailers = new int[packets];
        asked = () -> source;
    }

    /** Packets it holds. */
    public int count() {
        return count;
    }

    /** Whether one more fits. */
    public boolean hasRoom() {
        return count < payloads.length;
    }

    /** Forgets all packets. */
    public void clear() {
        count = 0;
        headerBytes = 0;
    }

    /** Takes up a packet. */
    public void add(Transmit packet) {
        headers.put(headerBytes, packet.header(), 0, packet.headerLength());
        headersAt[count] = headerBytes;
        headerBytes += packet.headerLength();
        headerLengths[count] = packet.headerLength();
        payloads[count] = packet.payload();
        payloadOffsets[count] = packet.payloadOffset();
        payloadLengths[count] = packet.payloadLength();
        trailers[count] = packet.trailer();
        count++;
    }

    /** Puts headers, payloads and trailers together: the packets as the wire would carry them. */
    public void assemble() {
        for (int i = 0; i < count; i++) {
            memory.put(offset(i), headers, headersAt[i], headerLengths[i]);
            int at = offset(i) + headerLengths[i];
            if (payloadLengths[i] > 0) {
                memory.put(at, payloads[i], payloadOffsets[i], payloadLengths[i]);
            }
            memory.putInt(at + payloadLengths[i], trailers[i]);
            if (unread != null && payloadLengths[i] > 0) {
                unread.complete(memory, offset(i), headerLengths[i] + payloadLengths[i]);
            }
        }
    }

    /** Packet {@code i}; valid until the next call. */
    public Datagram at(int i) {
        return datagram.set(memory, offset(i), length(i), 0, Ecn.ECT_0, asked);
    }

    /** Shows every packet to {@code witness}. */
    public void forEach(Consumer<Datagram> witness) {
        for (int i = 0; i < count; i++) {
            witness.accept(at(i));
        }
    }

    /** Where packet {@code i} begins in {@link #memory}. */
    public int offset(int i) {
        return i * cellBytes;
    }

    /** Length of packet {@code i} in bytes. */
    public int length(int i) {
        return headerLengths[i] + payloadLengths[i] + Transmit.TRAILER_BYTES;
    }

    /** What the packets lie in. */
    public ByteBuffer memory() {
        return memory;
    }
}
