package io.metaroce.tools.perf;

import io.metaroce.verbs.ConnectFailure;
import io.metaroce.verbs.Connection;
import io.metaroce.verbs.Device;
import io.metaroce.verbs.QpState;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.VerbsConnectException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Connects to a server that may not be there yet: the client may be started first. */
public final class PatientConnect {
    private static final long START_NS = 500_000_000;
    private static final Duration DEFAULT = Duration.ofSeconds(10);

    private PatientConnect() {}

    /** Tries again while nothing answers, until the time of the options is over; a refusal is final at once. */
    static Connection connect(
            Device device,
            String server,
            int service,
            byte[] say,
            PerfOptions options,
            Runnable prepare,
            QueuePair... queuePairs)
            throws IOException {
        Duration limit = options.connectTimeout == null ? DEFAULT : options.connectTimeout.duration();
        return connect(device, server, service, say, limit, prepare, queuePairs);
    }

    /**
     * Tries again while nothing answers, until {@code limit} is over. A refusal is final at once; that nobody listens
     * for the service is final after half a second, because a server that just starts has its sockets before its
     * services.
     *
     * @param prepare posts the receives; called before every try, with queue pairs in INIT
     */
    public static Connection connect(
            Device device,
            String server,
            int service,
            byte[] say,
            Duration limit,
            Runnable prepare,
            QueuePair... queuePairs)
            throws IOException {
        long endNs = System.nanoTime() + limit.toNanos();
        long firstAnswerNs = 0;
        @Nullable VerbsConnectException last = null;
        do {
            Duration patience = Duration.ofNanos(Math.max(endNs - System.nanoTime(), 1_000_000));
            ready(prepare, queuePairs);
            try {
                return device.connector()
                        .withPrivateData(say)
                        .withTimeout(patience)
                        .connect(server, service, queuePairs);
            } catch (VerbsConnectException e) {
                if (e.failure() == ConnectFailure.REJECTED && e.privateData().length > 0) {
                    throw new IOException("the server refused: " + Terms.text(e.privateData()), e);
                }
                if (e.failure() == ConnectFailure.NO_SERVICE) {
                    firstAnswerNs = firstAnswerNs == 0 ? System.nanoTime() : firstAnswerNs;
                    endNs = Math.min(endNs, firstAnswerNs + START_NS);
                } else if (e.failure() != ConnectFailure.PORT_UNREACHABLE && e.failure() != ConnectFailure.TIMED_OUT) {
                    throw e;
                }
                last = e;
                pauseBefore(endNs);
            }
        } while (System.nanoTime() < endNs);
        throw last;
    }

    /** A queue pair whose try failed is in error with its receives flushed: it starts anew. */
    private static void ready(Runnable prepare, QueuePair... queuePairs) {
        for (QueuePair queuePair : queuePairs) {
            if (queuePair.state() == QpState.ERR) {
                queuePair.modify(QpState.RESET);
            }
            if (queuePair.state() == QpState.RESET) {
                queuePair.modify(QpState.INIT);
            }
        }
        prepare.run();
    }

    private static void pauseBefore(long endNs) {
        long pauseNs = Math.min(200_000_000, endNs - System.nanoTime());
        if (pauseNs > 0) {
            LockSupport.parkNanos(pauseNs);
        }
    }
}
