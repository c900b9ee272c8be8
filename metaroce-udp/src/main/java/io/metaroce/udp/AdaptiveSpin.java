package io.metaroce.udp;

import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import java.util.function.LongSupplier;

/**
 * An event loop that goes on looking for a while after something has happened, and only then sleeps. To fall asleep and
 * to be woken takes longer than a round trip on a fast network; where the next packet comes soon neither is needed, and
 * where none comes the processor is free again.
 *
 * <p>Thread rule: the event loop.
 */
final class AdaptiveSpin extends ForwardingIoHandler {
    private final long spinNs;
    private final LongSupplier clock;
    private final Impatient impatient = new Impatient();
    private long lastEventNs;
    private boolean isAwake;

    /** Goes on looking for {@code spinNs}. */
    AdaptiveSpin(IoHandler inner, long spinNs, LongSupplier clock) {
        super(inner);
        this.spinNs = spinNs;
        this.clock = clock;
    }

    @Override
    public int run(IoHandlerContext context) {
        boolean hadTasks = !context.canBlock();
        int events = super.run(isAwake ? impatient.instead(context) : context);
        if (events > 0 || hadTasks) {
            lastEventNs = clock.getAsLong();
            isAwake = true;
        } else if (isAwake) {
            Thread.onSpinWait();
            isAwake = clock.getAsLong() - lastEventNs < spinNs;
        }
        return events;
    }

    /** Says of a loop that it must not sleep. */
    private static final class Impatient implements IoHandlerContext {
        private IoHandlerContext of = this;

        IoHandlerContext instead(IoHandlerContext context) {
            of = context;
            return this;
        }

        @Override
        public boolean canBlock() {
            return false;
        }

        @Override
        public long delayNanos(long nowNs) {
            return 0;
        }

        @Override
        public long deadlineNanos() {
            return of == this ? -1 : of.deadlineNanos();
        }
    }
}
