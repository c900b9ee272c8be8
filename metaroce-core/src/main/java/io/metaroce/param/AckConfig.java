package io.metaroce.param;

/**
 * When an acknowledgement is due although nothing unusual happened.
 *
 * @param everyPackets data packets of one path, 1..255
 * @param everyBytes bytes of one path, 1 KiB..255 KiB
 * @param delayMaxNs longest wait, in ns
 */
public record AckConfig(int everyPackets, int everyBytes, long delayMaxNs) {
    /** Checks the bounds. */
    public AckConfig {
        Check.range("ack.everyPackets", everyPackets, 1, 255);
        Check.range("ack.everyBytes", everyBytes, 1024, 255 * 1024);
        Check.range("ack.delayMaxNs", delayMaxNs, 0, 1_000_000_000L);
    }
}
