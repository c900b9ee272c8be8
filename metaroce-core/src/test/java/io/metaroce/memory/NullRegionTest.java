package io.metaroce.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.Covers;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A region without memory: keys and checks as everywhere, and no bytes. */
class NullRegionTest {
    private static final int DOMAIN = 3;
    private static final long BASE = 0x10_0000_0000L;
    private static final long LENGTH = 1L << 40;

    private final RegionTable table = new RegionTable(4);
    private final RegionPlacement placement = new RegionPlacement(table);
    private final ByteBuffer packet = ByteBuffer.allocateDirect(64);

    @Test
    void whatIsPlacedIsGoneAndWhatIsReadIsZero() {
        MemoryRegion region = table.registerNull(DOMAIN, LENGTH, BASE, Access.ALL);
        packet.putLong(0, -1);
        int key = region.key();
        assertThat(placement.place(DOMAIN, key, BASE + LENGTH - 8, packet, 0, 8))
                .isEqualTo(PlacementFault.NONE);
        assertThat(placement.placeLocal(DOMAIN, key, LENGTH - 8, packet, 0, 8)).isEqualTo(PlacementFault.NONE);
        placement.store(key, BASE, -1);
        assertThat(placement.load(key, BASE)).isZero();
        PayloadWindow window = new PayloadWindow(table, 64);
        window.begin();
        assertThat(window.add(DOMAIN, key, LENGTH - 40, 40)).isEqualTo(PlacementFault.NONE);
        assertThat(window.addRemote(DOMAIN, key, BASE + 5, 24)).isEqualTo(PlacementFault.NONE);
        assertThat(window.length()).isEqualTo(64);
        for (int i = 0; i < 64; i++) {
            assertThat(window.buffer().get(window.offset() + i)).isZero();
        }
    }

    @Test
    @Covers("R-MEM-002")
    void itIsCheckedLikeAnyOther() {
        MemoryRegion region = table.registerNull(DOMAIN, LENGTH, BASE, Access.REMOTE_WRITE);
        int key = region.key();
        assertThat(placement.place(DOMAIN, key, BASE + LENGTH - 7, packet, 0, 8))
                .isEqualTo(PlacementFault.BOUNDS);
        assertThat(placement.place(DOMAIN + 1, key, BASE, packet, 0, 8)).isEqualTo(PlacementFault.DOMAIN);
        assertThat(placement.placeLocal(DOMAIN, key, 0, packet, 0, 8)).isEqualTo(PlacementFault.ACCESS);
        assertThat(placement.place(DOMAIN, key ^ 1, BASE, packet, 0, 8)).isEqualTo(PlacementFault.KEY);
        assertThat(Objects.requireNonNull(table.find(key)).isNull()).isTrue();
        assertThat(region).hasToString("null " + region.toString().substring("null ".length()));
        assertThat(table.nulls()).isEqualTo(1);
        table.deregister(region);
        assertThat(table.nulls()).isZero();
        assertThat(placement.place(DOMAIN, key, BASE, packet, 0, 8)).isEqualTo(PlacementFault.KEY);
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThatThrownBy(() -> table.registerNull(DOMAIN, 0, BASE, 0)).hasMessageContaining("register at least one");
        assertThatThrownBy(() -> table.registerNull(DOMAIN, 16, -8, 0)).hasMessageContaining("lower base");
        assertThatThrownBy(() -> table.registerNull(DOMAIN, 16, 0, 0x100)).hasMessageContaining("access bits");
    }
}
