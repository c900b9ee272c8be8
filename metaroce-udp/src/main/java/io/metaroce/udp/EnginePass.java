package io.metaroce.udp;

import io.metaroce.datagram.Datagram;
import io.metaroce.engine.Driver;
import io.metaroce.engine.Endpoint;
import io.metaroce.engine.PacketTap;
import io.metaroce.queue.DoorbellQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A pass of a real endpoint: the engine's driver over a batch of sockets, with fault injection in between. */
final class EnginePass implements PassWork {
    // While sockets are full the engine may have something due that cannot leave. It is asked again when they take
    // packets; this is only the second line.
    private static final long BLOCKED_RETRY_NS = 1_000_000;

    private final Driver driver;
    private final DoorbellQueue doorbells;
    private final SendBatch batch;
    private final FaultInjector faults;
    private final Runnable passDone;
    private final Consumer<Throwable> onFailure;
    private final @Nullable ReceiveQueues queues;

    EnginePass(
            Endpoint endpoint,
            DoorbellQueue doorbells,
            SendBatch batch,
            FaultInjector faults,
            Runnable passDone,
            Consumer<Throwable> onFailure,
            @Nullable ReceiveQueues queues) {
        this.driver = new Driver(endpoint, faults);
        this.doorbells = doorbells;
        this.batch = batch;
        this.faults = faults;
        this.passDone = passDone;
        this.onFailure = onFailure;
        this.queues = queues;
    }

    /** Lets somebody see every packet; null ends that. */
    void tap(@Nullable PacketTap tap) {
        driver.tap(tap);
    }

    @Override
    public void feed(long nowNs, Datagram datagram) {
        driver.feed(nowNs, datagram);
    }

    @Override
    public long quiesce(long nowNs) {
        if (queues != null && queues.passEnded()) {
            driver.passEnd();
        }
        faults.release(nowNs);
        long deadlineNs = Math.min(driver.quiesce(nowNs), faults.nextDueNs());
        passDone.run();
        return batch.isBlocked() ? Math.max(deadlineNs, nowNs + BLOCKED_RETRY_NS) : deadlineNs;
    }

    @Override
    public boolean wantsPass() {
        return batch.takesMore() || doorbells.isPending();
    }

    @Override
    public void failed(Throwable cause) {
        onFailure.accept(cause);
    }
}
