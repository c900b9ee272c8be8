package io.metaroce.connection;

import io.metaroce.datagram.Route;
import io.metaroce.datagram.TrafficClass;
import io.metaroce.datagram.Transmit;
import io.metaroce.num.Deadline;
import io.metaroce.param.LivenessConfig;
import io.metaroce.wire.CloseHeader;
import io.metaroce.wire.Opcode;

/** The closing packets of one connection: the own CLOSE with its repetitions, and answers to the peer's. */
final class Closing {
    private static final long RETRY_NS = 50_000_000;
    private static final int NO_PLANE = -1;
    private static final long PENDING_RETRY_NS = 100_000_000;

    private final LivenessConfig config;
    private final Agreement agreement;
    private final Seal seal;
    private final CloseHeader header;
    private long resendAtNs = Deadline.NEVER;
    private int code;
    private int flags;
    private int tries;
    private int plane = NO_PLANE; // of the last packet
    private boolean peerPending;
    private boolean answerWanted;
    private int answerCode;
    private int answerFlags;
    private int answerId;

    Closing(LivenessConfig config, Agreement agreement, Seal seal, Scratch scratch) {
        this.config = config;
        this.agreement = agreement;
        this.seal = seal;
        this.header = scratch.close;
    }

    /** Starts to ask the peer to close. */
    void ask(long nowNs, int closeCode, int closeFlags) {
        code = closeCode;
        flags = closeFlags;
        tries = 0;
        peerPending = false;
        resendAtNs = nowNs;
    }

    /** The peer's CLOSE is to be answered. */
    void answer(CloseHeader close, Finality finality) {
        answerCode = close.code();
        answerId = close.closeId();
        answerFlags = finality == Finality.PENDING ? CloseHeader.PENDING : 0;
        answerWanted = true;
    }

    /** The answer given last is to be given again, as final. */
    void answerFinally() {
        answerFlags = 0;
        answerWanted = true;
    }

    /** Whether the answerer still has work. */
    enum Finality {
        /** Still draining. */
        PENDING,
        /** Done. */
        FINAL
    }

    /** The peer answered that it still drains: patience. */
    void onPending(long nowNs) {
        peerPending = true;
        resendAtNs = nowNs + PENDING_RETRY_NS;
    }

    /** No further CLOSE is sent. */
    void stopAsking() {
        resendAtNs = Deadline.NEVER;
    }

    /** Whether the peer has not answered any of the tries. */
    boolean isExhausted(long nowNs) {
        return !peerPending && tries >= config.closeTries() && nowNs >= resendAtNs;
    }

    /** Whether a packet should leave now. */
    boolean isDue(long nowNs) {
        return answerWanted || (nowNs >= resendAtNs && !isExhausted(nowNs));
    }

    /** Writes what is due to one of {@code planes}, another one each time; false when there is none. */
    boolean write(long nowNs, int planes, Transmit out) {
        if (planes == 0 || !isDue(nowNs)) {
            return false;
        }
        plane = next(planes, plane);
        if (answerWanted) {
            answerWanted = false;
            write(out, Opcode.CLOSE_ACK, answerCode, answerFlags, answerId);
            return true;
        }
        // R-CONN-010: a lost CLOSE or CLOSE_ACK is repaired by repetition.
        resendAtNs = nowNs + (peerPending ? PENDING_RETRY_NS : RETRY_NS << Math.min(tries, 10));
        tries++;
        write(out, Opcode.CLOSE, code, flags, agreement.localId());
        return true;
    }

    /** When a CLOSE is due again. */
    long deadlineNs() {
        return resendAtNs;
    }

    private void write(Transmit out, int opcode, int closeCode, int closeFlags, int closeId) {
        Seal.blank(out, CloseHeader.LENGTH);
        header.wrap(out.header(), 0).code(closeCode).flags(closeFlags).closeId(closeId);
        seal.begin(out, opcode).dstConnId(agreement.peerId());
        out.trafficClass(TrafficClass.CONTROL);
        out.route(new Route(plane, Route.SERVICE, agreement.planes().get(plane)));
        seal.close(out, agreement.sendSeed());
    }

    private static int next(int planes, int last) {
        int above = planes & -(1 << (last + 1));
        return Integer.numberOfTrailingZeros(above != 0 ? above : planes);
    }
}
