package io.metaroce.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChunksTest {
    @Test
    void everyLengthIsCutIntoGibibytes() {
        long gib = 1L << 30;
        assertThat(Chunks.count(0)).isEqualTo(1);
        assertThat(Chunks.count(1)).isEqualTo(1);
        assertThat(Chunks.count(gib)).isEqualTo(1);
        assertThat(Chunks.count(gib + 1)).isEqualTo(2);
        assertThat(Chunks.count(5 * gib)).isEqualTo(5);
        assertThat(Chunks.lengthOf(0, gib + 1)).isEqualTo(1 << 30);
        assertThat(Chunks.lengthOf(1, gib + 1)).isEqualTo(1);
    }

    @Test
    void onlyWhatRemainsOfABufferCounts() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(100).position(10).limit(60);
        ByteBuffer[] chunks = Chunks.of(buffer, "PD");
        assertThat(chunks).hasSize(1);
        assertThat(chunks[0].remaining()).isEqualTo(50);
        assertThat(buffer.position()).isEqualTo(10);
        chunks[0].put(0, (byte) 7);
        assertThat(buffer.get(10)).isEqualTo((byte) 7);
    }

    @Test
    void heapBuffersAreRefusedWithAWayOut() {
        assertThatThrownBy(() -> Chunks.of(ByteBuffer.allocate(4), "PD 1"))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("PD 1")
                .hasMessageContaining("heap buffer of 4 bytes")
                .hasMessageContaining("registerCopy");
    }

    @Test
    void severalBuffersMustFit() {
        ByteBuffer small = ByteBuffer.allocateDirect(8);
        assertThatThrownBy(() -> Chunks.of(new ByteBuffer[] {small, small}, "PD 1"))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("chunk 0 of 8 bytes")
                .hasMessageContaining("1073741824");
        assertThatThrownBy(() -> Chunks.of(new ByteBuffer[0], "PD 1"))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("at least one");
        assertThat(Chunks.of(new ByteBuffer[] {small}, "PD 1")).hasSize(1);
    }

    @Test
    void aFileThatIsTooShortIsNotMapped(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("short"), new byte[100]);
        assertThatThrownBy(() -> Chunks.map(file, 50, 51, FileChannel.MapMode.READ_ONLY))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("map 51 bytes at 50")
                .hasMessageContaining("the file has 100 bytes")
                .hasMessageContaining("setLength");
        assertThat(Chunks.map(file, 50, 50, FileChannel.MapMode.READ_ONLY)[0].capacity())
                .isEqualTo(50);
    }

    @Test
    void negativeLengthsAreRefused() {
        assertThatThrownBy(() -> Chunks.allocate(-1, "PD 1")).isInstanceOf(VerbsException.class);
    }
}
