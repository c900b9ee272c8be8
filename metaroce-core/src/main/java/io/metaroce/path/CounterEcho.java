package io.metaroce.path;

import io.metaroce.num.Bits;
import io.metaroce.num.Serial16;
import io.metaroce.wire.PathBlock;

/** What the receiver's cumulative counters of each path have grown by since the last block. */
final class CounterEcho {
    private final @Bits(32) int[] rxPackets;
    private final @Bits(16) char[] cePackets;
    private final @Bits(16) char[] duplicates;
    private final int[] rxDelta;
    private final @Bits(16) char[] ceDelta;
    private final @Bits(16) char[] duplicatesDelta;
    private final boolean[] rebase;

    CounterEcho(int paths) {
        rxPackets = new int[paths];
        cePackets = new char[paths];
        duplicates = new char[paths];
        rxDelta = new int[paths];
        ceDelta = new char[paths];
        duplicatesDelta = new char[paths];
        rebase = new boolean[paths];
    }

    /** The next block only sets the counters: what they count belongs to another route. */
    void rebaseNext(int path) {
        rebase[path] = true;
    }

    void onBlock(int path, PathBlock block) {
        rxDelta[path] = Math.max(block.rxPackets() - rxPackets[path], 0);
        ceDelta[path] = (char) Serial16.advance(cePackets[path], block.cePackets());
        duplicatesDelta[path] = (char) Serial16.advance(duplicates[path], block.duplicates());
        rxPackets[path] = block.rxPackets();
        cePackets[path] = (char) block.cePackets();
        duplicates[path] = (char) block.duplicates();
        if (rebase[path]) {
            // R-PATH-021: the first block of a new epoch re-bases the counters without any reaction.
            rebase[path] = false;
            rxDelta[path] = 0;
            ceDelta[path] = 0;
            duplicatesDelta[path] = 0;
        }
    }

    int rxDelta(int path) {
        return rxDelta[path];
    }

    int ceDelta(int path) {
        return ceDelta[path];
    }

    int duplicatesDelta(int path) {
        return duplicatesDelta[path];
    }
}
