package io.metaroce.connection;

import io.metaroce.datagram.Transmit;
import io.metaroce.num.Deadline;
import io.metaroce.num.Entropy;
import io.metaroce.path.PathState;
import io.metaroce.trace.Counter;
import org.jspecify.annotations.Nullable;

/**
 * Finds out how much payload the routes of a connection carry, by padded challenges, and tells its streams how to cut
 * messages. It begins with the size both sides have agreed on, asks again when paths lose beyond chance, and looks for
 * a larger size now and then while a smaller one is in use. Sizes are indices here; what a search knows goes with it.
 */
final class PayloadSearch {
    private static final int ROUNDS_TO_SETTLE = 3;
    private static final int ROUNDS_OF_SILENCE = 16; // seconds: a peer may be up and not be run for so long
    private static final int TRIES_TO_RAISE = 3;
    private static final long RAISE_FIRST_NS = 1_000_000_000;
    private static final int DOUBT_ROUND_TRIPS = 64;
    private static final int NOBODY = PayloadDoubt.NOBODY;

    private final PathSet paths;
    private final PacketSource source;
    private final Agreement agreement;
    private final Patience patience;
    private final PathCare care;
    private final RouteNeeds needs;
    private final Shared shared;
    private PayloadState state = PayloadState.SETTLED;
    private @Nullable PayloadInquiry inquiry; // null while settled
    private int inquiries; // so far
    private byte used;
    private byte raises; // so often the time until the next one has doubled
    private long doubtAgainAtNs;
    private long raiseAtNs = Deadline.NEVER; // while settled

    PayloadSearch(
            PathSet paths,
            PacketSource source,
            Agreement agreement,
            Patience patience,
            PathCare care,
            RouteNeeds needs,
            Shared shared) {
        this.paths = paths;
        this.source = source;
        this.agreement = agreement;
        this.patience = patience;
        this.care = care;
        this.needs = needs;
        this.shared = shared;
        this.used = (byte) agreed();
    }

    /** The connection stands. */
    void begin(long nowNs) {
        if (agreed() == PayloadSizes.SMALLEST) {
            return;
        }
        // R-PATH-027: nothing longer than the smallest size leaves before a probe as long has come back.
        state = PayloadState.PROVING;
        source.cut(nowNs, PayloadSizes.bytes(PayloadSizes.SMALLEST), true);
        needs.set(PayloadSizes.SMALLEST);
        PayloadInquiry made = search(agreed());
        made.ask(nowNs, made.next(NOBODY));
    }

    // ---- looking

    /** Whether messages wait for an answer. */
    boolean isProving() {
        return state == PayloadState.PROVING;
    }

    /** Payload of the packets that new messages are cut into; while proving, what is hoped for. */
    int usedBytes() {
        return PayloadSizes.bytes(used);
    }

    private int agreed() {
        return PayloadSizes.index(agreement.payloadBytes());
    }

    // ---- inputs

    /** After a report: losses beyond chance may be those of packets that are too long. */
    void onReport(long nowNs) {
        if (paths.losses().isAnyAboveLimit()
                && used > PayloadSizes.SMALLEST
                && (state == PayloadState.SETTLED || state == PayloadState.RAISING)
                && nowNs >= doubtAgainAtNs) {
            on(PayloadEvent.LOSSES);
            doubtAgainAtNs = nowNs + DOUBT_ROUND_TRIPS * paths.outbound(0).smoothedRttNs();
            PayloadInquiry made = search(used);
            made.askAnew(nowNs, made.doubt().next(NOBODY));
        }
    }

    /** A challenge came back. */
    void onEcho(long nowNs, long challenge) {
        PayloadInquiry running = inquiry;
        if (running != null && running.onEcho(challenge)) {
            onWanted(nowNs, running);
        }
    }

    private void onWanted(long nowNs, PayloadInquiry running) {
        switch (state) {
            case PROVING, NARROWED -> carried(nowNs, running);
            case DOUBTED -> {
                running.doubt().carries(running.path());
                goOnDoubting(nowNs, running);
            }
            case RAISING -> {
                int path = nextActive(running.path() + 1);
                if (path == NOBODY) {
                    // R-PATH-030: it has come back on every active path.
                    carried(nowNs, running);
                } else {
                    running.askAlone(nowNs, path);
                }
            }
            case SETTLED -> {}
        }
    }

    /** A route under test has carried what slots in flight need. */
    void onRouteFound(long nowNs) {
        PayloadInquiry running = inquiry;
        if (running != null && state == PayloadState.NARROWED) {
            carried(nowNs, running);
        }
    }

    void onDeadline(long nowNs) {
        if (nowNs < deadlineNs()) {
            return;
        }
        PayloadInquiry running = inquiry;
        if (running == null) {
            beginToRaise(nowNs);
        } else {
            onRoundOver(nowNs, running);
        }
    }

    private void onRoundOver(long nowNs, PayloadInquiry running) {
        switch (state) {
            case RAISING -> askAgainToRaise(nowNs, running);
            case PROVING -> proveOrSettle(nowNs, running);
            case DOUBTED -> {
                if (running.hasAnswered()) {
                    running.doubt().carriesLess(running.path());
                } else {
                    running.waitLonger();
                }
                goOnDoubting(nowNs, running);
            }
            case NARROWED -> waitForWidth(nowNs, running);
            case SETTLED -> {}
        }
    }

    long deadlineNs() {
        return inquiry == null ? raiseAtNs : inquiry.dueNs();
    }

    // ---- outputs

    boolean isChallengeWanted() {
        return inquiry != null && inquiry.isUnsent();
    }

    /** Writes the next challenge; false when none waits, or its plane has no room. */
    boolean write(long nowNs, int planesWithRoom, SlotSender sender, Transmit out) {
        return inquiry != null && inquiry.write(nowNs, planesWithRoom, sender, out);
    }

    // ---- the first size

    private void proveOrSettle(long nowNs, PayloadInquiry running) {
        if (!running.hasAnswered()) {
            running.waitLonger();
        }
        if (running.countNarrow() < ROUNDS_TO_SETTLE && running.rounds() < ROUNDS_OF_SILENCE) {
            running.ask(nowNs, running.next(running.path()));
            return;
        }
        // R-PATH-028: the largest size that came back; the smallest needs no proof.
        on(PayloadEvent.MISSED);
        use(nowNs, Math.max(running.best(), PayloadSizes.SMALLEST));
        settle(nowNs);
    }

    // ---- the size in use passes no more

    private void goOnDoubting(long nowNs, PayloadInquiry running) {
        PayloadDoubt all = running.doubt();
        int path = all.next(running.path());
        if (path != NOBODY) {
            running.askAnew(nowNs, path);
            return;
        }
        boolean isAnyNarrow = false;
        for (int i = 0; i < paths.count(); i++) {
            isAnyNarrow |= all.isNarrow(i);
            if (all.isNarrow(i) && all.isCarried()) {
                // R-PATH-032: others carry what this route does not.
                care.leaveRoute(nowNs, paths.outbound(i));
            }
        }
        if (all.isCarried() || !isAnyNarrow) {
            on(PayloadEvent.CARRIED);
            settle(nowNs);
            return;
        }
        // R-PATH-029: new messages take the size that passes; those in flight look for another route.
        on(PayloadEvent.MISSED);
        use(nowNs, running.best());
        needs.set(running.wanted());
        needs.isUnmet = true;
        running.narrowFrom(nowNs);
        running.waitAsUsual();
        running.ask(nowNs, running.next(running.path()));
    }

    private void waitForWidth(long nowNs, PayloadInquiry running) {
        if (!running.hasAnswered()) {
            running.narrowFrom(nowNs); // while nobody answers it is not the size
        }
        if (nowNs < patience.endNs(running.narrowSinceNs())) {
            running.waitLonger();
            running.ask(nowNs, running.next(running.path()));
            return;
        }
        // R-PATH-029: what no route has carried for the dead time never leaves: its streams end.
        on(PayloadEvent.GIVEN_UP);
        source.giveUpAbove(nowNs, usedBytes());
        needs.set(used);
        needs.isUnmet = false;
        settle(nowNs);
    }

    // ---- a larger size, path by path

    private void beginToRaise(long nowNs) {
        // R-PATH-031: looked for again after twice the time, up to the longest.
        if (raiseEveryNs() < shared.config().path().payloadRaiseNs()) {
            raises++;
        }
        int first = nextActive(0);
        if (first == NOBODY) {
            settle(nowNs);
            return;
        }
        on(PayloadEvent.RAISE_DUE);
        search(used + 1).askAlone(nowNs, first);
    }

    private long raiseEveryNs() {
        return Math.min(RAISE_FIRST_NS << raises, shared.config().path().payloadRaiseNs());
    }

    private void askAgainToRaise(long nowNs, PayloadInquiry running) {
        if (!running.hasAnswered()) {
            running.waitLonger();
        }
        // R-PATH-031: who does not answer at all says nothing of the size.
        if (running.countNarrow() < TRIES_TO_RAISE && running.rounds() < ROUNDS_OF_SILENCE) {
            running.askAgainBeside(nowNs, used);
        } else {
            on(PayloadEvent.MISSED);
            settle(nowNs);
        }
    }

    private int nextActive(int from) {
        for (int path = from; path < paths.count(); path++) {
            if (paths.outbound(path).state() == PathState.ACTIVE) {
                return path;
            }
        }
        return NOBODY;
    }

    // ---- what follows

    private PayloadInquiry search(int size) {
        // Every search draws its own challenges, so that late answers to others mean nothing.
        Entropy entropy = shared.entropyOf(agreement.localId()).split("payload", inquiries);
        inquiries++;
        PayloadInquiry made = new PayloadInquiry(paths, agreement, entropy, size);
        inquiry = made;
        return made;
    }

    private void carried(long nowNs, PayloadInquiry running) {
        on(PayloadEvent.CARRIED);
        use(nowNs, running.wanted());
        settle(nowNs);
    }

    private void settle(long nowNs) {
        inquiry = null;
        raiseAtNs = used < agreed() ? nowNs + raiseEveryNs() : Deadline.NEVER;
    }

    private void use(long nowNs, int size) {
        if (size != used) {
            shared.counters().increment(size < used ? Counter.PAYLOAD_REDUCED : Counter.PAYLOAD_RAISED);
            shared.events().payloadChanged(nowNs, agreement.localId(), PayloadSizes.bytes(size));
        }
        used = (byte) size;
        needs.set(size);
        needs.isUnmet = false;
        source.cut(nowNs, usedBytes(), false);
    }

    private void on(PayloadEvent event) {
        state = PayloadStates.TABLE.nextOrSame(state, event);
    }
}
