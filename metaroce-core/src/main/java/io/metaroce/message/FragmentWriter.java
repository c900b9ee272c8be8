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

/** Writes the headers of a slot from what {@link SentFragments} remembers of it, the first time as every other time. */
final class FragmentWriter {
    private final SentFragments sent;
    private final BaseHeader base = new BaseHeader();
    private final MessageHeader message = new MessageHeader();
    private final WriteHeader write = new WriteHeader();
    private final SendHeader send = new SendHeader();
    private final ReadRequestHeader read = new ReadRequestHeader();
    private final AtomicRequestHeader atomic = new AtomicRequestHeader();

    FragmentWriter(SentFragments sent) {
        this.sent = sent;
    }

    /** Writes the headers; {@code moreFlags} are added to those of the message header. No payload yet. */
    void write(long nowNs, Streams of, int slot, int moreFlags, Transmit out) {
        // R-PATH-023: everything but Demand, the hint of a Read and the withdrawal is as it was the first time.
        ByteBuffer buffer = out.header();
        int opcode = sent.opcode[slot];
        base.wrap(buffer, 0).opcode(opcode);
        message.wrap(buffer, 0)
                .begin(
                        sent.streamId[slot],
                        sent.attempt[slot],
                        sent.flags[slot] | moreFlags,
                        Minifloat.encodeDemand(of.budget.queuedBytes()))
                .msn(sent.msn[slot])
                .messageOffset(sent.offset[slot]);
        switch (opcode) {
            case Opcode.WRITE -> writeWrite(slot, buffer);
            case Opcode.WRITE_IMM ->
                writeWrite(slot, buffer).rsn(sent.rsn[slot]).immediate(sent.immediate[slot]);
            case Opcode.SEND -> writeSend(slot, buffer);
            case Opcode.SEND_IMM -> writeSend(slot, buffer).immediate(sent.immediate[slot]);
            case Opcode.SEND_INV -> writeSend(slot, buffer).invalidateRkey(sent.immediate[slot]);
            case Opcode.READ_REQ -> writeRead(nowNs, of.port.reads(), slot, buffer);
            case Opcode.ATOMIC_REQ -> writeAtomic(slot, buffer);
            default -> {
                assert false : "slot " + slot + " carries " + Opcode.name(opcode);
            }
        }
        out.headerLength(Opcode.headerLength(opcode));
        out.noPayload();
    }

    private WriteHeader writeWrite(int slot, ByteBuffer buffer) {
        return write.wrap(buffer, 0)
                .rkey(sent.rkey[slot])
                .messageLength(sent.messageLength[slot])
                .remoteAddress(sent.remoteAddress[slot]);
    }

    private void writeRead(long nowNs, ConnectionPort.@Nullable Reads reads, int slot, ByteBuffer buffer) {
        // R-HINT-008: the request carries the share that its answer may use, the one of now each time.
        read.wrap(buffer, 0)
                .rkey(sent.rkey[slot])
                .length(sent.messageLength[slot])
                .remoteAddress(sent.remoteAddress[slot])
                .rdTag(sent.rsn[slot])
                .rateHint(reads == null ? 0 : reads.hint(nowNs))
                .hintSeq(reads == null ? 0 : reads.lastReport());
    }

    private void writeAtomic(int slot, ByteBuffer buffer) {
        atomic.wrap(buffer, 0)
                .rkey(sent.rkey[slot])
                .atTag(sent.rsn[slot])
                .remoteAddress(sent.remoteAddress[slot])
                .op(sent.immediate[slot])
                .size(sent.messageLength[slot])
                .operandA(sent.operandA[slot])
                .operandB(sent.operandB[slot]);
    }

    private SendHeader writeSend(int slot, ByteBuffer buffer) {
        return send.wrap(buffer, 0).rsn(sent.rsn[slot]).messageLength(sent.messageLength[slot]);
    }
}
