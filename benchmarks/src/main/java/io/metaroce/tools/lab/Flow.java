package io.metaroce.tools.lab;

import io.metaroce.engine.ConnectionView;
import io.metaroce.engine.StreamBinding;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.queue.ArmMode;
import io.metaroce.queue.CompletionCell;
import io.metaroce.queue.CompletionRing;
import io.metaroce.queue.DoorbellQueue;
import io.metaroce.queue.ReceiveRing;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.SendRing;
import io.metaroce.queue.Signalling;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.Host;
import java.util.List;
import java.util.Objects;

/** One connection of one stream over which equal messages are written or read, a few at a time. */
final class Flow {
    private final Traffic traffic;
    private final Host from;
    private final Host to;
    private final WrOpcode opcode;
    private final int messageBytes;
    private final Queues source;
    private final Join join;
    private long left; // messages not posted yet
    private long posted;
    private long completed;
    private long doneNs;
    private long lastNs; // when anything was complete last
    private long longestWaitNs;

    /** The rings of one end. */
    private record Queues(CompletionRing completions, SendRing sends, ReceiveRing receives) {
        static Queues of(DoorbellQueue doorbells, int depth, Runnable signal) {
            CompletionRing completions = new CompletionRing(2 * depth + 2, doorbells, signal::run);
            return new Queues(
                    completions,
                    new SendRing(depth, 1, 0, 0, completions, completions.attach(), Signalling.ALL, doorbells),
                    new ReceiveRing(1, 1, 0, completions, completions.attach(), doorbells));
        }

        StreamBinding binding() {
            return new StreamBinding(0, LabMemory.DOMAIN, sends, receives);
        }
    }

    Flow(Traffic traffic, Host from, Host to, WrOpcode opcode, int messageBytes, int number, int depth) {
        this.traffic = traffic;
        this.from = from;
        this.to = to;
        this.opcode = opcode;
        this.messageBytes = messageBytes;
        source = Queues.of(from.doorbells(), depth, () -> traffic.ready(this));
        Queues target = Queues.of(to.doorbells(), 1, () -> {});
        join = new Join(number, from, to, List.of(source.binding()), List.of(target.binding()));
    }

    /** Its connection. */
    Join join() {
        return join;
    }

    /** Writes so many messages from now on. */
    void write(long messages) {
        left = messages;
        posted = 0;
        completed = 0;
        doneNs = 0;
        fill();
    }

    /** Begins nothing more; what has begun goes on. */
    void stop() {
        left = 0;
    }

    /** When the last message was complete. */
    long doneNs() {
        return doneNs;
    }

    /** From now on it counts how long nothing becomes complete. */
    void watch() {
        lastNs = traffic.world().nowNs();
        longestWaitNs = 0;
    }

    /** The longest time without a completion since {@link #watch}, until now, in ns. */
    long longestWaitNs() {
        return Math.max(longestWaitNs, traffic.world().nowNs() - lastNs);
    }

    Host from() {
        return from;
    }

    Host to() {
        return to;
    }

    /** Bytes of each of its messages. */
    int messageBytes() {
        return messageBytes;
    }

    /** The host that gets the bytes. */
    Host receiver() {
        return opcode == WrOpcode.RDMA_READ ? from : to;
    }

    ConnectionView view() {
        return Objects.requireNonNull(from.endpoint().view(join.connectionId()), "no connection");
    }

    /** The same at the end that sends the bytes, which of a Read is the other one. */
    ConnectionView viewOfSender() {
        return opcode == WrOpcode.RDMA_READ
                ? Objects.requireNonNull(to.endpoint().view(join.acceptedId()), "no connection")
                : view();
    }

    /** Takes completions and posts what comes next. Returns whether everything has become complete. */
    boolean turn() {
        CompletionCell cell = source.completions().take();
        while (cell != null) {
            if (cell.status() != WcStatus.SUCCESS) {
                throw new IllegalStateException(from + " to " + to + ": " + opcode + " ended as " + cell.status());
            }
            completed++;
            longestWaitNs = longestWaitNs();
            lastNs = traffic.world().nowNs();
            source.completions().release(cell);
            cell = source.completions().take();
        }
        if (left > 0) {
            fill();
        } else if (completed == posted && doneNs == 0) {
            doneNs = traffic.world().nowNs();
            return true;
        } else {
            source.completions().arm(ArmMode.ANY);
        }
        return false;
    }

    private void fill() {
        MemoryRegion local = traffic.region(from);
        MemoryRegion remote = traffic.region(to);
        source.completions().arm(ArmMode.ANY);
        while (left > 0 && posted - completed < source.sends().depth()) {
            SendCell cell = source.sends().acquire();
            if (cell == null) {
                break;
            }
            cell.wrId(posted++)
                    .opcode(opcode)
                    .flags(0)
                    .rkey(remote.key())
                    .remoteAddress(remote.base())
                    .addSge(local.key(), 0, messageBytes);
            source.sends().post(cell);
            left--;
        }
        source.sends().ring();
    }
}
