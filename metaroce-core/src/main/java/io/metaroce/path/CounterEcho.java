package io.metaroce.path;

import io.metaroce.num.Bits;
import io.metaroce.num.Serial16;
import io.metaroce.wire.PathBlock;

/** What the receiver's cumulative counters of one path have grown by since the last block. */
final class CounterEcho {
    private @Bits(32) int rxPackets;
    private @Bits(16) int cePackets;
    private @Bits(16) int duplicates;
    private int rxDelta;
    private int ceDelta;
    private int duplicatesDelta;
    private boolean rebase;

    /** The next block only sets the counters: what they count belongs to another route. */
    void rebaseNext() {
        rebase = true;
    }

    void onBlock(PathBlock block) {
        rxDelta = Math.max(block.rxPackets() - rxPackets, 0);
        ceDelta = Serial16.advance(cePackets, block.cePackets());
        duplicatesDelta = Serial16.advance(duplicates, block.duplicates());
        rxPackets = block.rxPackets();
        cePackets = block.cePackets();
        duplicates = block.duplicates();
        if (rebase) {
            // R-PATH-021: the first block of a new epoch re-bases the counters without any reaction.
            rebase = false;
            rxDelta = 0;
            ceDelta = 0;
            duplicatesDelta = 0;
        }
    }

    int rxDelta() {
        return rxDelta;
    }

    int ceDelta() {
        return ceDelta;
    }

    int duplicatesDelta() {
        return duplicatesDelta;
    }
}
