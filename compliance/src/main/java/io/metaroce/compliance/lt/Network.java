package io.metaroce.compliance.lt;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What the network between implementation and tester does to packets on their way to the tester: lose, delay, mark. */
final class Network {
    private final List<Loss> losses = new ArrayList<>();
    private Predicate<Seen> marking = seen -> false;
    private long delayNs;
    private Predicate<Seen> delayed = seen -> false;

    /** Packets that are lost on the way, so many of them. */
    private static final class Loss {
        private final Predicate<Seen> which;
        private int left;
        private int hits;

        Loss(Predicate<Seen> which, int left) {
            this.which = which;
            this.left = left;
        }
    }

    void lose(int count, Predicate<Seen> which) {
        losses.add(new Loss(which, count));
    }

    void loseNothing() {
        losses.clear();
    }

    int lost() {
        return losses.stream().mapToInt(each -> each.hits).sum();
    }

    /** Whether it loses this packet. */
    boolean loses(Seen seen) {
        for (Loss loss : losses) {
            if (loss.left > 0 && loss.which.test(seen)) {
                loss.left--;
                loss.hits++;
                return true;
            }
        }
        return false;
    }

    void delay(long ns, Predicate<Seen> which) {
        delayNs = ns;
        delayed = which;
    }

    long delayNs(Seen seen) {
        return delayed.test(seen) ? delayNs : 0;
    }

    void marking(Predicate<Seen> which) {
        marking = which;
    }

    boolean marks(Seen seen) {
        return marking.test(seen);
    }
}
