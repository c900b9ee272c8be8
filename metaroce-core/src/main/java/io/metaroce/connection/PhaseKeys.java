package io.metaroce.connection;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.crypto.spec.SecretKeySpec;

/** The keys of one direction of a secured connection, one pair of key and IV for each phase. */
final class PhaseKeys {
    private static final int KEY_BYTES = 16;
    private static final int IV_BYTES = 12;

    private final byte[] secret;
    private final byte[] label;

    private PhaseKeys(byte[] secret, String sender) {
        this.secret = secret;
        this.label = ("metaroce aead-1 " + sender).getBytes(StandardCharsets.US_ASCII);
    }

    /** Who encrypts with the keys. */
    enum Sender {
        INITIATOR,
        RESPONDER
    }

    /** The keys that follow from a pre-shared key and what was said in the handshake. */
    static PhaseKeys of(byte[] presharedKey, byte[] transcript, Sender sender) {
        byte[] secret = Hkdf.extract(transcript, presharedKey);
        return switch (sender) {
            case INITIATOR -> new PhaseKeys(secret, "initiator");
            case RESPONDER -> new PhaseKeys(secret, "responder");
        };
    }

    /** The keys of a phase, counted from 0. */
    Pair phase(int number) {
        byte[] purpose = ByteBuffer.allocate(label.length + Integer.BYTES)
                .put(label)
                .putInt(number)
                .array();
        byte[] bytes = Hkdf.expand(secret, purpose, KEY_BYTES + IV_BYTES);
        return new Pair(
                new SecretKeySpec(bytes, 0, KEY_BYTES, "AES"),
                Arrays.copyOfRange(bytes, KEY_BYTES, KEY_BYTES + IV_BYTES));
    }

    /** A key, and what the nonces of its packets are made of. */
    static final class Pair {
        private final SecretKeySpec key;
        private final byte[] iv;

        Pair(SecretKeySpec key, byte[] iv) {
            this.key = key;
            this.iv = iv;
        }

        SecretKeySpec key() {
            return key;
        }

        /** Writes the nonce of the packet with this counter: the IV, its last eight bytes combined with the counter. */
        void nonce(long counter, byte[] into) {
            System.arraycopy(iv, 0, into, 0, IV_BYTES);
            for (int i = 0; i < Long.BYTES; i++) {
                into[IV_BYTES - 1 - i] ^= (byte) (counter >>> (8 * i));
            }
        }
    }
}
