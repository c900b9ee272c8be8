package io.metaroce.engine;

import io.metaroce.message.StreamLimits;
import io.metaroce.param.ConnectionLimits;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.EndpointLimits;
import io.metaroce.wire.ConnectParameters;

/**
 * The memory an endpoint has set aside for its state: for everything it has made, the most that this may grow to.
 * Whatever would exceed the cap is not made, so the state stays below the cap as far as the sizes are right. Payload,
 * which applications bring along, and the rings of their queue pairs do not count.
 */
final class TransportMemory {
    // Counted object by object, what is made on first use included, and rounded up.
    private static final int SLOT_BYTES = 112; // the row of the store and that of what the slot carries
    private static final int REGION_BYTES = 32; // without the region itself
    private static final int CONNECTION_BYTES = 16_384; // 6,000 are counted; reports that wait, and encryption, on top
    private static final int PATH_OUT_BYTES = 640; // 400 are counted; a candidate, a tolerance, a route left
    private static final int PATH_IN_BYTES = 128; // 124 are counted; without the bits of its window
    private static final int STREAM_ID_BYTES = 24;
    private static final int REQUEST_BYTES = 256; // asked and answered
    private static final int STASHED_BYTES = 32; // without the payload
    private static final int STREAM_BYTES = 1_024;
    private static final int MESSAGE_BYTES = 40; // 20 each, and as much again while the window widens
    private static final int SEND_BYTES = 64;
    private static final int RECEIVE_BYTES = 32;

    private final long capBytes;
    private final long connectionBytes;
    private final int openMessages;
    private long bytes;
    private long peakBytes;

    TransportMemory(EndpointConfig config) {
        EndpointLimits limits = config.limits();
        ConnectionLimits connection = config.connection();
        capBytes = limits.transportBytes();
        openMessages = connection.openMessages();
        connectionBytes = CONNECTION_BYTES
                + (long) config.path().paths() * PATH_OUT_BYTES
                + (long) ConnectParameters.PATHS_MAX
                        * (PATH_IN_BYTES + config.path().trackWindowPackets() / Byte.SIZE)
                + (long) connection.streams() * STREAM_ID_BYTES
                + (long) connection.reads() * REQUEST_BYTES
                + (long) connection.orderedWrites() * (connection.payloadBytes() + STASHED_BYTES)
                + 2L * limits.sourcePorts();
        long always = (long) limits.slots() * SLOT_BYTES
                + (long) limits.regions() * REGION_BYTES
                + 8L * Long.BYTES * limits.connections();
        if (always > capBytes) {
            throw new IllegalArgumentException("limits.slots, limits.regions and limits.connections take " + always
                    + " bytes, limits.transportBytes allows " + capBytes + "; change one of these settings");
        }
        take(always);
    }

    /** What a connection takes without its streams. */
    long ofConnection() {
        return connectionBytes;
    }

    /** What a stream takes beyond the rings of its queue pair. */
    long of(StreamBinding stream) {
        int depth = stream.receives().depth();
        int receives = stream.receives().isShared() ? Math.min(depth, StreamLimits.SHARED_WINDOW_MAX) : depth;
        return STREAM_BYTES
                + (long) openMessages * MESSAGE_BYTES
                + (long) stream.sends().depth() * SEND_BYTES
                + (long) receives * RECEIVE_BYTES;
    }

    /** What several streams take. */
    long of(Iterable<StreamBinding> streams) {
        long sum = 0;
        for (StreamBinding stream : streams) {
            sum += of(stream);
        }
        return sum;
    }

    boolean fits(long more) {
        return more <= capBytes - bytes;
    }

    /** Says why {@code more} does not fit. */
    String refusal(long more) {
        return more + " bytes of state are needed, " + (capBytes - bytes) + " of " + capBytes
                + " are left; change the setting limits.transportBytes";
    }

    void take(long more) {
        bytes += more;
        peakBytes = Math.max(peakBytes, bytes);
    }

    void give(long back) {
        bytes -= back;
    }

    MemoryUse use() {
        return new MemoryUse(bytes, peakBytes, capBytes);
    }
}
