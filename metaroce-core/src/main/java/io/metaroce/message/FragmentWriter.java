package io.metaroce.message;

import io.metaroce.datagram.Transmit;
import io.metaroce.num.Minifloat;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.MessageHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.SendHeader;
import io.metaroce.wire.WriteHeader;
import java.nio.ByteBuffer;

/** Writes the headers of a slot from what {@link SentFragments} remembers of it, the first time as every other time. */
final class FragmentWriter {
    private final SentFragments sent;
    private final SendBudget budget;
    private final BaseHeader base = new BaseHeader();
    private final MessageHeader message = new MessageHeader();
    private final WriteHeader write = new WriteHeader();
    private final SendHeader send = new SendHeader();

    FragmentWriter(SentFragments sent, SendBudget budget) {
        this.sent = sent;
        this.budget = budget;
    }

    /** Writes the headers; {@code moreFlags} are added to those of the message header. No payload yet. */
    void write(int slot, int moreFlags, Transmit out) {
        // R-PATH-023: everything but Demand and the withdrawal is as it was the first time.
        ByteBuffer buffer = out.header();
        int opcode = sent.opcode[slot];
        base.wrap(buffer, 0).opcode(opcode);
        message.wrap(buffer, 0)
                .streamId(sent.streamId[slot])
                .attempt(sent.attempt[slot])
                .messageFlags(sent.flags[slot] | moreFlags)
                .demand(Minifloat.encodeDemand(budget.queuedBytes()))
                .msn(sent.msn[slot])
                .messageOffset(sent.offset[slot]);
        switch (opcode) {
            case Opcode.WRITE -> writeWrite(slot, buffer);
            case Opcode.WRITE_IMM ->
                writeWrite(slot, buffer).rsn(sent.rsn[slot]).immediate(sent.immediate[slot]);
            case Opcode.SEND -> writeSend(slot, buffer);
            case Opcode.SEND_IMM -> writeSend(slot, buffer).immediate(sent.immediate[slot]);
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

    private SendHeader writeSend(int slot, ByteBuffer buffer) {
        return send.wrap(buffer, 0).rsn(sent.rsn[slot]).messageLength(sent.messageLength[slot]);
    }
}
