package io.metaroce.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The doorbell of one ring: in the endpoint's {@link DoorbellQueue} at most once.
 *
 * <p>Publish, then ring; clear, then look. Both sides change the word with a read-modify-write, always, even where it
 * would stay the same: that makes what was published before ringing visible to whoever clears later.
 */
final class Bell {
    private static final int RUNG = 1;
    private static final int RETIRED = 2;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Bell.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final DoorbellQueue doorbells;
    private @Nullable Rung owner; // endpoint thread

    @SuppressWarnings("unused") // through STATE
    private volatile int state;

    Bell(DoorbellQueue doorbells) {
        this.doorbells = doorbells;
        doorbells.admit();
    }

    /** Any thread, after what is to be found was published. */
    void ring() {
        if (mark()) {
            doorbells.insert(this);
            doorbells.wake();
        }
    }

    /** Whether the bell was silent until now, so that the caller has to insert it. Any thread. */
    boolean mark() {
        return (int) STATE.getAndBitwiseOr(this, RUNG) == 0;
    }

    void owner(@Nullable Rung next) {
        owner = next;
    }

    /** Taken from the queue: clear first, then let the owner look. Endpoint thread. */
    void answer(long nowNs) {
        unmark();
        tell(nowNs);
    }

    /** What is published from now on rings again. Endpoint thread. */
    void unmark() {
        int before = (int) STATE.getAndBitwiseAnd(this, ~RUNG);
        if ((before & RETIRED) != 0) {
            doorbells.dismiss();
        }
    }

    /** Lets the owner look; a retired bell has none. Endpoint thread. */
    void tell(long nowNs) {
        Rung told = owner;
        if (told != null) {
            told.onRung(nowNs);
        }
    }

    /** Endpoint thread. A bell that is in the queue keeps its place until it comes out. */
    void retire() {
        owner = null;
        int before = (int) STATE.getAndBitwiseOr(this, RETIRED);
        if (before == 0) {
            doorbells.dismiss();
        }
    }
}
