package io.metaroce.sim;

/**
 * Settings of a world.
 *
 * @param seed root of every random draw
 * @param packets packets that exist at once, at most; memory is taken in chunks as they are first used
 * @param packetBytesMax longest UDP payload
 * @param eventsPerInstantMax events at one instant after which the run stops, because time stands still
 */
public record WorldConfig(long seed, int packets, int packetBytesMax, int eventsPerInstantMax) {
    /** Checks the bounds. */
    public WorldConfig {
        if (packets < 1 || packetBytesMax < 64 || eventsPerInstantMax < 1) {
            throw new IllegalArgumentException("world: packets " + packets + ", packetBytesMax " + packetBytesMax
                    + ", eventsPerInstantMax " + eventsPerInstantMax + " must be at least 1, 64, 1");
        }
    }

    /** The usual limits with a seed. */
    public static WorldConfig ofSeed(long seed) {
        return new WorldConfig(seed, 1 << 15, 9216, 1 << 20);
    }

    /** The same with room for fewer or more real bytes of a packet. */
    public WorldConfig withPacketBytes(int value) {
        return new WorldConfig(seed, packets, value, eventsPerInstantMax);
    }

    /** The same with another number of packets. */
    public WorldConfig withPackets(int value) {
        return new WorldConfig(seed, value, packetBytesMax, eventsPerInstantMax);
    }
}
