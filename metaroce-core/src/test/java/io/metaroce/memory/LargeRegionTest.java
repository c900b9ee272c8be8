package io.metaroce.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LargeRegionTest {
    private static final long LENGTH = 2L * RegionTable.CHUNK_BYTES + 100;

    @Test
    void aRegionAboveTwoGibibytesIsReachedAtItsEndAndWhereChunksMeet(@TempDir Path folder) throws IOException {
        ByteBuffer[] chunks = SparseMemory.chunks(folder, LENGTH);
        RegionTable table = new RegionTable(1);
        MemoryRegion region = table.register(1, chunks, 0, Access.ALL);
        assertThat(region.length()).isEqualTo(LENGTH);
        RegionPlacement placement = new RegionPlacement(table);
        ByteBuffer packet = ByteBuffer.allocateDirect(8).putLong(0, 0x0102030405060708L);
        long seam = 2L * RegionTable.CHUNK_BYTES - 3;
        assertThat(placement.place(1, region.key(), seam, packet, 0, 8)).isEqualTo(PlacementFault.NONE);
        assertThat(placement.place(1, region.key(), LENGTH - 8, packet, 0, 8)).isEqualTo(PlacementFault.NONE);
        assertThat(placement.place(1, region.key(), LENGTH - 7, packet, 0, 8)).isEqualTo(PlacementFault.BOUNDS);
        assertThat(chunks[1].get(RegionTable.CHUNK_BYTES - 1)).isEqualTo((byte) 3);
        assertThat(chunks[2].get(0)).isEqualTo((byte) 4);
        assertThat(chunks[2].getLong(92)).isEqualTo(0x0102030405060708L);
        PayloadWindow window = new PayloadWindow(table, 16);
        window.begin();
        assertThat(window.add(1, region.key(), seam, 8)).isEqualTo(PlacementFault.NONE);
        assertThat(window.buffer().getLong(window.offset())).isEqualTo(0x0102030405060708L);
    }
}
