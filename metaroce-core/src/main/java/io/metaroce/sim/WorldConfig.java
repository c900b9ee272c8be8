package io.metaroce.sim;

/**
 * Settings of a world.
 *
 * @param seed root of every random draw
 * @param packets packets that exist at once, at most; memory is taken in chunks as they are first used
 * @param packetBytesMax longest UDP payload
 * @param eventsPerInstantMax events at one instant after which the run stops, because time stands still
 * @param payload whether payload is carried, or only takes its time
 * @param order which node goes on next
 */
public record WorldConfig(
        long seed, int packets, int packetBytesMax, int eventsPerInstantMax, Payload payload, Order order) {
    /** What becomes of the payload of the packets of an endpoint. */
    public enum Payload {
        /** Every byte is carried, checked by the trailer and placed. */
        COPIED,
        /**
         * Headers are real bytes, payload takes time and room in queues and nothing else; the trailer covers headers
         * alone. Every region of every host must be a null region.
         */
        PHANTOM
    }

    /** Which node goes on next. What each of them sees, and when, is the same in both orders. */
    public enum Order {
        /** The one with the earliest event of all. Observers are shown everything in order of time. */
        OF_TIME,
        /**
         * One after the other, each for the least delay of any link: its state stays in the cache. Nothing can be
         * observed, fates of single packets cannot be told beforehand, and a run ends with the last of such a round.
         */
        BY_NODE
    }

    /** Checks the bounds. */
    public WorldConfig {
        if (packets < 1 || packetBytesMax < 64 || eventsPerInstantMax < 1) {
            throw new IllegalArgumentException("world: packets " + packets + ", packetBytesMax " + packetBytesMax
                    + ", eventsPerInstantMax " + eventsPerInstantMax + " must be at least 1, 64, 1");
        }
    }

    /** Settings of a world that carries every byte. */
    public WorldConfig(long seed, int packets, int packetBytesMax, int eventsPerInstantMax) {
        this(seed, packets, packetBytesMax, eventsPerInstantMax, Payload.COPIED, Order.OF_TIME);
    }

    /** The usual limits with a seed. */
    public static WorldConfig ofSeed(long seed) {
        return new WorldConfig(seed, 1 << 15, 9216, 1 << 20);
    }

    /** The same with room for fewer or more real bytes of a packet. */
    public WorldConfig withPacketBytes(int value) {
        return new WorldConfig(seed, packets, value, eventsPerInstantMax, payload, order);
    }

    /** The same with another number of packets. */
    public WorldConfig withPackets(int value) {
        return new WorldConfig(seed, value, packetBytesMax, eventsPerInstantMax, payload, order);
    }

    /** The same with payload that is or is not carried. */
    public WorldConfig withPayload(Payload value) {
        return new WorldConfig(seed, packets, packetBytesMax, eventsPerInstantMax, value, order);
    }

    /** The same in another order. */
    public WorldConfig withOrder(Order value) {
        return new WorldConfig(seed, packets, packetBytesMax, eventsPerInstantMax, payload, value);
    }
}
