package io.metaroce.capture;

import io.metaroce.datagram.Datagram;
import io.metaroce.num.Minifloat;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.PathBlock;
import io.metaroce.wire.SecuredHeader;

/** Says in a line of JSON what a packet says, without its payload. */
final class PacketWords {
    private static final int WORD_BITS = 64;

    private final PacketView view = new PacketView();
    private final JsonLine line;

    PacketWords(JsonLine line) {
        this.line = line;
    }

    /** Adds the keys of one packet. */
    void write(Datagram datagram) {
        line.put("bytes", datagram.length());
        if (SecuredHeader.begins(datagram)) {
            line.put("packet", "secured");
            return;
        }
        DropReason fault = view.open(datagram);
        if (fault == null) {
            fault = view.parse();
        }
        if (fault != null) {
            line.put("packet", "unreadable").put("reason", fault.label());
            return;
        }
        int opcode = view.opcode();
        line.put("packet", Opcode.name(opcode)).id("to", view.base().dstConnId());
        if (Opcode.isSlot(opcode) || opcode == Opcode.PROBE) {
            line.put("path", view.base().pathId())
                    .put("epoch", view.base().pathEpoch())
                    .number32("psn", view.base().psn());
        }
        if (Opcode.isSlot(opcode)) {
            slot(opcode);
        } else if (opcode == Opcode.ACK) {
            acknowledgement();
        } else if (opcode == Opcode.NAK) {
            line.put("code", view.nak().code())
                    .put("stream", view.nak().streamId())
                    .number32("msn", view.nak().msn());
        }
    }

    private void slot(int opcode) {
        line.put("resent", (view.base().flags() & BaseHeader.R) != 0);
        if (opcode >= Opcode.WRITE && opcode <= Opcode.ATOMIC_REQ) {
            line.put("stream", view.message().streamId())
                    .number32("msn", view.message().msn())
                    .number32("offset", view.message().messageOffset());
        }
        line.put("payload_bytes", view.payloadLength());
    }

    private void acknowledgement() {
        int hint = view.ack().rateHint();
        if (hint != Minifloat.HINT_NONE) {
            line.put("hint_bytes_per_s", Minifloat.decodeHint(hint));
        }
        line.beginArray("blocks");
        for (int i = 0; i < view.pathBlockCount(); i++) {
            PathBlock block = view.pathBlock(i);
            line.beginElement()
                    .put("path", block.pathId())
                    .number32("cum_psn", block.cumPsn())
                    .put("missing", missing(block))
                    .number32("received", block.rxPackets())
                    .put("marked", block.cePackets())
                    .put("duplicates", block.duplicates())
                    .endElement();
        }
        line.endArray();
    }

    /** Slots that have not come although later ones of their path have, as far as the block tells. */
    private static int missing(PathBlock block) {
        int highest = -1;
        int present = 0;
        for (int word = 0; word < block.words(); word++) {
            long bits = block.bitmapWord(word);
            present += Long.bitCount(bits);
            if (bits != 0) {
                highest = word * WORD_BITS + WORD_BITS - 1 - Long.numberOfLeadingZeros(bits);
            }
        }
        return highest + 1 - present;
    }
}
