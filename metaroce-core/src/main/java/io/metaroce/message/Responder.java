package io.metaroce.message;

import io.metaroce.connection.ConnectionPort;
import io.metaroce.connection.PacketSink.Urgency;
import io.metaroce.memory.Placement;
import io.metaroce.memory.PlacementFault;
import io.metaroce.num.Bits;
import io.metaroce.param.StreamError;
import io.metaroce.queue.Fences;
import io.metaroce.queue.ReceiveCell;
import io.metaroce.queue.WcFlag;
import io.metaroce.queue.WcOpcode;
import io.metaroce.queue.WcStatus;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import io.metaroce.wire.MessageHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs arriving requests to their end. Every packet is placed on arrival, whatever else is missing; messages complete
 * in MSN order. A message that cannot be carried out fails the stream when all before it are complete, so the outcome
 * does not depend on the order of arrival.
 */
final class Responder {
    /** What to do next with a packet. */
    private enum Step {
        FIND_STREAM,
        CHECK_ATTEMPT,
        FIND_RECEIVE,
        CHECK_LENGTH,
        CHECK_WITHDRAWN,
        PLACE,
        KEEP,
        STASH,
        COUNT,
        COMPLETE,
        REFUSE,
        DONE
    }

    private final Flusher flusher;
    private final Placement placement;
    private final Scatter scatter;
    private final Execution execution;
    private final Counters counters;

    // The packet being run; FIND_STREAM comes before every other step.
    @SuppressWarnings("NullAway.Init")
    private Stream stream;

    private @Bits(32) int msn;
    private int at; // place of its message in the window
    private Urgency urgency = Urgency.ORDINARY;

    Responder(Flusher flusher, Placement placement, Scatter scatter, Execution execution, Counters counters) {
        this.flusher = flusher;
        this.placement = placement;
        this.scatter = scatter;
        this.execution = execution;
        this.counters = counters;
    }

    /** Runs a packet to its end. The order of the steps is normative: a packet may break several rules at once. */
    Urgency accept(long nowNs, Streams streams, PacketView packet) {
        urgency = Urgency.ORDINARY;
        Step step = Step.FIND_STREAM;
        while (step != Step.DONE) {
            step = switch (step) {
                case FIND_STREAM -> findStream(nowNs, streams, packet);
                case CHECK_ATTEMPT -> checkAttempt(nowNs, packet); // R-SEND-005, R-SEND-008
                case FIND_RECEIVE -> findReceive(nowNs, packet); // R-SEND-001
                case CHECK_LENGTH -> checkLength(packet); // R-SEND-007, R-HDR-015
                case CHECK_WITHDRAWN -> checkWithdrawn(nowNs, packet); // R-MEM-005
                case PLACE -> place(packet); // R-MEM-002, R-SEND-002
                case KEEP -> keep(packet); // R-READ-004
                case STASH -> stash(packet); // R-ORD-011
                case COUNT -> count(packet);
                case COMPLETE -> complete(nowNs, packet); // R-ORD-002
                case REFUSE -> refuse(nowNs, packet, msn); // R-SEND-004
                case DONE -> step;
            };
        }
        return urgency;
    }

    private static boolean isOrdered(PacketView packet) {
        return (packet.message().messageFlags() & MessageHeader.ORDERED) != 0;
    }

    /** Whether the packet may be ordered, if it is: as a Write, all of it, where that was agreed. */
    private boolean isOrderKept(PacketView packet) {
        boolean isWhole = packet.message().messageOffset() == 0 && packet.messageLength() == packet.payloadLength();
        return !isOrdered(packet)
                || (stream.all.stash != null
                        && packet.opcode() == Opcode.WRITE
                        && (isWhole || packet.message().isWithdrawn()));
    }

    private Step findStream(long nowNs, Streams streams, PacketView packet) {
        Stream found = streams.find(packet.message().streamId());
        if (found == null) {
            streams.news.stranger(packet.message().streamId());
            urgency = Urgency.AT_ONCE;
            return Step.DONE;
        }
        stream = found;
        if (stream.isFailed()) {
            // R-ERR-003: whoever still sends on a failed stream is told once more.
            stream.all.news.renew(stream);
            return Step.DONE;
        }
        msn = packet.message().msn();
        OpenMessages messages = stream.messages;
        // Complete already: an attempt that a refusal out of date has caused. Or nobody waits for it any more.
        if (messages.isComplete(msn) || messages.fault.covers(msn) || stream.receives.isEnded()) {
            return Step.DONE;
        }
        // R-ORD-007: the peer has begun more messages than it was allowed.
        if (messages.isBeyond(msn)) {
            return failNow(nowNs, StreamError.INV_REQ);
        }
        at = messages.at(msn);
        return Step.CHECK_ATTEMPT;
    }

    private Step checkAttempt(long nowNs, PacketView packet) {
        OpenMessages messages = stream.messages;
        int attempt = packet.message().attempt();
        if (messages.phase[at] == OpenMessages.REFUSED) {
            // R-SEND-008: what belongs to a refused attempt is dropped, even if a buffer was posted meanwhile.
            if (attempt == messages.attempt[at]) {
                return Step.DONE;
            }
            if (attempt == ((messages.attempt[at] + 1) & 7)) {
                messages.restart(at, attempt);
            }
        }
        if (attempt != messages.attempt[at]) {
            stream.all.port.protocolError(nowNs, StreamError.PROTO);
            return Step.DONE;
        }
        if (!isOrderKept(packet)) {
            return fail(StreamError.INV_REQ, WcStatus.WR_FLUSH_ERR);
        }
        if (messages.phase[at] == OpenMessages.UNSEEN) {
            return Opcode.consumesReceive(packet.opcode()) ? Step.FIND_RECEIVE : Step.CHECK_LENGTH;
        }
        boolean isSame = packet.opcode() == messages.opcode[at]
                && packet.messageLength() == messages.length[at]
                && packet.rsn() == messages.rsn[at];
        return isSame ? Step.CHECK_LENGTH : fail(StreamError.INV_REQ, WcStatus.WR_FLUSH_ERR);
    }

    private Step findReceive(long nowNs, PacketView packet) {
        // R-SEND-001: RSN n lands in the n-th posted receive, whatever else is missing.
        if (!stream.receives.isPosted(packet.rsn()) || !isSupplied(nowNs, packet)) {
            return Step.REFUSE;
        }
        return stream.receives.bind(packet.rsn(), msn)
                ? Step.CHECK_LENGTH
                : fail(StreamError.INV_REQ, WcStatus.WR_FLUSH_ERR);
    }

    /** Sees to it that a shared receive is there for the message; false when they have run out. */
    private boolean isSupplied(long nowNs, PacketView packet) {
        int rsn = packet.rsn();
        if (!stream.receives.needsShared(rsn)) {
            return true;
        }
        // R-SEND-012: the first packet of a message takes the next shared receive.
        ReceiveCell cell = stream.receiveQueue.takeShared();
        if (cell == null) {
            cell = takeBack(nowNs, packet);
        }
        if (cell == null) {
            return false;
        }
        stream.receives.supply(rsn, cell);
        return true;
    }

    /** The shared receive of the last message behind this one, which is refused instead; null if there is none. */
    private @Nullable ReceiveCell takeBack(long nowNs, PacketView packet) {
        int last = stream.receives.lastAfter(packet.rsn());
        if (last == packet.rsn()) {
            return null;
        }
        // R-SEND-014: later messages cannot complete before this one; if they held all receives, nothing would move.
        refuse(nowNs, packet, stream.receives.boundMsn(last));
        return stream.receives.takeBack(last);
    }

    private Step checkLength(PacketView packet) {
        long length = Integer.toUnsignedLong(packet.messageLength());
        if (length > stream.all.terms.own.messageBytesMax()) {
            return fail(StreamError.INV_REQ, WcStatus.WR_FLUSH_ERR);
        }
        // R-SEND-007: a Send that is longer than its receive places nothing at all.
        if (isSend(packet) && length > stream.receives.cell(packet.rsn()).lengthBytes()) {
            return fail(StreamError.INV_REQ, WcStatus.LOC_LEN_ERR);
        }
        if (packet.message().isWithdrawn()) {
            return Step.CHECK_WITHDRAWN;
        }
        if (fetches(packet.opcode())) {
            // One packet is all there is of a Read or atomic.
            boolean isWhole = packet.message().messageOffset() == 0 && stream.messages.phase[at] == OpenMessages.UNSEEN;
            return isWhole ? Step.KEEP : fail(StreamError.INV_REQ, WcStatus.WR_FLUSH_ERR);
        }
        OpenMessages messages = stream.messages;
        long placed = Integer.toUnsignedLong(messages.placed[at]) + packet.payloadLength();
        // R-HDR-015: nothing reaches beyond the message; and no byte comes twice.
        boolean fits = placed <= length
                && !messages.isWhole(at)
                && Segmenter.isWellCut(
                        packet.messageLength(),
                        packet.message().messageOffset(),
                        packet.payloadLength(),
                        stream.all.terms.payloadBytes());
        return fits ? Step.CHECK_WITHDRAWN : fail(StreamError.INV_REQ, WcStatus.WR_FLUSH_ERR);
    }

    private Step checkWithdrawn(long nowNs, PacketView packet) {
        // R-MEM-005: a withdrawn packet places nothing. Of a live attempt it says that the requester gave the stream
        // up.
        if (packet.message().isWithdrawn()) {
            return failNow(nowNs, StreamError.ABORT);
        }
        return isOrdered(packet) && msn != stream.messages.next() ? Step.STASH : Step.PLACE;
    }

    private Step place(PacketView packet) {
        int length = packet.payloadLength();
        // R-MEM-008: without bytes there is no key check and no access.
        if (length == 0) {
            return Step.COUNT;
        }
        if (isSend(packet)) {
            // R-SEND-002: on arrival, wherever in the message it belongs.
            PlacementFault fault = scatter.place(
                    stream.domain,
                    stream.receives.cell(packet.rsn()),
                    Integer.toUnsignedLong(packet.message().messageOffset()),
                    packet.buffer(),
                    packet.payloadOffset(),
                    length);
            return fault == PlacementFault.NONE ? Step.COUNT : fail(StreamError.OP_ERR, WcStatus.LOC_PROT_ERR);
        }
        if (isOrdered(packet)) {
            Fences.release(); // R-ORD-011: also to those who only look at the memory
        }
        // R-MEM-002: key, domain, permission and bounds are checked before the first byte.
        PlacementFault fault = placement.place(
                stream.domain,
                packet.write().rkey(),
                packet.write().remoteAddress(),
                packet.buffer(),
                packet.payloadOffset(),
                length);
        if (fault == PlacementFault.NONE) {
            return Step.COUNT;
        }
        // R-MEM-003: nothing of the packet is placed, and the requester hears of it.
        counters.increment(Counter.ACCESS_ERRORS);
        return fail(StreamError.REM_ACCESS, WcStatus.LOC_ACCESS_ERR);
    }

    /** Remembers a Read or atomic until its turn in the stream. */
    private Step keep(PacketView packet) {
        int kept = stream.all.answers().keep(stream, packet);
        if (kept == AnswerQueue.NONE) {
            return fail(StreamError.INV_REQ, WcStatus.WR_FLUSH_ERR);
        }
        OpenMessages messages = stream.messages;
        messages.phase[at] = OpenMessages.PLACED;
        messages.opcode[at] = (byte) packet.opcode();
        messages.rsn[at] = kept;
        return Step.COMPLETE;
    }

    /** Keeps an ordered Write until its turn in the stream. */
    private Step stash(PacketView packet) {
        int kept = agreedStash().keep(stream, packet);
        // More than ORDERED_STASH at once: the peer has broken the limit.
        if (kept == OrderedStash.NONE) {
            return fail(StreamError.INV_REQ, WcStatus.WR_FLUSH_ERR);
        }
        Step then = count(packet);
        stream.messages.phase[at] = OpenMessages.STASHED;
        stream.messages.rsn[at] = kept;
        return then;
    }

    private Step count(PacketView packet) {
        OpenMessages messages = stream.messages;
        counters.add(Counter.RX_PAYLOAD_BYTES, packet.payloadLength());
        if (messages.phase[at] == OpenMessages.UNSEEN) {
            messages.phase[at] = OpenMessages.OPEN;
            messages.opcode[at] = (byte) packet.opcode();
            messages.flags[at] = (byte) packet.message().messageFlags();
            messages.length[at] = packet.messageLength();
            messages.rsn[at] = packet.rsn();
            messages.immediate[at] =
                    packet.opcode() == Opcode.SEND_INV ? packet.send().invalidateRkey() : packet.immediate();
        }
        messages.placed[at] += packet.payloadLength();
        if (messages.placed[at] != messages.length[at]) {
            return Step.DONE;
        }
        messages.phase[at] = OpenMessages.PLACED;
        return Step.COMPLETE;
    }

    /** Completes the messages whose turn has come. */
    private Step complete(long nowNs, PacketView packet) {
        OpenMessages messages = stream.messages;
        int before = messages.next();
        // R-ORD-001: as soon as all bytes of a message and all messages before it are there, in whatever order they
        // came.
        while (messages.isWhole(messages.atNext()) && completeFirst()) {
            messages.advance();
        }
        if (messages.next() != before) {
            stream.all.news.renew(stream);
            if (packet.message().demand() == 0) {
                urgency = Urgency.AT_ONCE;
            }
        }
        failIfDue(nowNs);
        return Step.DONE;
    }

    /** Executes the first message, or completes its receive; false when that cannot be done. */
    private boolean completeFirst() {
        OpenMessages messages = stream.messages;
        if (messages.phase[messages.atNext()] == OpenMessages.STASHED) {
            return placeStashed();
        }
        if (!fetches(messages.opcode[messages.atNext()])) {
            return completeReceive();
        }
        // R-READ-001, R-ATOM-001, R-ORD-004: executed once, in its turn: all earlier messages are in memory, no later
        // Read or atomic has been executed.
        StreamError error = execution.run(stream.all.answers(), messages.rsn[messages.atNext()]);
        if (error != StreamError.NONE) {
            messages.fault.note(messages.next(), error, WcStatus.WR_FLUSH_ERR);
        }
        return error == StreamError.NONE;
    }

    private OrderedStash agreedStash() {
        return Objects.requireNonNull(stream.all.stash, "nothing was agreed on ordered writes");
    }

    /** Places the first message, an ordered Write; false when that cannot be done. */
    private boolean placeStashed() {
        OpenMessages messages = stream.messages;
        OrderedStash stash = agreedStash();
        int first = messages.atNext();
        int kept = messages.rsn[first];
        int length = messages.length[first];
        // R-ORD-011: everything before it is in memory; only now does it show.
        Fences.release();
        PlacementFault fault = length == 0
                ? PlacementFault.NONE
                : placement.place(
                        stream.domain,
                        stash.rkey(kept),
                        stash.address(kept),
                        stash.payload(),
                        stash.payloadOffset(kept),
                        length);
        stash.release(kept);
        if (fault != PlacementFault.NONE) {
            counters.increment(Counter.ACCESS_ERRORS);
            messages.fault.note(messages.next(), StreamError.REM_ACCESS, WcStatus.LOC_ACCESS_ERR);
        }
        return fault == PlacementFault.NONE;
    }

    /**
     * Completes the receive of the first message if it consumes one; false when the peer numbers its messages wrongly.
     */
    private boolean completeReceive() {
        OpenMessages messages = stream.messages;
        int first = messages.atNext();
        int opcode = messages.opcode[first];
        if (!Opcode.consumesReceive(opcode)) {
            return true;
        }
        if (messages.rsn[first] != stream.receives.next()) {
            messages.fault.note(messages.next(), StreamError.INV_REQ, WcStatus.WR_FLUSH_ERR);
            return false;
        }
        boolean hasImmediate = opcode == Opcode.WRITE_IMM || opcode == Opcode.SEND_IMM;
        boolean invalidates = opcode == Opcode.SEND_INV;
        if (invalidates && placement.invalidate(stream.domain, messages.immediate[first]) != PlacementFault.NONE) {
            counters.increment(Counter.ACCESS_ERRORS);
            messages.fault.note(messages.next(), StreamError.REM_ACCESS, WcStatus.LOC_ACCESS_ERR);
            return false;
        }
        boolean isSolicited = (messages.flags[first] & MessageHeader.SOLICITED) != 0;
        // R-ORD-002: receives complete in MSN order.
        stream.receiveQueue.complete(
                stream.receives.finish(),
                opcode == Opcode.WRITE_IMM ? WcOpcode.RECV_RDMA_WITH_IMM : WcOpcode.RECV,
                messages.length[first],
                messages.immediate[first],
                (hasImmediate ? WcFlag.WITH_IMM : 0)
                        | (invalidates ? WcFlag.WITH_INV : 0)
                        | (isSolicited ? WcFlag.SOLICITED : 0));
        return true;
    }

    /** No receive is there for a message: this attempt at it is dropped for good. */
    private Step refuse(long nowNs, PacketView packet, int refused) {
        OpenMessages messages = stream.messages;
        int place = messages.at(refused);
        messages.phase[place] = OpenMessages.REFUSED;
        // R-SEND-004: the slot is consumed all the same; the refusal travels at once, and in every update.
        stream.all.port.refuse(
                nowNs,
                new ConnectionPort.Refusal(
                        StreamError.RNR,
                        stream.id,
                        refused,
                        messages.attempt[place],
                        stream.receives.limit(),
                        packet.base().pathId(),
                        packet.base().psn(),
                        stream.credits.policy().delayNs()));
        stream.all.news.renew(stream);
        urgency = Urgency.AT_ONCE;
        return Step.DONE;
    }

    /** The message cannot be carried out; the stream fails at it when all before it are complete. */
    private Step fail(StreamError error, WcStatus ofReceive) {
        stream.messages.fault.note(msn, error, ofReceive);
        urgency = Urgency.AT_ONCE;
        return Step.COMPLETE;
    }

    private void failIfDue(long nowNs) {
        OpenMessages messages = stream.messages;
        if (messages.fault.isAt(messages.next())) {
            urgency = Urgency.AT_ONCE;
            flusher.fail(nowNs, stream, WcStatus.WR_FLUSH_ERR, messages.fault.error());
        }
    }

    /** The stream cannot go on at all. */
    private Step failNow(long nowNs, StreamError error) {
        urgency = Urgency.AT_ONCE;
        flusher.fail(nowNs, stream, WcStatus.WR_FLUSH_ERR, error);
        return Step.DONE;
    }

    private static boolean isSend(PacketView packet) {
        int opcode = packet.opcode();
        return opcode == Opcode.SEND || opcode == Opcode.SEND_IMM || opcode == Opcode.SEND_INV;
    }

    private static boolean fetches(int opcode) {
        return opcode == Opcode.READ_REQ || opcode == Opcode.ATOMIC_REQ;
    }
}
