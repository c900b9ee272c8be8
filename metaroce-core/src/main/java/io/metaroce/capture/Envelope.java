package io.metaroce.capture;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Ecn;
import io.metaroce.datagram.TrafficClass;

/**
 * What surrounds the UDP payload of a packet.
 *
 * @param timeNs when it was seen, in ns
 * @param source where it comes from
 * @param destination where it goes, of the same family
 * @param trafficClass class it travels in
 * @param ecn codepoint it carries; an unknown one is shown as not ECN-capable
 */
public record Envelope(long timeNs, Address source, Address destination, TrafficClass trafficClass, Ecn ecn) {
    /** DSCP that data packets are shown with. */
    public static final int DATA_DSCP = 26;
    /** DSCP that reports and handshake packets are shown with. */
    public static final int CONTROL_DSCP = 48;

    boolean isV4() {
        return destination.family() == Address.IPV4;
    }

    /** DSCP and codepoint as they stand in an IP header. */
    int trafficByte() {
        int dscp = trafficClass == TrafficClass.DATA ? DATA_DSCP : CONTROL_DSCP;
        int codepoint = switch (ecn) {
            case NOT_ECT, UNKNOWN -> 0;
            case ECT_1 -> 1;
            case ECT_0 -> 2;
            case CE -> 3;
        };
        return (dscp << 2) | codepoint;
    }
}
