package io.metaroce.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class OpenMessagesProperties {
    @Property
    void agreesWithAMapFromNumbersToBytes(
            @ForAll int firstMsn,
            @ForAll @IntRange(min = 1, max = 300) int width,
            @ForAll @Size(max = 300) List<@IntRange(min = -3, max = 310) Integer> steps) {
        OpenMessages messages = new OpenMessages(width, firstMsn);
        Map<Integer, Integer> model = new HashMap<>();
        int next = firstMsn;
        for (int step : steps) {
            int msn = next + step;
            assertThat(messages.isComplete(msn)).isEqualTo(step < 0);
            assertThat(messages.isBeyond(msn)).isEqualTo(step >= width);
            if (step < 0) {
                model.remove(next);
                messages.advance();
                next++;
            } else if (step < width) {
                int at = messages.at(msn);
                assertThat(messages.placed[at]).isEqualTo(model.getOrDefault(msn, 0));
                messages.placed[at] += step + 1;
                model.merge(msn, step + 1, Integer::sum);
            }
            assertThat(messages.next()).isEqualTo(next);
            assertThat(messages.placed[messages.atNext()]).isEqualTo(model.getOrDefault(next, 0));
        }
    }
}
