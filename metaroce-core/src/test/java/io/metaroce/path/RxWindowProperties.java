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
        RxWindow window = new RxWindow(firstPsn, WIDTH);
        SlowWindow model = new SlowWindow(firstPsn);
        for (int ahead : steps) {
            int psn = model.edge() + ahead;
            assertThat(window.onPacket(psn)).isEqualTo(model.onPacket(psn));
            assertSame(window, model);
        }
    }

    @Property(tries = 200)
    @Covers("R-PATH-002")
    void agreesWithASetWhereNumbersWrap(@ForAll @Size(max = 400) List<@IntRange(min = -20, max = 9) Integer> steps) {
        RxWindow window = new RxWindow(-100, WIDTH);
        SlowWindow model = new SlowWindow(-100);
        for (int ahead : steps) {
            int psn = model.edge() + ahead;
            assertThat(window.onPacket(psn)).isEqualTo(model.onPacket(psn));
            assertSame(window, model);
        }
    }

    @Property(tries = 100)
    @Covers({"R-PATH-002", "R-PATH-004"})
    void agreesWithASetAtEveryWidthAndOverTheWrap(
            @ForAll @IntRange(max = 3) int widthLog,
            @ForAll @Size(max = 300) List<@IntRange(min = -20, max = 600) Integer> steps) {
        int width = 64 << widthLog;
        RxWindow window = new RxWindow(-50, width);
        SlowWindow model = new SlowWindow(-50, width);
        for (int step : steps) {
            int psn = model.edge() + (step % 3 == 0 ? 0 : step);
            assertThat(window.onPacket(psn)).isEqualTo(model.onPacket(psn));
            assertThat(window.edge()).isEqualTo(model.edge());
            assertThat(window.highestAhead()).isEqualTo(model.highestAhead());
        }
        for (int ahead = 0; ahead < width; ahead++) {
            assertThat(((window.word(ahead / 64) >>> (ahead % 64)) & 1) != 0).isEqualTo(model.has(ahead));
        }
    }

    @Property(tries = 500)
    @Covers({"R-PATH-002", "R-PATH-004"})
    void halfOfAllNumbersAreBelowAndTheRestIsAbove(@ForAll int firstPsn, @ForAll int psn) {
        RxWindow window = new RxWindow(firstPsn, WIDTH);
        assertThat(window.onPacket(psn)).isEqualTo(new SlowWindow(firstPsn).onPacket(psn));
    }

    @Property(tries = 60)
    @Covers("R-SACK-003")
    void whatWasReportedStaysReported(
            @ForAll int firstPsn, @ForAll @Size(max = 60) List<@IntRange(min = -5, max = 270) Integer> steps) {
        RxWindow window = new RxWindow(firstPsn, WIDTH);
        boolean[] told = new boolean[2 * WIDTH];
        for (int ahead : steps) {
            window.onPacket(window.edge() + ahead);
            for (int i = 0; i < told.length; i++) {
                boolean tells = isReported(window, firstPsn + i);
                if (told[i] && !tells) {
                    throw new AssertionError("number " + i + " was reported and is no more");
                }
                told[i] = tells;
            }
        }
    }

    @Example
    void aFullWindowFallsAtOnce() {
        RxWindow window = new RxWindow(7, WIDTH);
        for (int ahead = 1; ahead < WIDTH; ahead++) {
            assertThat(window.onPacket(7 + ahead)).isEqualTo(Arrival.OUT_OF_ORDER);
        }
        assertThat(window.onPacket(7 + WIDTH)).isEqualTo(Arrival.ABOVE_WINDOW);
        assertThat(window.onPacket(7)).isEqualTo(Arrival.IN_ORDER);
        assertThat(window.edge()).isEqualTo(7 + WIDTH);
        assertThat(window.hasHole()).isFalse();
    }

    private static boolean isReported(RxWindow window, int psn) {
        int ahead = psn - window.edge();
        return ahead < 0 || (ahead < WIDTH && ((window.word(ahead / 64) >>> (ahead % 64)) & 1) != 0);
    }

    private static void assertSame(RxWindow window, SlowWindow model) {
        assertThat(window.edge()).isEqualTo(model.edge());
        assertThat(window.highestAhead()).isEqualTo(model.highestAhead());
        assertThat(window.hasHole()).isEqualTo(model.highestAhead() >= 0);
        for (int ahead = 0; ahead < WIDTH; ahead++) {
            if (isReported(window, model.edge() + ahead) != model.has(ahead)) {
                throw new AssertionError("bit " + ahead + " must be " + model.has(ahead));
            }
        }
    }
}
