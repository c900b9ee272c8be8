package io.metaroce.bench.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.bench.micro.Loop;
import io.metaroce.bench.micro.LoopSide;
import io.metaroce.bench.micro.Tray;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.EndpointLimits;
import io.metaroce.param.Profiles;
import io.metaroce.queue.WrOpcode;
import io.metaroce.trace.Counter;
import io.metaroce.trace.DropReason;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A peer that knows the seeds sends whatever it likes: spoiled copies of the packets under way, sealed well. Nothing
 * throws, nothing is written outside the registered memory, every packet is counted; the connection itself may end.
 */
class HostilePeerTest {
    private static final int PACKETS = Integer.getInteger("metaroce.fuzz", 50_000) / 5;
    private static final int ROUNDS_PER_CONNECTION = 200;
    private static final int PACKETS_PER_ROUND = 24;
    private static final int SPOILED_PER_ROUND = 4;
    private static final int MESSAGE_BYTES = 30_000;
    private static final int DEPTH = 8;
    private static final EndpointConfig SMALL = Profiles.udp().withLimits(new EndpointLimits(16, 2048, 16, 16, 16));
    private static final Address SOMEWHERE = Address.ipv4(0x7F000003, 1003);

    private final Map<DropReason, Long> drops = new EnumMap<>(DropReason.class);
    private final Datagram datagram = new Datagram();
    private long fed;
    private long dropped;
    private long connections;
    private long ended;

    @Test
    void breaksNothingButItsOwnConnection() {
        for (long seed = 1; fed < PACKETS; seed++) {
            WrOpcode opcode =
                    seed % 3 == 0 ? WrOpcode.SEND : seed % 3 == 1 ? WrOpcode.RDMA_WRITE : WrOpcode.RDMA_WRITE_WITH_IMM;
            connection(seed, opcode);
        }
        String figures = String.format(
                Locale.ROOT,
                "%d spoiled packets with a good trailer on %d connections, %d of which ended: %d dropped, %s",
                fed,
                connections,
                ended,
                dropped,
                drops);
        assertThat(drops.keySet())
                .as("every step of the pipeline has had its turn: %s", figures)
                .contains(DropReason.LENGTH, DropReason.PROTOCOL, DropReason.STALE_REPORT);
    }

    private void connection(long seed, WrOpcode opcode) {
        Handshake handshake = new Handshake();
        Loop loop = new Loop(SMALL, opcode, MESSAGE_BYTES, DEPTH, seed, handshake::see);
        Mutator mutator = new Mutator(new SplitMix64(seed).split("mutator", 0).nextLong());
        connections++;
        for (int i = 0; i < ROUNDS_PER_CONNECTION && isAlive(loop); i++) {
            loop.refill();
            loop.send(PACKETS_PER_ROUND);
            loop.forth().assemble();
            spoil(loop, mutator, loop.forth(), loop.receiver(), handshake.responderSeed());
            loop.deliver();
            loop.report();
            loop.back().assemble();
            spoil(loop, mutator, loop.back(), loop.sender(), handshake.initiatorSeed());
            loop.deliverReports();
            loop.pass(mutator.draw(4) == 0 ? 30_000_000 : 100_000);
        }
        ended += isAlive(loop) ? 0 : 1;
        // What is left to do must be possible, too: timers, resends, closing.
        for (int i = 0; i < 20; i++) {
            loop.settle();
            loop.pass(100_000_000);
        }
        check(seed, loop.sender());
        check(seed, loop.receiver());
    }

    private static boolean isAlive(Loop loop) {
        return loop.sender().isEstablished()
                && loop.receiver().isEstablished()
                && loop.sender().failures() == 0;
    }

    private void spoil(Loop loop, Mutator mutator, Tray good, LoopSide target, int seed) {
        for (int n = 0; n < SPOILED_PER_ROUND && good.count() > 0 && isAlive(loop); n++) {
            mutator.copy(good.at(mutator.draw(good.count())));
            mutator.spoil(mutator.draw(16) == 0 ? Mutator.Reach.EVERYTHING : Mutator.Reach.FIELDS);
            boolean asInHandshake = mutator.draw(16) == 0;
            mutator.seal(asInHandshake ? 0 : seed);
            long before = target.counters().dropsTotal();
            long arrived = target.counters().get(Counter.RX_PACKETS);
            target.endpoint()
                    .onDatagram(
                            loop.nowNs(),
                            datagram.set(mutator.bytes(), 0, mutator.length(), 0, Ecn.UNKNOWN, () -> SOMEWHERE));
            fed++;
            long more = target.counters().dropsTotal() - before;
            dropped += more;
            assertThat(more).isBetween(0L, 1L);
            assertThat(target.counters().get(Counter.RX_PACKETS)).isEqualTo(arrived + 1);
        }
    }

    private void check(long seed, LoopSide side) {
        assertThat(side.areGuardsIntact())
                .as("memory around the region, seed %d", seed)
                .isTrue();
        for (DropReason reason : DropReason.values()) {
            long n = side.counters().get(reason);
            if (n > 0) {
                drops.merge(reason, n, Long::sum);
            }
        }
    }
}
