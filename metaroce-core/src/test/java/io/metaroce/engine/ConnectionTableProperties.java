package io.metaroce.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class ConnectionTableProperties {
    private static final int PLACES = 16; // of a table for 8
    private static final List<Peering> POOL = Peers.of(numbers());

    // Numbers of which most want one of three neighbouring places, at the end of the table and at its beginning.
    private static List<Integer> numbers() {
        List<Integer> numbers = new ArrayList<>();
        for (int id = 1; numbers.size() < 18; id++) {
            int home = ((id * 0x9E3779B1) >>> 7) & (PLACES - 1);
            if (home == PLACES - 1 || home == 0 || home == 1 || (home == 7 && numbers.size() > 15)) {
                numbers.add(numbers.size() % 2 == 0 ? id : id | 0x8000_0000);
            }
        }
        return numbers;
    }

    /** Steps from 0 on put a connection, negative ones take one out. */
    @Property(tries = 300)
    void agreesWithAMap(@ForAll @Size(max = 200) List<@IntRange(min = -18, max = 17) Integer> steps) {
        ConnectionTable table = new ConnectionTable(8);
        TreeMap<Integer, Peering> model = new TreeMap<>();
        for (int step : steps) {
            Peering peer = POOL.get(step >= 0 ? step : -1 - step);
            int number = peer.connection().localId();
            if (step < 0) {
                table.remove(peer); // also one that is not there
                model.remove(number);
            } else if (model.size() < PLACES - 2 && !model.containsKey(number)) {
                table.put(peer);
                model.put(number, peer);
            }
            assertThat(table.count()).isEqualTo(model.size());
            for (Peering any : POOL) {
                int id = any.connection().localId();
                assertThat(table.get(id)).isSameAs(model.get(id));
            }
        }
        assertThat(table.all()).containsExactlyInAnyOrderElementsOf(model.values());
    }

    @Example
    void aTableOfAnySizeHasRoomForItsConnectionsAndAFreePlace() {
        for (int size = 1; size < 18; size++) {
            ConnectionTable table = new ConnectionTable(size);
            for (int i = 0; i < size; i++) {
                table.put(POOL.get(i));
            }
            assertThat(table.count()).isEqualTo(size);
            assertThat(table.get(0x1234_5678)).isNull(); // and the search for it ends
        }
    }
}
