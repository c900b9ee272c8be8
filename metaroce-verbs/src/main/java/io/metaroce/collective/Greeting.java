package io.metaroce.collective;

import io.metaroce.verbs.MemoryRegion;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What two ranks tell each other when they connect.
 *
 * <pre>
 *   Greeting --> magic:32 rank:32 ranks:32 lanes:32 lanesOfSends:32 (rkey:32 address:64){3}
 * </pre>
 *
 * @param rank who says it
 * @param ranks how many it thinks there are
 * @param lanes streams it wants
 * @param lanesOfSends streams it wants besides, for what is sent to posted receives
 * @param rkeys keys of its buffers
 * @param addresses addresses of its buffers
 */
@SuppressWarnings("ArrayRecordComponent") // read once, never compared
record Greeting(int rank, int ranks, int lanes, int lanesOfSends, int[] rkeys, long[] addresses) {
    private static final int MAGIC = 0x4D524332;
    private static final int BUFFERS = Buffer.values().length;
    private static final int BYTES = 5 * Integer.BYTES + BUFFERS * (Integer.BYTES + Long.BYTES);

    static byte[] of(Communicator.Shape shape, List<MemoryRegion> regions) {
        ByteBuffer out = ByteBuffer.allocate(BYTES)
                .putInt(MAGIC)
                .putInt(shape.rank())
                .putInt(shape.ranks())
                .putInt(shape.lanes())
                .putInt(shape.lanesOfSends());
        for (MemoryRegion region : regions) {
            out.putInt(region.rkey()).putLong(region.address());
        }
        return out.array();
    }

    /** Reads one; anything else becomes a greeting that fits nobody. */
    static Greeting read(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int[] rkeys = new int[BUFFERS];
        long[] addresses = new long[BUFFERS];
        if (bytes.length != BYTES || in.getInt() != MAGIC) {
            return new Greeting(-1, 0, 0, 0, rkeys, addresses);
        }
        int rank = in.getInt();
        int ranks = in.getInt();
        int lanes = in.getInt();
        int lanesOfSends = in.getInt();
        for (int i = 0; i < BUFFERS; i++) {
            rkeys[i] = in.getInt();
            addresses[i] = in.getLong();
        }
        return new Greeting(rank, ranks, lanes, lanesOfSends, rkeys, addresses);
    }

    boolean fits(Communicator.Shape shape) {
        return ranks == shape.ranks() && lanes == shape.lanes() && lanesOfSends == shape.lanesOfSends();
    }

    @Override
    public String toString() {
        return "rank " + rank + " of " + ranks + " with " + lanes + " and " + lanesOfSends + " lanes";
    }
}
