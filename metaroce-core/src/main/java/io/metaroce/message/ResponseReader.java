package io.metaroce.message;

import io.metaroce.connection.PacketSink.Urgency;
import io.metaroce.memory.PlacementFault;
import io.metaroce.num.Bits;
import io.metaroce.param.StreamError;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.WcStatus;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.StatusResponseHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Runs responses to the end: finds the request they belong to, checks, places, counts, completes. */
final class ResponseReader {
    private final Scatter scatter;
    private final SendFinisher finisher;
    private final ResponseWatch watch;
    private final Counters counters;
    private final ByteBuffer word = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
    // The response being run; accept comes before every other step.
    @SuppressWarnings("NullAway.Init")
    private AwaitedResponses awaited;

    private @Bits(18) int at; // place of the request that the packet belongs to

    ResponseReader(Scatter scatter, SendFinisher finisher, ResponseWatch watch, Counters counters) {
        this.scatter = scatter;
        this.finisher = finisher;
        this.watch = watch;
        this.counters = counters;
    }

    /** Runs a response whose slot was just accepted. */
    Urgency accept(long nowNs, Streams streams, PacketView packet) {
        awaited = streams.awaited;
        return switch (packet.opcode()) {
            case Opcode.READ_RESP -> onRead(nowNs, streams, packet);
            case Opcode.ATOMIC_RESP -> onAtomic(nowNs, packet);
            default -> onStatus(nowNs, packet.statusResponse());
        };
    }

    private Urgency onRead(long nowNs, Streams streams, PacketView packet) {
        if (!find(packet.readResponse().rdTag())) {
            return Urgency.ORDINARY;
        }
        if (packet.readResponse().status() != 0) {
            return failed(nowNs, StreamError.of(packet.readResponse().status()));
        }
        int length = packet.payloadLength();
        int offset = packet.readResponse().offset();
        long came = Integer.toUnsignedLong(awaited.came[at]) + length;
        // R-READ-007: a response that does not fit places nothing.
        boolean fits = awaited.isRead(at)
                && packet.readResponse().totLen() == awaited.length[at]
                && came <= Integer.toUnsignedLong(awaited.length[at])
                && Segmenter.isWellCut(awaited.length[at], offset, length, streams.terms.payloadBytes());
        if (!fits) {
            return spoilt(nowNs, WcStatus.BAD_RESP_ERR);
        }
        Stream stream = awaited.stream(at);
        // R-READ-002: placed by tag and offset, in whatever order it comes.
        PlacementFault fault = length == 0
                ? PlacementFault.NONE
                : scatter.place(
                        stream.domain,
                        cell(),
                        Integer.toUnsignedLong(offset),
                        packet.buffer(),
                        packet.payloadOffset(),
                        length);
        if (fault != PlacementFault.NONE) {
            return spoilt(nowNs, WcStatus.LOC_PROT_ERR);
        }
        counters.add(Counter.RX_PAYLOAD_BYTES, length);
        awaited.came[at] += length;
        streams.demand.add(nowNs, stream, -length);
        if (awaited.came[at] == awaited.length[at]) {
            answered(nowNs);
            return packet.readResponse().demand() == 0 ? Urgency.AT_ONCE : Urgency.ORDINARY;
        }
        watch.look(nowNs, stream);
        return Urgency.ORDINARY;
    }

    private Urgency onAtomic(long nowNs, PacketView packet) {
        if (!find(packet.atomicResponse().atTag())) {
            return Urgency.ORDINARY;
        }
        if (packet.atomicResponse().status() != 0) {
            return failed(nowNs, StreamError.of(packet.atomicResponse().status()));
        }
        if (awaited.isRead(at)) {
            return spoilt(nowNs, WcStatus.BAD_RESP_ERR);
        }
        word.putLong(0, packet.atomicResponse().original());
        PlacementFault fault = scatter.place(awaited.stream(at).domain, cell(), 0, word, 0, Long.BYTES);
        if (fault != PlacementFault.NONE) {
            return spoilt(nowNs, WcStatus.LOC_PROT_ERR);
        }
        answered(nowNs);
        return Urgency.AT_ONCE;
    }

    private Urgency onStatus(long nowNs, StatusResponseHeader status) {
        if (!find(status.tag())) {
            return Urgency.ORDINARY;
        }
        boolean fits = awaited.isRead(at) == (status.kind() == StatusResponseHeader.READ) && status.code() != 0;
        return fits ? failed(nowNs, StreamError.of(status.code())) : spoilt(nowNs, WcStatus.BAD_RESP_ERR);
    }

    /** Finds the request a response belongs to; false when nobody waits for it. */
    private boolean find(int tag) {
        at = awaited.find(tag);
        if (at == AwaitedResponses.NONE) {
            counters.increment(Counter.UNKNOWN_RESPONSES);
            return false;
        }
        Stream stream = awaited.stream(at);
        return !stream.isFailed() && !stream.cursor.stop.covers(awaited.msn[at]);
    }

    private SendCell cell() {
        return awaited.stream(at).sends.cell(awaited.msn[at]);
    }

    private void answered(long nowNs) {
        Stream stream = awaited.stream(at);
        stream.sends.isAnswered[stream.sends.at(awaited.msn[at])] = true;
        if (awaited.close(at)) {
            stream.all.wakeAll();
        }
        if (finisher.finish(nowNs, stream) && stream.sends.outstanding() > 0) {
            stream.all.ready.wake(stream);
        }
    }

    /** The peer cannot answer the request. */
    private Urgency failed(long nowNs, StreamError error) {
        // R-READ-005: what cannot be finished ends with a status.
        return spoilt(nowNs, Statuses.ofRequester(error));
    }

    /** The request cannot be completed; the stream fails there when everything before it is complete. */
    private Urgency spoilt(long nowNs, WcStatus status) {
        Stream stream = awaited.stream(at);
        stream.cursor.stop.note(awaited.msn[at], StreamError.ABORT, status);
        finisher.finish(nowNs, stream);
        return Urgency.AT_ONCE;
    }
}
