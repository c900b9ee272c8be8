package io.metaroce.udp;

import io.metaroce.param.CloseReason;
import io.metaroce.trace.TransportEvents;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the life of connections to the log: opened and closed at INFO, trouble of paths too but seldom, nothing per
 * packet. Endpoint thread.
 */
final class UdpLog implements TransportEvents {
    private static final Logger LOG = LoggerFactory.getLogger("io.metaroce.udp");

    // The states of a path in their order, as people say them.
    static final String[] PATH_STATES = {"being validated", "active", "suspect", "draining", "failed", "out of service"};
    private static final int ACTIVE = 1;
    private static final int SUSPECT = 2;
    private static final int FAILED = 4;
    private static final int TROUBLED_MAX = 4096;

    private final RateLimitedLog paths = new RateLimitedLog(LOG, RateLimitedLog.Level.INFO);
    private final RateLimitedLog streams = new RateLimitedLog(LOG, RateLimitedLog.Level.WARN);
    private final CloseReason[] closeReasons = CloseReason.values();
    private final Set<Long> troubled = new HashSet<>();

    @Override
    public void established(long nowNs, int connectionId) {
        LOG.info("connection {} established", hex(connectionId));
    }

    @Override
    public void closed(long nowNs, int connectionId, int reason) {
        boolean isKnown = reason >= 0 && reason < closeReasons.length;
        LOG.info(
                "connection {} closed: {}",
                hex(connectionId),
                isKnown ? closeReasons[reason].sentence() : "reason " + reason);
    }

    @Override
    public void pathState(long nowNs, int connectionId, int path, int state) {
        long key = ((long) connectionId << 8) | path;
        boolean isTrouble = state == SUSPECT || state >= FAILED;
        boolean isNews = isTrouble ? isFirstTrouble(key) || state >= FAILED : state == ACTIVE && troubled.remove(key);
        if (isNews) {
            String name = state >= 0 && state < PATH_STATES.length ? PATH_STATES[state] : "in state " + state;
            paths.line(
                    nowNs,
                    "path " + path + " of connection " + hex(connectionId) + " is " + name + (isTrouble ? "" : " again"));
        }
    }

    @Override
    public void pathRebound(long nowNs, int connectionId, int path, int epoch, int entropy) {
        paths.line(
                nowNs,
                "path " + path + " of connection " + hex(connectionId) + " takes another route: source port " + entropy
                        + ", epoch " + epoch);
    }

    @Override
    public void streamFailed(long nowNs, int connectionId, int stream, int code) {
        streams.line(
                nowNs,
                "stream " + stream + " of connection " + hex(connectionId) + " failed with code 0x"
                        + Integer.toHexString(code));
    }

    private boolean isFirstTrouble(long key) {
        if (troubled.size() >= TROUBLED_MAX) {
            troubled.clear();
        }
        return troubled.add(key);
    }

    private static String hex(int connectionId) {
        return String.format(Locale.ROOT, "0x%08x", connectionId);
    }
}
