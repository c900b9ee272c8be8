package io.metaroce.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class SegmenterTest {
    private static final long LONGEST = 1L << 31;

    @Property
    @Covers({"R-HDR-014", "R-HDR-015"})
    void whatIsCutInSomeSizeIsWellCutAndNothingElseIs(
            @ForAll @LongRange(min = 0, max = LONGEST) long messageLength,
            @ForAll @IntRange(min = 10, max = 13) int payloadLog2,
            @ForAll @LongRange(min = 0, max = LONGEST) long offset,
            @ForAll @IntRange(min = 0, max = 8192) int length) {
        int payload = 1 << payloadLog2;
        long fragment = Math.min(offset, messageLength) / payload;
        int at = (int) (fragment * payload);
        int cut = Segmenter.fragmentLength((int) messageLength, at, payload);
        boolean isEnd = fragment * payload == messageLength;
        assertThat(Segmenter.isWellCut((int) messageLength, at, cut, payload)).isEqualTo(!isEnd || messageLength == 0);
        assertThat(Segmenter.isWellCut((int) messageLength, (int) offset, length, payload))
                .isEqualTo(isCutSomehow(messageLength, offset, length, payload));
    }

    /** Whether a sender that takes some size up to {@code payloadMax} would cut like this. */
    private static boolean isCutSomehow(long messageLength, long offset, int length, int payloadMax) {
        for (int size = 1024; size <= payloadMax; size *= 2) {
            boolean isThere = offset % size == 0 && offset <= messageLength && (length > 0 || messageLength == 0);
            if (isThere && length == Segmenter.fragmentLength((int) messageLength, (int) offset, size)) {
                return true;
            }
        }
        return false;
    }

    @Example
    void theLongestMessageIsCutToItsEnd() {
        long sum = 0;
        int offset = 0;
        for (int length = Segmenter.fragmentLength((int) LONGEST, 0, 8192);
                length > 0;
                length = Segmenter.fragmentLength((int) LONGEST, offset, 8192)) {
            sum += length;
            offset += length;
        }
        assertThat(sum).isEqualTo(LONGEST);
    }
}
