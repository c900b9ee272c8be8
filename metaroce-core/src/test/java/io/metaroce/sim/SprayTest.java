package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.num.SplitMix64;
import io.metaroce.sim.light.LightHost;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Oblivious spraying over three tiers against a published figure of another simulator. */
class SprayTest {
    private static final long RATE = 100_000_000_000L;
    private static final int WIRE_BYTES = 4_150;
    private static final int PACKETS = 490; // 2,000,000 bytes, 64 of a packet are headers
    private static final int WINDOW = 54; // one and a half times rate times round trip
    private static final double ALONE_US = 176.2;

    /**
     * 1,024 hosts, a random permutation of 2,000,000 bytes each, another source port for every packet, a fixed window:
     * uet-htsim prints 212.8 us, 1.21 of what a flow takes alone, with switches that trim what does not fit and thereby
     * send it another way. Here nothing is trimmed or lost, and it takes 1.26; over 128 ports in turn, whose uneven
     * spreading lasts, 1.35.
     */
    @Test
    void aPermutationThatIsSprayedBlindlyTakesAQuarterLonger() {
        assertThat(permutationUs(1, 16_000) / ALONE_US).isBetween(1.21, 1.29);
    }

    private static double permutationUs(long seed, int ports) {
        World world = new World(WorldConfig.ofSeed(seed).withPacketBytes(64).withPackets(1 << 18));
        LinkConfig port = LinkConfig.port(RATE, SimTime.US, 1L << 30);
        Fabric fabric = new FatTree(16, 8, 8, 8, 8, 1, NicConfig.ofGbit(100), port, port).build(world);
        LightHost.Load load = new LightHost.Load(WIRE_BYTES - PacketPool.OVERHEAD_BYTES, WINDOW, ports, 1);
        List<LightHost> hosts = new ArrayList<>();
        for (Attachment place : fabric.attachments()) {
            hosts.add(LightHost.attach(place, load));
        }
        int[] order = new int[hosts.size()];
        SplitMix64 draw = world.seeds().stream("test.permutation", 0);
        for (int i = 0; i < order.length; i++) {
            int j = draw.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        for (int i = 0; i < order.length; i++) {
            hosts.get(order[i]).sends(hosts.get(order[(i + 1) % order.length]), PACKETS);
        }
        double[] last = {0};
        while (world.step()) {
            last[0] = world.nowPs();
        }
        assertThat(hosts).allMatch(LightHost::isDone);
        return last[0] / SimTime.US;
    }
}
