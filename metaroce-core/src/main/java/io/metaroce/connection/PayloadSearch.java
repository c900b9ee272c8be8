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
 * a larger size now and then while a smaller one is in use. Sizes are indices here.
 */
final class PayloadSearch {
    private static final int ROUNDS_TO_SETTLE = 3;
    private static final int ROUNDS_OF_SILENCE = 8;
    private static final int TRIES_TO_RAISE = 3;
    private static final int BACKOFF_MAX = 20; // a microsecond becomes the longest
    private static final long ROUND_MAX_NS = 1_000_000_000;
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
    private final PayloadRound round = new PayloadRound();
    private final int agreed;
    private @Nullable Entropy entropy; // whoever agreed on the smallest size never asks
    private @Nullable PayloadDoubt doubt; // most connections never have any
    private PayloadState state = PayloadState.SETTLED;
    private int used;
    private int wanted; // what is asked for
    private int best = PayloadSizes.NONE; // the largest that has come back in this search
    private int rounds;
    private int narrowRounds; // in which less than what is wanted came back
    private int backoff;
    private long doubtAgainAtNs;
    private long narrowSinceNs;
    private long raiseEveryNs;

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
        this.agreed = PayloadSizes.index(agreement.payloadBytes());
        this.used = agreed;
        this.raiseEveryNs = Math.min(RAISE_FIRST_NS, shared.config().path().payloadRaiseNs());
    }

    /** The connection stands. */
    void begin(long nowNs) {
        if (agreed == PayloadSizes.SMALLEST) {
            return;
        }
        // R-PATH-027: nothing longer than the smallest size leaves before a probe as long has come back.
        state = PayloadState.PROVING;
        source.cut(nowNs, PayloadSizes.bytes(PayloadSizes.SMALLEST), true);
        needs.payloadBytes = PayloadSizes.bytes(PayloadSizes.SMALLEST);
        search(agreed);
        ask(nowNs, next(NOBODY));
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

    // ---- inputs

    /** After a report: losses beyond chance may be those of packets that are too long. */
    void onReport(long nowNs) {
        if (paths.losses().isAnyAboveLimit()
                && used > PayloadSizes.SMALLEST
                && (state == PayloadState.SETTLED || state == PayloadState.RAISING)
                && nowNs >= doubtAgainAtNs) {
            on(PayloadEvent.LOSSES);
            doubtAgainAtNs = nowNs + DOUBT_ROUND_TRIPS * paths.outbound(0).smoothedRttNs();
            search(used);
            doubt().begin();
            ask(nowNs, doubt().next(NOBODY));
        }
    }

    /** A challenge came back. */
    void onEcho(long nowNs, long challenge) {
        int size = state == PayloadState.SETTLED ? PayloadSizes.NONE : round.onEcho(challenge);
        if (size == PayloadSizes.NONE || size > wanted) {
            return;
        }
        best = Math.max(best, size);
        if (size == wanted) {
            onWanted(nowNs);
        }
    }

    private void onWanted(long nowNs) {
        switch (state) {
            case PROVING, NARROWED -> carried(nowNs);
            case DOUBTED -> {
                doubt().carries(round.path());
                goOnDoubting(nowNs);
            }
            case RAISING -> {
                int path = nextActive(round.path() + 1);
                if (path == NOBODY) {
                    // R-PATH-030: it has come back on every active path.
                    carried(nowNs);
                } else {
                    askToRaise(nowNs, path);
                }
            }
            case SETTLED -> {}
        }
    }

    /** A route under test has carried what slots in flight need. */
    void onRouteFound(long nowNs) {
        if (state == PayloadState.NARROWED) {
            carried(nowNs);
        }
    }

    void onDeadline(long nowNs) {
        if (nowNs < round.dueNs()) {
            return;
        }
        switch (state) {
            case SETTLED -> beginToRaise(nowNs);
            case RAISING -> askAgainToRaise(nowNs);
            case PROVING -> proveOrSettle(nowNs);
            case DOUBTED -> {
                if (hasAnswered()) {
                    doubt().carriesLess(round.path());
                }
                goOnDoubting(nowNs);
            }
            case NARROWED -> waitForWidth(nowNs);
        }
    }

    long deadlineNs() {
        return round.dueNs();
    }

    // ---- outputs

    boolean isChallengeWanted() {
        return round.isUnsent();
    }

    /** Writes the next challenge; false when none waits, or its plane has no room. */
    boolean write(long nowNs, int planesWithRoom, SlotSender sender, Transmit out) {
        return round.write(nowNs, planesWithRoom, paths, sender, out);
    }

    // ---- rounds

    private void search(int size) {
        wanted = size;
        best = PayloadSizes.NONE;
        rounds = 0;
        narrowRounds = 0;
        backoff = 0;
        round.draw(entropy().nextLong());
    }

    private void ask(long nowNs, int path) {
        if (path == NOBODY) {
            round.rest(nowNs + answerNs(0));
            return;
        }
        // What stays unanswered is asked for in all smaller sizes as well: a route that answers some of them works.
        int sizes = rounds == 0 ? 1 << wanted : (2 << wanted) - 1;
        rounds++;
        if (state == PayloadState.DOUBTED) {
            round.draw(entropy().nextLong()); // a late answer must not speak for another path
        }
        round.ask(nowNs, path, sizes, answerNs(path));
    }

    /** Whether anything came back in the round that is over; if not, it says nothing about sizes. */
    private boolean hasAnswered() {
        boolean is = round.best() != PayloadSizes.NONE;
        backoff = is ? backoff : Math.min(backoff + 1, BACKOFF_MAX);
        return is;
    }

    private void proveOrSettle(long nowNs) {
        narrowRounds += hasAnswered() ? 1 : 0;
        if (narrowRounds < ROUNDS_TO_SETTLE && rounds < ROUNDS_OF_SILENCE) {
            ask(nowNs, next(round.path()));
            return;
        }
        // R-PATH-028: the largest size that came back; the smallest needs no proof.
        on(PayloadEvent.MISSED);
        use(nowNs, Math.max(best, PayloadSizes.SMALLEST));
        settle(nowNs);
    }

    private int next(int after) {
        for (int i = 1; i <= paths.count(); i++) {
            int path = (after + i) % paths.count();
            if (PayloadDoubt.isInUse(paths.outbound(path))) {
                return path;
            }
        }
        return NOBODY;
    }

    private long answerNs(int path) {
        long timeoutNs = paths.outbound(path).timeoutNs(agreement.peerAckDelayNs());
        return Math.min(timeoutNs << backoff, ROUND_MAX_NS);
    }

    // ---- the size in use passes no more

    private void goOnDoubting(long nowNs) {
        PayloadDoubt all = doubt();
        int path = all.next(round.path());
        if (path != NOBODY) {
            ask(nowNs, path);
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
        use(nowNs, best);
        needs.payloadBytes = PayloadSizes.bytes(wanted);
        needs.isUnmet = true;
        narrowSinceNs = nowNs;
        backoff = 0;
        ask(nowNs, next(round.path()));
    }

    private void waitForWidth(long nowNs) {
        if (round.best() == PayloadSizes.NONE) {
            narrowSinceNs = nowNs; // while nobody answers it is not the size
        }
        if (nowNs < patience.endNs(narrowSinceNs)) {
            backoff = Math.min(backoff + 1, BACKOFF_MAX);
            ask(nowNs, next(round.path()));
            return;
        }
        // R-PATH-029: what no route has carried for the dead time never leaves: its streams end.
        on(PayloadEvent.GIVEN_UP);
        source.giveUpAbove(nowNs, usedBytes());
        needs.payloadBytes = usedBytes();
        needs.isUnmet = false;
        settle(nowNs);
    }

    // ---- a larger size, path by path

    private void beginToRaise(long nowNs) {
        // R-PATH-031: looked for again after twice the time, up to the longest.
        raiseEveryNs = Math.min(2 * raiseEveryNs, shared.config().path().payloadRaiseNs());
        int first = nextActive(0);
        if (first == NOBODY) {
            settle(nowNs);
            return;
        }
        on(PayloadEvent.RAISE_DUE);
        search(used + 1);
        askToRaise(nowNs, first);
    }

    private void askToRaise(long nowNs, int path) {
        rounds = 1;
        round.draw(entropy().nextLong());
        round.ask(nowNs, path, 1 << wanted, answerNs(path));
    }

    private void askAgainToRaise(long nowNs) {
        if (rounds < TRIES_TO_RAISE) {
            rounds++;
            round.ask(nowNs, round.path(), 1 << wanted, answerNs(round.path()));
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

    private void carried(long nowNs) {
        on(PayloadEvent.CARRIED);
        use(nowNs, wanted);
        settle(nowNs);
    }

    private void settle(long nowNs) {
        round.rest(used < agreed ? nowNs + raiseEveryNs : Deadline.NEVER);
    }

    private void use(long nowNs, int size) {
        if (size != used) {
            shared.counters().increment(size < used ? Counter.PAYLOAD_REDUCED : Counter.PAYLOAD_RAISED);
            shared.events().payloadChanged(nowNs, agreement.localId(), PayloadSizes.bytes(size));
        }
        used = size;
        needs.payloadBytes = usedBytes();
        needs.isUnmet = false;
        source.cut(nowNs, usedBytes(), false);
    }

    private void on(PayloadEvent event) {
        state = PayloadStates.TABLE.nextOrSame(state, event);
    }

    private Entropy entropy() {
        Entropy made = entropy;
        if (made == null) {
            made = shared.entropyOf(agreement.localId()).split("payload", 0);
            entropy = made;
        }
        return made;
    }

    private PayloadDoubt doubt() {
        PayloadDoubt made = doubt;
        if (made == null) {
            made = new PayloadDoubt(paths);
            doubt = made;
        }
        return made;
    }
}
