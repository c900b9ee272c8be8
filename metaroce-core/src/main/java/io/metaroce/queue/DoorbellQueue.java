package io.metaroce.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The rings of one endpoint that were rung, and the one wake-up that may be on its way to the endpoint's thread.
 *
 * <ol>
 *   <li>Whoever publishes something calls {@link #wake} (rings do it in {@code ring()}) afterwards; then the endpoint's
 *       thread looks once more, however the two interleave.
 *   <li>At most one {@link Doorbell#ring} is under way: further calls find the flag set.
 *   <li>{@link #drain(long)} clears the flag <em>first</em>. Whatever else a wake-up may announce, commands above all,
 *       must be looked at after the flag was cleared for the last time: else it may be missed. {@link #drain(long,
 *       CommandQueue, Object)} does both in the right order.
 * </ol>
 */
public final class DoorbellQueue {
    private static final VarHandle PENDING;

    static {
        try {
            PENDING = MethodHandles.lookup().findVarHandle(DoorbellQueue.class, "pending", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final MpscVarHandleArrayQueue<Bell> rung;
    private final int ringsMax;
    private final AtomicInteger rings = new AtomicInteger();
    private final Alarms alarms = new Alarms();
    private volatile @Nullable Doorbell doorbell;

    @SuppressWarnings("unused") // through PENDING
    private volatile int pending;

    /**
     * Makes the doorbells of one endpoint.
     *
     * @param ringsMax send rings, receive rings and completion rings together, 1..2^22
     */
    public DoorbellQueue(int ringsMax) {
        Sizes.range("ringsMax", ringsMax, 1, 1 << 22);
        this.ringsMax = ringsMax;
        rung = new MpscVarHandleArrayQueue<>(Math.max(2, ringsMax));
    }

    /** Makes the endpoint's thread look, if it is not about to anyway. Any thread, after offering a command. */
    public void wake() {
        int before = (int) PENDING.getAndSet(this, 1);
        if (before == 0) {
            Doorbell told = doorbell;
            if (told != null) {
                told.ring();
            }
        }
    }

    /** Sets what wakes the endpoint's thread; a wake-up that came before is passed on at once. */
    public void onWake(Doorbell next) {
        doorbell = next;
        if ((int) PENDING.getVolatile(this) != 0) {
            next.ring();
        }
    }

    /** Whether a wake-up was asked for and not yet answered. Any thread; true may be old news. */
    public boolean isPending() {
        return (int) PENDING.getVolatile(this) != 0;
    }

    /** Clears the wake-up flag: what is published from now on brings a new wake-up. Endpoint thread. */
    public void clear() {
        PENDING.getAndSet(this, 0);
    }

    /** Clears the wake-up flag, then lets the owner of each ring that was rung look at it. Endpoint thread. */
    public void drain(long nowNs) {
        clear();
        answerAll(nowNs);
    }

    /** Clears the wake-up flag, runs what commands wait, then does as {@link #drain(long)}. Endpoint thread. */
    public <E> void drain(long nowNs, CommandQueue<E> commands, E target) {
        clear();
        commands.drain(nowNs, target);
        answerAll(nowNs);
    }

    private void answerAll(long nowNs) {
        // A ring that is rung again meanwhile stands in the queue again; it, too, brought a new wake-up.
        for (int i = 0; i < ringsMax; i++) {
            Bell bell = next();
            if (bell == null) {
                return;
            }
            bell.answer(nowNs);
        }
    }

    /** A bell that was marked just now; then comes {@link #wake}. Any thread. */
    void insert(Bell bell) {
        boolean fits = rung.offer(bell);
        assert fits : "a ring stands in the queue at most once";
    }

    /** The next bell that was rung, or null: none, or one whose ringer will wake us again. Endpoint thread. */
    @Nullable
    Bell next() {
        return rung.relaxedPoll();
    }

    /** What of these rings wants to be looked at by a certain time. Endpoint thread. */
    public Alarms alarms() {
        return alarms;
    }

    void admit() {
        int now = rings.incrementAndGet();
        if (now > ringsMax) {
            rings.decrementAndGet();
            throw new IllegalStateException(
                    "ring " + now + ", but the endpoint serves " + ringsMax + "; close queue pairs or raise ringsMax");
        }
    }

    void dismiss() {
        rings.decrementAndGet();
    }
}
