package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class EventTreeProperties {
    @Property
    void theFirstIsTheEarliestWithTheLowestNumber(
            @ForAll @IntRange(min = 1, max = 70) int leaves,
            @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 799) Integer> steps) {
        EventTree tree = new EventTree();
        long[] model = new long[leaves];
        for (int i = 0; i < leaves; i++) {
            assertThat(tree.addLeaf()).isEqualTo(i);
        }
        Arrays.fill(model, SimTime.NEVER);
        for (int step : steps) {
            int leaf = step % leaves;
            long key = step / 40 == 19 ? SimTime.NEVER : step / 40; // few keys, many ties
            tree.set(leaf, key);
            model[leaf] = key;
            int first = 0;
            for (int i = 1; i < leaves; i++) {
                first = model[i] < model[first] ? i : first;
            }
            assertThat(tree.first()).isEqualTo(first);
            assertThat(tree.firstKey()).isEqualTo(model[first]);
            assertThat(tree.key(leaf)).isEqualTo(key);
        }
    }
}
