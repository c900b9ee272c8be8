package io.metaroce.verbs;

import io.metaroce.engine.StreamBinding;
import io.metaroce.queue.Signalling;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a queue pair is to be made. Begin with {@link #of} and change what you need.
 *
 * @param sendQueue where the results of sends go
 * @param receiveQueue where the results of receives go; may be the same
 * @param sendDepth send work requests under way at once
 * @param receiveDepth receives posted at once
 * @param sendSgeMax pieces of one send work request
 * @param receiveSgeMax pieces of one receive
 * @param inlineBytesMax payload that may be copied at post time
 * @param signalling which sends make a completion
 * @param rnrRetries how often a message that finds no receive at the peer is tried again, 0..6; 7: for ever, and
 *     nothing is tried before the peer has told of a receive
 * @param rnrDelay how long a peer whose message finds no receive here is told to wait
 * @param sharedReceiveQueue where receives come from, or null: from a queue of its own
 * @param deadNs how long a peer that owes an answer may be silent; 0 as set for the endpoint; see {@link #withTimeout}
 */
public record QpInitAttributes(
        CompletionQueue sendQueue,
        CompletionQueue receiveQueue,
        int sendDepth,
        int receiveDepth,
        int sendSgeMax,
        int receiveSgeMax,
        int inlineBytesMax,
        Signalling signalling,
        int rnrRetries,
        Duration rnrDelay,
        @Nullable SharedReceiveQueue sharedReceiveQueue,
        long deadNs) {
    private static final long TIMEOUT_UNIT_NS = 4_096;
    private static final int TIMEOUT_MAX = 31;
    private static final int RETRY_COUNT_MAX = 7;
    private static final Duration RNR_DELAY = Duration.ofMillis(1);
    private static final Duration RNR_DELAY_MAX = Duration.ofNanos(655_350_000);

    /** Refuses what no device can have. */
    public QpInitAttributes {
        atLeast(1, sendDepth, "sendDepth");
        atLeast(1, receiveDepth, "receiveDepth");
        atLeast(1, sendSgeMax, "sendSgeMax");
        atLeast(1, receiveSgeMax, "receiveSgeMax");
        atLeast(0, inlineBytesMax, "inlineBytesMax");
        if (deadNs < 0) {
            throw new VerbsException("QpInitAttributes", "deadNs = " + deadNs, "at least 0 is needed", "change deadNs");
        }
        if (rnrRetries < 0 || rnrRetries > StreamBinding.FOR_EVER) {
            throw new VerbsException(
                    "QpInitAttributes", "rnrRetries = " + rnrRetries, "0 to 6, or 7 for ever", "change rnrRetries");
        }
        if (rnrDelay.isNegative() || rnrDelay.compareTo(RNR_DELAY_MAX) > 0) {
            throw new VerbsException(
                    "QpInitAttributes", "rnrDelay = " + rnrDelay, "0 to " + RNR_DELAY_MAX, "change rnrDelay");
        }
    }

    private static void atLeast(int low, int value, String option) {
        if (value < low) {
            throw new VerbsException(
                    "QpInitAttributes", option + " = " + value, "at least " + low + " is needed", "change " + option);
        }
    }

    /**
     * Sends and receives report to one completion queue; 128 deep, 4 pieces, 220 bytes inline, selective signalling; a
     * message waits for a receive for ever.
     */
    public static QpInitAttributes of(CompletionQueue queue) {
        return new QpInitAttributes(
                queue,
                queue,
                128,
                128,
                4,
                4,
                220,
                Signalling.FLAGGED,
                StreamBinding.FOR_EVER,
                RNR_DELAY,
                null,
                StreamBinding.AS_SET);
    }

    /** The same with another completion queue for receives. */
    public QpInitAttributes withReceiveQueue(CompletionQueue queue) {
        return with(made -> made.receiveQueue = queue);
    }

    /** The same with another depth of the send queue. */
    public QpInitAttributes withSendDepth(int requests) {
        return with(made -> made.sendDepth = requests);
    }

    /** The same with another depth of the receive queue. */
    public QpInitAttributes withReceiveDepth(int requests) {
        return with(made -> made.receiveDepth = requests);
    }

    /** The same with another limit of pieces, for sends and for receives. */
    public QpInitAttributes withSgeMax(int pieces) {
        return with(made -> {
            made.sendSgeMax = pieces;
            made.receiveSgeMax = pieces;
        });
    }

    /** The same with another limit of inline bytes. */
    public QpInitAttributes withInlineBytesMax(int bytes) {
        return with(made -> made.inlineBytesMax = bytes);
    }

    /** The same with a completion for every send. */
    public QpInitAttributes withSignalAll() {
        return with(made -> made.signalling = Signalling.ALL);
    }

    /** The same with another number of retries for a message that finds no receive: 0..6, or 7 for ever. */
    public QpInitAttributes withRnrRetries(int retries) {
        return with(made -> made.rnrRetries = retries);
    }

    /** The same with another time that a peer without a receive here is told to wait; at most 655.35 ms. */
    public QpInitAttributes withRnrDelay(Duration delay) {
        return with(made -> made.rnrDelay = delay);
    }

    /** The same with receives from a shared queue; none can be posted to the queue pair itself. */
    public QpInitAttributes withSharedReceiveQueue(SharedReceiveQueue queue) {
        return with(made -> made.sharedReceiveQueue = queue);
    }

    /**
     * The same with the dead time of the verbs attributes: 4.096 µs · 2^timeout · (retryCount + 1), raised to eight
     * probe timeouts where it is shorter. Of the queue pairs of a connection the shortest counts.
     *
     * @param timeout 1..31, or 0 to wait for ever
     * @param retryCount 0..7
     */
    public QpInitAttributes withTimeout(int timeout, int retryCount) {
        within(TIMEOUT_MAX, timeout, "timeout");
        within(RETRY_COUNT_MAX, retryCount, "retryCount");
        long ns = timeout == 0 ? StreamBinding.NEVER : (TIMEOUT_UNIT_NS << timeout) * (retryCount + 1);
        return with(made -> made.deadNs = ns);
    }

    /**
     * The same with a dead time as a duration instead of the verbs' codes; raised to eight probe timeouts where it is
     * shorter.
     */
    public QpInitAttributes withDeadTime(Duration time) {
        return with(made -> made.deadNs = Durations.toNanos(time));
    }

    /** The same with the delay that the verbs' {@code min_rnr_timer} stands for, 0..31. */
    public QpInitAttributes withMinRnrTimer(int code) {
        // Code 0 is 655.36 ms there and a little more than what the wire can carry here.
        Duration asked = VerbsTimers.rnrTimer(code);
        return withRnrDelay(asked.compareTo(RNR_DELAY_MAX) > 0 ? RNR_DELAY_MAX : asked);
    }

    /**
     * The times that decide when a request fails, each beside its code in verbs, and the worst case: for people.
     *
     * @param device whose dead time counts where none is set here
     */
    public String patience(Device device) {
        long dead = deadNs == StreamBinding.AS_SET
                ? device.host().config().liveness().deadNs()
                : deadNs;
        String gone = dead == StreamBinding.NEVER
                ? "a silent peer is waited for without end (timeout 0)"
                : "a silent peer is given up after " + Texts.of(Duration.ofNanos(dead)) + " (timeout "
                        + VerbsTimers.ackTimeoutCode(Duration.ofNanos(dead / (RETRY_COUNT_MAX + 1)))
                        + ", retry_cnt 7), to RETRY_EXC_ERR";
        String missing = rnrRetries == StreamBinding.FOR_EVER
                ? "a missing receive is waited for without end (rnr_retry 7)"
                : "a missing receive is tried again " + rnrRetries + " times, each after the peer's delay (here "
                        + Texts.of(rnrDelay) + ", min_rnr_timer " + VerbsTimers.rnrTimerCode(rnrDelay)
                        + "), to RNR_RETRY_EXC_ERR";
        return gone + "; " + missing;
    }

    private QpInitAttributes with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.made();
    }

    private static void within(int high, int value, String option) {
        if (value < 0 || value > high) {
            throw new VerbsException(
                    "QpInitAttributes", option + " = " + value, "0 to " + high + " is allowed", "change " + option);
        }
    }

    /** The attributes while one of them is changed. */
    private static final class Draft {
        private final CompletionQueue sendQueue;
        private CompletionQueue receiveQueue;
        private int sendDepth;
        private int receiveDepth;
        private int sendSgeMax;
        private int receiveSgeMax;
        private int inlineBytesMax;
        private Signalling signalling;
        private int rnrRetries;
        private Duration rnrDelay;
        private @Nullable SharedReceiveQueue sharedReceiveQueue;
        private long deadNs;

        Draft(QpInitAttributes from) {
            sendQueue = from.sendQueue;
            receiveQueue = from.receiveQueue;
            sendDepth = from.sendDepth;
            receiveDepth = from.receiveDepth;
            sendSgeMax = from.sendSgeMax;
            receiveSgeMax = from.receiveSgeMax;
            inlineBytesMax = from.inlineBytesMax;
            signalling = from.signalling;
            rnrRetries = from.rnrRetries;
            rnrDelay = from.rnrDelay;
            sharedReceiveQueue = from.sharedReceiveQueue;
            deadNs = from.deadNs;
        }

        QpInitAttributes made() {
            return new QpInitAttributes(
                    sendQueue,
                    receiveQueue,
                    sendDepth,
                    receiveDepth,
                    sendSgeMax,
                    receiveSgeMax,
                    inlineBytesMax,
                    signalling,
                    rnrRetries,
                    rnrDelay,
                    sharedReceiveQueue,
                    deadNs);
        }
    }
}
