package io.metaroce.bench.fuzz;

import io.metaroce.bench.micro.Loop;
import io.metaroce.datagram.Datagram;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.ResetHeader;
import io.metaroce.wire.Tlv;
import io.metaroce.wire.WriteHeader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * A stream of bad datagrams at one connection of a live endpoint. The samples are real packets of every kind, rewritten
 * for that connection and sealed for it; then each is spoiled in a way that must not pass.
 */
final class Attack {
    private static final int NOISE_BYTES = 1500;
    private static final int LARGE_NOISE_BYTES = 9000;
    private static final int OUTSTANDING_MAX = 500;
    private static final long PATIENCE_NS = 100_000_000;
    private static final int FAR_ACK_SEQ = 0x4000_0000;

    private final InetSocketAddress target;
    private final int connectionId;
    private final int seed;
    private final LongSupplier dropped;
    private final Mutator mutator;
    private final BaseHeader base = new BaseHeader();
    private final List<ByteBuffer> slots = new ArrayList<>();
    private final List<ByteBuffer> reports = new ArrayList<>();
    private final List<ByteBuffer> handshakes = new ArrayList<>();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong mayBeAnswered = new AtomicLong();

    /**
     * An attack on a port of this machine.
     *
     * @param connectionId number of a live connection there
     * @param seed what seals packets for it
     * @param dropped how many packets the endpoint has dropped so far
     */
    Attack(int port, int connectionId, int seed, long randomSeed, LongSupplier dropped) {
        this.target = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.connectionId = connectionId;
        this.seed = seed;
        this.dropped = dropped;
        this.mutator = new Mutator(randomSeed);
        Loop loop = Loop.bulk(packet -> keep(handshakes, packet));
        loop.refill();
        loop.send(16);
        loop.forth().assemble();
        loop.forth().forEach(packet -> keep(slots, packet, Opcode::isSlot));
        loop.deliver();
        loop.pass(1_000_000);
        loop.report();
        loop.back().assemble();
        loop.back().forEach(packet -> keep(reports, packet, Opcode::isReport));
    }

    /** Datagrams sent so far. */
    long sent() {
        return sent.get();
    }

    /** How many of them are requests for connections, which are answered as long as that is no burden. */
    long mayBeAnswered() {
        return mayBeAnswered.get();
    }

    /** Sends {@code count} datagrams, no faster than the endpoint takes them. */
    void run(long count) throws IOException {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(target.getAddress(), 0));
            long lost = 0; // answered, or dropped by the kernel
            while (sent.get() < count) {
                one();
                channel.send(mutator.bytes().duplicate().limit(mutator.length()), target);
                if (sent.incrementAndGet() % 16 == 0) {
                    lost += await(lost);
                }
            }
        }
    }

    private long await(long lost) {
        long endNs = System.nanoTime() + PATIENCE_NS;
        while (sent.get() - lost - dropped.getAsLong() > OUTSTANDING_MAX) {
            if (System.nanoTime() > endNs) {
                return sent.get() - lost - dropped.getAsLong();
            }
            LockSupport.parkNanos(100_000);
        }
        return 0;
    }

    private void one() {
        switch (mutator.draw(12)) {
            case 0 -> mutator.noise(NOISE_BYTES);
            case 1 -> mutator.noise(mutator.draw(20) == 0 ? LARGE_NOISE_BYTES : BaseHeader.LENGTH + 4);
            case 2 -> real(reports).truncate().breakSeal(seed);
            case 3 -> real(slots).truncate().breakSeal(seed);
            case 4, 5 -> real(slots).flipBits().breakSeal(seed);
            case 6 -> real(reports).flipBits().breakSeal(seed);
            case 7 -> handshake();
            case 8 -> toNobody();
            case 9 -> shortened();
            case 10 -> badOptions();
            default -> outOfDate();
        }
    }

    /** A packet as the peer itself might send it. */
    private Mutator real(List<ByteBuffer> samples) {
        ByteBuffer sample = samples.get(mutator.draw(samples.size()));
        mutator.copy(sample, 0, sample.capacity());
        base.wrap(mutator.bytes(), 0).dstConnId(connectionId);
        return mutator.seal(seed);
    }

    /** Something of the making of connections that is not as it should be. */
    private void handshake() {
        if (mutator.draw(8) == 0) {
            mutator.noise(ResetHeader.LENGTH + 4).extend().opcode(Opcode.RESET).put(0, BaseHeader.VERSION_1 << 4);
        } else {
            ByteBuffer sample = handshakes.get(mutator.draw(handshakes.size()));
            mutator.copy(sample, 0, sample.capacity());
        }
        if (base.wrap(mutator.bytes(), 0).opcode() == Opcode.CONN_REQ) {
            mayBeAnswered.incrementAndGet();
        } else {
            base.dstConnId(connectionId);
        }
        mutator.spoil(Mutator.Reach.FIELDS).seal(0);
    }

    private void toNobody() {
        real(slots);
        base.dstConnId(mutator.draw(Integer.MAX_VALUE));
        mutator.seal(seed);
    }

    /** A well sealed packet that ends within its fixed headers. */
    private void shortened() {
        real(slots).truncate(BaseHeader.LENGTH + 4 + mutator.draw(8)).seal(seed);
    }

    /** A well sealed packet that says it has options where it has none. */
    private void badOptions() {
        real(slots);
        base.flags(BaseHeader.X);
        mutator.put(WriteHeader.LENGTH, Tlv.TRACE)
                .put(WriteHeader.LENGTH + 1, 0) // no words: such an option does not exist
                .seal(seed);
    }

    /** A well sealed report with a number that no report of this connection can have yet. */
    private void outOfDate() {
        real(reports);
        base.psn(FAR_ACK_SEQ);
        mutator.seal(seed);
    }

    // Probes may be among them: well sealed, they are good packets.
    private void keep(List<ByteBuffer> samples, Datagram packet, IntPredicate wanted) {
        if (wanted.test(base.wrap(packet.buffer(), packet.offset()).opcode())) {
            keep(samples, packet);
        }
    }

    private static void keep(List<ByteBuffer> samples, Datagram packet) {
        ByteBuffer copy = ByteBuffer.allocateDirect(packet.length());
        copy.put(0, packet.buffer(), packet.offset(), packet.length());
        samples.add(copy);
    }
}
