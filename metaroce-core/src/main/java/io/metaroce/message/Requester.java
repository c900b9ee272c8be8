package io.metaroce.message;

import io.metaroce.datagram.Transmit;
import io.metaroce.memory.PlacementFault;
import io.metaroce.num.Deadline;
import io.metaroce.param.StreamError;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.wire.AtomicRequestHeader;
import io.metaroce.wire.MessageHeader;
import io.metaroce.wire.Opcode;
import org.jspecify.annotations.Nullable;

/**
 * Turns work requests into packets. Looking for the next packet runs the stream whose turn it is through the steps;
 * only {@link #fill} changes anything.
 */
final class Requester {
    /** What to do next in the search for a packet. */
    private enum Step {
        FETCH,
        CHECK_FENCE,
        CHECK_CREDIT,
        CHECK_MESSAGE,
        SEGMENT,
        EMIT,
        NOTHING
    }

    private final SentFragments sent;
    private final Gather gather;
    private final FragmentWriter writer;
    private final StreamTimers timers;
    private final Flusher flusher;

    // What peekLength has found.
    private @Nullable Stream pickedStream;
    private int pickedMsn;
    private int pickedOpcode;
    private int pickedLength;
    private int pickedCut;

    Requester(SentFragments sent, Gather gather, StreamTimers timers, Flusher flusher) {
        this.sent = sent;
        this.gather = gather;
        this.writer = new FragmentWriter();
        this.timers = timers;
        this.flusher = flusher;
    }

    // ---------------------------------------------------------------- the next packet

    /** Length of the next request packet, trailer included, or 0. */
    int peekLength(long nowNs, Streams streams) {
        if (!streams.terms.isStarted()) {
            return 0;
        }
        ReadyStreams ready = streams.ready;
        for (Stream stream = ready.first(); stream != null; stream = ready.first()) {
            if (search(nowNs, stream) == Step.EMIT) {
                pickedStream = stream;
                return Opcode.headerLength(pickedOpcode) + pickedLength + Transmit.TRAILER_BYTES;
            }
            ready.removeFirst();
        }
        return 0;
    }

    /** Runs the steps for one stream: to a packet, or to the reason why there is none. */
    private Step search(long nowNs, Stream stream) {
        Step step = Step.FETCH;
        while (step != Step.EMIT && step != Step.NOTHING) {
            step = switch (step) {
                case FETCH -> fetch(nowNs, stream);
                case CHECK_FENCE -> checkFence(stream); // R-ORD-005
                case CHECK_CREDIT -> checkCredit(nowNs, stream); // R-SEND-003, R-ORD-007, R-READ-004
                case CHECK_MESSAGE -> checkMessage(nowNs, stream); // R-CONN-008
                case SEGMENT -> segment(nowNs, stream); // R-HDR-014
                case EMIT, NOTHING -> step;
            };
        }
        return step;
    }

    /** Which message the next packet belongs to: the one being cut, a refused one whose time has come, or the next. */
    private Step fetch(long nowNs, Stream stream) {
        if (stream.cursor.isCutting()) {
            pickedMsn = stream.cursor.msn();
            pickedOpcode = stream.cursor.opcode();
            return stream.cursor.stop.covers(pickedMsn) ? Step.NOTHING : Step.SEGMENT;
        }
        SendWindow sends = stream.sends;
        if (stream.isFailed() || sends.outstanding() == 0) {
            return Step.NOTHING;
        }
        // R-ORD-008: nothing is sent on a stream that the peer has not announced open.
        if (!stream.credits.isAnnounced()) {
            return heldByPeer(nowNs, stream);
        }
        if (stream.cursor.refused() > 0 && findRetry(nowNs, stream)) {
            return Step.CHECK_MESSAGE;
        }
        pickedMsn = sends.started();
        boolean isThere = pickedMsn != sends.fetched() && !stream.cursor.stop.covers(pickedMsn);
        return isThere ? Step.CHECK_FENCE : Step.NOTHING;
    }

    /** Picks the first refused message that may be tried again; arms the timer if only time is missing. */
    private boolean findRetry(long nowNs, Stream stream) {
        SendWindow sends = stream.sends;
        long earliestNs = Deadline.NEVER;
        for (int msn = sends.settled(); msn != sends.started(); msn++) {
            int at = sends.at(msn);
            // R-SEND-009: not before every slot of the refused attempt is acknowledged.
            if (sends.phase[at] != SendWindow.REFUSED || sends.slotsOut[at] > 0 || stream.cursor.stop.covers(msn)) {
                continue;
            }
            // R-SEND-010: not before a credit covers it or the delay has passed.
            // R-SEND-013: where shared receives ran out a credit says nothing.
            boolean isCovered = !sends.needsDelay(at) && stream.credits.covers(sends.rsn[at]);
            if (isCovered || nowNs >= sends.retryAtNs(at)) {
                pickedMsn = msn;
                return true;
            }
            earliestNs = Math.min(earliestNs, sends.retryAtNs(at));
        }
        if (earliestNs != Deadline.NEVER) {
            timers.retryAt(stream, earliestNs);
        }
        return false;
    }

    private Step checkFence(Stream stream) {
        // R-ORD-005: a fenced request waits until everything that earlier ones fetch has come.
        boolean isHeld = stream.sends.cell(pickedMsn).isFenced() && stream.cursor.unanswered() > 0;
        return isHeld ? Step.NOTHING : Step.CHECK_CREDIT;
    }

    private Step checkCredit(long nowNs, Stream stream) {
        WrOpcode opcode = stream.sends.cell(pickedMsn).opcode();
        if (opcode.consumesReceive() && !stream.credits.allowsNext()) {
            return heldByPeer(nowNs, stream);
        }
        if (opcode.fetches()) {
            if (!stream.all.awaited.isOffered()) {
                return stopAt(nowNs, stream, pickedMsn, WcStatus.LOC_QP_OP_ERR);
            }
            if (!stream.all.awaited.allowsOne()) {
                return Step.NOTHING;
            }
        }
        SendCell cell = stream.sends.cell(pickedMsn);
        if (cell.isOrdered()) {
            OrderedBudget ordered = stream.all.ordered;
            // R-ORD-011: only a Write of one packet, only where both sides have agreed, and no more than the peer
            // keeps.
            if (!ordered.isOffered()
                    || opcode != WrOpcode.RDMA_WRITE
                    || cell.lengthBytes() > stream.all.terms.packetBytesMax()) {
                return stopAt(nowNs, stream, pickedMsn, WcStatus.LOC_QP_OP_ERR);
            }
            if (!ordered.allowsOne()) {
                return Step.NOTHING;
            }
        }
        return stream.all.budget.allowsOpening() ? Step.CHECK_MESSAGE : Step.NOTHING;
    }

    private Step heldByPeer(long nowNs, Stream stream) {
        stream.cursor.holdByPeer();
        timers.watch(nowNs, stream);
        return Step.NOTHING;
    }

    /** Before anything of a message leaves, all of it is looked at, so that a bad entry shows in time. */
    private Step checkMessage(long nowNs, Stream stream) {
        stream.cursor.releaseByPeer();
        SendCell cell = stream.sends.cell(pickedMsn);
        pickedOpcode = OutOpcode.of(cell.opcode());
        if (cell.lengthBytes() > stream.all.terms.peerMessageBytesMax()) {
            // R-CONN-008: never longer than the peer accepts.
            return stopAt(nowNs, stream, pickedMsn, WcStatus.LOC_LEN_ERR);
        }
        if (cell.opcode().fetches()) {
            return checkFetch(nowNs, stream, cell);
        }
        if (stream.all.terms.holds(cell.lengthBytes())) {
            return Step.NOTHING;
        }
        boolean isReadable = gather.check(stream.domain, cell, 0, cell.lengthBytes()) == PlacementFault.NONE;
        return isReadable ? Step.SEGMENT : stopAt(nowNs, stream, pickedMsn, WcStatus.LOC_PROT_ERR);
    }

    /** How much the packet carries, and where that lies: the application may have taken it away meanwhile. */
    private Step segment(long nowNs, Stream stream) {
        SendWindow sends = stream.sends;
        SendCell cell = sends.cell(pickedMsn);
        int offset = sends.sentBytes[sends.at(pickedMsn)];
        // R-HDR-014: one size for the whole attempt, whatever is found out about routes meanwhile.
        pickedCut = stream.cursor.isCutting() ? stream.cursor.cutBytes() : stream.all.terms.cutBytes();
        pickedLength = Segmenter.fragmentLength((int) cell.lengthBytes(), offset, pickedCut);
        if (stream.all.terms.isTooLong(pickedLength)) {
            return stopAt(nowNs, stream, pickedMsn, WcStatus.RETRY_EXC_ERR);
        }
        boolean isThere = gather.find(stream.domain, cell, offset, pickedLength) == PlacementFault.NONE;
        return isThere ? Step.EMIT : stopAt(nowNs, stream, pickedMsn, WcStatus.LOC_PROT_ERR);
    }

    /** A Read or atomic carries nothing; what it fetches must have a place of its own. */
    private Step checkFetch(long nowNs, Stream stream, SendCell cell) {
        pickedLength = 0;
        if (cell.opcode().isAtomic() && cell.lengthBytes() != Long.BYTES) {
            return stopAt(nowNs, stream, pickedMsn, WcStatus.LOC_LEN_ERR);
        }
        boolean isWritable = !cell.isInline() && gather.checkWritable(stream.domain, cell) == PlacementFault.NONE;
        return isWritable ? Step.EMIT : stopAt(nowNs, stream, pickedMsn, WcStatus.LOC_PROT_ERR);
    }

    /** A message cannot be sent: the stream ends there once everything before it is complete. */
    private Step stopAt(long nowNs, Stream stream, int msn, WcStatus status) {
        stream.cursor.stop.note(msn, StreamError.ABORT, status);
        if (stream.cursor.stop.isAt(stream.sends.done())) {
            flusher.fail(nowNs, stream, status, StreamError.ABORT);
        }
        return Step.NOTHING;
    }

    /** Writes the packet that {@link #peekLength} has found. */
    void fill(long nowNs, int slot, Transmit out) {
        Stream stream = pickedStream;
        assert stream != null : "nothing was announced";
        if (stream == null) {
            return;
        }
        pickedStream = null;
        begin(stream);
        SendWindow sends = stream.sends;
        int at = sends.at(pickedMsn);
        SendCell cell = sends.cell(pickedMsn);
        boolean fetches = cell.opcode().fetches();
        SentFragment fragment = sent.at(slot);
        remember(stream, fragment, cell, at);
        if (fetches) {
            rememberFetch(stream, fragment, cell);
        }
        sends.sentBytes[at] += fetches ? (int) cell.lengthBytes() : pickedLength;
        sends.slotsOut[at]++;
        stream.all.budget.addQueued(-pickedLength);
        if (sends.sentBytes[at] == (int) cell.lengthBytes()) {
            sends.phase[at] = SendWindow.SENT;
            stream.cursor.end();
        }
        writer.write(nowNs, stream.all, fragment, 0, out);
        if (!fetches) {
            gather.fill(stream.domain, cell, fragment.offset, pickedLength, out);
        }
        stream.all.ready.sent();
    }

    /** Begins the picked message, or its next attempt, if it has not been begun. */
    private void begin(Stream stream) {
        if (stream.cursor.isCutting()) {
            return;
        }
        SendWindow sends = stream.sends;
        if (pickedMsn == sends.started()) {
            stream.all.budget.opened();
            if (sends.cell(pickedMsn).opcode().consumesReceive()) {
                sends.rsn[sends.at(pickedMsn)] = stream.credits.take();
            }
            if (sends.cell(pickedMsn).isOrdered()) {
                stream.all.ordered.opened(stream);
            }
            sends.start();
        } else {
            stream.cursor.addRefused(-1);
            sends.restart(pickedMsn);
        }
        stream.cursor.begin(pickedMsn, pickedOpcode, pickedCut);
    }

    private void remember(Stream stream, SentFragment fragment, SendCell cell, int at) {
        SendWindow sends = stream.sends;
        int offset = sends.sentBytes[at];
        fragment.streamId = stream.id;
        fragment.opcode = (byte) pickedOpcode;
        fragment.attempt = (byte) (sends.attempts(at) & 7);
        fragment.flags = (byte)
                ((cell.isSolicited() ? MessageHeader.SOLICITED : 0) | (cell.isOrdered() ? MessageHeader.ORDERED : 0));
        fragment.msn = pickedMsn;
        fragment.offset = offset;
        fragment.payload = pickedLength;
        fragment.messageLength = (int) cell.lengthBytes();
        fragment.remoteAddress = cell.remoteAddress() + Integer.toUnsignedLong(offset);
        fragment.rkey = cell.rkey();
        fragment.rsn = sends.rsn[at];
        fragment.immediate = cell.opcode() == WrOpcode.SEND_WITH_INV ? cell.invalidateRkey() : cell.immediate();
    }

    private void rememberFetch(Stream stream, SentFragment fragment, SendCell cell) {
        WrOpcode opcode = cell.opcode();
        fragment.rsn =
                stream.all.awaited.open(stream, pickedMsn, (int) cell.lengthBytes(), opcode == WrOpcode.RDMA_READ);
        fragment.immediate = switch (opcode) {
            case ATOMIC_FETCH_AND_ADD -> AtomicRequestHeader.FAA;
            case ATOMIC_SWP -> AtomicRequestHeader.SWAP;
            default -> AtomicRequestHeader.CAS;
        };
        fragment.operandA = opcode == WrOpcode.ATOMIC_SWP ? cell.swap() : cell.compareAdd();
        fragment.operandB = opcode == WrOpcode.ATOMIC_CMP_AND_SWP ? cell.swap() : 0;
    }

    // ---------------------------------------------------------------- a packet once more

    /** Writes the packet of a slot again; false when its message has been settled meanwhile. */
    boolean refill(long nowNs, Streams streams, int slot, Transmit out) {
        SentFragment fragment = sent.at(slot);
        Stream stream = streams.find(fragment.streamId);
        if (stream == null) {
            return false;
        }
        int msn = fragment.msn;
        if (stream.isFailed()) {
            return withdraw(nowNs, streams, fragment, out);
        }
        // R-LOSS-013: what NextMSN has settled is not read again.
        // R-ACK-011: the message is complete at the peer, so the slot has been accepted.
        if (!stream.sends.isOpen(msn)) {
            return false;
        }
        SendWindow sends = stream.sends;
        if (sends.phase[sends.at(msn)] == SendWindow.REFUSED) {
            return withdraw(nowNs, streams, fragment, out);
        }
        SendCell cell = sends.cell(msn);
        int length = fragment.payload;
        if (streams.terms.isTooLong(length)) {
            // R-PATH-029: no route carries it any more. While earlier messages go on it is tried all the same.
            Step unused = stopAt(nowNs, stream, msn, WcStatus.RETRY_EXC_ERR);
            if (stream.isFailed()) {
                return withdraw(nowNs, streams, fragment, out);
            }
        }
        writer.write(nowNs, stream.all, fragment, 0, out);
        if (cell.opcode().fetches()) {
            return true;
        }
        if (gather.find(stream.domain, cell, fragment.offset, length) != PlacementFault.NONE) {
            // The application has taken the memory away under a request that is under way.
            flusher.fail(nowNs, stream, WcStatus.LOC_PROT_ERR, StreamError.ABORT);
            return withdraw(nowNs, streams, fragment, out);
        }
        gather.fill(stream.domain, cell, fragment.offset, length, out);
        return true;
    }

    private boolean withdraw(long nowNs, Streams of, SentFragment fragment, Transmit out) {
        // R-LOSS-012: the slot is filled, but its attempt or stream is dead and its memory is not ours any more.
        writer.write(nowNs, of, fragment, MessageHeader.WITHDRAWN, out);
        return true;
    }

    // ---------------------------------------------------------------- what comes back

    /** The slot has been acknowledged. */
    void acked(long nowNs, Streams streams, int slot) {
        SentFragment fragment = sent.at(slot);
        Stream stream = streams.find(fragment.streamId);
        fragment.clear();
        int msn = fragment.msn;
        if (stream == null || stream.isFailed() || !stream.sends.isOpen(msn)) {
            return;
        }
        SendWindow sends = stream.sends;
        int at = sends.at(msn);
        sends.slotsOut[at]--;
        if (sends.slotsOut[at] > 0) {
            return;
        }
        if (sends.phase[at] == SendWindow.REFUSED) {
            stream.all.ready.wake(stream);
        } else {
            timers.delivered(nowNs, stream);
        }
    }
}
