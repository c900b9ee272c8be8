package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.engine.PathView;
import io.metaroce.param.EndpointConfig;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A fabric that never marks, through the real engine: several senders at line rate into one port of that rate whose
 * buffer is shallow. The receiver's hints are kept out of the way: it believes it could take everything in.
 */
class DelayProfileSimTest {
    private static final int GBIT = 100;
    private static final long ONE_WAY_NS = 2_500; // twice per direction
    private static final long RTT_NS = 10_000;
    private static final int MESSAGE = 1 << 20;

    @ParameterizedTest
    // More senders than the buffer has places take longer, if they begin without marks and at line rate.
    // Of eight senders into seven places a fifth may be lost: 500 bytes of buffer more or less move it by a half.
    @CsvSource({"2, 4, true, 100, 150", "8, 4, true, 100, 200", "2, 8, true, 100, 150", "8, 4, false, 1000, 150"})
    @Covers({"R-CC-007", "R-CC-015"})
    void anOverloadSettlesAtLittleLoss(
            int senders, int bufferPart, boolean peerReadsMarks, int settleRounds, int lossPerMilleMax) {
        long product = GBIT * 125L * RTT_NS / 1000;
        LinkConfig down = LinkConfig.port(GBIT * 1_000_000_000L, ONE_WAY_NS * SimTime.NS, product / bufferPart);
        EndpointConfig config = Transfer.config(GBIT, 1);
        long rate = config.rate().outboundBytesPerSecond();
        EndpointConfig receiving =
                config.withRate(config.rate().withLineRate(rate, rate * senders).withReadsMarks(peerReadsMarks));
        Incast incast = new Incast(senders, NicConfig.ofGbit(GBIT), down, config, receiving, MESSAGE, 64);
        incast.post(64);
        if (peerReadsMarks) {
            // Nobody knows yet that no marks will come: a thousand losses of each have to tell, if there are so many.
            incast.runUnless(() -> lostAtLeast(incast, 1_000), 3_000 * RTT_NS);
        }
        incast.world.run(settleRounds * RTT_NS);
        long sent = -incast.sum(PathView::sentPackets);
        long lost = -incast.sum(PathView::lostPackets);
        incast.world.run(100 * RTT_NS);
        sent += incast.sum(PathView::sentPackets);
        lost += incast.sum(PathView::lostPackets);
        long usedPerMille = 1000 * (sent - lost) / (100 * product / 4218);
        String figures = String.format(
                Locale.ROOT,
                "%d senders, buffer BDP/%d: loss %d per mille, line used %d per mille",
                senders,
                bufferPart,
                1000 * lost / sent,
                usedPerMille);
        assertThat(1000 * lost / sent).as(figures).isLessThan(lossPerMilleMax);
        assertThat(usedPerMille).as(figures).isGreaterThan(850);
    }

    private static boolean lostAtLeast(Incast incast, long packets) {
        return incast.senders.stream().allMatch(sender -> sender.sum(PathView::lostPackets) > packets);
    }
}
