package io.metaroce.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.Covers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class RegionPlacementTest {
    private static final int DOMAIN = 3;
    private static final long BASE = 0x8000_0000_0000_1000L; // negative as a long: addresses are unsigned

    private final RegionTable table = new RegionTable(8);
    private final RegionPlacement placement = new RegionPlacement(table);
    private final ByteBuffer memory = ByteBuffer.allocateDirect(64);
    private final MemoryRegion region = table.register(DOMAIN, memory, BASE, Access.ALL);
    private final ByteBuffer packet = ByteBuffer.allocateDirect(128);

    RegionPlacementTest() {
        for (int i = 0; i < packet.capacity(); i++) {
            packet.put(i, (byte) (i + 1));
        }
    }

    @Test
    void aPeersBytesLandWhereItSaid() {
        assertThat(placement.place(DOMAIN, region.key(), BASE + 10, packet, 5, 3))
                .isEqualTo(PlacementFault.NONE);
        byte[] expected = new byte[64];
        expected[10] = 6;
        expected[11] = 7;
        expected[12] = 8;
        assertThat(bytes()).isEqualTo(expected);
        assertThat(packet.position()).isZero();
        assertThat(memory.position()).isZero();
    }

    @Test
    void aLocalEntryIsCountedFromTheStartOfTheRegion() {
        assertThat(placement.placeLocal(DOMAIN, region.key(), 62, packet, 0, 2)).isEqualTo(PlacementFault.NONE);
        assertThat(bytes()[62]).isEqualTo((byte) 1);
        assertThat(bytes()[63]).isEqualTo((byte) 2);
        assertThat(placement.placeLocal(DOMAIN, region.key(), 63, packet, 0, 2)).isEqualTo(PlacementFault.BOUNDS);
        assertThat(placement.placeLocal(DOMAIN, region.key(), -1, packet, 0, 2)).isEqualTo(PlacementFault.BOUNDS);
    }

    @Test
    @Covers({"R-MEM-002", "R-MEM-003"})
    void everyFaultIsFoundBeforeTheFirstByte() {
        MemoryRegion noWrite =
                table.register(DOMAIN, memory, BASE, Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC);
        int key = region.key();
        assertThat(placement.place(DOMAIN, key + 1, BASE, packet, 0, 8)).isEqualTo(PlacementFault.KEY);
        assertThat(placement.place(DOMAIN, 0, BASE, packet, 0, 8)).isEqualTo(PlacementFault.KEY);
        assertThat(placement.place(DOMAIN + 1, key, BASE, packet, 0, 8)).isEqualTo(PlacementFault.DOMAIN);
        assertThat(placement.place(DOMAIN, noWrite.key(), BASE, packet, 0, 8)).isEqualTo(PlacementFault.ACCESS);
        assertThat(placement.place(DOMAIN, key, BASE - 1, packet, 0, 8)).isEqualTo(PlacementFault.BOUNDS);
        assertThat(placement.place(DOMAIN, key, BASE + 57, packet, 0, 8)).isEqualTo(PlacementFault.BOUNDS);
        assertThat(placement.place(DOMAIN, key, BASE + 64, packet, 0, 1)).isEqualTo(PlacementFault.BOUNDS);
        assertThat(placement.place(DOMAIN, key, BASE, packet, 0, 65)).isEqualTo(PlacementFault.BOUNDS);
        assertThat(placement.place(DOMAIN, key, 0, packet, 0, 8)).isEqualTo(PlacementFault.BOUNDS);
        assertThat(placement.place(DOMAIN, key, -1, packet, 0, 8)).isEqualTo(PlacementFault.BOUNDS);
        assertThat(placement.place(DOMAIN, key, Long.MAX_VALUE, packet, 0, 8)).isEqualTo(PlacementFault.BOUNDS);
        assertThat(placement.place(DOMAIN, key, Long.MIN_VALUE, packet, 0, 8)).isEqualTo(PlacementFault.BOUNDS);
        assertThat(placement.place(DOMAIN, key, BASE, packet, 0, -8)).isEqualTo(PlacementFault.BOUNDS);
        MemoryRegion noLocal = table.register(DOMAIN, memory, BASE, Access.REMOTE_WRITE);
        assertThat(placement.placeLocal(DOMAIN, noLocal.key(), 0, packet, 0, 8)).isEqualTo(PlacementFault.ACCESS);
        assertThat(placement.placeLocal(DOMAIN + 1, key, 0, packet, 0, 8)).isEqualTo(PlacementFault.DOMAIN);
        assertThat(placement.placeLocal(DOMAIN, ~key, 0, packet, 0, 8)).isEqualTo(PlacementFault.KEY);
        assertThat(bytes()).containsOnly(0);
    }

    @Test
    @Covers("R-MEM-002")
    void theFirstOfSeveralFaultsIsTold() {
        MemoryRegion readable = table.register(DOMAIN, memory, BASE, Access.REMOTE_READ);
        assertThat(placement.place(9, readable.key() ^ 1, 0, packet, 0, 8)).isEqualTo(PlacementFault.KEY);
        assertThat(placement.place(9, readable.key(), 0, packet, 0, 8)).isEqualTo(PlacementFault.DOMAIN);
        assertThat(placement.place(DOMAIN, readable.key(), 0, packet, 0, 8)).isEqualTo(PlacementFault.ACCESS);
    }

    @Test
    @Covers("R-MEM-004")
    void aFormerKeyReachesNothingAfterDeregistrationOrRegistrationAnew() {
        RegionTable one = new RegionTable(1);
        RegionPlacement into = new RegionPlacement(one);
        MemoryRegion before = one.register(DOMAIN, memory, BASE, Access.ALL);
        one.deregister(before);
        assertThat(into.place(DOMAIN, before.key(), BASE, packet, 0, 8)).isEqualTo(PlacementFault.KEY);
        MemoryRegion after = one.register(DOMAIN, memory, BASE, Access.ALL);
        assertThat(into.place(DOMAIN, before.key(), BASE, packet, 0, 8)).isEqualTo(PlacementFault.KEY);
        assertThat(bytes()).containsOnly(0);
        assertThat(into.place(DOMAIN, after.key(), BASE, packet, 0, 8)).isEqualTo(PlacementFault.NONE);
    }

    @Test
    @Covers("R-MEM-008")
    void noBytesNeedNoKey() {
        assertThat(placement.place(9, 0, 77, packet, 0, 0)).isEqualTo(PlacementFault.NONE);
        assertThat(placement.placeLocal(9, 0, 77, packet, 0, 0)).isEqualTo(PlacementFault.NONE);
        assertThat(placement.checkRemote(9, 0, 77, 0, Access.ALL)).isEqualTo(PlacementFault.NONE);
        assertThat(placement.checkLocal(9, 0, 77, 0, Access.LOCAL_WRITE)).isEqualTo(PlacementFault.NONE);
        PayloadWindow window = new PayloadWindow(table, 16);
        window.begin();
        assertThat(window.add(9, 0, 77, 0)).isEqualTo(PlacementFault.NONE);
        assertThat(window.addRemote(9, 0, 77, 0)).isEqualTo(PlacementFault.NONE);
        assertThat(window.length()).isZero();
    }

    @Test
    void checkingAnswersWhatPlacingWouldAndTouchesNothing() {
        int key = region.key();
        assertThat(placement.checkRemote(DOMAIN, key, BASE, 64, Access.REMOTE_WRITE))
                .isEqualTo(PlacementFault.NONE);
        assertThat(placement.checkRemote(DOMAIN, key, BASE, 65, Access.REMOTE_READ))
                .isEqualTo(PlacementFault.BOUNDS);
        assertThat(placement.checkRemote(DOMAIN, key, BASE, 0xFFFF_FFFFL, Access.REMOTE_READ))
                .isEqualTo(PlacementFault.BOUNDS);
        assertThat(placement.checkRemote(DOMAIN, key ^ 2, BASE, 1, Access.REMOTE_READ))
                .isEqualTo(PlacementFault.KEY);
        assertThat(placement.checkLocal(DOMAIN, key, 0, 64, 0)).isEqualTo(PlacementFault.NONE);
        assertThat(placement.checkLocal(DOMAIN, key, 1, 64, Access.LOCAL_WRITE)).isEqualTo(PlacementFault.BOUNDS);
        assertThat(placement.checkLocal(DOMAIN, key, 1, -1, Access.LOCAL_WRITE)).isEqualTo(PlacementFault.BOUNDS);
        assertThat(bytes()).containsOnly(0);
    }

    @Test
    void anAtomicNeedsItsBitEightBytesAndAnAlignedAddress() {
        int key = region.key();
        MemoryRegion noAtomics = table.register(DOMAIN, memory, BASE, Access.ALL & ~Access.REMOTE_ATOMIC);
        assertThat(placement.checkAtomic(DOMAIN, key, BASE + 56)).isEqualTo(PlacementFault.NONE);
        assertThat(placement.checkAtomic(DOMAIN, key, BASE + 60)).isEqualTo(PlacementFault.BOUNDS);
        assertThat(placement.checkAtomic(DOMAIN, key, BASE + 4)).isEqualTo(PlacementFault.ALIGNMENT);
        assertThat(placement.checkAtomic(DOMAIN, noAtomics.key(), BASE)).isEqualTo(PlacementFault.ACCESS);
        placement.store(key, BASE + 8, 0x0102030405060708L);
        assertThat(memory.duplicate().order(ByteOrder.nativeOrder()).getLong(8)).isEqualTo(0x0102030405060708L);
        assertThat(placement.load(key, BASE + 8)).isEqualTo(0x0102030405060708L);
        assertThatThrownBy(() -> placement.load(key ^ 1, BASE)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anAtomicMayStraddleTwoChunks() {
        RegionTable small = new RegionTable(1, 4);
        ByteBuffer whole = ByteBuffer.allocateDirect(48);
        MemoryRegion odd = small.register(DOMAIN, whole, 4, Access.ALL); // address 16 is offset 12 of a 16-byte chunk
        RegionPlacement into = new RegionPlacement(small);
        assertThat(into.checkAtomic(DOMAIN, odd.key(), 16)).isEqualTo(PlacementFault.NONE);
        into.store(odd.key(), 16, 0x0102030405060708L);
        assertThat(whole.order(ByteOrder.nativeOrder()).getLong(12)).isEqualTo(0x0102030405060708L);
        assertThat(into.load(odd.key(), 16)).isEqualTo(0x0102030405060708L);
    }

    @Test
    void aPeerMayInvalidateOnlyAKeyThatLetsAPeerIn() {
        MemoryRegion local = table.register(DOMAIN, memory, BASE, Access.LOCAL_WRITE);
        assertThat(placement.invalidate(DOMAIN, local.key())).isEqualTo(PlacementFault.ACCESS);
        assertThat(placement.invalidate(DOMAIN + 1, region.key())).isEqualTo(PlacementFault.DOMAIN);
        assertThat(placement.invalidate(DOMAIN, region.key())).isEqualTo(PlacementFault.NONE);
        assertThat(region.isValid()).isFalse();
        assertThat(placement.invalidate(DOMAIN, region.key())).isEqualTo(PlacementFault.KEY);
        assertThat(placement.place(DOMAIN, region.key(), BASE, packet, 0, 8)).isEqualTo(PlacementFault.KEY);
        table.deregister(region);
        assertThat(table.count()).isEqualTo(1);
    }

    private byte[] bytes() {
        byte[] bytes = new byte[64];
        memory.get(0, bytes);
        return bytes;
    }
}
