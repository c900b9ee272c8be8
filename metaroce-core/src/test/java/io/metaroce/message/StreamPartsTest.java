package io.metaroce.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.Covers;
import io.metaroce.num.Deadline;
import io.metaroce.num.SplitMix64;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The small parts that a stream is made of, each by itself. */
class StreamPartsTest {
    // ---- credits

    @Test
    @Covers({"R-SEND-003", "R-ORD-010"})
    void onlyAHigherLimitIsNews() {
        CreditLedger credits = new CreditLedger(RnrPolicy.WAIT, -3);
        assertThat(credits.raise(-3)).isFalse();
        assertThat(credits.allowsNext()).isFalse();
        assertThat(credits.raise(1)).isTrue(); // across the end of the circle
        assertThat(credits.raise(0)).isFalse();
        for (int rsn = -3; rsn < 1; rsn++) {
            assertThat(credits.allowsNext()).isTrue();
            assertThat(credits.take()).isEqualTo(rsn);
        }
        assertThat(credits.allowsNext()).isFalse();
        assertThat(credits.covers(0)).isTrue();
        assertThat(credits.covers(1)).isFalse();
        assertThat(credits.announce()).isTrue();
        assertThat(credits.announce()).isFalse();
    }

    @Test
    void oneBeyondTheLimitIsTried() {
        CreditLedger credits = new CreditLedger(RnrPolicy.of(3, 1_000), 0);
        assertThat(credits.allowsNext()).isTrue();
        credits.take();
        assertThat(credits.allowsNext()).isFalse();
        credits.raise(1);
        assertThat(credits.allowsNext()).isTrue();
    }

    @Test
    void halfOfWhatThePeerHasBeingNewIsWorthAReport() {
        CreditLedger credits = new CreditLedger(RnrPolicy.WAIT, 0);
        credits.told(10);
        assertThat(credits.isWorthTelling(10, 0)).isFalse();
        assertThat(credits.isWorthTelling(11, 3)).isFalse();
        assertThat(credits.isWorthTelling(11, 2)).isTrue();
        assertThat(credits.isWorthTelling(14, 8)).isTrue();
        assertThat(credits.isWorthTelling(14, 9)).isFalse();
    }

    // ---- what the verbs ask for

    @Test
    @Covers("R-SEND-011")
    void aNumberOfRetriesIsTriedAndSevenWaits() {
        assertThat(RnrPolicy.of(7, RnrPolicy.WAIT.delayNs())).isSameAs(RnrPolicy.WAIT);
        assertThat(RnrPolicy.of(7, 5).trust()).isEqualTo(RnrPolicy.Trust.CREDITS);
        assertThat(RnrPolicy.of(7, 5).delayNs()).isEqualTo(5);
        assertThat(RnrPolicy.of(6, 5).trust()).isEqualTo(RnrPolicy.Trust.ONE_BEYOND);
        assertThat(RnrPolicy.of(6, RnrPolicy.WAIT.delayNs()).retries()).isEqualTo(6);
        assertThat(RnrPolicy.of(2, 0).isExhausted(2)).isFalse();
        assertThat(RnrPolicy.of(2, 0).isExhausted(3)).isTrue();
        assertThat(RnrPolicy.of(7, 0).isExhausted(1_000_000)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 8})
    void otherRetriesAreRefused(int retries) {
        assertThatThrownBy(() -> RnrPolicy.of(retries, 0)).hasMessageContaining("0..6");
        assertThatCode(() -> RnrPolicy.of(0, 0)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 655_350_001})
    void otherDelaysAreRefused(long delayNs) {
        assertThatThrownBy(() -> RnrPolicy.of(1, delayNs)).hasMessageContaining("allowed are 0..655350000");
        assertThatCode(() -> RnrPolicy.of(1, 655_350_000)).doesNotThrowAnyException();
    }

    // ---- what is heard of streams that are not bound yet

    @Test
    @Covers("R-ORD-010")
    void whatThePeerHasSaidOfAStreamIsRemembered() {
        SplitMix64 chance = new SplitMix64(1);
        int ids = 21;
        int first = -2;
        for (int round = 0; round < 50; round++) {
            Announcements heard = new Announcements(ids, first);
            boolean[] open = new boolean[ids];
            int[] limit = new int[ids];
            Arrays.fill(limit, first);
            for (int i = 0; i < 30; i++) {
                int id = chance.nextInt(ids);
                if (chance.nextInt(2) == 0) {
                    heard.open(id);
                    open[id] = true;
                } else {
                    int value = first + chance.nextInt(10);
                    heard.raise(id, value);
                    limit[id] = Math.max(limit[id], value);
                }
                for (int k = 0; k < ids; k++) {
                    assertThat(heard.isOpen(k)).isEqualTo(open[k]);
                    assertThat(heard.limit(k)).isEqualTo(limit[k]);
                }
            }
        }
    }

    // ---- how much is open

    @Test
    @Covers("R-ORD-007")
    void lessIsOpenThanThePeerLets() {
        SendBudget budget = new SendBudget();
        budget.limit(3);
        for (int i = 0; i < 2; i++) {
            assertThat(budget.allowsOpening()).isTrue();
            budget.opened();
        }
        assertThat(budget.closed(0)).isFalse();
        assertThat(budget.closed(1)).as("nobody has waited").isFalse();
        budget.opened();
        assertThat(budget.allowsOpening()).isFalse();
        assertThat(budget.closed(0)).as("nothing was closed").isFalse();
        assertThat(budget.closed(2)).as("somebody has waited").isTrue();
        assertThat(budget.closed(0)).isFalse();
        budget.opened();
        assertThat(budget.closed(1)).as("that was heard already").isFalse();
    }

    @Test
    @Covers("R-ORD-007")
    void whoLetsOneLetsOne() {
        SendBudget budget = new SendBudget();
        budget.limit(1);
        assertThat(budget.allowsOpening()).isTrue();
        budget.opened();
        assertThat(budget.allowsOpening()).isFalse();
    }

    // ---- timers

    @Test
    void aFailureIsToldAgainSixTimesEverMoreSeldom() {
        StreamTimer timer = new StreamTimer();
        for (int i = 0; i < 6; i++) {
            timer.armRetell(1_000, 100);
            assertThat(timer.atNs()).isEqualTo(1_000 + (100L << i));
            timer.retellAtNs = Deadline.NEVER;
        }
        timer.armRetell(1_000, 100);
        assertThat(timer.atNs()).isEqualTo(Deadline.NEVER);
    }

    @Test
    void questionsAreAskedEverMoreSeldomUpToASecond() {
        StreamTimer timer = new StreamTimer();
        assertThat(timer.pauseNs(1_000)).isEqualTo(1_000);
        timer.asked();
        timer.asked();
        assertThat(timer.pauseNs(1_000)).isEqualTo(4_000);
        for (int i = 0; i < 100; i++) {
            timer.asked();
        }
        assertThat(timer.pauseNs(1_000)).isEqualTo(1_000_000_000);
        assertThat(timer.pauseNs(3_000_000_000L)).isEqualTo(3_000_000_000L);
        timer.progress();
        assertThat(timer.pauseNs(1_000)).isEqualTo(1_000);
    }

    @Test
    void theEarliestInstantCountsAndNoneAfterTheEnd() {
        StreamTimer timer = new StreamTimer();
        timer.queryAtNs = 4;
        assertThat(timer.atNs()).isEqualTo(4);
        timer.retryAtNs = 3;
        assertThat(timer.atNs()).isEqualTo(3);
        timer.retellAtNs = 2;
        assertThat(timer.atNs()).isEqualTo(2);
        timer.responseAtNs = 1;
        assertThat(timer.atNs()).isEqualTo(1);
        timer.cancel();
        assertThat(timer.atNs()).isEqualTo(Deadline.NEVER);
    }
}
