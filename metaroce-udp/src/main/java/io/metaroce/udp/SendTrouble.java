package io.metaroce.udp;

import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log, seldom and in plain words, why packets do not leave. One per endpoint; event loop only. */
final class SendTrouble {
    private static final Logger LOG = LoggerFactory.getLogger("io.metaroce.udp");

    private final LongSupplier clock;
    private final RateLimitedLog failures = new RateLimitedLog(LOG, RateLimitedLog.Level.WARN);
    private boolean fallbackSaid;

    SendTrouble(LongSupplier clock) {
        this.clock = clock;
    }

    /** A socket gives up segmented sends. The first time for the endpoint is worth a warning. */
    void fallback(String socket, int packets, Throwable cause) {
        String text = "a segmented send of " + packets + " packets failed on " + socket + " (" + cause.getMessage()
                + "); the packets are sent again one by one and this socket sends one by one from now on";
        if (fallbackSaid) {
            LOG.debug("{}", text);
        } else {
            fallbackSaid = true;
            LOG.warn("{}; the option segmentation(OFF) avoids the attempt", text);
        }
    }

    /** Packets were refused and are lost. */
    void lost(String socket, SendFault fault, Throwable cause) {
        switch (fault) {
            case CLOSED -> {}
            case TOO_LONG ->
                failures.line(
                        clock.getAsLong(),
                        "a packet was too long for the way out of " + socket + " (" + cause.getMessage()
                                + "); lower the setting connection.payloadBytes or raise the MTU of the interface");
            case DROPPED, REFUSED ->
                failures.line(
                        clock.getAsLong(),
                        "sending from " + socket + " failed (" + cause.getMessage() + "); the packet counts as lost");
        }
    }
}
