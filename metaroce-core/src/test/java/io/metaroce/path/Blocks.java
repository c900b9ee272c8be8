package io.metaroce.path;

import io.metaroce.wire.PathBlock;
import java.nio.ByteBuffer;

/** Path blocks for tests, over memory of their own. */
final class Blocks {
    private Blocks() {}

    /** An empty block. */
    static PathBlock empty() {
        return new PathBlock().wrap(ByteBuffer.allocate(PathBlock.lengthBytes(PathBlock.WORDS_MAX)), 0);
    }

    /** Everything before {@code cum} has come and of the rest what {@code bits} says, from the left. */
    static PathBlock of(int cum, String bits, int echoStamp, int epoch) {
        PathBlock block = empty().cumPsn(cum).echoStamp(echoStamp).epoch(epoch).words((bits.length() + 63) / 64);
        for (int i = 0; i < bits.length(); i++) {
            if (bits.charAt(i) == '1') {
                block.bitmapWord(i / 64, block.bitmapWord(i / 64) | (1L << i));
            }
        }
        return block;
    }

    /** The same counts as before with more packets, marks and duplicates. */
    static PathBlock counted(PathBlock block, int rxPackets, int cePackets, int duplicates) {
        return block.rxPackets(rxPackets).cePackets(cePackets).duplicates(duplicates);
    }
}
