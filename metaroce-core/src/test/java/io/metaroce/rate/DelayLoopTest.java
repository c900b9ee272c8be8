package io.metaroce.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.Profiles;
import io.metaroce.param.RateConfig;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The laws in a loop with a queue that never marks: the receiver shares out more than the network carries. */
class DelayLoopTest {
    private static final long LINE = 50_000_000_000L;
    private static final long RTT = 12_000;
    private static final long BDP = 600_000;

    /** Senders of line rate into one line of that rate; the buffer as a part of its bandwidth-delay product. */
    @ParameterizedTest
    @CsvSource({"2, 5", "2, 10", "4, 5", "8, 5", "8, 10", "16, 5"})
    @Covers("R-CC-007")
    void withShallowBuffersAnOverloadSettlesAtLittleLoss(int senders, int buffer) {
        ToyNetwork network = network(senders, 8, BDP / buffer, 0);
        network.start(0, senders);
        network.runUntil(100 * RTT);
        network.forget();
        network.runUntil(200 * RTT);
        long lossPerMille = 1000 * network.droppedPackets() / network.sentPackets();
        long used = 1000 * network.deliveredBytes() / (LINE * 100 * RTT / 1_000_000_000);
        String figures = String.format(
                Locale.ROOT,
                "overload %d:1, buffer BDP/%d: loss %d per mille, line used %d per mille, fairness %d",
                senders,
                buffer,
                lossPerMille,
                used,
                network.fairnessPerMille(0, senders));
        assertThat(lossPerMille).as(figures).isLessThan(150);
        assertThat(used).as(figures).isGreaterThan(900);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8})
    void withDeepBuffersDelayKeepsTheQueueNearTheWantedOne(int senders) {
        ToyNetwork network = network(senders, 8, 5 * BDP, 0);
        network.start(0, senders);
        network.runUntil(200 * RTT);
        network.forget();
        network.runUntil(400 * RTT);
        String figures = String.format(
                Locale.ROOT,
                "overload %d:1, deep buffer: dropped %d, longest queue %d of BDP %d, fairness %d",
                senders,
                network.droppedPackets(),
                network.queueBytesMax(),
                BDP,
                network.fairnessPerMille(0, senders));
        assertThat(network.droppedPackets()).as(figures).isZero();
        assertThat(network.queueBytesMax()).as(figures).isLessThan(9 * BDP / 2);
        assertThat(network.deliveredBytes()).as(figures).isGreaterThan(LINE * 200 * RTT / 1_000_000_000 * 95 / 100);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 32})
    void randomLossIsAnsweredWithWhatIsLost(int paths) {
        for (int perMille : new int[] {0, 1, 10, 50, 100}) {
            ToyNetwork network = network(1, paths, 5 * BDP, perMille);
            network.start(0, 1);
            network.runUntil(100 * RTT);
            network.forget();
            network.runUntil(300 * RTT);
            long bound = LINE * 200 * RTT / 1_000_000_000 * (1000 - perMille) / 1000;
            assertThat(network.deliveredBytes())
                    .as("%d paths, loss %d per mille, bound %d", paths, perMille, bound)
                    .isGreaterThan(bound * 95 / 100);
        }
    }

    private static ToyNetwork network(int senders, int paths, long bufferBytes, int lossPerMille) {
        RateConfig rate = Profiles.model().rate().withLineRate(LINE, senders * LINE);
        ToyNetwork network = new ToyNetwork(new ToyNetwork.World(
                rate, senders, paths, LINE, RTT, bufferBytes, lossPerMille, 4, 1_000, ToyNetwork.Marking.NONE));
        network.senders.forEach(sender -> sender.control.peerReadsMarks(false));
        return network;
    }
}
