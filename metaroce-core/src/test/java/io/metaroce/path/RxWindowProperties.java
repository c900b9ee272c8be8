package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class RxWindowProperties {
    private static final int WIDTH = RxWindow.WIDTH_PACKETS;

    @Property(tries = 200)
    @Covers({"R-PATH-002", "R-PATH-004", "R-PATH-005"})
    void agreesWithASetOfArrivedNumbers(
            @ForAll int firstPsn, @ForAll @Size(max = 400) List<@IntRange(min = -20, max = 300) Integer> steps) {
        InboundPath path = owing(firstPsn, WIDTH);
        SlowWindow model = new SlowWindow(firstPsn);
        for (int ahead : steps) {
            int psn = model.edge() + ahead;
            assertThat(RxWindow.onPacket(path, psn)).isEqualTo(model.onPacket(psn));
            assertSame(path, model);
        }
    }

    @Property(tries = 200)
    @Covers("R-PATH-002")
    void agreesWithASetWhereNumbersWrap(@ForAll @Size(max = 400) List<@IntRange(min = -20, max = 9) Integer> steps) {
        InboundPath path = owing(-100, WIDTH);
        SlowWindow model = new SlowWindow(-100);
        for (int ahead : steps) {
            int psn = model.edge() + ahead;
            assertThat(RxWindow.onPacket(path, psn)).isEqualTo(model.onPacket(psn));
            assertSame(path, model);
        }
    }

    @Property(tries = 100)
    @Covers({"R-PATH-002", "R-PATH-004"})
    void agreesWithASetAtEveryWidthAndOverTheWrap(
            @ForAll @IntRange(max = 3) int widthLog,
            @ForAll @Size(max = 300) List<@IntRange(min = -20, max = 600) Integer> steps) {
        int width = 64 << widthLog;
        InboundPath path = owing(-50, width);
        SlowWindow model = new SlowWindow(-50, width);
        for (int step : steps) {
            int psn = model.edge() + (step % 3 == 0 ? 0 : step);
            assertThat(RxWindow.onPacket(path, psn)).isEqualTo(model.onPacket(psn));
            assertThat(RxWindow.edge(path)).isEqualTo(model.edge());
            assertThat(RxWindow.highestAhead(path)).isEqualTo(model.highestAhead());
        }
        for (int ahead = 0; ahead < width; ahead++) {
            assertThat(((RxWindow.word(path, ahead / 64) >>> (ahead % 64)) & 1) != 0)
                    .isEqualTo(model.has(ahead));
        }
    }

    @Property(tries = 500)
    @Covers({"R-PATH-002", "R-PATH-004"})
    void halfOfAllNumbersAreBelowAndTheRestIsAbove(@ForAll int firstPsn, @ForAll int psn) {
        InboundPath path = owing(firstPsn, WIDTH);
        assertThat(RxWindow.onPacket(path, psn)).isEqualTo(new SlowWindow(firstPsn).onPacket(psn));
    }

    @Property(tries = 60)
    @Covers("R-SACK-003")
    void whatWasReportedStaysReported(
            @ForAll int firstPsn, @ForAll @Size(max = 60) List<@IntRange(min = -5, max = 270) Integer> steps) {
        InboundPath path = owing(firstPsn, WIDTH);
        boolean[] told = new boolean[2 * WIDTH];
        for (int ahead : steps) {
            RxWindow.onPacket(path, RxWindow.edge(path) + ahead);
            for (int i = 0; i < told.length; i++) {
                boolean tells = isReported(path, firstPsn + i);
                if (told[i] && !tells) {
                    throw new AssertionError("number " + i + " was reported and is no more");
                }
                told[i] = tells;
            }
        }
    }

    @Example
    void aFullWindowFallsAtOnce() {
        InboundPath path = owing(7, WIDTH);
        for (int ahead = 1; ahead < WIDTH; ahead++) {
            assertThat(RxWindow.onPacket(path, 7 + ahead)).isEqualTo(Arrival.OUT_OF_ORDER);
        }
        assertThat(RxWindow.onPacket(path, 7 + WIDTH)).isEqualTo(Arrival.ABOVE_WINDOW);
        assertThat(RxWindow.onPacket(path, 7)).isEqualTo(Arrival.IN_ORDER);
        assertThat(RxWindow.edge(path)).isEqualTo(7 + WIDTH);
        assertThat(RxWindow.hasHole(path)).isFalse();
    }

    private static InboundPath owing(int firstPsn, int windowPackets) {
        return new InboundPath(0, firstPsn, windowPackets, 4);
    }

    private static boolean isReported(InboundPath path, int psn) {
        int ahead = psn - RxWindow.edge(path);
        return ahead < 0 || (ahead < WIDTH && ((RxWindow.word(path, ahead / 64) >>> (ahead % 64)) & 1) != 0);
    }

    private static void assertSame(InboundPath path, SlowWindow model) {
        assertThat(RxWindow.edge(path)).isEqualTo(model.edge());
        assertThat(RxWindow.highestAhead(path)).isEqualTo(model.highestAhead());
        assertThat(RxWindow.hasHole(path)).isEqualTo(model.highestAhead() >= 0);
        for (int ahead = 0; ahead < WIDTH; ahead++) {
            if (isReported(path, model.edge() + ahead) != model.has(ahead)) {
                throw new AssertionError("bit " + ahead + " must be " + model.has(ahead));
            }
        }
    }
}
