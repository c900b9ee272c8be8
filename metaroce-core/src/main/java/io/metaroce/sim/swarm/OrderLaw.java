package io.metaroce.sim.swarm;

import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.PlacementOracle.Watched;
import io.metaroce.sim.swarm.SwarmCase.Flaw;
import io.metaroce.sim.swarm.SwarmCase.Op;
import java.util.ArrayList;
import java.util.List;

/**
 * What may show in memory before what, of one stream in one direction. Looked at after every event of the world, at the
 * first byte that shows of a request:
 *
 * <ul>
 *   <li>a fenced one: all that was to be fetched before it has come
 *   <li>an ordered Write: everything before it is in the peer's memory
 *   <li>a Read or an atomic: everything before it is in the peer's memory
 * </ul>
 */
final class OrderLaw {
    private static final int LOOKS = 8; // fragments looked at from the front, and as many from the end

    private final List<Op> ops;
    private final List<Integer> offsets;
    private final Watched atSender;
    private final Watched atReceiver;
    private final boolean isShared;
    private final int payloadBytes;
    private final List<Integer> hidden = new ArrayList<>(); // requests with a demand of which nothing has shown

    OrderLaw(
            List<Op> ops,
            List<Integer> offsets,
            Watched atSender,
            Watched atReceiver,
            boolean isShared,
            int payloadBytes) {
        this.ops = ops;
        this.offsets = offsets;
        this.atSender = atSender;
        this.atReceiver = atReceiver;
        this.isShared = isShared;
        this.payloadBytes = payloadBytes;
    }

    /** Request {@code index} has been posted. */
    void posted(int index) {
        Op op = ops.get(index);
        boolean hasDemand = op.isFenced() || op.isOrdered() || op.opcode().fetches();
        if (hasDemand && Lane.room(op) > 0 && !(isShared && isSend(op))) {
            hidden.add(index);
        }
    }

    /** Whether anything is left to look at. */
    boolean isWaiting() {
        return !hidden.isEmpty();
    }

    /** What shows too early; empty when nothing does. Requests before {@code ended} are complete. */
    String fault(int ended) {
        for (int i = hidden.size() - 1; i >= 0; i--) {
            int index = hidden.get(i);
            boolean isOver = index < ended;
            if (!isOver && !shows(index)) {
                continue;
            }
            hidden.remove(i);
            int missing = isOver ? -1 : missing(index, ended);
            if (missing >= 0) {
                return "request " + index + ", " + ops.get(index) + ", shows before what it follows: request " + missing
                        + ", " + ops.get(missing);
            }
        }
        return "";
    }

    private boolean shows(int index) {
        Op op = ops.get(index);
        Watched where = op.opcode() == WrOpcode.RDMA_READ ? atSender : atReceiver;
        int length = Lane.room(op);
        int fragments = (length + payloadBytes - 1) / payloadBytes;
        for (int i = 0; i < fragments; i++) {
            if (i == LOOKS && fragments > 2 * LOOKS) {
                i = fragments - LOOKS;
            }
            int from = i * payloadBytes;
            if (where.shows(offsets.get(index) + from, Math.min(Long.BYTES, length - from))) {
                return true;
            }
        }
        return false;
    }

    // The first request before it that it had to wait for, or -1.
    private int missing(int index, int ended) {
        Op op = ops.get(index);
        boolean needsAnswers = op.isFenced();
        boolean needsAll = op.isOrdered() || op.opcode().fetches();
        for (int i = ended; i < index; i++) {
            Op before = ops.get(i);
            int at = offsets.get(i);
            int length = Lane.room(before);
            boolean concerns = needsAll || (needsAnswers && before.opcode().fetches());
            boolean fails = before.flaw() != Flaw.NONE && before.flaw() != Flaw.REVOKED_KEY;
            boolean isUnanswered = needsAnswers && before.opcode().fetches() && !atSender.isPlaced(at, length);
            boolean isInPlace = before.opcode() == WrOpcode.RDMA_READ
                    || (isShared && isSend(before))
                    || atReceiver.isPlaced(at, length);
            if (concerns && (fails || isUnanswered || (needsAll && !isInPlace))) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isSend(Op op) {
        return op.opcode().consumesReceive() && op.opcode() != WrOpcode.RDMA_WRITE_WITH_IMM;
    }
}
