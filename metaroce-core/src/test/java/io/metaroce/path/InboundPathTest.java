package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.wire.PathBlock;
import org.junit.jupiter.api.Test;

class InboundPathTest {
    private static final int FIRST = -2; // so that every test crosses the wrap
    private final InboundPath path = new InboundPath(9, FIRST, 256, 4);

    @Test
    @Covers({"R-SACK-001", "R-SACK-004"})
    void aBlockSaysWhatCameFromTheFirstOneOwedOn() {
        slot(0, 10);
        slot(2, 12);
        slot(66, 13);
        PathBlock block = describe(100);
        assertThat(block.pathId()).isEqualTo(9);
        assertThat(block.cumPsn()).isEqualTo(FIRST + 1);
        assertThat(block.sackOffset()).isZero();
        assertThat(block.words()).isEqualTo(2);
        assertThat(block.bitmapWord(0)).isEqualTo(1L << 1);
        assertThat(block.bitmapWord(1)).isEqualTo(1L << 1);
        assertThat(block.echoStamp()).isEqualTo(13);
        assertThat(block.rxPackets()).isEqualTo(3);
    }

    @Test
    void wordsOfZerosAtTheEndAreLeftOut() {
        slot(0, 10);
        assertThat(path.blocksBytes()).isEqualTo(PathBlock.HEADER_LENGTH);
        slot(255, 11);
        assertThat(path.blocksBytes()).isEqualTo(PathBlock.lengthBytes(4));
        PathBlock block = describe(0);
        assertThat(block.words()).isEqualTo(4);
        assertThat(block.bitmapWord(3)).isEqualTo(1L << 62);
    }

    @Test
    @Covers({"R-SACK-005", "R-SACK-001", "R-SACK-004"})
    void whatLiesBeyondTheFirstBlockIsShownInTurn() {
        InboundPath wide = new InboundPath(3, FIRST, 2048, 4);
        for (int i = 1; i < 1000; i += 3) {
            wide.onSlot(FIRST + i);
            wide.onStamp(0, i, 0, false);
        }
        boolean[] shown = new boolean[1024];
        for (int turn = 0; turn < 3; turn++) { // 998 / 256 views
            assertThat(wide.hasNews()).isTrue();
            assertThat(wide.blocks()).isEqualTo(2);
            PathBlock first = Blocks.empty();
            wide.describe(0, first);
            PathBlock second = Blocks.empty();
            wide.describeView(0, second);
            assertThat(first.sackOffset()).isZero();
            assertThat(second.sackOffset()).isEqualTo(256 * (1 + turn));
            assertThat(second.echoStamp()).isEqualTo(first.echoStamp()).isEqualTo(997);
            assertThat(first.lengthBytes() + second.lengthBytes()).isLessThanOrEqualTo(wide.blocksBytes());
            mark(first, shown);
            mark(second, shown);
        }
        for (int i = 0; i < shown.length; i++) {
            assertThat(shown[i]).as("bit %s", i).isEqualTo(i % 3 == 1 && i < 1000);
        }
    }

    @Test
    @Covers("R-SACK-005")
    void whenMoreHasComeMeanwhileTheNextPartIsShown() {
        InboundPath wide = new InboundPath(3, FIRST, 2048, 4);
        wide.onSlot(FIRST + 600); // 2 views
        for (int view : new int[] {1, 2, 1, 2}) {
            assertThat(viewOf(wide).sackOffset()).isEqualTo(256 * view);
        }
        wide.onSlot(FIRST + 900); // 3 views
        for (int view : new int[] {3, 1, 2, 3}) {
            assertThat(viewOf(wide).sackOffset()).isEqualTo(256 * view);
        }
    }

    private static PathBlock viewOf(InboundPath path) {
        PathBlock view = Blocks.empty();
        path.describeView(0, view);
        return view;
    }

    private static void mark(PathBlock block, boolean[] shown) {
        for (int i = 0; i < 64 * block.words(); i++) {
            shown[block.sackOffset() + i] |= ((block.bitmapWord(i / 64) >>> (i % 64)) & 1) != 0;
        }
    }

    @Test
    @Covers("R-ACK-008")
    void newsIsToldTwice() {
        assertThat(path.hasNews()).isFalse();
        slot(0, 10);
        assertThat(path.hasNews()).isTrue();
        describe(0);
        assertThat(path.hasNews()).isTrue();
        describe(0);
        assertThat(path.hasNews()).isFalse();
        probe(11);
        describe(0);
        slot(1, 12); // what is new between two reports is told twice as well
        describe(0);
        assertThat(path.hasNews()).isTrue();
        describe(0);
        assertThat(path.hasNews()).isFalse();
    }

    @Test
    @Covers("R-PATH-004")
    void aSlotBeyondTheWindowIsFlaggedOnceAndLeavesNoOtherTrace() {
        slot(0, 10);
        PathBlock before = describe(0);
        assertThat(path.onSlot(FIRST + 257)).isEqualTo(Arrival.ABOVE_WINDOW);
        PathBlock after = describe(0);
        assertThat(after.flags()).isEqualTo(PathBlock.OUT_OF_WINDOW);
        assertThat(after.cumPsn()).isEqualTo(before.cumPsn());
        assertThat(after.echoStamp()).isEqualTo(before.echoStamp());
        assertThat(after.rxPackets()).isEqualTo(before.rxPackets());
        assertThat(describe(0).flags()).isZero();
    }

    @Test
    @Covers({"R-PATH-005", "R-PATH-012"})
    void aSlotThatComesAgainIsCountedWhateverItsEpoch() {
        slot(0, 10);
        slot(2, 11);
        assertThat(path.onSlot(FIRST)).isEqualTo(Arrival.BELOW_WINDOW);
        path.onStamp(0, 12, 200, false);
        assertThat(path.onSlot(FIRST + 2)).isEqualTo(Arrival.DUPLICATE);
        path.onStamp(0, 9, 0, false);
        PathBlock block = describe(0);
        assertThat(block.duplicates()).isEqualTo(2);
        assertThat(block.rxPackets()).isEqualTo(4);
        assertThat(path.duplicates()).isEqualTo(2);
        assertThat(path.rxPackets()).isEqualTo(4);
        assertThat(block.epoch()).isEqualTo(200);
    }

    @Test
    @Covers("R-PATH-012")
    void aSlotThatIsMissingIsTakenFromAnyEpoch() {
        path.onSlot(FIRST + 1);
        path.onStamp(0, 20, 5, false);
        assertThat(path.onSlot(FIRST)).isEqualTo(Arrival.IN_ORDER);
        path.onStamp(0, 10, 4, false); // sent earlier, in the epoch before
        PathBlock block = describe(0);
        assertThat(block.cumPsn()).isEqualTo(FIRST + 2);
        assertThat(block.epoch()).isEqualTo(5);
        assertThat(block.echoStamp()).isEqualTo(20);
    }

    @Test
    void everyNewHoleIsFlaggedAndFillingOneIsNot() {
        slot(0, 10);
        assertThat(describe(0).flags()).isZero();
        slot(2, 11);
        assertThat(describe(0).flags()).isEqualTo(PathBlock.GAP);
        slot(3, 12);
        assertThat(describe(0).flags()).isZero();
        slot(5, 13); // a second hole above the first
        assertThat(describe(0).flags()).isEqualTo(PathBlock.GAP);
        slot(4, 14);
        slot(1, 15);
        assertThat(describe(0).flags()).isZero();
    }

    @Test
    @Covers("R-ACK-001")
    void aHoleIsOpenedOnceAndStaysUntilItIsFilled() {
        assertThat(path.id()).isEqualTo(9);
        slot(0, 10);
        assertThat(path.hasOpenedHole()).isFalse();
        assertThat(path.hasHole()).isFalse();
        slot(2, 11);
        assertThat(path.hasOpenedHole()).isTrue();
        assertThat(path.hasHole()).isTrue();
        slot(3, 12);
        assertThat(path.hasOpenedHole()).as("the hole is an old one").isFalse();
        path.onSlot(FIRST + 3);
        assertThat(path.hasOpenedHole()).as("a duplicate opens none").isFalse();
        slot(5, 13);
        assertThat(path.hasOpenedHole()).as("above another one").isTrue();
        slot(1, 14);
        assertThat(path.hasOpenedHole()).isFalse();
        assertThat(path.hasHole()).as("slot 4 is missing").isTrue();
        slot(4, 15);
        assertThat(path.hasHole()).isFalse();
    }

    @Test
    @Covers({"R-PATH-004", "R-PATH-005"})
    void onlyWhatHasNotComeYetAndFitsIntoTheWindowIsNew() {
        assertThat(path.onSlot(FIRST).isNew()).isTrue();
        assertThat(path.onSlot(FIRST).isNew()).isFalse();
        assertThat(path.onSlot(FIRST + 256).isNew())
                .as("the last of the window")
                .isTrue();
        assertThat(path.onSlot(FIRST + 256).isNew()).isFalse();
        assertThat(path.onSlot(FIRST + 257).isNew()).isFalse();
    }

    @Test
    @Covers("R-SACK-005")
    void aSecondBlockFollowsOnceWhatHasComeReachesBeyondTheFirst() {
        InboundPath wide = new InboundPath(3, FIRST, 2048, 4);
        assertThat(wide.blocks()).isEqualTo(1);
        wide.onSlot(FIRST + 255);
        assertThat(wide.blocks()).isEqualTo(1);
        wide.onSlot(FIRST + 256);
        assertThat(wide.blocks()).isEqualTo(2);
    }

    @Test
    void marksAreCountedAndFlaggedAndTheirChangeIsUrgent() {
        path.onSlot(FIRST);
        assertThat(path.onStamp(0, 10, 0, false)).isTrue(); // the first packet of an epoch
        assertThat(path.onStamp(0, 11, 0, false)).isFalse();
        assertThat(path.onStamp(0, 12, 0, true)).isTrue();
        assertThat(path.onStamp(0, 13, 0, true)).isFalse();
        PathBlock block = describe(0);
        assertThat(block.cePackets()).isEqualTo(2);
        assertThat(block.flags()).isEqualTo(PathBlock.MARKED);
        assertThat(path.onStamp(0, 14, 0, false)).isTrue();
        assertThat(describe(0).flags()).isZero();
        assertThat(path.onStamp(0, 15, 1, false)).isTrue(); // an epoch again
    }

    @Test
    void shortCountersWrap() {
        for (int i = 0; i < 0x10001; i++) {
            path.onSlot(FIRST - 1);
            path.onStamp(0, i, 0, true);
        }
        PathBlock block = describe(0);
        assertThat(block.duplicates()).isEqualTo(1);
        assertThat(block.cePackets()).isEqualTo(1);
        assertThat(block.rxPackets()).isEqualTo(0x10001);
    }

    @Test
    void theDelayOfTheReportIsToldInUnitsOf64Nanoseconds() {
        path.onSlot(FIRST);
        path.onStamp(1_000, 10, 0, false);
        assertThat(describe(1_000 + 64 * 7 + 63).ackDelay()).isEqualTo(7);
        assertThat(describe(1_000 + 64L * 0xFFFE).ackDelay()).isEqualTo(0xFFFE);
    }

    @Test
    @Covers("R-ACK-012")
    void aDelayThatDoesNotFitMeansThatNoSampleIsToBeTaken() {
        path.onSlot(FIRST);
        path.onStamp(1_000, 10, 0, false);
        assertThat(describe(1_000 + 64L * 0xFFFF).ackDelay()).isEqualTo(PathBlock.NO_RTT_SAMPLE);
        assertThat(describe(20_000_000_000L).ackDelay()).isEqualTo(PathBlock.NO_RTT_SAMPLE);
    }

    @Test
    void packetsAndBytesCountUpToTheNextReport() {
        path.onAccepted(100);
        path.onAccepted(50);
        assertThat(path.packetsSinceReport()).isEqualTo(2);
        assertThat(path.bytesSinceReport()).isEqualTo(150);
        describe(0);
        assertThat(path.packetsSinceReport()).isZero();
        assertThat(path.bytesSinceReport()).isZero();
    }

    private void slot(int index, int stamp) {
        assertThat(path.onSlot(FIRST + index).isNew()).isTrue();
        path.onStamp(0, stamp, 0, false);
    }

    private void probe(int stamp) {
        path.onStamp(0, stamp, 0, false);
    }

    private PathBlock describe(long nowNs) {
        PathBlock block = Blocks.empty();
        path.describe(nowNs, block);
        return block;
    }
}
