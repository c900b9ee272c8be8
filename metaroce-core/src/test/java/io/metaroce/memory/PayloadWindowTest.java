package io.metaroce.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class PayloadWindowTest {
    private static final int DOMAIN = 1;

    private final RegionTable table = new RegionTable(4, 6);
    private final PayloadWindow window = new PayloadWindow(table, 32);
    private final ByteBuffer memory = ByteBuffer.allocateDirect(200);

    PayloadWindowTest() {
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, (byte) i);
        }
    }

    @Test
    void onePieceIsAWindowOnTheRegionItself() {
        MemoryRegion region = table.register(DOMAIN, memory, 0, 0);
        window.begin();
        assertThat(window.add(DOMAIN, region.key(), 70, 32)).isEqualTo(PlacementFault.NONE);
        assertThat(window.offset()).isEqualTo(70 - 64);
        assertThat(payload()).isEqualTo(expected(70, 32));
        memory.put(70, (byte) 99);
        assertThat(payload()[0]).as("nothing was copied").isEqualTo((byte) 99);
        assertThat(window.buffer().position()).isZero();
    }

    @Test
    void severalPiecesAreGathered() {
        MemoryRegion region = table.register(DOMAIN, memory, 0, 0);
        window.begin();
        assertThat(window.add(DOMAIN, region.key(), 5, 3)).isEqualTo(PlacementFault.NONE);
        assertThat(window.add(DOMAIN, region.key(), 100, 0)).isEqualTo(PlacementFault.NONE);
        assertThat(window.add(DOMAIN, region.key(), 40, 2)).isEqualTo(PlacementFault.NONE);
        assertThat(window.add(DOMAIN, region.key(), 190, 1)).isEqualTo(PlacementFault.NONE);
        assertThat(payload()).containsExactly(5, 6, 7, 40, 41, (byte) 190);
        assertThat(window.buffer().isDirect()).isTrue();
    }

    @Test
    void aPieceThatStraddlesTwoChunksIsGathered() {
        MemoryRegion region = table.register(DOMAIN, memory, 0, 0);
        window.begin();
        assertThat(window.add(DOMAIN, region.key(), 120, 20)).isEqualTo(PlacementFault.NONE);
        assertThat(payload()).isEqualTo(expected(120, 20));
        assertThat(window.add(DOMAIN, region.key(), 0, 1)).isEqualTo(PlacementFault.NONE);
        assertThat(window.length()).isEqualTo(21);
        window.begin();
        assertThat(window.length()).isZero();
    }

    @Test
    void bytesOfNoRegionAreWindowedOrGatheredLikeOthers() {
        MemoryRegion region = table.register(DOMAIN, memory, 0, 0);
        ByteBuffer inline = ByteBuffer.wrap(new byte[] {1, 2, 3, 4});
        window.begin();
        window.addBytes(inline, 1, 2);
        assertThat(window.buffer()).isSameAs(inline);
        assertThat(payload()).containsExactly(2, 3);
        assertThat(window.add(DOMAIN, region.key(), 9, 1)).isEqualTo(PlacementFault.NONE);
        window.addBytes(inline, 3, 1);
        assertThat(payload()).containsExactly(2, 3, 9, 4);
    }

    @Test
    void aFaultLeavesThePayloadAsItWas() {
        MemoryRegion region = table.register(DOMAIN, memory, 1000, Access.LOCAL_WRITE);
        window.begin();
        assertThat(window.add(DOMAIN, region.key(), 5, 3)).isEqualTo(PlacementFault.NONE);
        assertThat(window.add(DOMAIN, region.key() ^ 1, 5, 3)).isEqualTo(PlacementFault.KEY);
        assertThat(window.add(DOMAIN + 1, region.key(), 5, 3)).isEqualTo(PlacementFault.DOMAIN);
        assertThat(window.add(DOMAIN, region.key(), 198, 3)).isEqualTo(PlacementFault.BOUNDS);
        assertThat(window.add(DOMAIN, region.key(), -1, 3)).isEqualTo(PlacementFault.BOUNDS);
        assertThat(window.add(DOMAIN, region.key(), 0, -1)).isEqualTo(PlacementFault.BOUNDS);
        assertThat(window.addRemote(DOMAIN, region.key(), 1005, 3)).isEqualTo(PlacementFault.ACCESS);
        assertThat(payload()).isEqualTo(expected(5, 3));
    }

    @Test
    void whatAPeerReadsIsAddressedFromTheBase() {
        MemoryRegion region = table.register(DOMAIN, memory, -256, Access.REMOTE_READ);
        window.begin();
        assertThat(window.addRemote(DOMAIN, region.key(), -256 + 10, 4)).isEqualTo(PlacementFault.NONE);
        assertThat(payload()).isEqualTo(expected(10, 4));
        assertThat(window.addRemote(DOMAIN, region.key(), 10, 4)).isEqualTo(PlacementFault.BOUNDS);
        assertThat(window.addRemote(DOMAIN, region.key() ^ 1, 10, 4)).isEqualTo(PlacementFault.KEY);
    }

    @Test
    void moreThanAPacketHoldsIsRefused() {
        MemoryRegion region = table.register(DOMAIN, memory, 0, 0);
        window.begin();
        assertThat(window.add(DOMAIN, region.key(), 0, 30)).isEqualTo(PlacementFault.NONE);
        assertThatThrownBy(() -> window.add(DOMAIN, region.key(), 0, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("33 bytes")
                .hasMessageContaining("at most 32");
    }

    private byte[] payload() {
        byte[] bytes = new byte[window.length()];
        window.buffer().get(window.offset(), bytes);
        return bytes;
    }

    private static byte[] expected(int from, int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (from + i);
        }
        return bytes;
    }
}
