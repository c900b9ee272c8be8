package io.metaroce.connection;

import io.metaroce.datagram.Transmit;
import io.metaroce.num.Entropy;
import org.jspecify.annotations.Nullable;

/**
 * One search for how much packets may carry, while it is on: which size is wanted, what came back so far, how long the
 * next answer may take. Gone when it is over.
 */
final class PayloadInquiry {
    private static final int NOBODY = PayloadDoubt.NOBODY;
    private static final int BACKOFF_MAX = 20; // a microsecond becomes the longest
    private static final long ROUND_MAX_NS = 1_000_000_000;

    private final PathSet paths;
    private final Agreement agreement;
    private final Entropy entropy;
    private final PayloadRound round = new PayloadRound();
    private final int wanted;
    private @Nullable PayloadDoubt doubt; // only where a size in use is asked for
    private int best = PayloadSizes.NONE; // the largest that has come back
    private int rounds;
    private int narrowRounds; // in which less than what is wanted came back
    private int backoff;
    private long narrowSinceNs;

    PayloadInquiry(PathSet paths, Agreement agreement, Entropy entropy, int wanted) {
        this.paths = paths;
        this.agreement = agreement;
        this.entropy = entropy;
        this.wanted = wanted;
        round.draw(entropy.nextLong());
    }

    // ---- looking

    /** The size that is asked for. */
    int wanted() {
        return wanted;
    }

    /** The largest size that has come back, or {@link PayloadSizes#NONE}. */
    int best() {
        return best;
    }

    /** The path that was asked last. */
    int path() {
        return round.path();
    }

    /** Rounds so far; of one path, while a larger size is looked for. */
    int rounds() {
        return rounds;
    }

    /** When the round that runs is over. */
    long dueNs() {
        return round.dueNs();
    }

    /** Which routes carry the size. */
    PayloadDoubt doubt() {
        PayloadDoubt made = doubt;
        if (made == null) {
            made = new PayloadDoubt(paths);
            doubt = made;
        }
        return made;
    }

    // ---- asking

    boolean isUnsent() {
        return round.isUnsent();
    }

    /** Writes the next challenge; false when none waits, or its plane has no room. */
    boolean write(long nowNs, int planesWithRoom, SlotSender sender, Transmit out) {
        return round.write(nowNs, planesWithRoom, paths, sender, out);
    }

    /** The next round; what stays unanswered is asked for in all smaller sizes as well. */
    void ask(long nowNs, int path) {
        if (path == NOBODY) {
            round.rest(nowNs + answerNs(0));
            return;
        }
        // A route that answers some of them works.
        int sizes = rounds == 0 ? 1 << wanted : (2 << wanted) - 1;
        rounds++;
        round.ask(nowNs, path, sizes, answerNs(path));
    }

    /** The same; a late answer of another path does not speak for this one. */
    void askAnew(long nowNs, int path) {
        if (path != NOBODY) {
            round.draw(entropy.nextLong());
        }
        ask(nowNs, path);
    }

    /** Asks a path whose rounds are counted by themselves, for this size alone. */
    void askAlone(long nowNs, int path) {
        rounds = 0;
        narrowRounds = 0;
        waitAsUsual();
        round.draw(entropy.nextLong());
        askBeside(nowNs, path, wanted);
    }

    /** Once more, and for a size that is known to pass, which tells silence from a route that carries less. */
    void askAgainBeside(long nowNs, int passing) {
        askBeside(nowNs, round.path(), passing);
    }

    private void askBeside(long nowNs, int path, int passing) {
        rounds++;
        round.ask(nowNs, path, (1 << wanted) | (1 << passing), answerNs(path));
    }

    /** The path in use that follows {@code after}. */
    int next(int after) {
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

    // ---- answers

    /** A challenge came back; returns whether it has the size that is wanted. */
    boolean onEcho(long challenge) {
        int size = round.onEcho(challenge);
        if (size == PayloadSizes.NONE || size > wanted) {
            return false;
        }
        best = Math.max(best, size);
        return size == wanted;
    }

    /** Whether anything came back in the round that is over; if not, it says nothing about sizes. */
    boolean hasAnswered() {
        return round.best() != PayloadSizes.NONE;
    }

    /** The next answer may take twice as long. */
    void waitLonger() {
        backoff = Math.min(backoff + 1, BACKOFF_MAX);
    }

    /** The next answer may take as long as it usually does. */
    void waitAsUsual() {
        backoff = 0;
    }

    /** Rounds in which less than what is wanted came back, the one that is over included. */
    int countNarrow() {
        if (hasAnswered()) {
            narrowRounds++;
        }
        return narrowRounds;
    }

    /** Nothing known speaks against the size before now. */
    void narrowFrom(long nowNs) {
        narrowSinceNs = nowNs;
    }

    /** Since when less than what is wanted has come back. */
    long narrowSinceNs() {
        return narrowSinceNs;
    }
}
