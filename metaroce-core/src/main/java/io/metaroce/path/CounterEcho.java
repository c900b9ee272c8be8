package io.metaroce.path;

import io.metaroce.num.Serial16;
import io.metaroce.wire.PathBlock;

/** What the receiver's cumulative counters of a path have grown by since the last block. */
final class CounterEcho {
    private CounterEcho() {}

    /** The next block only sets the counters: what they count belongs to another route. */
    static void rebaseNext(PathRow row) {
        row.rebase = true;
    }

    static void onBlock(PathRow row, PathBlock block) {
        row.rxDelta = Math.max(block.rxPackets() - row.rxPackets, 0);
        row.ceDelta = (char) Serial16.advance(row.cePackets, block.cePackets());
        row.duplicatesDelta = (char) Serial16.advance(row.duplicates, block.duplicates());
        row.rxPackets = block.rxPackets();
        row.cePackets = (char) block.cePackets();
        row.duplicates = (char) block.duplicates();
        if (row.rebase) {
            // R-PATH-021: the first block of a new epoch re-bases the counters without any reaction.
            row.rebase = false;
            row.rxDelta = 0;
            row.ceDelta = 0;
            row.duplicatesDelta = 0;
        }
    }
}
