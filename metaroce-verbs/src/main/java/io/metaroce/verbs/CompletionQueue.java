package io.metaroce.verbs;

import io.metaroce.queue.ArmMode;
import io.metaroce.queue.CompletionCell;
import io.metaroce.queue.CompletionRing;
import io.metaroce.queue.CompletionSink;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the results of work requests are polled.
 *
 * <p>It cannot overrun. When nobody polls, the engine stops taking work from the queue pairs that report here: a small
 * queue slows them down, and {@code post} returns false in the end.
 *
 * <p>Results of one queue pair come in order. Several threads may poll; each result goes to one of them.
 */
public final class CompletionQueue implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CompletionQueue.class);

    private final Device device;
    private final int number;
    private final CompletionRing ring;
    private final AtomicInteger signals = new AtomicInteger();
    private final AtomicInteger eventsTaken = new AtomicInteger();
    private final Registry<QueuePair> users = new Registry<>();
    private final AtomicLong wanted = new AtomicLong();
    private final AtomicBoolean saidSmall = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicReference<@Nullable Delivery> delivery = new AtomicReference<>();
    private final AtomicReference<CompletionModeration> moderation = new AtomicReference<>(CompletionModeration.NONE);

    CompletionQueue(Device device, int number, int depth) {
        this.device = device;
        this.number = number;
        ring = new CompletionRing(depth, device.host().doorbells(), this::onSignal);
    }

    /** Results it holds. */
    public int depth() {
        return ring.depth();
    }

    /**
     * Fetches the results that are there, the oldest first, and does not wait. Elements that are null are created.
     *
     * @return how many elements of {@code into} were filled, from index 0 on; 0 when there was nothing
     */
    public int poll(WorkCompletion[] into) {
        return poll(into, 0);
    }

    int poll(WorkCompletion[] into, int from) {
        int filled = from;
        while (filled < into.length) {
            CompletionCell cell = ring.take();
            if (cell == null) {
                break;
            }
            if (into[filled] == null) {
                into[filled] = new WorkCompletion();
            }
            into[filled++].set(cell, device);
            ring.release(cell);
        }
        return filled - from;
    }

    /**
     * Fetches results; if there are none, sleeps until there are, at most for {@code timeout}. Arms, looks again and
     * only then sleeps, so that no result is overlooked.
     *
     * @return how many elements of {@code into} were filled; 0 when the time is over
     */
    public int await(WorkCompletion[] into, Duration timeout) {
        int[] filled = {poll(into)};
        if (filled[0] == 0 && !closed.get()) {
            device.engine()
                    .await(this, "await", () -> (filled[0] = pollArmPoll(into)) != 0, Durations.toNanos(timeout));
        }
        return filled[0];
    }

    /**
     * The same, but results that nobody solicited do not end the sleep: only a receive whose sender set
     * {@link SendFlag#SOLICITED}, and any result in error. Fetches whatever is there when it ends.
     *
     * @return how many elements of {@code into} were filled; 0 when the time is over and nothing is there
     */
    public int awaitSolicited(WorkCompletion[] into, Duration timeout) {
        int[] seen = {signals.get()};
        ring.arm(ArmMode.SOLICITED);
        int[] filled = {poll(into)};
        if (filled[0] != 0 || closed.get()) {
            return filled[0];
        }
        device.engine()
                .await(
                        this,
                        "awaitSolicited",
                        () -> {
                            int now = signals.get();
                            if (now != seen[0]) {
                                seen[0] = now;
                                ring.arm(ArmMode.SOLICITED);
                                filled[0] = poll(into);
                            }
                            return filled[0] != 0;
                        },
                        Durations.toNanos(timeout));
        return filled[0] != 0 ? filled[0] : poll(into);
    }

    /**
     * Asks for one event, as {@code ibv_req_notify_cq}: the next result that comes wakes {@link #awaitEvent}. Poll once
     * more after asking, for a result that came before brings no event. {@link #await} does all of it in the right
     * order; this is for applications written to event channels.
     *
     * @param solicitedOnly only for a receive whose sender set {@link SendFlag#SOLICITED}, or a result in error
     */
    public void requestNotify(boolean solicitedOnly) {
        ring.arm(solicitedOnly ? ArmMode.SOLICITED : ArmMode.ANY);
    }

    /**
     * Waits for an event that {@link #requestNotify} asked for and nobody has taken yet; takes it. An event that came
     * before the call counts, so none can be lost.
     *
     * @return whether there was one in time
     */
    public boolean awaitEvent(Duration timeout) {
        return takeEvent()
                || (!closed.get()
                        && device.engine().await(this, "awaitEvent", this::takeEvent, Durations.toNanos(timeout)));
    }

    /**
     * From now on whoever waits is woken, and a handler is called, when so many results have come or the first of them
     * has waited so long: fewer events, later. As {@code ibv_modify_cq}. A result that was solicited, or is in error,
     * is told at once. Polling is not affected.
     *
     * @throws VerbsException when the count is above {@link #depth}, since so many are never there
     */
    public void moderate(CompletionModeration next) {
        if (next.count() > depth()) {
            throw new VerbsException(
                    toString(),
                    "an event after " + next.count() + " results",
                    "at most " + depth() + ", the depth of the queue",
                    "give a smaller count, or make the queue deeper");
        }
        device.engine().run(this, "moderate", (nowNs, endpoint) -> {
            ring.moderate(next.count(), next.periodNs());
            moderation.set(next);
        });
    }

    /** How events are moderated. */
    public CompletionModeration moderation() {
        return Objects.requireNonNull(moderation.get());
    }

    private boolean takeEvent() {
        while (true) {
            int taken = eventsTaken.get();
            int there = signals.get();
            if (taken == there) {
                return false;
            }
            // Several signals that nobody waited for are one event: there is only the question whether to poll.
            if (eventsTaken.compareAndSet(taken, there)) {
                return true;
            }
        }
    }

    /**
     * From now on hands results to {@code handler} on the endpoint's own thread, as soon as they are there: no thread
     * is woken, and what the handler posts leaves at once. Instead of the handler before, if there was one; threads
     * that poll or wait meanwhile get some of the results.
     *
     * @throws VerbsException when the endpoint serves as many queues as it can, or when called by such a handler
     */
    public void deliverTo(CompletionHandler handler) {
        device.engine().run(this, "deliverTo", (nowNs, endpoint) -> {
            Delivery made = new Delivery(this, device.host(), device.engine(), handler);
            replaceDelivery(made);
            made.ring();
        });
    }

    /** Back to polling and waiting. Does nothing when no handler takes results. */
    public void deliverToNobody() {
        device.engine().run(this, "deliverToNobody", (nowNs, endpoint) -> replaceDelivery(null));
    }

    private void replaceDelivery(@Nullable Delivery next) {
        Delivery before = delivery.getAndSet(next);
        if (before != null) {
            before.retire();
        }
    }

    int pollArmPoll(WorkCompletion[] into) {
        int filled = poll(into);
        if (filled == 0) {
            ring.arm(ArmMode.ANY);
            filled = poll(into);
        }
        return filled;
    }

    /**
     * Has every result told to {@code handler} from now on, on the endpoint's thread and without a hop; nobody else
     * should poll. The object is filled anew for the next result. The handler may post, and must not wait.
     */
    public void onCompletion(Consumer<WorkCompletion> handler) {
        deliverTo((results, count) -> {
            for (int i = 0; i < count; i++) {
                Delivery.tell(handler, results[i]);
            }
        });
    }

    private void onSignal() {
        signals.incrementAndGet();
        Delivery told = delivery.get();
        if (told != null) {
            told.ring();
        } else {
            device.host().signal();
        }
    }

    Device device() {
        return device;
    }

    CompletionSink sink() {
        return ring;
    }

    /** A queue pair reports here from now on. */
    void joined(QueuePair user) {
        users.add(user);
        long sum = wanted.addAndGet(user.completionsAtMost(this));
        if (sum > ring.depth() && saidSmall.compareAndSet(false, true)) {
            LOG.info(
                    "{} is smaller than the {} requests that may be under way at once: a slow poller slows them",
                    this,
                    sum);
        }
    }

    void left(QueuePair user) {
        if (users.remove(user)) {
            wanted.addAndGet(-user.completionsAtMost(this));
        }
    }

    /**
     * Closes the queue pairs that report here, then the queue. What is in it can still be polled. Does nothing the
     * second time.
     */
    @Override
    public void close() {
        if (!device.engine().closes(this, closed)) {
            return;
        }
        List<QueuePair> reporting = users.all();
        reporting.forEach(QueuePair::close);
        device.forget(this);
        device.engine().run(this, "close", (nowNs, endpoint) -> {
            reporting.forEach(QueuePair::retire);
            replaceDelivery(null);
            ring.retire();
        });
    }

    @Override
    public String toString() {
        return "CQ " + number + " (depth " + ring.depth() + (closed.get() ? ", closed)" : ")");
    }
}
