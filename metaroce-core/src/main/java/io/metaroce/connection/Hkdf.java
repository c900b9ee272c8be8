package io.metaroce.connection;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HKDF with SHA-256 (RFC 5869): many keys from one secret. */
final class Hkdf {
    private static final String HMAC = "HmacSHA256";
    private static final int HASH_BYTES = 32;

    private Hkdf() {}

    /** Condenses a secret into a key from which others are drawn. */
    static byte[] extract(byte[] salt, byte[] secret) {
        return mac(salt.length == 0 ? new byte[HASH_BYTES] : salt).doFinal(secret);
    }

    /** Draws {@code bytes} bytes, at most 8160, for one purpose. */
    static byte[] expand(byte[] key, byte[] purpose, int bytes) {
        byte[] out = new byte[bytes];
        byte[] block = new byte[0];
        Mac mac = mac(key);
        for (int at = 0, number = 1; at < bytes; at += HASH_BYTES, number++) {
            mac.update(block);
            mac.update(purpose);
            block = mac.doFinal(new byte[] {(byte) number});
            System.arraycopy(block, 0, out, at, Math.min(HASH_BYTES, bytes - at));
        }
        Arrays.fill(block, (byte) 0);
        return out;
    }

    private static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime has no HmacSHA256, which every one must have", e);
        }
    }
}
