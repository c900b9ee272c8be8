package io.metaroce.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.bench.micro.BareSide;
import io.metaroce.bench.micro.Tray;
import io.metaroce.datagram.Address;
import io.metaroce.engine.ConnectionListener;
import io.metaroce.engine.Endpoint;
import io.metaroce.engine.Offer;
import io.metaroce.engine.StreamBinding;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.ConnectionLimits;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A connection of very many streams costs no more paths, windows or timers than one of a single stream. */
class ManyStreamsTest {
    private static final int STREAMS = 1_024;
    private static final int ROUNDS = 4;
    private static final long STREAM_BYTES_MAX = 1_100;

    @Test
    void aThousandStreamsShareThePathsWindowsAndTimersOfOneConnection() {
        Footprint one = new Talk(1).run().footprint();
        Footprint many = new Talk(STREAMS).run().footprint();
        assertThat(many.count("Stream")).isEqualTo(STREAMS);
        for (String each : List.of(
                "Path",
                "PathTable",
                "PathSet",
                "PathWindows",
                "ConnectionWindow",
                "Pacer",
                "ProbeTimer",
                "TxSlots",
                "RttEstimator",
                "PathDeadlines",
                "DeadTimer",
                "Deadline",
                "Connection",
                "Peering",
                "Traffic")) {
            assertThat(many.count(each)).as(each).isEqualTo(one.count(each));
        }
        long eachStream = (many.bytes() - one.bytes()) / (STREAMS - 1);
        assertThat(eachStream)
                .as("bytes a stream:\n%s", many.growthOver(one, STREAMS - 1))
                .isLessThanOrEqualTo(STREAM_BYTES_MAX);
    }

    /** Two engines, one connection, and writes on all of its streams. */
    private static final class Talk {
        private static final Address LEFT = Address.ipv4(0x7F000001, 1001);
        private static final Address RIGHT = Address.ipv4(0x7F000002, 1002);
        private static final int SERVICE = 5;
        private static final int STEPS_MAX = 10_000;
        private static final long STEP_NS = 50_000;

        private final int streams;
        private final Side left;
        private final Side right;
        private final Tray forth = new Tray(4_096, 4096, LEFT);
        private final Tray back = new Tray(4_096, 4096, RIGHT);
        private long nowNs = 1_000_000;

        Talk(int streams) {
            this.streams = streams;
            EndpointConfig config = Profiles.udp();
            ConnectionLimits usual = config.connection();
            EndpointConfig wide = config.withConnection(new ConnectionLimits(
                    usual.payloadBytes(), STREAMS, usual.openMessages(), usual.messageBytesMax(), usual.reads(), 0));
            left = new Side(wide, LEFT, 1, streams);
            right = new Side(wide, RIGHT, 2, streams);
        }

        Footprint footprint() {
            return Footprint.of(left.endpoint());
        }

        Talk run() {
            right.endpoint().listen(SERVICE, right);
            left.connectionId =
                    left.endpoint().connect(nowNs, RIGHT, SERVICE, List.of(left.binding(0)), new byte[0], left);
            exchangeUntilDone(2);
            for (int i = 1; i < streams; i++) {
                left.endpoint().openStream(nowNs, left.connectionId, left.binding(i));
                right.endpoint().openStream(nowNs, right.connectionId, right.binding(i));
            }
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < streams; i++) {
                    left.bare.post(i, right.bare);
                }
                exchangeUntilDone(2 + (round + 1) * streams);
            }
            return this;
        }

        private void exchangeUntilDone(int events) {
            for (int i = 0; i < STEPS_MAX && left.events + right.events < events; i++) {
                left.tick(nowNs, forth);
                forth.assemble();
                right.bare.feed(nowNs, forth);
                right.tick(nowNs, back);
                back.assemble();
                left.bare.feed(nowNs, back);
                left.events += left.bare.takeCompletions();
                nowNs += STEP_NS;
            }
            assertThat(left.events + right.events).isEqualTo(events);
        }
    }

    /** One engine with a queue pair per stream. */
    private static final class Side implements ConnectionListener {
        private static final int BYTES = 4_096;

        private final BareSide bare;
        private int connectionId;
        private int events; // establishment and completions

        Side(EndpointConfig config, Address address, long seed, int streams) {
            bare = new BareSide(config, address, new SplitMix64(seed), streams, 1, BYTES);
        }

        Endpoint endpoint() {
            return bare.endpoint();
        }

        StreamBinding binding(int i) {
            return bare.binding(i, i);
        }

        void tick(long nowNs, Tray to) {
            bare.tick(nowNs);
            boolean hasMore = true;
            while (hasMore) {
                hasMore = bare.poll(nowNs, to);
            }
        }

        @Override
        public void offered(long nowNs, int id, Offer offer) {
            connectionId = id;
            endpoint().accept(nowNs, id, List.of(binding(0)), new byte[0]);
        }

        @Override
        public void established(long nowNs, int id, byte[] privateData) {
            events++;
        }
    }
}
