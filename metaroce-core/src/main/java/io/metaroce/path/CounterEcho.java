package io.metaroce.path;

import io.metaroce.num.Serial16;
import io.metaroce.wire.PathBlock;

/**
 * What the receiver's cumulative counters of a path have grown by since the block before. The growth stands in
 * registers, until the next block of any path.
 */
final class CounterEcho {
    private int rxDelta;
    private int ceDelta;
    private int duplicatesDelta;

    /** The next block only sets the counters: what they count belongs to another route. */
    static void rebaseNext(PathRow row) {
        row.rebase = true;
    }

    void onBlock(PathRow row, PathBlock block) {
        rxDelta = Math.max(block.rxPackets() - row.rxPackets, 0);
        duplicatesDelta = Serial16.advance(row.duplicates, block.duplicates());
        ceDelta = Serial16.advance(row.cePackets, block.cePackets());
        row.rxPackets = block.rxPackets();
        row.cePackets = (char) block.cePackets();
        row.duplicates = (char) block.duplicates();
        if (row.rebase) {
            // R-PATH-021: the first block of a new epoch re-bases the counters without any reaction.
            row.rebase = false;
            rxDelta = 0;
            ceDelta = 0;
            duplicatesDelta = 0;
        }
    }

    /** Packets. */
    int rxDelta() {
        return rxDelta;
    }

    /** Marked packets. */
    int ceDelta() {
        return ceDelta;
    }

    /** Duplicates. */
    int duplicatesDelta() {
        return duplicatesDelta;
    }
}
