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
    // The states of a path in their order, as people say them.
    static final String[] PATH_STATES = {"being validated", "active", "suspect", "draining", "failed", "out of service"
    };
    private static final int ACTIVE = 1;
    private static final int FAILED = 4;
    private static final int FAILED_MAX = 4096;

    private final Logger log;
    private final RateLimitedLog paths;
    private final RateLimitedLog streams;
    private final RateLimitedLog payloads;
    private final CloseReason[] closeReasons = CloseReason.values();
    private final Set<Long> failed = new HashSet<>();

    UdpLog() {
        this(LoggerFactory.getLogger("io.metaroce.udp"));
    }

    UdpLog(Logger log) {
        this.log = log;
        this.paths = new RateLimitedLog(log, RateLimitedLog.Level.INFO);
        this.streams = new RateLimitedLog(log, RateLimitedLog.Level.WARN);
        this.payloads = new RateLimitedLog(log, RateLimitedLog.Level.WARN);
    }

    @Override
    public void established(long nowNs, int connectionId) {
        log.info("connection {} established", hex(connectionId));
    }

    @Override
    public void closed(long nowNs, int connectionId, int reason) {
        boolean isKnown = reason >= 0 && reason < closeReasons.length;
        log.info(
                "connection {} closed: {}",
                hex(connectionId),
                isKnown ? closeReasons[reason].sentence() : "reason " + reason);
    }

    /** Suspicion comes and goes on a busy machine; only failure, and the end of it, is news. */
    @Override
    public void pathState(long nowNs, int connectionId, int path, int state) {
        long key = ((long) connectionId << 8) | path;
        if (state >= FAILED) {
            remember(key);
            say(
                    nowNs,
                    connectionId,
                    path,
                    "is " + (state < PATH_STATES.length ? PATH_STATES[state] : "in state " + state));
        } else if (state == ACTIVE && failed.remove(key)) {
            say(nowNs, connectionId, path, "is active again");
        }
    }

    @Override
    public void pathRebound(long nowNs, int connectionId, int path, int epoch, int entropy) {
        say(nowNs, connectionId, path, "takes another route: source port " + entropy + ", epoch " + epoch);
    }

    @Override
    public void payloadChanged(long nowNs, int connectionId, int payloadBytes) {
        payloads.line(
                nowNs,
                "packets of connection " + hex(connectionId) + " carry " + payloadBytes
                        + " bytes of payload from now on, since that is what its routes carry; where more should pass,"
                        + " look for a link with a smaller MTU, and where not, lower connection.payloadBytes");
    }

    @Override
    public void streamFailed(long nowNs, int connectionId, int stream, int code) {
        streams.line(
                nowNs,
                "stream " + stream + " of connection " + hex(connectionId) + " failed with code 0x"
                        + Integer.toHexString(code));
    }

    private void say(long nowNs, int connectionId, int path, String what) {
        paths.line(nowNs, "path " + path + " of connection " + hex(connectionId) + " " + what);
    }

    private void remember(long key) {
        if (failed.size() >= FAILED_MAX) {
            failed.clear();
        }
        boolean unused = failed.add(key);
    }

    private static String hex(int connectionId) {
        return String.format(Locale.ROOT, "0x%08x", connectionId);
    }
}
