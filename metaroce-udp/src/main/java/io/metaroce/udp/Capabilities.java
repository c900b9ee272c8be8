package io.metaroce.udp;

/**
 * What the sockets of an endpoint can do, proved when it was bound.
 *
 * @param engine "epoll" or "nio", and why
 * @param segmentation sending several packets in one call (UDP_SEGMENT)
 * @param coalescing receiving several packets in one call (UDP_GRO)
 * @param congestionMarks reading the congestion marks of received packets
 * @param sorting the kernel sorts packets onto the event loops of their connections
 */
public record Capabilities(
        String engine, Ability segmentation, Ability coalescing, Ability congestionMarks, Ability sorting) {
    /**
     * One ability.
     *
     * @param state whether it is used
     * @param reason why, in words
     */
    public record Ability(State state, String reason) {
        /** Used or not. */
        public enum State {
            /** In use. */
            ON,
            /** Not in use. */
            OFF
        }

        static Ability on(String reason) {
            return new Ability(State.ON, reason);
        }

        static Ability off(String reason) {
            return new Ability(State.OFF, reason);
        }

        /** Whether it is in use. */
        public boolean isOn() {
            return state == State.ON;
        }

        @Override
        public String toString() {
            return (isOn() ? "on (" : "off (") + reason + ")";
        }
    }

    @Override
    public String toString() {
        return engine + "; segmented sends " + segmentation + "; coalesced receives " + coalescing
                + "; congestion marks " + congestionMarks;
    }
}
