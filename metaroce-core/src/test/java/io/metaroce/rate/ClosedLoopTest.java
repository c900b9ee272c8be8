package io.metaroce.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.Profiles;
import io.metaroce.param.RateConfig;
import org.junit.jupiter.api.Test;

/** The laws in a loop with a queue: do they settle, fill the line, keep the queue short, and share? */
class ClosedLoopTest {
    private static final long US = 1_000;
    private static final long MS = 1_000_000;
    private static final long LINE = 50_000_000_000L;
    private static final long RTT = 12 * US;
    private static final long BDP = 600_000;

    @Test
    void oneSenderFillsTheLineAndLeavesTheQueueEmpty() {
        ToyNetwork network = network(1, 32, LINE, 0);
        network.start(0, 1);
        network.runUntil(200 * US);
        network.forget();
        network.runUntil(1200 * US);
        assertThat(network.deliveredBytes()).isGreaterThan(LINE / 1000 * 99 / 100);
        assertThat(network.queueBytesMax()).isLessThan(BDP / 10);
    }

    @Test
    @Covers("R-CC-006")
    void randomLossCostsWhatIsLostAndNextToNothingMore() {
        for (int perMille : new int[] {1, 10, 50, 100}) {
            ToyNetwork network = network(1, 32, LINE, perMille);
            network.start(0, 1);
            network.runUntil(300 * US);
            network.forget();
            network.runUntil(2300 * US);
            long bound = 2 * LINE / 1000 * (1000 - perMille) / 1000;
            assertThat(network.deliveredBytes())
                    .as("%s per mille", perMille)
                    .isGreaterThan(bound * (perMille <= 10 ? 98 : 95) / 100);
        }
    }

    @Test
    void randomLossDoesNotStarveASoftwareHostEither() {
        RateConfig udp = Profiles.udp().rate();
        ToyNetwork network = new ToyNetwork(new ToyNetwork.World(
                udp, 1, 16, 1_250_000_000, 60 * US, 4 << 20, 100, 16, 200 * US, ToyNetwork.Marking.NONE));
        network.start(0, 1);
        network.runUntil(20 * MS);
        network.forget();
        network.runUntil(70 * MS);
        assertThat(network.deliveredBytes()).isGreaterThan(1_250_000_000L / 20 * 9 / 10 * 95 / 100);
    }

    @Test
    void sendersShareByHintsWithinAFewRoundTrips() {
        for (int senders : new int[] {2, 8, 32}) {
            ToyNetwork network = network(senders, 32, LINE, 0);
            network.start(0, senders);
            network.runUntil(600 * US);
            network.forget();
            network.runUntil(1600 * US);
            assertThat(network.deliveredBytes()).as("%s senders", senders).isGreaterThan(LINE / 1000 * 98 / 100);
            assertThat(network.fairnessPerMille(0, senders))
                    .as("%s senders", senders)
                    .isGreaterThan(990);
            assertThat(network.droppedPackets()).as("%s senders", senders).isZero();
            assertThat(network.queueBytesMax()).as("%s senders", senders).isLessThan(BDP);
        }
    }

    @Test
    void aCrowdThatOverrunsTheBufferAtFirstSettlesAllTheSame() {
        ToyNetwork network = network(128, 32, LINE, 0);
        network.start(0, 128);
        network.runUntil(2 * MS);
        network.forget();
        network.runUntil(4 * MS);
        assertThat(network.deliveredBytes()).isGreaterThan(2 * LINE / 1000 * 98 / 100);
        assertThat(network.fairnessPerMille(0, 128)).isGreaterThan(980);
        assertThat(network.droppedPackets()).isZero();
        // Two packets of slack a sender: the pacer shares, the window only limits.
        assertThat(network.queueBytesMax()).isLessThan(3 * BDP);
    }

    @Test
    @Covers("R-HINT-003")
    void aSenderThatComesLateHasItsShareAtOnce() {
        ToyNetwork network = network(4, 16, LINE, 0);
        network.start(0, 3);
        network.runUntil(1 * MS);
        network.start(3, 4);
        network.runUntil(1 * MS + 4 * RTT);
        for (ToyNetwork.Sender sender : network.senders) {
            assertThat(sender.control.hintBytesPerSecond()).isBetween(LINE / 4 * 98 / 100, LINE / 4);
        }
        network.forget();
        network.runUntil(2 * MS);
        assertThat(network.fairnessPerMille(0, 4)).isGreaterThan(980);
    }

    @Test
    void marksRuleWhereTheReceiverCannotSeeTheBottleneck() {
        // The receiver shares out twice of what the network carries.
        ToyNetwork network = network(8, 32, LINE / 2, 0);
        network.start(0, 8);
        network.runUntil(2 * MS);
        network.forget();
        network.runUntil(6 * MS);
        assertThat(network.deliveredBytes()).isGreaterThan(2 * LINE / 1000 * 98 / 100);
        assertThat(network.fairnessPerMille(0, 8)).isGreaterThan(970);
        assertThat(network.droppedPackets()).isZero();
        assertThat(network.queueBytesMax()).isLessThan(BDP);
    }

    @Test
    @Covers("R-CC-014")
    void theSameWorldRunsTheSameWay() {
        long[] hashes = new long[2];
        for (int i = 0; i < 2; i++) {
            ToyNetwork network = network(5, 8, LINE, 20);
            network.start(0, 5);
            network.runUntil(500 * US);
            hashes[i] = network.hash();
        }
        assertThat(hashes[0]).isEqualTo(hashes[1]);
    }

    private static ToyNetwork network(int senders, int paths, long bytesPerSecond, int lossPerMille) {
        return new ToyNetwork(new ToyNetwork.World(
                Profiles.model().rate(),
                senders,
                paths,
                bytesPerSecond,
                RTT,
                5 * BDP,
                lossPerMille,
                4,
                US,
                ToyNetwork.Marking.RAMP));
    }
}
