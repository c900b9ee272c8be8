package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.num.Minifloat;
import io.metaroce.path.Path;
import io.metaroce.path.PathEvent;
import org.junit.jupiter.api.Test;

/** A peer that stood still, told from planes that are lost. */
class NearlyAllSilentTest {
    private static final long NOW = 100_000;
    private final Rig four = Rig.a(4, 2); // paths 0 and 2 on plane 0
    private final Rig eight = Rig.a(8, 2);

    @Test
    void moreThanThreeSilentForEachThatSpeaksOnSeveralPlanes() {
        silence(eight, NOW, 0, 1, 2, 3, 4, 5, 6);
        eight.send(NOW, 7);
        assertThat(isSilent(eight, NOW)).isTrue();
        silence(four, NOW, 0, 1, 2);
        four.send(NOW, 3);
        assertThat(isSilent(four, NOW)).as("three of four").isFalse();
    }

    @Test
    void threeForEachIsNotMore() {
        silence(eight, NOW, 0, 1, 2, 3, 4, 5);
        eight.send(NOW, 6);
        eight.send(NOW, 7);
        assertThat(isSilent(eight, NOW)).isFalse();
    }

    @Test
    void onePlaneAloneIsTheOrdinaryFailure() {
        silence(eight, NOW, 0, 2, 4, 6);
        assertThat(isSilent(eight, NOW)).isFalse();
        silence(eight, NOW, 1);
        assertThat(isSilent(eight, NOW)).isTrue();
        assertThat(isSilent(four, NOW)).as("nobody is silent").isFalse();
    }

    @Test
    void onlyUntilTheFirstOfThemIsConfirmed() {
        silence(four, NOW, 1, 2);
        silence(four, NOW + 5_000, 0, 3);
        long confirmedNs = four.paths.outbound(1).confirmAtNs(four.agreement.peerAckDelayNs());
        assertThat(isSilent(four, confirmedNs - 1)).isTrue();
        assertThat(isSilent(four, confirmedNs)).isFalse();
    }

    @Test
    void whoRestsAndWasHeardLatelySpeaks() {
        deliver(four, 0, 3);
        Path heard = four.paths.outbound(3);
        long rested = heard.lastEvidenceNs() + 4 * heard.smoothedRttNs();
        silence(four, rested - 100, 0, 1, 2);
        assertThat(isSilent(four, rested - 1)).isFalse();
        assertThat(isSilent(four, rested)).as("four round trips ago").isTrue();
    }

    @Test
    void whoWasNeverHeardSaysNothing() {
        silence(four, 10, 0, 1, 2);
        assertThat(isSilent(four, 10)).isTrue();
    }

    private static boolean isSilent(Rig rig, long nowNs) {
        return NearlyAllSilent.isSilentNow(nowNs, rig.paths, rig.agreement);
    }

    private static void silence(Rig rig, long nowNs, int... paths) {
        for (int path : paths) {
            rig.paths.outbound(path).on(PathEvent.SILENT, nowNs);
        }
    }

    private static void deliver(Rig a, long sentNs, int path) {
        Rig b = Rig.b(a.paths.count(), 2);
        a.send(sentNs, path);
        b.receive(sentNs + Rig.RTT_NS / 2, a, path, 0, (int) (sentNs >> 4));
        b.writer.write(sentNs + Rig.RTT_NS / 2, b.out, Minifloat.HINT_NONE, 1, 0);
        a.reader.onReport(sentNs + Rig.RTT_NS, b.written(), AckReader.Kind.ACK);
    }
}
