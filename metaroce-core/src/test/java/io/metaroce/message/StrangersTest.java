package io.metaroce.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.StreamError;
import io.metaroce.wire.StreamUpdate;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StrangersTest {
    private final Strangers strangers = new Strangers();
    private final StreamUpdate out = new StreamUpdate().wrap(ByteBuffer.allocate(StreamUpdate.LENGTH), 0);

    @Test
    @Covers("R-ACK-008")
    void eachIsToldTwiceAndNeverTwiceInOneReport() {
        strangers.note(5);
        strangers.note(7);
        assertThat(strangers.hasNews()).isTrue();
        assertThat(told(1)).containsExactly(5, 7);
        assertThat(told(1)).isEmpty();
        assertThat(strangers.hasNews()).isTrue();
        assertThat(told(2)).containsExactly(5, 7);
        assertThat(strangers.hasNews()).isFalse();
        assertThat(told(3)).isEmpty();
        strangers.note(7);
        assertThat(told(4)).as("it has sent once more").containsExactly(7);
    }

    @Test
    void whatIsToldIsAFailureOfAStreamThatIsNotOpen() {
        strangers.note(5);
        out.nextMsn(99).rsnLimit(99);
        assertThat(strangers.fill(1, out)).isTrue();
        assertNotOpen(5);
    }

    @Test
    void whoIsAskedAboutIsDescribedAsLongAsItIsAStranger() {
        assertThat(strangers.describe(5, out)).isFalse();
        strangers.note(4);
        strangers.note(5);
        assertThat(strangers.describe(6, out)).isFalse();
        out.nextMsn(99);
        assertThat(strangers.describe(5, out)).isTrue();
        assertNotOpen(5);
        strangers.forget(5);
        strangers.forget(6);
        assertThat(strangers.describe(5, out)).isFalse();
        assertThat(told(1)).containsExactly(4);
    }

    @Test
    void theOldestOfEightMakesRoom() {
        for (int id = 0; id < 11; id++) {
            strangers.note(id);
        }
        for (int id = 0; id < 11; id++) {
            assertThat(strangers.describe(id, out)).as("stream %s", id).isEqualTo(id >= 3);
        }
        assertThat(told(1)).containsExactlyInAnyOrder(3, 4, 5, 6, 7, 8, 9, 10);
    }

    private List<Integer> told(long nowNs) {
        List<Integer> ids = new ArrayList<>();
        while (strangers.fill(nowNs, out)) {
            ids.add(out.streamId());
        }
        return ids;
    }

    private void assertNotOpen(int id) {
        assertThat(List.of(out.streamId(), out.flags(), out.code(), out.nextMsn(), out.rsnLimit()))
                .isEqualTo(List.of(id, StreamUpdate.FAILED, StreamError.NOT_OPEN.code(), 0, 0));
    }
}
