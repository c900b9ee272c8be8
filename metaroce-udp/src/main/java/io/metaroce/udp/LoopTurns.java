package io.metaroce.udp;

import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the turns of an event loop. In each turn the kernel is asked once which sockets can be read, and those are
 * read before any task runs; so whoever sees a new number in a task knows that sockets which were not read are empty.
 *
 * <p>Thread rule: counted by the event loop, read by any thread.
 */
final class LoopTurns {
    private final AtomicLong turns = new AtomicLong();

    /** A factory of what {@code inner} makes, counted here; for one event loop. */
    IoHandlerFactory count(IoHandlerFactory inner) {
        return new IoHandlerFactory() {
            @Override
            public IoHandler newHandler(ThreadAwareExecutor executor) {
                return counted(inner.newHandler(executor));
            }
        };
    }

    /** {@code inner} with its turns counted here. */
    IoHandler counted(IoHandler inner) {
        return new Counted(inner);
    }

    /** Number of the turn that is under way. */
    long number() {
        return turns.get();
    }

    private final class Counted extends ForwardingIoHandler {
        Counted(IoHandler inner) {
            super(inner);
        }

        @Override
        public int run(IoHandlerContext context) {
            turns.lazySet(turns.get() + 1); // nobody else writes
            return super.run(context);
        }
    }
}
