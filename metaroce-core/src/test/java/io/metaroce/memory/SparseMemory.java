package io.metaroce.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Memory above 2 GiB for tests: a mapped file with a hole, so that it costs a few pages. */
public final class SparseMemory {
    private SparseMemory() {}

    /** The chunks of a region of {@code length} bytes, in a file in {@code folder}. */
    public static ByteBuffer[] chunks(Path folder, long length) throws IOException {
        ByteBuffer[] chunks = new ByteBuffer[(int) ((length - 1) / RegionTable.CHUNK_BYTES) + 1];
        try (FileChannel file = FileChannel.open(
                folder.resolve("region"),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.SPARSE)) {
            for (int i = 0; i < chunks.length; i++) {
                long from = (long) i * RegionTable.CHUNK_BYTES;
                chunks[i] = file.map(
                        FileChannel.MapMode.READ_WRITE, from, Math.min(RegionTable.CHUNK_BYTES, length - from));
            }
        }
        return chunks;
    }
}
