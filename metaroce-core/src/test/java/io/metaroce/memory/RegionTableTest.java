package io.metaroce.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.Covers;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RegionTableTest {
    private static final int DOMAIN = 3;

    private final RegionTable table = new RegionTable(4);

    @Test
    void aRegionIsFoundByItsKeyAndByNoOther() {
        MemoryRegion region = register(64);
        assertThat(table.find(region.key())).isSameAs(region);
        for (int bit = 0; bit < 32; bit++) {
            assertThat(table.find(region.key() ^ (1 << bit))).isNull();
        }
        assertThat(table.find(0)).isNull();
        assertThat(table.find(-1)).isNull();
    }

    @Test
    void aRegionKnowsWhatItWasRegisteredWith() {
        MemoryRegion region =
                table.register(DOMAIN, direct(100), 0xFFFF_0000_0000_0000L, Access.LOCAL_WRITE | Access.REMOTE_READ);
        assertThat(region.domain()).isEqualTo(DOMAIN);
        assertThat(region.base()).isEqualTo(0xFFFF_0000_0000_0000L);
        assertThat(region.length()).isEqualTo(100);
        assertThat(region.access()).isEqualTo(5);
        assertThat(region.isValid()).isTrue();
        assertThat(region.toString()).contains("100 bytes").contains("0xffff000000000000");
        assertThat(table.count()).isEqualTo(1);
        assertThat(table.regionsMax()).isEqualTo(4);
    }

    @Test
    @Covers("R-MEM-004")
    void aFormerKeyFindsNothingEvenWhenItsPlaceIsTakenAgain() {
        RegionTable one = new RegionTable(1);
        Set<Integer> keys = new HashSet<>();
        for (int i = 0; i < 255; i++) {
            MemoryRegion region = one.register(DOMAIN, direct(8), 0, 0);
            assertThat(keys.add(region.key())).as("a key seen before").isTrue();
            assertThat(region.key()).isNotZero();
            for (int former : keys) {
                assertThat(one.find(former)).isSameAs(former == region.key() ? region : null);
            }
            one.deregister(region);
            assertThat(region.isValid()).isFalse();
            assertThat(one.find(region.key())).isNull();
        }
    }

    @Test
    void placesAreReusedInTheOrderTheyWereGivenBack() {
        MemoryRegion a = register(8);
        MemoryRegion b = register(8);
        table.deregister(b);
        table.deregister(a);
        assertThat(Rkey.index(register(8).key())).isEqualTo(2);
        assertThat(Rkey.index(register(8).key())).isEqualTo(3);
        assertThat(Rkey.index(register(8).key())).isEqualTo(Rkey.index(b.key()));
        assertThat(Rkey.index(register(8).key())).isEqualTo(Rkey.index(a.key()));
    }

    @Test
    void deregisteringTwiceOrAtAnotherTableChangesNothing() {
        MemoryRegion first = register(8);
        table.deregister(first);
        MemoryRegion[] next = {register(8), register(8), register(8), register(8)};
        table.deregister(first);
        RegionTable small = new RegionTable(1);
        small.deregister(next[3]);
        for (MemoryRegion region : next) {
            assertThat(table.find(region.key())).isSameAs(region);
            assertThat(region.isValid()).isTrue();
        }
        assertThat(table.count()).isEqualTo(4);
    }

    @Test
    void aFullTableNamesItsLimit() {
        for (int i = 0; i < 4; i++) {
            register(8);
        }
        assertThatThrownBy(() -> register(8))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("4 regions")
                .hasMessageContaining("limits.regions");
    }

    @Test
    void heapBuffersAreRefused() {
        assertThatThrownBy(() -> table.register(DOMAIN, ByteBuffer.allocate(8), 0, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("heap")
                .hasMessageContaining("allocateDirect");
    }

    @Test
    void readOnlyBuffersAreRefusedForWritingAndTakenForReading() {
        ByteBuffer readOnly = ByteBuffer.allocateDirect(8).asReadOnlyBuffer();
        for (int access : new int[] {Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC, Access.ALL}) {
            assertThatThrownBy(() -> table.register(DOMAIN, readOnly, 0, access))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("read-only");
        }
        assertThat(table.register(DOMAIN, readOnly, 0, Access.REMOTE_READ).length())
                .isEqualTo(8);
    }

    @Test
    void whatCannotBeARegionIsRefused() {
        assertThatThrownBy(() -> table.register(DOMAIN, direct(0), 0, 0)).hasMessageContaining("0 bytes");
        assertThatThrownBy(() -> table.register(DOMAIN, new ByteBuffer[0], 0, 0))
                .hasMessageContaining("no bytes");
        assertThatThrownBy(() -> table.register(DOMAIN, direct(8), 0, 16)).hasMessageContaining("0x10");
        assertThatThrownBy(() -> table.register(DOMAIN, new ByteBuffer[] {direct(8), direct(8)}, 0, 0))
                .hasMessageContaining("chunk 0 of 2")
                .hasMessageContaining("1073741824");
        assertThatThrownBy(() -> new RegionTable(0)).hasMessageContaining("regionsMax = 0");
        assertThatThrownBy(() -> new RegionTable((1 << 24) + 1)).hasMessageContaining("16777216");
        assertThat(table.count()).isZero();
    }

    @Test
    void aRegionMayEndAtTheEndOfTheAddressSpaceButNotBeyond() {
        assertThat(table.register(DOMAIN, direct(8), -8, 0).base()).isEqualTo(-8);
        assertThatThrownBy(() -> table.register(DOMAIN, direct(8), -7, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("end of the address space");
    }

    @Test
    void onlyTheBytesBetweenPositionAndLimitBelongToTheRegion() {
        ByteBuffer whole = direct(32);
        MemoryRegion region = table.register(DOMAIN, whole.position(8).limit(24), 0, Access.ALL);
        assertThat(region.length()).isEqualTo(16);
        region.putLong(0, 0x1122334455667788L);
        whole.clear();
        assertThat(whole.getLong(0)).isZero();
        assertThat(whole.getLong(8)).isNotZero();
    }

    @Test
    void oneLargeBufferIsCutIntoChunks() {
        RegionTable small = new RegionTable(1, 3);
        ByteBuffer whole = direct(27).position(2);
        MemoryRegion region = small.register(DOMAIN, whole, 0, Access.ALL);
        assertThat(region.length()).isEqualTo(25);
        byte[] bytes = new byte[25];
        for (int i = 0; i < 25; i++) {
            bytes[i] = (byte) (i + 1);
            region.put(i, ByteBuffer.wrap(bytes), i, 1);
        }
        byte[] back = new byte[25];
        whole.get(2, back);
        assertThat(back).isEqualTo(bytes);
    }

    private MemoryRegion register(int bytes) {
        return table.register(DOMAIN, direct(bytes), 0, Access.ALL);
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes);
    }
}
