package io.metaroce.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import org.junit.jupiter.api.Test;

class AdaptiveSpinTest {
    private static final long SPIN_NS = 1_000;

    private long nowNs;
    private int events;
    private boolean couldSleep;
    private boolean hasTasks;

    private final AdaptiveSpin spin = new AdaptiveSpin(
            new IoHandler() {
                @Override
                public int run(IoHandlerContext context) {
                    couldSleep = context.canBlock();
                    return events;
                }

                @Override
                public IoRegistration register(IoHandle handle) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public void wakeup() {}

                @Override
                public boolean isCompatible(Class<? extends IoHandle> type) {
                    return false;
                }
            },
            SPIN_NS,
            () -> nowNs);
    private final IoHandlerContext context = new IoHandlerContext() {
        @Override
        public boolean canBlock() {
            return !hasTasks;
        }

        @Override
        public long delayNanos(long atNs) {
            return -1;
        }

        @Override
        public long deadlineNanos() {
            return -1;
        }
    };

    @Test
    void aLoopToWhichNothingHappensSleeps() {
        turn(0);
        assertThat(couldSleep).isTrue();
    }

    @Test
    void afterSomethingHappenedItLooksForAWhileAndThenSleeps() {
        turn(1);
        turn(0);
        assertThat(couldSleep).isFalse();
        nowNs = SPIN_NS - 1;
        turn(0);
        assertThat(couldSleep).isFalse();
        nowNs = SPIN_NS;
        turn(0);
        turn(0);
        assertThat(couldSleep).isTrue();
    }

    @Test
    void whatHappensMeanwhileMakesItLookOnAndATaskIsSomethingToo() {
        turn(1);
        nowNs = SPIN_NS - 1;
        turn(1);
        nowNs = 2 * SPIN_NS - 2;
        turn(0);
        turn(0);
        assertThat(couldSleep).isFalse();
        nowNs = 9 * SPIN_NS;
        turn(0);
        turn(0);
        assertThat(couldSleep).isTrue();
        hasTasks = true;
        turn(0);
        hasTasks = false;
        turn(0);
        assertThat(couldSleep).isFalse();
    }

    private void turn(int ready) {
        events = ready;
        int unused = spin.run(context);
    }
}
