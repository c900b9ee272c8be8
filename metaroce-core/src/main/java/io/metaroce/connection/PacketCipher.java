package io.metaroce.connection;

import io.metaroce.wire.SecuredHeader;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * AES-128-GCM as the Java runtime offers it, one object per direction of a connection. The object is kept; that it must
 * be given its nonce in new small objects for every packet, and allocates inside, is how that interface is made.
 */
final class PacketCipher {
    private static final int TAG_BITS = 8 * SecuredHeader.TAG_LENGTH;
    private static final int NONCE_BYTES = 12;

    private final Cipher cipher;
    private final byte[] nonce = new byte[NONCE_BYTES];
    private final byte[] covered = new byte[SecuredHeader.LENGTH];

    PacketCipher() {
        try {
            cipher = Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime has no AES/GCM, which every one must have", e);
        }
    }

    /** Encrypts both ranges, one after the other, and puts ciphertext and tag at the position of {@code out}. */
    void encrypt(PhaseKeys.Pair keys, SecuredHeader header, ByteBuffer first, ByteBuffer second, ByteBuffer out) {
        try {
            begin(Cipher.ENCRYPT_MODE, keys, header);
            cipher.update(first, out);
            cipher.doFinal(second, out);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a packet that was built to be encrypted cannot be", e);
        }
    }

    /** Decrypts to the position of {@code out}; false when the tag is wrong, and then nothing in it means anything. */
    boolean decrypt(PhaseKeys.Pair keys, SecuredHeader header, ByteBuffer in, ByteBuffer out) {
        try {
            begin(Cipher.DECRYPT_MODE, keys, header);
            cipher.doFinal(in, out);
            return true;
        } catch (AEADBadTagException e) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a packet whose length was checked cannot be decrypted", e);
        }
    }

    private void begin(int mode, PhaseKeys.Pair keys, SecuredHeader header) throws GeneralSecurityException {
        keys.nonce(header.counter(), nonce);
        cipher.init(mode, keys.key(), new GCMParameterSpec(TAG_BITS, nonce));
        header.covered(covered);
        cipher.updateAAD(covered);
    }
}
