package io.metaroce.sim.swarm;

import io.metaroce.sim.PacketObserver;
import java.util.ArrayList;
import java.util.List;

/** Looks after every event at the lanes in which something waits to show. */
final class OrderWatch implements PacketObserver {
    private final List<Lane> waiting = new ArrayList<>();
    private String fault = "";

    /** Something was posted on a lane that has to show after something else. */
    void waits(Lane lane) {
        if (!waiting.contains(lane)) {
            waiting.add(lane);
        }
    }

    /** The first thing that showed too early, or nothing. */
    String fault() {
        return fault;
    }

    @Override
    public void afterEvent(long timePs) {
        for (int i = waiting.size() - 1; i >= 0 && fault.isEmpty(); i--) {
            fault = waiting.get(i).orderFault();
            if (!waiting.get(i).waitsToShow()) {
                waiting.remove(i);
            }
        }
    }
}
