package io.metaroce.tools.perf;

import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.SendFlag;
import java.nio.ByteBuffer;

/**
 * Small messages beside the test, on a queue pair of their own: the client asks for the report, the server gives it.
 */
final class ControlLine {
    /** Ask: what have you received? */
    static final int ASK = 1;
    /** Answer: a report. */
    static final int ANSWER = 2;

    /** Begin to send too: size, messages and ns stand in the first three places of the report. */
    static final int START = 3;

    private static final int MESSAGE_BYTES = 64;
    private static final int RECEIVES = 8;
    private static final long WR_ID = -1;

    private final QueuePair queuePair;
    private final MemoryRegion region; // first the message to send, then the receives

    ControlLine(Side side) {
        queuePair = side.control();
        region = side.region((RECEIVES + 1L) * MESSAGE_BYTES);
    }

    void postReceives() {
        for (int i = 0; i < RECEIVES; i++) {
            postReceive(i);
        }
    }

    void postReceive(int index) {
        queuePair.postReceive(index, region.lkey(), (index + 1L) * MESSAGE_BYTES, MESSAGE_BYTES);
    }

    void send(int type, Report report) {
        ByteBuffer out = region.slice(0, MESSAGE_BYTES);
        out.putInt(type);
        report.write(out);
        queuePair.postSend(WR_ID, region.lkey(), 0, MESSAGE_BYTES, SendFlag.mask(SendFlag.SIGNALED));
    }

    /** Has the other side send too: messages of {@code size} bytes, as many or as long as the budget says. */
    void start(long size, Budget budget) {
        long ns = budget.time() == null ? 0 : budget.time().toNanos();
        send(START, new Report(size, budget.messages(), ns, 0, 0, 0, 0));
    }

    int type(int index) {
        return region.slice((index + 1L) * MESSAGE_BYTES, MESSAGE_BYTES).getInt();
    }

    Report report(int index) {
        ByteBuffer in = region.slice((index + 1L) * MESSAGE_BYTES, MESSAGE_BYTES);
        in.getInt();
        return Report.read(in);
    }
}
