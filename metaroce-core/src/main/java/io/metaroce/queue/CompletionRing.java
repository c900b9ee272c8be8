package io.metaroce.queue;

import io.metaroce.queue.Cell.Place;
import io.metaroce.queue.RoomLedger.Account;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;
import org.jctools.queues.varhandle.SpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue: a fixed set of cells between the endpoint's thread and polling threads.
 *
 * <ol>
 *   <li>Room is counted in tokens, one per cell. Each attachment owns one for good, the rest is shared. A token is
 *       free, reserved, or out with a posted completion until that is released.
 *   <li>The endpoint's thread never waits for a poller. A completion that finds its place still held by a descheduled
 *       poller is set aside; order is kept.
 *   <li>Who waits: {@link #arm}, {@link #take} once more, then wait for the signal. Each arming brings one signal at
 *       most, at the first result or as {@link #moderate} says.
 * </ol>
 */
public final class CompletionRing implements CompletionSink {
    private static final VarHandle ARMED;
    private static final VarHandle WANTED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            ARMED = lookup.findVarHandle(CompletionRing.class, "armed", int.class);
            WANTED = lookup.findVarHandle(CompletionRing.class, "wanted", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int depth;
    private final CompletionSignal signal;
    private final Bell bell;
    private final MessagePassingQueue<CompletionCell> filled;
    private final MpscVarHandleArrayQueue<CompletionCell> released;
    private final AtomicIntegerArray attached; // 1: number in use

    @SuppressWarnings("unused") // through ARMED
    private volatile int armed; // bits of ArmMode

    @SuppressWarnings("unused") // through WANTED
    private volatile int wanted; // 1: the endpoint's thread waits for released cells

    // All below belongs to the endpoint's thread.
    private final CompletionCell[] spare;
    private final RoomLedger ledger;
    private final ArrayDeque<CompletionCell> setAside;
    private final ArrayDeque<Account> starved;
    private final Moderation moderation;
    private int spares;

    /**
     * Makes a completion queue.
     *
     * @param depth completions it holds, 1..2^20; at least one for each attached work queue
     * @param doorbells doorbells of the endpoint that fills it
     * @param signal wakes waiters
     */
    public CompletionRing(int depth, DoorbellQueue doorbells, CompletionSignal signal) {
        this(depth, doorbells, signal, new SpmcVarHandleArrayQueue<>(Math.max(2, depth)));
    }

    /** For tests that need a queue which refuses. */
    CompletionRing(
            int depth, DoorbellQueue doorbells, CompletionSignal signal, MessagePassingQueue<CompletionCell> filled) {
        Sizes.range("depth", depth, 1, Sizes.DEPTH_MAX);
        this.depth = depth;
        this.signal = signal;
        this.filled = filled;
        released = new MpscVarHandleArrayQueue<>(Math.max(2, depth));
        attached = new AtomicIntegerArray(depth);
        spare = new CompletionCell[depth];
        ledger = new RoomLedger(depth);
        setAside = new ArrayDeque<>(depth + 1);
        starved = new ArrayDeque<>(depth + 1);
        for (int i = 0; i < depth; i++) {
            spare[i] = new CompletionCell(this);
        }
        spares = depth;
        bell = new Bell(doorbells);
        bell.owner(this::serve);
        moderation = new Moderation(bell, doorbells.alarms(), this::tell);
    }

    /** The oldest completion, or null. Polling thread; release it soon. */
    public @Nullable CompletionCell take() {
        CompletionCell cell = filled.poll();
        if (cell != null) {
            boolean moved = cell.move(this, Place.POSTED, Place.TAKEN);
            assert moved : "a posted completion is " + cell.place();
        }
        return cell;
    }

    /** Gives a taken completion's cell back; it must not be touched afterwards. Polling thread. */
    public void release(CompletionCell cell) {
        giveBack(cell);
        ringIfWanted();
    }

    /** First half of {@link #release}: publish. */
    void giveBack(CompletionCell cell) {
        boolean moved = cell.move(this, Place.TAKEN, Place.FREE);
        assert moved : "released twice, or not taken from this queue: " + cell.place();
        boolean fits = released.offer(cell);
        assert fits : "more cells than places";
    }

    /** Second half of {@link #release}: look who wants it. The other side says so, then looks. */
    void ringIfWanted() {
        VarHandle.fullFence();
        if ((int) WANTED.getVolatile(this) != 0) {
            bell.ring();
        }
    }

    /** Asks for one signal at a completion that comes from now on. Take once more before waiting. Polling thread. */
    public void arm(ArmMode mode) {
        ARMED.getAndBitwiseOr(this, mode.bit());
        VarHandle.fullFence();
    }

    /**
     * From now on an armed queue tells of completions when {@code count} have come, or {@code periodNs} after the first
     * of them; of one that was solicited, or failed, at once. Endpoint thread.
     *
     * @param count 1..depth; with 1 every arming is answered by the first completion
     * @param periodNs in ns, above 0 unless the count is 1
     */
    public void moderate(int count, long periodNs) {
        Sizes.range("count", count, 1, depth);
        if (count > 1 && periodNs <= 0) {
            throw new IllegalArgumentException(
                    "period " + periodNs + " ns: the last results of a burst would never be told");
        }
        moderation.set(count, periodNs);
    }

    /** Completions it holds. */
    public int depth() {
        return depth;
    }

    /** Gives the place at the endpoint's doorbells back; nothing may be attached any more. Endpoint thread. */
    public void retire() {
        moderation.retire();
        bell.retire();
    }

    @Override
    public int attach() {
        for (int i = 0; i < depth; i++) {
            if (attached.get(i) == 0 && attached.compareAndSet(i, 0, 1)) {
                return i;
            }
        }
        throw new IllegalStateException("a completion queue of depth " + depth + " serves " + depth
                + " work queues already; one more needs a depth of at least " + (depth + 1));
    }

    @Override
    public void detach(int attachment) {
        starved.remove(ledger.meet(attachment));
        ledger.leave(attachment);
        attached.set(attachment, 0);
        callStarved();
    }

    @Override
    public boolean reserve(int attachment) {
        Account account = ledger.meet(attachment);
        if (ledger.reserve(account)) {
            return true;
        }
        reclaim();
        return ledger.reserve(account);
    }

    @Override
    public void unreserve(int attachment) {
        Account account = ledger.of(attachment);
        if (ledger.unreserve(account)) {
            callStarved();
        } else if (account.waiter != null) {
            bell.ring();
        }
    }

    @Override
    public void completed(
            int attachment,
            int qpNumber,
            long wrId,
            WcStatus status,
            WcOpcode opcode,
            int length,
            int immediate,
            int flags) {
        Account account = ledger.of(attachment);
        int token = ledger.spend(attachment, account);
        CompletionCell cell = spare[--spares];
        cell.token = token;
        cell.life = account.life();
        cell.set(qpNumber, wrId, status, opcode, length, immediate, flags);
        boolean moved = cell.move(this, Place.FREE, Place.POSTED);
        assert moved : "a spare cell is " + cell.place();
        if (!setAside.isEmpty() || !publish(cell)) {
            setAside.addLast(cell);
            want();
            look();
        }
    }

    @Override
    public void awaitRoom(int attachment, Rung waiter) {
        lineUp(attachment, waiter);
        want();
        look();
    }

    /** Joins the line of the starved; comes out at once if there is room. */
    void lineUp(int attachment, Rung waiter) {
        Account account = ledger.meet(attachment);
        if (account.waiter == null) {
            starved.addLast(account);
        }
        account.waiter = waiter;
        if (ledger.hasRoom(account)) {
            bell.ring();
        }
    }

    /** Pollers gave cells back, or room came free in another way. */
    private void serve(long nowNs) {
        WANTED.setVolatile(this, 0);
        moderation.onRung(nowNs);
        reclaim();
        publishSetAside();
        for (int i = starved.size(); i > 0; i--) {
            Account account = starved.pollFirst(); // who is called may detach others
            Rung waiter = account == null ? null : account.waiter;
            if (account == null || waiter == null) {
                break;
            }
            if (ledger.hasRoom(account)) {
                account.waiter = null;
                waiter.onRung(nowNs);
            } else {
                starved.addLast(account);
            }
        }
        if (!starved.isEmpty() || !setAside.isEmpty()) {
            want();
            look();
        }
    }

    /** Says that cells are wanted: one released from now on rings. Then {@link #look}: one released before is found. */
    void want() {
        WANTED.setVolatile(this, 1);
        VarHandle.fullFence();
    }

    /** Looks what was released. */
    void look() {
        int spareBefore = spares;
        reclaim();
        publishSetAside();
        if (spares != spareBefore) {
            callStarved();
        }
    }

    /** Has the first starved attachment that can be served now called from the next drain. */
    private void callStarved() {
        if (starved.isEmpty()) {
            return;
        }
        for (Account account : starved) {
            if (ledger.hasRoom(account)) {
                bell.ring();
                return;
            }
        }
    }

    private boolean publish(CompletionCell cell) {
        int answers = cell.answers(); // a poller may have it a moment later
        if (!filled.relaxedOffer(cell)) {
            return false;
        }
        signalIfArmed(answers);
        return true;
    }

    /** After publishing: look who is armed. The other side arms, then looks. */
    private void signalIfArmed(int answers) {
        VarHandle.fullFence();
        if (((int) ARMED.getVolatile(this) & answers) != 0 && moderation.isTold(answers)) {
            tell();
        }
    }

    private void tell() {
        ARMED.setVolatile(this, 0);
        signal.signal();
    }

    private void publishSetAside() {
        while (true) {
            CompletionCell cell = setAside.peekFirst();
            if (cell == null || !publish(cell)) {
                return;
            }
            setAside.removeFirst();
        }
    }

    private void reclaim() {
        while (true) {
            CompletionCell cell = released.relaxedPoll();
            if (cell == null) {
                return;
            }
            spare[spares++] = cell;
            ledger.comeBack(cell.token, cell.life);
        }
    }
}
