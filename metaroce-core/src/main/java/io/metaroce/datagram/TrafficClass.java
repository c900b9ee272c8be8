package io.metaroce.datagram;

/**
 * Which of the two DSCPs a packet carries. Slot packets and probes share one, so that a probe shares the queue of data.
 */
public enum TrafficClass {
    /** Slot packets and probes. */
    DATA,
    /** Reports, handshake, close. */
    CONTROL
}
