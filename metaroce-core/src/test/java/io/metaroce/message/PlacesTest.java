package io.metaroce.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.queue.CompletionSink;
import io.metaroce.queue.DoorbellQueue;
import io.metaroce.queue.ReceiveCell;
import io.metaroce.queue.ReceiveRing;
import io.metaroce.queue.Rung;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.SendRing;
import io.metaroce.queue.Signalling;
import io.metaroce.queue.WcOpcode;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** A place of a work queue is free as soon as the completion of its request can be seen. */
class PlacesTest {
    private final DoorbellQueue doorbells = new DoorbellQueue(8);
    private final Looker looker = new Looker();

    @Test
    void aReceiveCanBePostedAgainWhileItsCompletionIsBeingDelivered() {
        ReceiveRing ring = new ReceiveRing(1, 1, 7, looker, 0, doorbells);
        ReceiveCell cell = Objects.requireNonNull(ring.acquire());
        ring.post(cell.wrId(5));
        ReceiveQueue queue = new ReceiveQueue(ring);
        ReceiveCell taken = Objects.requireNonNull(ring.take());
        looker.look = () -> ring.acquire() != null;

        queue.complete(taken, WcOpcode.RECV, 10, 0, 0);

        assertThat(looker.sawRoom).isTrue();
        assertThat(looker.wrId).isEqualTo(5);
    }

    @Test
    void aSendCanBePostedAgainWhileItsCompletionIsBeingDelivered() {
        SendRing ring = new SendRing(1, 1, 0, 7, looker, 0, Signalling.FLAGGED, doorbells);
        SendCell cell = Objects.requireNonNull(ring.acquire());
        ring.post(cell.wrId(6).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED));
        SendQueue queue = new SendQueue(ring);
        SendCell taken = Objects.requireNonNull(ring.take());
        looker.look = () -> ring.acquire() != null;

        queue.complete(taken, WcStatus.SUCCESS);

        assertThat(looker.sawRoom).isTrue();
        assertThat(looker.wrId).isEqualTo(6);
    }

    /** A completion queue whose poller looks for a free place at the very moment of a completion. */
    private static final class Looker implements CompletionSink {
        private BooleanSupplier look = () -> false;
        private boolean sawRoom;
        private long wrId;

        @Override
        public int attach() {
            return 0;
        }

        @Override
        public void detach(int attachment) {}

        @Override
        public boolean reserve(int attachment) {
            return true;
        }

        @Override
        public void unreserve(int attachment) {}

        @Override
        public void completed(
                int attachment,
                int qpNumber,
                long id,
                WcStatus status,
                WcOpcode opcode,
                int length,
                int immediate,
                int flags) {
            wrId = id;
            sawRoom = look.getAsBoolean();
        }

        @Override
        public void awaitRoom(int attachment, Rung waiter) {}
    }
}
