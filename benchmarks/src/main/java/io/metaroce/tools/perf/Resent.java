package io.metaroce.tools.perf;

import io.metaroce.trace.Counter;
import io.metaroce.udp.UdpEndpoint;

/** What an endpoint had to send once more. */
public final class Resent {
    private Resent() {}

    /** Packets it has sent again, for whatever reason. */
    public static long packets(UdpEndpoint endpoint) {
        return endpoint.counters().get(Counter.RETRANSMIT_GAP)
                + endpoint.counters().get(Counter.RETRANSMIT_PTO)
                + endpoint.counters().get(Counter.RETRANSMIT_REBIND);
    }
}
