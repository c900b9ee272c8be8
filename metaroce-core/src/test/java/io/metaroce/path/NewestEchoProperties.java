package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Entropy;
import io.metaroce.num.Serial32;
import io.metaroce.num.SplitMix64;
import java.util.Arrays;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Against a twin that asks every path each time. */
class NewestEchoProperties {
    private static final long RECENT_NS = 16_000_000_000L;
    private static final int STEPS = 400;

    @Property(tries = 300)
    @Covers("R-HEALTH-001")
    void isThatOfThePathWithTheNewestEchoOfThoseHeardLately(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int count) {
        TxStamps stamps = new TxStamps(count);
        PathRow[] rows = new PathRow[count];
        Arrays.setAll(rows, Rows::of);
        PathHealth health = new PathHealth(count, new PathDeadlines(count));
        NewestEcho newest = new NewestEcho(count, stamps, health);
        Entropy chance = new SplitMix64(seed);
        long now = chance.nextLong() >>> 2;
        for (int i = 0; i < STEPS; i++) {
            int path = chance.nextInt(count);
            // Silence of seconds now and then, so that echoes grow old, and stretches end.
            now += chance.nextInt(20) == 0 ? chance.nextInt(2_000_000_000) : 16L * chance.nextInt(3);
            switch (chance.nextInt(12)) {
                case 0 -> stamps.beginStretch(rows[path]);
                case 1, 2, 3 -> stamps.next(now, rows[path]);
                default -> {
                    int echoed = stamps.last(rows[path]) - chance.nextInt(3);
                    if (!stamps.isIdle(now, rows[path]) && stamps.isNews(rows[path], echoed)) {
                        if (chance.nextInt(8) != 0) {
                            stamps.onEcho(rows[path], echoed);
                        } // else the report was overtaken
                        health.onEvidence(now, path);
                        newest.onEvidence(path);
                    }
                }
            }
            if (chance.nextInt(3) == 0) {
                assertThat(newest.path(now)).isEqualTo(slow(now, count, stamps, health));
            }
        }
    }

    @Example
    void whoWasSilentForSixteenSecondsIsNotComparedAnyMore() {
        TxStamps stamps = new TxStamps(2);
        PathHealth health = new PathHealth(2, new PathDeadlines(2));
        NewestEcho newest = new NewestEcho(2, stamps, health);
        PathRow[] rows = {Rows.of(0), Rows.of(1)};
        long now = RECENT_NS;
        stamps.onEcho(rows[1], 500);
        stamps.onEcho(rows[0], 400);
        health.onEvidence(now, 1);
        assertThat(newest.path(now)).isEqualTo(1);
        health.onEvidence(now + 1, 0);
        newest.onEvidence(0);
        assertThat(newest.path(now + RECENT_NS - 1)).isEqualTo(1);
        assertThat(newest.path(now + RECENT_NS)).isZero();
        assertThat(newest.path(now + RECENT_NS + 1)).isEqualTo(PathTable.NO_PATH);
    }

    private static int slow(long now, int count, TxStamps stamps, PathHealth health) {
        int best = PathTable.NO_PATH;
        for (int path = 0; path < count; path++) {
            if (stamps.isEchoed(path)
                    && now - health.lastEvidenceNs(path) < RECENT_NS
                    && (best == PathTable.NO_PATH
                            || Serial32.isAfter(stamps.newestEcho(path), stamps.newestEcho(best)))) {
                best = path;
            }
        }
        return best;
    }
}
