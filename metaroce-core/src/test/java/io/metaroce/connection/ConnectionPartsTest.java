package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Deadline;
import org.junit.jupiter.api.Test;

/** The small parts of a connection, each by itself. */
class ConnectionPartsTest {
    // ---- everything is silent

    @Test
    @Covers("R-HEALTH-003")
    void everythingIsSilentOnceNothingCameForAProbeTimeout() {
        StallWatch stall = new StallWatch(200_000_000);
        assertThat(stall.endsWith(1_000, 0)).isFalse();
        stall.onTimeout(1_999, 1_000);
        assertThat(stall.isTotal()).isFalse();
        stall.onTimeout(2_000, 1_000);
        assertThat(stall.isTotal()).isTrue();
        stall.onTimeout(2_001, 1_000_000);
        assertThat(stall.isTotal()).as("until somebody delivers").isTrue();
        assertThat(stall.isGrace(2_500)).isFalse();
        assertThat(stall.endsWith(3_000, 500)).isTrue();
        assertThat(stall.isTotal()).isFalse();
        assertThat(stall.graceUntilNs()).isEqualTo(3_500);
        assertThat(stall.isGrace(3_499)).isTrue();
        assertThat(stall.isGrace(3_500)).isFalse();
        assertThat(stall.endsWith(3_100, 9_000)).isFalse();
        assertThat(stall.graceUntilNs()).as("no new grace").isEqualTo(3_500);
    }

    @Test
    @Covers("R-HEALTH-003")
    void aPauseOfThisSideGivesEverybodyTime() {
        StallWatch stall = new StallWatch(200_000_000);
        stall.onPaused(2_000, 300);
        assertThat(stall.graceUntilNs()).isEqualTo(2_300);
        stall.onTimeout(2_400, 500);
        assertThat(stall.isTotal()).as("nothing was heard while paused").isFalse();
        stall.onTimeout(3_000, 500);
        assertThat(stall.isTotal()).isTrue();
        stall.onPaused(10_000, 300);
        assertThat(stall.isTotal()).as("what was silent before still is").isTrue();
        assertThat(stall.stepAtNs()).as("and is asked again later").isEqualTo(10_300);
    }

    // ---- patience

    @Test
    @Covers("R-CONN-007")
    void patienceIsTheUsualUnlessSomebodyWishesLess() {
        Patience patience = new Patience(1_000);
        assertThat(patience.isWished()).isFalse();
        patience.probeTimeout(1_000_000);
        assertThat(patience.ns()).isEqualTo(1_000);
        assertThat(patience.endNs(5)).isEqualTo(1_005);
        patience.wish(Deadline.NEVER);
        assertThat(patience.isWished()).isTrue();
        assertThat(patience.endNs(5)).isEqualTo(Deadline.NEVER);
        patience.wish(9_000_000);
        patience.wish(10_000_000);
        assertThat(patience.ns()).as("the least of all wishes").isEqualTo(9_000_000);
        assertThat(patience.endNs(Deadline.NEVER - 8_999_999)).isEqualTo(Deadline.NEVER);
        assertThat(patience.endNs(Deadline.NEVER - 9_000_001)).isEqualTo(Deadline.NEVER - 1);
        patience.wish(10);
        assertThat(patience.ns()).as("eight probe timeouts at least").isEqualTo(8_000_000);
    }

    // ---- how long an answer takes

    @Test
    void anAnswerBelongsToTheLastCopyOrToTheFirst() {
        AnswerTime time = new AnswerTime();
        time.asked(100);
        assertThat(time.leastNs(150)).isEqualTo(50);
        assertThat(time.mostNs(150)).isEqualTo(50);
        time.asked(120);
        time.asked(140);
        assertThat(time.leastNs(150)).isEqualTo(10);
        assertThat(time.mostNs(150)).isEqualTo(50);
        time.restart();
        time.asked(200);
        assertThat(time.mostNs(210)).isEqualTo(10);
    }

    // ---- news of planes

    @Test
    void newsOfPlanesGoesOnThreeRoutesThreeTimesARoundTripApart() {
        PlaneNews news = new PlaneNews();
        assertThat(news.isDue(Deadline.NEVER - 1)).isFalse();
        news.tell(1_000, 0b10, 50);
        for (int time = 0; time < 3; time++) {
            long dueNs = 1_000 + 50L * time;
            assertThat(news.deadlineNs()).isEqualTo(dueNs);
            for (int route = 0; route < 3; route++) {
                assertThat(news.isDue(dueNs - 1)).isFalse();
                assertThat(news.isDue(dueNs)).isTrue();
                assertThat(news.changed()).isEqualTo(0b10);
                news.told(dueNs);
            }
        }
        assertThat(news.deadlineNs()).isEqualTo(Deadline.NEVER);
        news.tell(5_000, 0b01, 50);
        assertThat(news.changed()).as("the first has been told").isEqualTo(0b01);
    }

    @Test
    void whatChangesMeanwhileIsToldWithIt() {
        PlaneNews news = new PlaneNews();
        news.tell(1_000, 0b10, 50);
        news.told(1_000);
        news.tell(1_010, 0b01, 70);
        assertThat(news.changed()).isEqualTo(0b11);
        int told = 0;
        while (news.deadlineNs() != Deadline.NEVER && told < 100) {
            news.told(news.deadlineNs());
            told++;
        }
        assertThat(told).as("all of it three times on three routes").isEqualTo(9);
    }
}
