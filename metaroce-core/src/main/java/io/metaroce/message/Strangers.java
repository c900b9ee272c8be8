package io.metaroce.message;

import io.metaroce.num.Deadline;
import io.metaroce.param.StreamError;
import io.metaroce.wire.StreamUpdate;

/**
 * Streams the peer has used although they were never open here: it is told so, as often as other news. Only the last
 * few are remembered, whatever a peer does.
 */
final class Strangers {
    private static final int REMEMBERED = 8;

    private final int[] ids = new int[REMEMBERED];
    private final int[] untold = new int[REMEMBERED];
    private final long[] toldNs = new long[REMEMBERED];
    private int count;
    private int oldest;

    /** A message came for a stream that is not open. */
    void note(int id) {
        int at = find(id);
        if (at < 0) {
            at = count < REMEMBERED ? count++ : oldest;
            oldest = (at + 1) % REMEMBERED;
            ids[at] = id;
            toldNs[at] = Deadline.NEVER;
        }
        untold[at] = StreamReport.TIMES;
    }

    /** The stream has been opened after all. */
    void forget(int id) {
        int at = find(id);
        if (at >= 0) {
            ids[at] = -1;
            untold[at] = 0;
        }
    }

    boolean hasNews() {
        for (int i = 0; i < count; i++) {
            if (untold[i] > 0) {
                return true;
            }
        }
        return false;
    }

    /** Tells one that was not told at this instant. */
    boolean fill(long nowNs, StreamUpdate out) {
        for (int i = 0; i < count; i++) {
            if (untold[i] > 0 && toldNs[i] != nowNs) {
                untold[i]--;
                toldNs[i] = nowNs;
                write(ids[i], out);
                return true;
            }
        }
        return false;
    }

    /** Writes what there is to say of a stranger; false when the stream is not among them. */
    boolean describe(int id, StreamUpdate out) {
        if (find(id) < 0) {
            return false;
        }
        write(id, out);
        return true;
    }

    private static void write(int id, StreamUpdate out) {
        out.streamId(id)
                .flags(StreamUpdate.FAILED)
                .code(StreamError.NOT_OPEN.code())
                .nextMsn(0)
                .rsnLimit(0);
    }

    private int find(int id) {
        for (int i = 0; i < count; i++) {
            if (ids[i] == id) {
                return i;
            }
        }
        return -1;
    }
}
