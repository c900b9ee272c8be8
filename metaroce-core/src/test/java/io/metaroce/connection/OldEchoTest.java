package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Minifloat;
import io.metaroce.num.StampClock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A receiver that hears nothing of one path goes on reporting what it heard of it last. The sender, which goes on
 * asking, must know its own stamp however old it is: the clock of stamps turns meanwhile.
 */
class OldEchoTest {
    private static final int HINT = Minifloat.encodeHint(1_000_000_000);
    private static final long S = 1_000_000_000L;
    private static final long BEGIN_NS = 3 * S;
    private static final long ASKED_EVERY_NS = 9 * S; // so that stamps do not start anew
    private static final int QUIET = 1; // the path that is not heard for a while

    private final Rig a = Rig.a(2, 1);
    private final Rig b = Rig.b(2, 1);
    private int sentOnQuiet;
    private int sentOnOther;

    @ParameterizedTest
    @ValueSource(ints = {9, 18, 36, 45, 54, 63, 72, 90, 108, 144})
    @Covers({"R-ACK-007", "R-PATH-019"})
    void whatIsRepeatedOfLongAgoIsNoBreachAndWhatComesThenIsNews(int unheardSeconds) {
        long end = BEGIN_NS + unheardSeconds * S;
        onQuiet(BEGIN_NS, true);
        onOther(BEGIN_NS);
        report(BEGIN_NS);
        assertThat(a.paths.outbound(QUIET).unacked()).isZero();
        for (long now = BEGIN_NS + ASKED_EVERY_NS; now < end; now += ASKED_EVERY_NS) {
            onQuiet(now, false);
        }
        // The other path brings about a report, which tells for the second time what had come on the quiet one.
        onOther(end);
        report(end);
        onQuiet(end + S, true);
        report(end + S);
        assertThat(a.paths.outbound(QUIET).isEchoed()).isTrue();
        assertThat(a.paths.outbound(QUIET).newestEcho()).isEqualTo(StampClock.at(end + S));
        assertThat(a.paths.outbound(QUIET).smoothedRttNs()).isLessThan(S);
    }

    private void onQuiet(long now, boolean arrives) {
        a.send(now, QUIET);
        if (arrives) {
            b.receive(now + Rig.RTT_NS / 2, a, QUIET, sentOnQuiet, StampClock.at(now));
        }
        sentOnQuiet++;
    }

    private void onOther(long now) {
        a.send(now, 0);
        b.receive(now + Rig.RTT_NS / 2, a, 0, sentOnOther++, StampClock.at(now));
    }

    private void report(long now) {
        b.writer.write(now + Rig.RTT_NS / 2, b.out, HINT, 1, 0);
        assertThat(a.reader.onReport(now + Rig.RTT_NS, b.written(), AckReader.Kind.ACK))
                .isNull();
    }
}
