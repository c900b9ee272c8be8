package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class CleanPathRingProperties {
    /** Steps from 0 on put a path, negative ones take one. */
    @Property(tries = 200)
    void agreesWithAQueueThatForgetsTheOldest(
            @ForAll @Size(max = 300) List<@IntRange(min = -120, max = 253) Integer> steps) {
        CleanPathRing ring = new CleanPathRing();
        ArrayDeque<Integer> model = new ArrayDeque<>();
        for (int step : steps) {
            if (step >= 0) {
                ring.put(step);
                model.add(step);
                if (model.size() > 64) {
                    model.remove();
                }
            } else {
                Integer oldest = model.poll();
                assertThat(ring.take()).isEqualTo(oldest == null ? CleanPathRing.NONE : oldest);
            }
        }
    }
}
