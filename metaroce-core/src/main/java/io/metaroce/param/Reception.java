package io.metaroce.param;

/**
 * How packets reach an endpoint, as whoever drives it knows.
 *
 * @param queues through how many queues one path may be read
 * @param shards endpoints that share one address, a power of two, 1..64
 * @param shard which of them this one is, from 0; its connections have numbers that say so
 */
public record Reception(Queues queues, int shards, int shard) {
    /** An endpoint of its own that reads one queue. */
    public static final Reception USUAL = new Reception(Queues.ONE, 1, 0);

    private static final int SHARDS_MAX = 64;

    /** Whether the order of arrival is the order of reading. */
    public enum Queues {
        /** One queue: what is read first has arrived first. */
        ONE,
        /** Several, of one path too: whoever drives the endpoint tells it when all of them were emptied. */
        SEVERAL
    }

    /** Checks the bounds. */
    public Reception {
        Check.range("shards", shards, 1, SHARDS_MAX);
        Check.range("shard", shard, 0, shards - 1);
        if (Integer.bitCount(shards) != 1) {
            throw new IllegalArgumentException("shards = " + shards + " is no power of two");
        }
    }

    /** The same through {@code value} queues. */
    public Reception through(Queues value) {
        return new Reception(value, shards, shard);
    }

    /** The shard of the endpoint that a connection number belongs to. */
    public static int shardOf(int connectionId, int shards) {
        return connectionId & (shards - 1);
    }

    /** {@code random}, so that {@link #shardOf} says {@link #shard()} of it. */
    public int number(int random) {
        return (random & ~(shards - 1)) | shard;
    }
}
