package io.metaroce.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.channel.ByteBufRegion;
import io.metaroce.param.Profiles;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.reflect.Method;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory of every kind, its limit and gauge, and what was forgotten. */
final class MemoryTest {
    private VerbsWorld world;

    @BeforeEach
    void open() {
        world = new SimWorld(VerbsContract.impatient(Profiles.model()));
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void whatGoesBeyondTheLimitIsRefusedAndNotAnError() {
        Device device = world.client();
        ProtectionDomain domain = device.createProtectionDomain();
        device.memory().limitBytes(100_000);
        MemoryRegion region = domain.allocate(60_000);
        assertThat(device.memory().usedBytes()).isEqualTo(60_000);
        assertThatThrownBy(() -> domain.allocate(60_000))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("60000 of 100000 bytes")
                .hasMessageContaining("MemoryBudget.limitBytes");
        assertThatThrownBy(() -> domain.registerCopy(new byte[50_000])).isInstanceOf(VerbsException.class);
        assertThat(device.memory().usedBytes()).isEqualTo(60_000);
        MemoryRegion rest = domain.allocate(40_000);
        assertThat(device.memory().usedBytes()).isEqualTo(100_000);
        assertThat(MemoryBudget.process().usedBytes()).isGreaterThanOrEqualTo(100_000);
        assertThat(rest.length() + region.length()).isEqualTo(100_000);
        assertThatThrownBy(() -> device.memory().limitBytes(-1)).isInstanceOf(VerbsException.class);
    }

    @Test
    void memoryOfClosedRegionsComesBack() {
        Device device = world.client();
        ProtectionDomain domain = device.createProtectionDomain();
        device.memory().limitBytes(1 << 20);
        for (int i = 0; i < 10; i++) {
            domain.allocate(700_000).close();
        }
        assertThat(device.memory().usedBytes()).isLessThanOrEqualTo(1 << 20);
    }

    @Test
    void whatNobodyClosedIsNamedWithThePlaceWhereItWasMade() {
        Device device = world.client();
        ProtectionDomain domain = device.createProtectionDomain();
        Creation.trace(true);
        try {
            MemoryRegion forgotten = domain.allocate(8);
            QueuePair closed = domain.createQueuePair(QpInitAttributes.of(device.createCompletionQueue(256)));
            closed.close();
            assertThat(device.unclosed())
                    .singleElement()
                    .satisfies(line ->
                            assertThat(line).contains(forgotten.toString(), "made on thread", "MemoryTest.java:"));
        } finally {
            Creation.trace(false);
        }
        MemoryRegion another = domain.allocate(8);
        assertThat(device.unclosed())
                .anyMatch(line -> line.startsWith(another.toString()) && line.contains("metaroce.leaks=true"));
    }

    @Test
    void aBufferOfNettyIsRegisteredAndRetained() {
        ProtectionDomain domain = world.client().createProtectionDomain();
        ByteBuf buffer = Unpooled.directBuffer(64);
        buffer.writeLong(42);
        ByteBufRegion registered = ByteBufRegion.register(domain, buffer, AccessFlag.LOCAL_WRITE);
        assertThat(registered.region().buffer().getLong(0)).isEqualTo(42);
        assertThat(registered.region().length()).isEqualTo(64);
        assertThat(buffer.refCnt()).isEqualTo(2);
        registered.close();
        registered.close();
        assertThat(buffer.refCnt()).isEqualTo(1);
        buffer.release();
        assertThatThrownBy(() -> ByteBufRegion.register(domain, Unpooled.buffer(8)))
                .hasMessageContaining("on the heap");
    }

    @Test
    void aSegmentOfForeignMemoryIsRegistered() throws Exception {
        ProtectionDomain domain = world.client().createProtectionDomain();
        assertThatThrownBy(() -> domain.registerSegment("no segment")).isInstanceOf(VerbsException.class);
        Assumptions.assumeTrue(Runtime.version().feature() >= 22, "foreign memory came with Java 22");
        Class<?> arenas = Class.forName("java.lang.foreign.Arena");
        Object arena = arenas.getMethod("ofShared").invoke(null);
        Method allocate = arenas.getMethod("allocate", long.class);
        Object segment = allocate.invoke(arena, 4096L);
        MemoryRegion region = domain.registerSegment(segment, AccessFlag.LOCAL_WRITE);
        assertThat(region.length()).isEqualTo(4096);
        region.put(4088, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        assertThat(region.slice(4088, 8).getLong(0)).isEqualTo(0x0102030405060708L);
    }
}
