package io.metaroce.sim.swarm;

import io.metaroce.memory.MemoryRegion;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.WcFlag;
import io.metaroce.queue.WcOpcode;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.App;
import io.metaroce.sim.PlacementOracle;
import io.metaroce.sim.swarm.SwarmCase.Flaw;
import io.metaroce.sim.swarm.SwarmCase.Op;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All messages of one stream in one direction, what was posted of them, and the oracle of their completions: each
 * exactly once, in order of posting, with the right status, and a success only when every byte is in place.
 */
final class Lane {
    private static final int RECEIVE_IDS = 1000;
    private static final int UNKNOWN_KEY = 0x7FFF_FFFF;
    private static final int ADDEND = 7;

    private final String name;
    private final App sender;
    private final App receiver;
    private final PlacementOracle.Watched atSender;
    private final PlacementOracle.Watched atReceiver;
    private final List<Op> ops = new ArrayList<>();
    private final List<Integer> offsets = new ArrayList<>();
    private final List<Integer> receives = new ArrayList<>(); // indices of those that use up a receive
    private final List<@Nullable MemoryRegion> lent = new ArrayList<>(); // a key of its own, where one is needed
    private final List<byte[]> contents = new ArrayList<>(); // of messages for shared receives
    private final List<Integer> revocations = new ArrayList<>(); // requests whose key will be given back
    private final List<Integer> cutShort = new ArrayList<>(); // those that were not carried out when it was
    private final List<Integer> carriedOut = new ArrayList<>(); // those that were
    private final @Nullable SharedReceives shared;
    private final OrderLaw order;
    private final OrderWatch watch;
    private final boolean mayFail;
    private int posted;
    private int receivesPosted;
    private int sendsEnded;
    private int receivesEnded;
    private boolean hasFailedSend;
    private boolean hasFailedReceive;

    Lane(
            String name,
            App sender,
            PlacementOracle.Watched atSender,
            App receiver,
            PlacementOracle.Watched atReceiver,
            @Nullable SharedReceives shared,
            int payloadBytes,
            boolean mayFail,
            OrderWatch watch) {
        this.name = name;
        this.sender = sender;
        this.receiver = receiver;
        this.atSender = atSender;
        this.atReceiver = atReceiver;
        this.shared = shared;
        this.mayFail = mayFail;
        this.watch = watch;
        order = new OrderLaw(ops, offsets, atSender, atReceiver, shared != null, payloadBytes);
    }

    /** Another message, at the same offset on both sides. */
    void add(Op op, int offset) {
        if (op.opcode().consumesReceive()) {
            receives.add(ops.size());
            if (shared != null) {
                shared.expect(op.receiveNs());
            }
        }
        ops.add(op);
        offsets.add(offset);
        lent.add(lent(op));
        contents.add(content(op, offset));
        if (op.flaw() == Flaw.REVOKED_KEY) {
            revocations.add(ops.size() - 1);
        } else if (op.flaw() != Flaw.NONE) {
            return;
        }
        if (shared != null && isSend(op)) {
            return;
        }
        switch (op.opcode()) {
            case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE, RDMA_WRITE_WITH_IMM ->
                atReceiver.expect(offset, sender.memory(), offset, op.size());
            case RDMA_READ -> atSender.expect(offset, receiver.memory(), offset, op.size());
            case ATOMIC_FETCH_AND_ADD, ATOMIC_CMP_AND_SWP, ATOMIC_SWP -> {
                atSender.expect(offset, receiver.memory(), offset, Long.BYTES);
                ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
                long old = word(receiver, offset);
                word.putLong(0, op.opcode() == WrOpcode.ATOMIC_FETCH_AND_ADD ? old + ADDEND : ~old);
                atReceiver.expect(offset, word, 0, Long.BYTES);
            }
            case LOCAL_INV, BIND_MW -> throw new IllegalArgumentException(op + " never reaches the peer");
        }
    }

    App sender() {
        return sender;
    }

    App receiver() {
        return receiver;
    }

    /** The receives of the receiving side, when streams share them. */
    @Nullable
    SharedReceives shared() {
        return shared;
    }

    /** Where request {@code index} reads and writes, at both sides. */
    int offset(int index) {
        return offsets.get(index);
    }

    private @Nullable MemoryRegion lent(Op op) {
        boolean isOwn =
                op.opcode() == WrOpcode.SEND_WITH_INV || op.flaw() == Flaw.STALE_KEY || op.flaw() == Flaw.REVOKED_KEY;
        MemoryRegion region = isOwn ? receiver.furtherRegion() : null;
        if (region != null && op.flaw() == Flaw.STALE_KEY) {
            receiver.deregister(region);
        }
        return region;
    }

    private byte[] content(Op op, int offset) {
        byte[] content = new byte[shared != null && isSend(op) ? op.size() : 0];
        sender.memory().get(offset, content);
        return content;
    }

    private static boolean isSend(Op op) {
        return op.opcode().consumesReceive() && op.opcode() != WrOpcode.RDMA_WRITE_WITH_IMM;
    }

    private static long word(App app, int offset) {
        return app.memory().duplicate().order(ByteOrder.nativeOrder()).getLong(offset);
    }

    private static boolean isAtomic(Op op) {
        return switch (op.opcode()) {
            case ATOMIC_FETCH_AND_ADD, ATOMIC_CMP_AND_SWP, ATOMIC_SWP -> true;
            default -> false;
        };
    }

    /** Bytes an operation takes in memory. */
    static int room(Op op) {
        return isAtomic(op) ? Long.BYTES : op.size();
    }

    /** The sending application posts what is due; answers whether it posted anything. */
    boolean postsSends(long nowNs) {
        boolean has = false;
        while (posted < ops.size()
                && posted - sendsEnded < sender.sends().depth()
                && ops.get(posted).postNs() <= nowNs) {
            post(posted++);
            has = true;
        }
        return has;
    }

    /** The receiving application posts the receives that are due; answers whether it posted any. */
    boolean postsReceives(long nowNs) {
        boolean has = false;
        while (shared == null
                && receivesPosted < receives.size()
                && receivesPosted - receivesEnded < receiver.receives().depth()
                && ops.get(receives.get(receivesPosted)).receiveNs() <= nowNs) {
            int index = receives.get(receivesPosted++);
            Op op = ops.get(index);
            int length = op.flaw() == Flaw.SHORT_RECEIVE ? op.size() - 1 : op.size();
            receiver.receive(
                    RECEIVE_IDS + index, isSend(op) ? new App.Range(offsets.get(index), length) : App.Range.NONE);
            has = true;
        }
        return has;
    }

    /** The receiving side gives back keys whose time has come. What comes with them from then on must not be placed. */
    void revokes(long nowNs) {
        for (int i = revocations.size() - 1; i >= 0; i--) {
            int index = revocations.get(i);
            MemoryRegion region = lent.get(index);
            if (region == null || ops.get(index).receiveNs() > nowNs) {
                continue;
            }
            revocations.remove(i);
            receiver.deregister(region);
            if (index >= sendsEnded && ops.get(index).opcode() != WrOpcode.RDMA_READ) {
                boolean isWhole = atReceiver.isPlaced(offsets.get(index), room(ops.get(index)));
                (isWhole ? carriedOut : cutShort).add(index);
            }
            atReceiver.reuse(offsets.get(index), room(ops.get(index)));
        }
    }

    private void post(int index) {
        Op op = ops.get(index);
        int offset = offsets.get(index);
        order.posted(index);
        if (order.isWaiting()) {
            watch.waits(this);
        }
        App.Remote remote = receiver.at(offset, carried(index));
        MemoryRegion region = lent.get(index);
        if (op.flaw() == Flaw.BAD_KEY) {
            remote = new App.Remote(UNKNOWN_KEY, remote.address(), remote.immediate());
        } else if (region != null) {
            remote = new App.Remote(region.key(), remote.address(), remote.immediate());
        }
        int flags = (op.isFenced() ? SendFlags.FENCE : 0) | (op.isOrdered() ? SendFlags.ORDERED : 0);
        if (isAtomic(op)) {
            // Each has a word of its own, which nothing has changed before: carried out twice, it would show.
            long old = word(receiver, offset);
            long first = op.opcode() == WrOpcode.ATOMIC_FETCH_AND_ADD ? ADDEND : old;
            sender.postAtomic(index, op.opcode(), flags, offset, remote, first, ~old);
            return;
        }
        sender.post(index, op.opcode(), flags, new App.Range(offset, room(op)), remote);
    }

    // The immediate, or the key to make invalid.
    private int carried(int index) {
        MemoryRegion region = ops.get(index).opcode() == WrOpcode.SEND_WITH_INV ? lent.get(index) : null;
        return region == null ? 3 * index + 1 : region.key();
    }

    /** A completion of the sender; answers with what is wrong with it, or nothing. */
    String onSendEnded(App.Done done) {
        int index = sendsEnded++;
        if (done.wrId() != index || index >= posted) {
            return name + ": request " + index + " must end next of " + posted + " posted, but " + done + " did";
        }
        Op op = ops.get(index);
        if (done.opcode() != op.opcode().completion() && done.status().isSuccess()) {
            return name + ": " + done + " is the completion of " + op;
        }
        if (!done.status().isSuccess()) {
            String fault = onFailure(op, done, hasFailedSend, WcStatus.REM_ACCESS_ERR, WcStatus.REM_INV_REQ_ERR);
            if (done.status() == WcStatus.REM_ACCESS_ERR && carriedOut.contains(index)) {
                fault = name + ": " + done + " of " + op + ", but it was carried out before the key was given back";
            }
            hasFailedSend = true;
            if (op.opcode() == WrOpcode.RDMA_READ || isAtomic(op)) {
                atSender.reuse(offsets.get(index), room(op)); // an answer that comes late must not get there
            }
            return fault;
        }
        boolean isWrong = op.flaw() != Flaw.NONE && (op.flaw() != Flaw.REVOKED_KEY || cutShort.contains(index));
        if (hasFailedSend || isWrong) {
            return name + ": " + done + " succeeds, but " + (hasFailedSend ? "one before it failed" : op);
        }
        String fault = placed(index, op);
        atSender.reuse(offsets.get(index), room(op));
        if (!op.opcode().consumesReceive()) {
            atReceiver.reuse(offsets.get(index), room(op));
        }
        return fault;
    }

    /** A completion of the receiver; answers with what is wrong with it, or nothing. */
    String onReceiveEnded(App.Done done) {
        int turn = receivesEnded++;
        if (turn >= (shared == null ? receivesPosted : receives.size())) {
            return name + ": " + done + " is one receive too many";
        }
        if (shared != null) {
            String fault = shared.onEnded(
                    done.wrId(), contents.get(receives.get(turn)), done.status().isSuccess());
            if (!fault.isEmpty()) {
                return name + ": " + fault;
            }
        } else if (done.wrId() != RECEIVE_IDS + receives.get(turn)) {
            return name + ": receive " + turn + " of " + receivesPosted + " posted must end next, but " + done + " did";
        }
        int index = receives.get(turn);
        Op op = ops.get(index);
        if (!done.status().isSuccess()) {
            String fault = onFailure(op, done, hasFailedReceive, WcStatus.LOC_ACCESS_ERR, WcStatus.LOC_LEN_ERR);
            hasFailedReceive = true;
            if (isSend(op) && shared == null) {
                atReceiver.reuse(offsets.get(index), room(op)); // nothing of the message may get there any more
            }
            return fault;
        }
        MemoryRegion region = op.opcode() == WrOpcode.SEND_WITH_INV ? lent.get(index) : null;
        int flags = region != null
                ? WcFlag.WITH_INV
                : op.opcode() == WrOpcode.SEND_WITH_IMM || op.opcode() == WrOpcode.RDMA_WRITE_WITH_IMM
                        ? WcFlag.WITH_IMM
                        : 0;
        App.Done must = new App.Done(
                done.wrId(),
                WcStatus.SUCCESS,
                op.opcode() == WrOpcode.RDMA_WRITE_WITH_IMM ? WcOpcode.RECV_RDMA_WITH_IMM : WcOpcode.RECV,
                op.size(),
                flags != 0 ? carried(index) : 0,
                flags);
        if (region != null && region.isValid()) {
            return name + ": " + done + " has come, but " + region + " is still valid";
        }
        if (hasFailedReceive || op.flaw() != Flaw.NONE || !done.equals(must)) {
            return name + ": " + done + " of " + op + " must be " + must
                    + (hasFailedReceive ? ", but one before it failed" : "");
        }
        if (shared != null && isSend(op)) {
            return "";
        }
        String fault = placed(index, op);
        atReceiver.reuse(offsets.get(index), room(op));
        return fault;
    }

    // The first failure of a stream nobody disturbed names its cause; all later ones are flushed.
    private String onFailure(Op op, App.Done done, boolean isLater, WcStatus ofBadKey, WcStatus ofShortReceive) {
        if (!mayFail) {
            return name + ": " + done + " of " + op + " failed, and nothing in the case says that it may";
        }
        boolean isWrongCause = !isLater
                && done.status() != WcStatus.WR_FLUSH_ERR
                && ((isKeyWrong(op) && done.status() == ofShortReceive)
                        || (op.flaw() == Flaw.SHORT_RECEIVE && done.status() == ofBadKey));
        boolean isUnflushed = isLater && done.status() != WcStatus.WR_FLUSH_ERR;
        return isWrongCause || isUnflushed ? name + ": " + done + " of " + op + " ended with the wrong status" : "";
    }

    private static boolean isKeyWrong(Op op) {
        return op.flaw() == Flaw.BAD_KEY || op.flaw() == Flaw.STALE_KEY || op.flaw() == Flaw.REVOKED_KEY;
    }

    /** What shows in memory before what it has to follow; looked at after every event. */
    String orderFault() {
        String fault = order.fault(sendsEnded);
        return fault.isEmpty() ? "" : name + ": " + fault;
    }

    /** Whether something was posted that has to show after something else. */
    boolean waitsToShow() {
        return order.isWaiting();
    }

    /** Whether every cell is free again; used at the end only, since it takes them. */
    boolean hasAllCells() {
        int sends = 0;
        while (sender.sends().acquire() != null) {
            sends++;
        }
        int free = 0;
        while (shared == null && receiver.receives().acquire() != null) {
            free++;
        }
        return sends == sender.sends().depth()
                && (shared != null || free == receiver.receives().depth());
    }

    // A success means: all bytes are in place, and from now on they stay.
    private String placed(int index, Op op) {
        int offset = offsets.get(index);
        int length = room(op);
        if (!atReceiver.isPlaced(offset, length) || !atSender.isPlaced(offset, length)) {
            return name + ": request " + index + ", " + op + ", is complete but not all of its bytes are in place";
        }
        atReceiver.settle(offset, length);
        atSender.settle(offset, length);
        return "";
    }

    /** Whether everything was posted and has ended. */
    boolean isDone() {
        // A stream that has failed hands back only the shared receives that were its own already.
        boolean areReceivesDone = receivesEnded == receives.size() || (shared != null && hasFailedSend);
        return sendsEnded == ops.size() && areReceivesDone && revocations.isEmpty();
    }

    boolean haveSendsEnded() {
        return sendsEnded == posted;
    }

    boolean haveReceivesEnded() {
        return shared != null || receivesEnded == receivesPosted;
    }

    /** When the next post is due; {@link Long#MAX_VALUE} when none is left. */
    long nextNs() {
        long send = posted < ops.size() ? ops.get(posted).postNs() : Long.MAX_VALUE;
        long receive = receivesPosted < receives.size()
                ? ops.get(receives.get(receivesPosted)).receiveNs()
                : Long.MAX_VALUE;
        long next = Math.min(send, shared == null ? receive : Long.MAX_VALUE);
        for (int index : revocations) {
            next = Math.min(next, ops.get(index).receiveNs());
        }
        return next;
    }

    @Override
    public String toString() {
        return name + ": " + sendsEnded + " of " + posted + " of " + ops.size() + " requests ended, " + receivesEnded
                + " of " + receivesPosted + " of " + receives.size() + " receives";
    }
}
