package io.metaroce.compliance.lt;

import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the tester's memory and streams make of requests: bytes are placed, messages counted, NextMSN moved. */
public final class Responder {
    private final byte[] memory;
    private final long base;
    private final Map<Integer, Stream> streams = new TreeMap<>();
    private final List<Packet> queries = new ArrayList<>();

    /** One stream as its receiver sees it. */
    public static final class Stream {
        private final int id;
        private final Map<Integer, Message> open = new HashMap<>();
        private int nextMsn;
        private int rsnLimit;
        private int flags = OPEN | LIMIT_VALID;
        private int code;
        private boolean isHeld;

        Stream(int id) {
            this.id = id;
        }

        /** NextMSN as it is told. */
        public int nextMsn() {
            return nextMsn;
        }

        /** Grants receives up to this number. */
        public Stream limit(int rsn) {
            rsnLimit = rsn;
            return this;
        }

        /** Says that the next message is refused in this attempt, until {@link #clear}. */
        public Stream refuse(int attempt) {
            flags |= REFUSED;
            code = attempt;
            return this;
        }

        /** Says that the next message failed. */
        public Stream fail(int error) {
            flags |= FAILED;
            code = error;
            return this;
        }

        /** Withdraws refusal and failure. */
        public Stream clear() {
            flags &= ~(REFUSED | FAILED);
            code = 0;
            return this;
        }

        /** Keeps NextMSN where it is, whatever arrives, until it is let go. */
        public Stream hold(boolean value) {
            isHeld = value;
            settle();
            return this;
        }

        private void settle() {
            while (!isHeld && open.containsKey(nextMsn) && open.get(nextMsn).isComplete()) {
                open.remove(nextMsn++);
            }
        }

        Fields update() {
            return new Fields()
                    .put("stream_id", id)
                    .put("flags", flags)
                    .put("code", code)
                    .put("next_msn", nextMsn & 0xFFFF_FFFFL)
                    .put("rsn_limit", rsnLimit & 0xFFFF_FFFFL);
        }
    }

    private static final class Message {
        private int attempt = -1;
        private long got;
        private long total = -1;

        boolean isComplete() {
            return total >= 0 && got >= total;
        }
    }

    static final int REFUSED = 0x80;
    static final int FAILED = 0x40;
    static final int LIMIT_VALID = 0x20;
    static final int OPEN = 0x10;

    Responder(long base, int bytes) {
        this.base = base;
        memory = new byte[bytes];
    }

    /** The stream of this id. */
    public Stream stream(int id) {
        return streams.computeIfAbsent(id, Stream::new);
    }

    /** News of all streams that were used. */
    List<Fields> updates() {
        return streams.values().stream().map(Stream::update).toList();
    }

    /** The tester's memory. */
    public byte[] memory() {
        return memory;
    }

    /** Requests for reads and atomics that wait to be answered. */
    public List<Packet> queries() {
        return queries;
    }

    /** A new slot was accepted. */
    void take(Packet packet) {
        if (!packet.fields().has("msn")) {
            return;
        }
        Stream stream = stream((int) packet.get("stream_id"));
        Message message = stream.open.computeIfAbsent(packet.int32("msn"), msn -> new Message());
        int attempt = (int) packet.get("attempt");
        boolean isWithdrawn = (packet.get("message_flags") & 2) != 0;
        if (packet.int32("msn") - stream.nextMsn < 0) {
            stream.open.remove(packet.int32("msn"));
            return;
        }
        boolean isRefused =
                (stream.flags & REFUSED) != 0 && packet.int32("msn") == stream.nextMsn && attempt == stream.code;
        if (isWithdrawn || isRefused || (stream.flags & FAILED) != 0) {
            return;
        }
        if (attempt != message.attempt) {
            message.attempt = attempt;
            message.got = 0;
        }
        message.got += packet.payloadLength();
        switch (packet.name()) {
            case "WRITE", "WRITE_IMM" -> {
                message.total = packet.get("message_length");
                place(packet.get("remote_address"), packet.payload());
            }
            case "READ_REQ", "ATOMIC_REQ" -> {
                message.total = 0;
                queries.add(packet);
            }
            default -> message.total = packet.get("message_length");
        }
        stream.settle();
    }

    private void place(long address, byte[] payload) {
        long offset = address - base;
        if (offset >= 0 && offset + payload.length <= memory.length) {
            System.arraycopy(payload, 0, memory, (int) offset, payload.length);
        }
    }
}
