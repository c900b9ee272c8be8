package io.metaroce.verbs;

import static io.metaroce.verbs.Connected.bytesOf;
import static io.metaroce.verbs.Connected.patternOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.param.Profiles;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MemoryRegionTest {
    private static final long GIB = 1L << 30;

    private VerbsWorld world;
    private Connected both;

    @BeforeEach
    void connect() throws Exception {
        world = new SimWorld(VerbsContract.impatient(Profiles.model()));
        both = Connected.with(world);
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void aDirectBufferIsSharedNotCopied() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(100).position(20);
        MemoryRegion region = both.client.domain.register(buffer, AccessFlag.LOCAL_WRITE);
        assertThat(region.length()).isEqualTo(80);
        region.put(0, new byte[] {5});
        assertThat(buffer.get(20)).isEqualTo((byte) 5);
        buffer.put(99, (byte) 6);
        assertThat(region.buffer().get(79)).isEqualTo((byte) 6);
        assertThat(region.access()).containsExactly(AccessFlag.LOCAL_WRITE);
        assertThat(region.toString()).contains("80 bytes");
    }

    @Test
    void anArrayIsCopied() {
        byte[] array = patternOf(50, 1);
        MemoryRegion region = both.client.domain.registerCopy(array);
        array[0] = 99;
        assertThat(bytesOf(region, 50)).isEqualTo(patternOf(50, 1));
        assertThat(region.access()).isEmpty();
    }

    @Test
    void addressesAndKeysAreNeverShared() {
        MemoryRegion first = both.client.region(10);
        long address = first.address();
        int key = first.lkey();
        first.close();
        MemoryRegion second = both.client.region(10);
        assertThat(second.address()).isGreaterThan(address + 10);
        assertThat(second.lkey()).isNotEqualTo(key);
        assertThat(second.rkey()).isEqualTo(second.lkey());
    }

    @Test
    void whatLiesOutsideIsRefused() {
        MemoryRegion region = both.client.region(10);
        assertThatThrownBy(() -> region.put(5, new byte[6]))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("6 bytes at offset 5")
                .hasMessageContaining("the region has 10 bytes");
        assertThatThrownBy(() -> region.slice(-1, 1)).isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> region.slice(0, Integer.MAX_VALUE)).isInstanceOf(VerbsException.class);
        assertThat(region.slice(10, 0).remaining()).isZero();
    }

    @Test
    void readOnlyMemoryCannotBeRegisteredForWriting() {
        ByteBuffer readOnly = ByteBuffer.allocateDirect(8).asReadOnlyBuffer();
        assertThat(both.client.domain.register(readOnly).length()).isEqualTo(8);
        assertThatThrownBy(() -> both.client.domain.register(readOnly, AccessFlag.REMOTE_WRITE))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("read-only");
    }

    @Test
    void aFileBeyondTwoGibibytesIsWrittenByThePeer(@TempDir Path folder) throws Exception {
        Path path = folder.resolve("long");
        long length = 2 * GIB + 8_000;
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(length); // sparse: takes no room on the disk
        }
        MemoryRegion target = both.server.domain.registerFile(path, AccessFlag.REMOTE_WRITE);
        assertThat(target.length()).isEqualTo(length);
        MemoryRegion source = both.client.pattern(10_000, 3);
        // Across the first gibibyte, across the second, and up to the last byte.
        for (long at : new long[] {GIB - 5_000, 2 * GIB - 5_000, length - 10_000}) {
            assertThat(both.client
                            .qp()
                            .postWrite(
                                    at,
                                    source.lkey(),
                                    0,
                                    10_000,
                                    target.address() + at,
                                    target.rkey(),
                                    SendFlag.SIGNALED.value()))
                    .isTrue();
            both.client.nextSuccess();
            byte[] read = new byte[10_000];
            target.get(at, read);
            assertThat(read).isEqualTo(patternOf(10_000, 3));
        }
        target.force();
        byte[] fromDisk = new byte[10_000];
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
            file.seek(GIB - 5_000);
            file.readFully(fromDisk);
        }
        assertThat(fromDisk).isEqualTo(patternOf(10_000, 3));
        assertThatThrownBy(() -> target.slice(GIB - 1, 2))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("a view ends at the end of its chunk");
        assertThatThrownBy(() -> ScatterGatherEntry.of(target)).isInstanceOf(VerbsException.class);
    }

    @Test
    void sendsCanBeGatheredFromBeyondTwoGibibytes(@TempDir Path folder) throws Exception {
        Path path = folder.resolve("long");
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(2 * GIB - 100);
            file.write(patternOf(200, 4));
        }
        MemoryRegion source = both.client.domain.registerFile(path);
        MemoryRegion target = both.server.region(200, AccessFlag.LOCAL_WRITE);
        both.server.postReceive(1, target, 200);
        assertThat(both.client.qp().postSend(2, source.lkey(), 2 * GIB - 100, 200, SendFlag.mask(SendFlag.SIGNALED)))
                .isTrue();
        both.server.nextSuccess();
        assertThat(bytesOf(target, 200)).isEqualTo(patternOf(200, 4));
        both.server.postReceive(3, target, 200);
        assertThat(both.client
                        .qp()
                        .postSend(
                                4,
                                source.lkey(),
                                2 * GIB - 100,
                                200,
                                SendFlag.mask(SendFlag.SIGNALED, SendFlag.INLINE)))
                .isTrue();
        both.server.nextSuccess();
        assertThat(bytesOf(target, 200)).isEqualTo(patternOf(200, 4));
    }

    @Test
    void aPartOfAFileIsEnough(@TempDir Path folder) throws Exception {
        Path path = Files.write(folder.resolve("part"), patternOf(1_000, 2));
        MemoryRegion region = both.client.domain.registerFile(path, 100, 50);
        byte[] read = new byte[50];
        region.get(0, read);
        assertThat(read).startsWith(patternOf(1_000, 2)[100], patternOf(1_000, 2)[101]);
        assertThatThrownBy(() -> both.client.domain.registerFile(path, 990, 11))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("the file has 1000 bytes");
    }
}
