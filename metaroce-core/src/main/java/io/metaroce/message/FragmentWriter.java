package io.metaroce.message;

import io.metaroce.connection.ConnectionPort;
import io.metaroce.datagram.Transmit;
import io.metaroce.num.Minifloat;
import io.metaroce.wire.AtomicRequestHeader;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.MessageHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.ReadRequestHeader;
import io.metaroce.wire.SendHeader;
import io.metaroce.wire.WriteHeader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Writes the headers of a slot from what {@link SentFragment} remembers of it, the first time as every other time. */
final class FragmentWriter {
    private final BaseHeader base = new BaseHeader();
    private final MessageHeader message = new MessageHeader();
    private final WriteHeader write = new WriteHeader();
    private final SendHeader send = new SendHeader();
    private final ReadRequestHeader read = new ReadRequestHeader();
    private final AtomicRequestHeader atomic = new AtomicRequestHeader();

    /** Writes the headers; {@code moreFlags} are added to those of the message header. No payload yet. */
    void write(long nowNs, Streams of, SentFragment sent, int moreFlags, Transmit out) {
        // R-PATH-023: everything but Demand, the hint of a Read and the withdrawal is as it was the first time.
        ByteBuffer buffer = out.header();
        int opcode = sent.opcode;
        base.wrap(buffer, 0).opcode(opcode);
        message.wrap(buffer, 0)
                .write(
                        sent.streamId,
                        sent.attempt,
                        sent.flags | moreFlags,
                        Minifloat.encodeDemand(of.budget.queuedBytes()),
                        sent.msn,
                        sent.offset);
        switch (opcode) {
            case Opcode.WRITE -> writeWrite(sent, buffer);
            case Opcode.WRITE_IMM -> writeWrite(sent, buffer).rsn(sent.rsn).immediate(sent.immediate);
            case Opcode.SEND -> writeSend(sent, buffer);
            case Opcode.SEND_IMM -> writeSend(sent, buffer).immediate(sent.immediate);
            case Opcode.SEND_INV -> writeSend(sent, buffer).invalidateRkey(sent.immediate);
            case Opcode.READ_REQ -> writeRead(nowNs, of.port.reads(), sent, buffer);
            case Opcode.ATOMIC_REQ -> writeAtomic(sent, buffer);
            default -> {
                assert false : "a request carries " + Opcode.name(opcode);
            }
        }
        out.headerLength(Opcode.headerLength(opcode));
        out.noPayload();
    }

    private WriteHeader writeWrite(SentFragment sent, ByteBuffer buffer) {
        return write.wrap(buffer, 0).write(sent.rkey, sent.messageLength, sent.remoteAddress);
    }

    private void writeRead(long nowNs, ConnectionPort.@Nullable Reads reads, SentFragment sent, ByteBuffer buffer) {
        // R-HINT-008: the request carries the share that its answer may use, the one of now each time.
        read.wrap(buffer, 0)
                .rkey(sent.rkey)
                .length(sent.messageLength)
                .remoteAddress(sent.remoteAddress)
                .rdTag(sent.rsn)
                .rateHint(reads == null ? 0 : reads.hint(nowNs))
                .hintSeq(reads == null ? 0 : reads.lastReport());
    }

    private void writeAtomic(SentFragment sent, ByteBuffer buffer) {
        atomic.wrap(buffer, 0)
                .rkey(sent.rkey)
                .atTag(sent.rsn)
                .remoteAddress(sent.remoteAddress)
                .op(sent.immediate)
                .size(sent.messageLength)
                .operandA(sent.operandA)
                .operandB(sent.operandB);
    }

    private SendHeader writeSend(SentFragment sent, ByteBuffer buffer) {
        return send.wrap(buffer, 0).rsn(sent.rsn).messageLength(sent.messageLength);
    }
}
