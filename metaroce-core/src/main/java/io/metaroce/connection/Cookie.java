package io.metaroce.connection;

import io.metaroce.datagram.Address;
import io.metaroce.num.Entropy;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proof that an initiator receives at the address it advertises, without any state at the responder: HMAC-SHA256, cut
 * to 128 bits, over address, connection id, nonce and a clock of 8 seconds.
 */
public final class Cookie {
    /** Length of a cookie in bytes. */
    public static final int LENGTH = 16;

    private static final long TICK_NS = 8_000_000_000L;
    private static final int KEY_BYTES = 32;
    private static final int INPUT_BYTES = 1 + 8 + 8 + 2 + 4 + 8 + 8;

    private final Mac mac;

    /** A source of cookies with a key of its own. */
    public Cookie(Entropy entropy) {
        ByteBuffer key = ByteBuffer.allocate(KEY_BYTES);
        while (key.hasRemaining()) {
            key.putLong(entropy.nextLong());
        }
        try {
            mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.array(), "HmacSHA256"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime has no HmacSHA256, which every one must have", e);
        }
    }

    /** The cookie for a request that arrives now. */
    public byte[] make(long nowNs, Address advertised, int initConnId, long nonce) {
        return compute(nowNs / TICK_NS, advertised, initConnId, nonce);
    }

    /** Whether {@code cookie} was made for such a request in this tick of the clock or in the one before. */
    public boolean isValid(byte[] cookie, long nowNs, Address advertised, int initConnId, long nonce) {
        long tick = nowNs / TICK_NS;
        // R-CONN-001: only a request that brings a valid cookie back makes state.
        return MessageDigest.isEqual(cookie, compute(tick, advertised, initConnId, nonce))
                || MessageDigest.isEqual(cookie, compute(tick - 1, advertised, initConnId, nonce));
    }

    private byte[] compute(long tick, Address address, int initConnId, long nonce) {
        ByteBuffer input = ByteBuffer.allocate(INPUT_BYTES);
        input.put((byte) address.family())
                .putLong(address.high())
                .putLong(address.low())
                .putShort((short) address.port())
                .putInt(initConnId)
                .putLong(nonce)
                .putLong(tick);
        return Arrays.copyOf(mac.doFinal(input.array()), LENGTH);
    }
}
