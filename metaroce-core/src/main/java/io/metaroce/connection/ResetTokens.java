package io.metaroce.connection;

import io.metaroce.param.Secret;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The tokens that prove a RESET: HMAC-SHA256 of a connection number under a key that outlives the endpoint, cut to 128
 * bits. So whoever comes back after a restart knows what it announced before, without having kept anything.
 */
public final class ResetTokens {
    private static final int LENGTH = 16;

    private final Mac mac;

    /** The tokens of the endpoint whose key this is. */
    public ResetTokens(Secret endpointKey) {
        try {
            mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(endpointKey.bytes(), "HmacSHA256"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime has no HmacSHA256, which every one must have", e);
        }
    }

    /** The token of one connection number. */
    public byte[] of(int connId) {
        byte[] input = ByteBuffer.allocate(Integer.BYTES).putInt(connId).array();
        return Arrays.copyOf(mac.doFinal(input), LENGTH);
    }
}
