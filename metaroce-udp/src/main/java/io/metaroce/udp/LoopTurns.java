package io.metaroce.udp;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the turns of an event loop. In each turn the kernel is asked once which sockets can be read, and those are read
 * before any task runs; so whoever sees a new number in a task knows that sockets which were not read are empty.
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

    private final class Counted implements IoHandler {
        private final IoHandler inner;

        Counted(IoHandler inner) {
            this.inner = inner;
        }

        @Override
        public void initialize() {
            inner.initialize();
        }

        @Override
        public int run(IoHandlerContext context) {
            turns.lazySet(turns.get() + 1); // nobody else writes
            return inner.run(context);
        }

        @Override
        public void prepareToDestroy() {
            inner.prepareToDestroy();
        }

        @Override
        public void destroy() {
            inner.destroy();
        }

        @Override
        public IoRegistration register(IoHandle handle) throws Exception {
            return inner.register(handle);
        }

        @Override
        public void wakeup() {
            inner.wakeup();
        }

        @Override
        public boolean isCompatible(Class<? extends IoHandle> type) {
            return inner.isCompatible(type);
        }
    }
}
