package io.metaroce.wire;

import java.util.Locale;

/**
 * What a packet is: the numbers, and one table of what each needs. Packets from 0x20 to 0x3F occupy a slot; those from
 * 0x10 to 0x1F except PROBE are reports and carry an AckSeq; numbers from 0x80 on are for experiments.
 */
public final class Opcode {
    /** Asks for a connection. */
    public static final int CONN_REQ = 0x01;
    /** Asks to repeat the request with a cookie. */
    public static final int CONN_RETRY = 0x02;
    /** Accepts a connection. */
    public static final int CONN_ACCEPT = 0x03;
    /** Refuses a connection. */
    public static final int CONN_REJECT = 0x04;
    /** Tells the responder that its acceptance arrived. */
    public static final int CONN_CONFIRM = 0x05;
    /** Lists the versions of a responder. */
    public static final int VERSION_NEG = 0x06;
    /** Ends a connection. */
    public static final int CLOSE = 0x07;
    /** Answers CLOSE. */
    public static final int CLOSE_ACK = 0x08;
    /** Says that a ConnId is unknown. */
    public static final int RESET = 0x09;
    /** Acknowledges. */
    public static final int ACK = 0x10;
    /** Refuses a message. */
    public static final int NAK = 0x11;
    /** Asks about a path or route. */
    public static final int PROBE = 0x12;
    /** Grants receives when no ACK is due. */
    public static final int CREDIT = 0x15;
    /** Asks about streams. */
    public static final int STREAM_QUERY = 0x16;
    /** Answers STREAM_QUERY. */
    public static final int STREAM_STATUS = 0x17;
    /** Tells that a plane went or came back. */
    public static final int PLANE_STATUS = 0x18;
    /** RDMA write. */
    public static final int WRITE = 0x20;
    /** RDMA write that consumes a receive and delivers four bytes. */
    public static final int WRITE_IMM = 0x21;
    /** Send. */
    public static final int SEND = 0x22;
    /** Send that delivers four more bytes. */
    public static final int SEND_IMM = 0x23;
    /** Send that invalidates a key. */
    public static final int SEND_INV = 0x24;
    /** RDMA read. */
    public static final int READ_REQ = 0x25;
    /** Atomic operation. */
    public static final int ATOMIC_REQ = 0x26;
    /** Data of a read. */
    public static final int READ_RESP = 0x30;
    /** Result of an atomic. */
    public static final int ATOMIC_RESP = 0x31;
    /** End of a read or atomic that failed. */
    public static final int STATUS_RESP = 0x32;
    /** The first number that is free for experiments. */
    public static final int EXPERIMENTS = 0x80;

    private static final String[] NAMES = new String[256];
    private static final int[] HEADER_BYTES = new int[256];
    private static final boolean[] PAYLOAD = new boolean[256];

    static {
        plain(CONN_REQ, "CONN_REQ", ConnectRequest.LENGTH);
        plain(CONN_RETRY, "CONN_RETRY", ConnectRetry.LENGTH);
        plain(CONN_ACCEPT, "CONN_ACCEPT", ConnectAccept.LENGTH);
        plain(CONN_REJECT, "CONN_REJECT", ConnectReject.LENGTH);
        plain(CONN_CONFIRM, "CONN_CONFIRM", ConnectConfirm.LENGTH);
        plain(VERSION_NEG, "VERSION_NEG", VersionNegotiation.LENGTH);
        plain(CLOSE, "CLOSE", CloseHeader.LENGTH);
        plain(CLOSE_ACK, "CLOSE_ACK", CloseHeader.LENGTH);
        plain(RESET, "RESET", ResetHeader.LENGTH);
        plain(ACK, "ACK", AckHeader.LENGTH);
        plain(NAK, "NAK", NakHeader.LENGTH);
        plain(PROBE, "PROBE", ProbeHeader.LENGTH);
        plain(CREDIT, "CREDIT", StreamList.LENGTH);
        plain(STREAM_QUERY, "STREAM_QUERY", StreamQuery.LENGTH);
        plain(STREAM_STATUS, "STREAM_STATUS", StreamList.LENGTH);
        plain(PLANE_STATUS, "PLANE_STATUS", PlaneStatus.LENGTH);
        withPayload(WRITE, "WRITE", WriteHeader.LENGTH);
        withPayload(WRITE_IMM, "WRITE_IMM", WriteHeader.LENGTH_IMMEDIATE);
        withPayload(SEND, "SEND", SendHeader.LENGTH);
        withPayload(SEND_IMM, "SEND_IMM", SendHeader.LENGTH_IMMEDIATE);
        withPayload(SEND_INV, "SEND_INV", SendHeader.LENGTH_INVALIDATE);
        plain(READ_REQ, "READ_REQ", ReadRequestHeader.LENGTH);
        plain(ATOMIC_REQ, "ATOMIC_REQ", AtomicRequestHeader.LENGTH);
        withPayload(READ_RESP, "READ_RESP", ReadResponseHeader.LENGTH);
        plain(ATOMIC_RESP, "ATOMIC_RESP", AtomicResponseHeader.LENGTH);
        plain(STATUS_RESP, "STATUS_RESP", StatusResponseHeader.LENGTH);
    }

    private Opcode() {}

    /** Whether the number means anything; {@code opcode} is 0..255 here and in all questions below. */
    public static boolean isAssigned(int opcode) {
        return HEADER_BYTES[opcode] != 0;
    }

    /** Whether the packet occupies a slot of its path. */
    public static boolean isSlot(int opcode) {
        return (opcode & 0xE0) == 0x20;
    }

    /** Whether the packet is a report, so that its PSN field is an AckSeq. */
    public static boolean isReport(int opcode) {
        return (opcode & 0xF0) == 0x10 && opcode != PROBE;
    }

    /** Whether the packet belongs to the making of a connection: CONN_REQ to VERSION_NEG. */
    public static boolean isHandshake(int opcode) {
        return opcode >= CONN_REQ && opcode <= VERSION_NEG;
    }

    /**
     * Whether the trailer is computed with seed 0, because the two sides have not agreed on one: handshake and RESET.
     */
    public static boolean usesSeedZero(int opcode) {
        return isHandshake(opcode) || opcode == RESET;
    }

    /** Whether handshake parameters are valid among the options: CONN_REQ to CONN_CONFIRM. */
    public static boolean takesParameters(int opcode) {
        return opcode >= CONN_REQ && opcode <= CONN_CONFIRM;
    }

    /** Whether the packet has a chain of options even without flag X: CONN_REQ, CONN_ACCEPT, CONN_REJECT. */
    public static boolean alwaysHasOptions(int opcode) {
        return opcode == CONN_REQ || opcode == CONN_ACCEPT || opcode == CONN_REJECT;
    }

    /** Bytes from the start of the packet to its lists, options or payload; 0 for numbers that are not assigned. */
    public static int headerLength(int opcode) {
        return HEADER_BYTES[opcode];
    }

    /** Whether data may follow. */
    public static boolean hasPayload(int opcode) {
        return PAYLOAD[opcode];
    }

    /** Whether the message consumes a posted receive, so that the packet carries an RSN. */
    public static boolean consumesReceive(int opcode) {
        return opcode >= WRITE_IMM && opcode <= SEND_INV;
    }

    /** The name as in the specification, for people. */
    public static String name(int opcode) {
        return isAssigned(opcode) ? NAMES[opcode] : String.format(Locale.ROOT, "0x%02X", opcode);
    }

    private static void plain(int opcode, String name, int headerBytes) {
        NAMES[opcode] = name;
        HEADER_BYTES[opcode] = headerBytes;
    }

    private static void withPayload(int opcode, String name, int headerBytes) {
        plain(opcode, name, headerBytes);
        PAYLOAD[opcode] = true;
    }
}
