package io.metaroce.path;

import io.metaroce.num.Bits;
import io.metaroce.num.Serial32;
import io.metaroce.param.Reception;

/**
 * How often every receive queue of the endpoint has been emptied. A <em>pass</em> ends when each queue was found empty
 * at least once since the last one ended. Whatever lay in any queue when a pass ended has been read when the next one
 * ends; so what was read in one pass is in order with everything older once one more has ended.
 *
 * <p>With one queue there is nothing to wait for: what is read has been preceded by all that arrived before.
 */
public final class ReceivePasses {
    private static final int OF_MATURITY = 2; // the pass that read it, and one more

    private final boolean several;
    private @Bits(32) int ended;

    /** Passes over as many queues as {@code reception} says; none has ended yet. */
    public ReceivePasses(Reception reception) {
        this.several = reception.queues() == Reception.Queues.SEVERAL;
    }

    /** Whether there are several queues, so that evidence is held back. */
    public boolean areSeveral() {
        return several;
    }

    /** Every queue has been emptied since the last call. */
    public void end() {
        ended++;
    }

    /** Number of the pass that is under way, to ask {@link #isMature} with. */
    public @Bits(32) int mark() {
        return ended;
    }

    /** Whether nothing older than what {@code pass} has read can be unread. */
    public boolean isMature(int pass) {
        return !several || Serial32.distance(pass, ended) >= OF_MATURITY;
    }
}
