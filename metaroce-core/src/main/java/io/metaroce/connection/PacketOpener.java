package io.metaroce.connection;

import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Transmit;
import io.metaroce.num.Allowance;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.SecuredHeader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Decrypts what arrives on one connection: the keys of its phase, its counter, its tag. */
final class PacketOpener {
    /** Phases of which every packet may be lost before the two sides part. */
    static final int PHASES_AHEAD_MAX = Byte.MAX_VALUE;

    private static final int GUESSES_PER_SECOND = 8;
    private static final int THREAD_SHIFT = 56;

    private final PhaseKeys keys;
    private final PacketCipher cipher = new PacketCipher();
    private final SecuredHeader header = new SecuredHeader();
    private final ReplayWindow window = new ReplayWindow();
    private int phase;
    private PhaseKeys.Pair current;
    private PhaseKeys.@Nullable Pair previous;
    private PhaseKeys.@Nullable Pair next;
    private PhaseKeys.@Nullable Pair far; // as far ahead as farAhead says
    private int farAhead;
    private final Allowance guesses = new Allowance(GUESSES_PER_SECOND);

    PacketOpener(PhaseKeys keys) {
        this.keys = keys;
        current = keys.phase(0);
    }

    /**
     * Lays {@code inner} over the packet that {@code arrived} secures, decrypted into {@code plain}.
     *
     * @return why it was dropped, or null
     */
    @Nullable
    DropReason open(long nowNs, Datagram arrived, ByteBuffer plain, Datagram inner) {
        ByteBuffer in = arrived.buffer();
        header.wrap(in, arrived.offset());
        long counter = header.counter();
        int ahead = (byte) (header.keyPhase() - phase);
        boolean isGuess = ahead > 1 && (far == null || farAhead != ahead);
        // R-SEC-006: whoever has no keys cannot make this side derive many.
        if (isGuess && !guesses.take(nowNs)) {
            return DropReason.RATE_LIMITED;
        }
        PhaseKeys.Pair pair = keysAt(ahead);
        if (pair == null || counter >>> THREAD_SHIFT != 0) {
            return DropReason.INTEGRITY;
        }
        // R-SEC-005: a packet that was seen before changes nothing but a counter.
        if (!window.isFresh(counter)) {
            return DropReason.REPLAY;
        }
        int position = in.position();
        int limit = in.limit();
        in.limit(arrived.offset() + arrived.length()).position(arrived.offset() + SecuredHeader.LENGTH);
        plain.clear();
        boolean genuine = cipher.decrypt(pair, header, in, plain);
        in.limit(limit).position(position);
        if (!genuine) {
            return DropReason.INTEGRITY;
        }
        if (isGuess) {
            guesses.giveBack();
        }
        window.accept(counter);
        turnTo(ahead, pair);
        int length = plain.position();
        plain.clear();
        if (header.isMarked()) {
            plain.put(0, (byte) (plain.get(0) | BaseHeader.M));
        }
        inner.insteadOf(arrived, plain, length + Transmit.TRAILER_BYTES);
        return null;
    }

    private PhaseKeys.@Nullable Pair keysAt(int ahead) {
        if (ahead == 0) {
            return current;
        }
        if (ahead == -1) {
            return previous;
        }
        if (ahead < 0 || ahead > PHASES_AHEAD_MAX) {
            return null;
        }
        if (ahead == 1) {
            // Derived once a phase, whoever asks first.
            next = next == null ? keys.phase(phase + 1) : next;
            return next;
        }
        if (far == null || farAhead != ahead) {
            far = keys.phase(phase + ahead);
            farAhead = ahead;
        }
        return far;
    }

    /** The peer has changed its keys: those before last are forgotten. */
    private void turnTo(int ahead, PhaseKeys.Pair pair) {
        if (ahead > 0) {
            previous = ahead == 1 ? current : keys.phase(phase + ahead - 1);
            current = pair;
            next = null;
            far = null;
            phase += ahead;
        }
    }
}
