package io.metaroce.udp;

import io.metaroce.num.Entropy;
import java.security.SecureRandom;

/**
 * Randomness nobody can foresee: it comes from the system's secure generator, so that an identifier a peer has seen
 * says nothing about the next one. Nor do draws for one purpose say anything about those for another: all splits are
 * one, which thousands of connections share.
 */
final class SystemEntropy implements Entropy {
    // One call of the generator costs about a microsecond whatever it returns, so it is asked for a block.
    private static final int BLOCK_LONGS = 16;

    private final SecureRandom random = new SecureRandom();
    private final byte[] block = new byte[BLOCK_LONGS * Long.BYTES];
    private int unread;

    @Override
    public long nextLong() {
        if (unread == 0) {
            random.nextBytes(block);
            unread = BLOCK_LONGS;
        }
        unread--;
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = (value << 8) | (block[unread * Long.BYTES + i] & 0xFF);
        }
        return value;
    }

    @Override
    public Entropy split(String label, long id) {
        return this;
    }
}
