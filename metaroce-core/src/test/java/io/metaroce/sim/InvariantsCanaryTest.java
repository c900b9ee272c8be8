package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.datagram.TrafficClass;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.RecordedRun.Change;
import io.metaroce.sim.RecordedRun.Event;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PathBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The checker proves itself: real traffic passes, and traffic with one lie in it does not. */
class InvariantsCanaryTest {
    private static final int TRIES_MAX = 24; // packets of a kind that are changed in turn
    private static final RecordedRun RUN =
            RecordedRun.of(Transfer.Job.of(5, WrOpcode.SEND_WITH_IMM, 70_000, 1, 0, 40_000, 9_000)
                    .with(Transfer.config(100, 1)
                            .withPath(Transfer.config(100, 1).path().withPaths(2)))
                    .with(LinkConfig.Faults.NONE.withLoss(200_000, 1)));
    private static final int BLOCK = 28;

    @Test
    void honestTrafficPasses() {
        assertThat(RUN.checked(RUN.events())).isEmpty();
        assertThat(RUN.events().stream().filter(e -> !e.isDelivery && e.isResend()))
                .hasSizeGreaterThan(2);
    }

    @Test
    void aNumberLeftOut() {
        assertThat(caught(this::isFirst, e -> e.buffer().putInt(8, e.buffer().getInt(8) + 1)))
                .containsExactly("R-PATH-001");
    }

    @Test
    void aStampThatGoesBack() {
        // The first packet of a path may say what it likes.
        assertThat(caught(Event::isResend, e -> e.buffer().putInt(12, e.buffer().getInt(12) - 100_000)))
                .containsExactly("R-PATH-006");
    }

    @Test
    void anotherRouteInTheSameEpoch() {
        assertThat(caught(Event::isResend, e -> e.sourcePort++)).containsExactly("R-PATH-010");
    }

    @Test
    void anotherEpochOnTheSameRoute() {
        assertThat(caught(Event::isResend, e -> e.bytes[3]++)).containsExactly("R-PATH-010");
    }

    @Test
    void aResendUnderAnotherPath() {
        assertThat(caught(Event::isResend, e -> e.bytes[2] ^= 1))
                .doesNotContain("")
                .isNotEmpty();
    }

    @Test
    void aResendWithAnotherPayload() {
        assertThat(caught(e -> e.isResend() && e.bytes.length > 60, e -> e.bytes[50]++))
                .containsExactly("R-PATH-023");
    }

    @Test
    void aResendOfAnotherMessage() {
        assertThat(caught(Event::isResend, e -> e.bytes[23]++)).containsExactly("R-PATH-023");
    }

    @Test
    void aResendOfWhatWasAcknowledged() {
        List<Event> all = new ArrayList<>(RUN.events());
        Event again = RUN.events().stream()
                .filter(this::isFirst)
                .findFirst()
                .orElseThrow()
                .copy();
        again.bytes[0] |= 4;
        again.buffer().putInt(12, again.buffer().getInt(12) + 1_000_000);
        RUN.seal(again);
        all.add(again);
        assertThat(RUN.checked(all)).isEqualTo("R-PATH-020");
    }

    @Test
    void aPayloadInTwoSlots() {
        // The second fragment says what the first said.
        assertThat(caught(
                        e -> isFirst(e) && e.buffer().getInt(24) == Transfer.PAYLOAD,
                        e -> e.buffer().putInt(24, 0)))
                .containsExactly("R-PATH-008");
    }

    @Test
    void aFragmentThatIsNotFull() {
        assertThat(caught(e -> isFirst(e) && e.bytes.length == 44 + Transfer.PAYLOAD, this::shorten))
                .containsExactly("R-HDR-014");
    }

    @Test
    void aBitThatIsWithdrawn() {
        Set<String> caught = caught(this::hasBits, e -> {
            for (int i = 0; i < words(e); i++) {
                e.buffer().putLong(BLOCK + PathBlock.HEADER_LENGTH + 8 * i, 0);
            }
        });
        assertThat(caught).contains("R-SACK-003").isSubsetOf("R-SACK-003", "");
    }

    @Test
    void aNumberThatGoesBack() {
        assertThat(caught(
                        this::isAckWithBlock,
                        e -> e.buffer().putInt(BLOCK + 4, e.buffer().getInt(BLOCK + 4) - 300)))
                .containsExactly("R-SACK-003");
    }

    @Test
    void aNumberThatRunsAhead() {
        assertThat(caught(
                        this::isAckWithBlock,
                        e -> e.buffer().putInt(BLOCK + 4, e.buffer().getInt(BLOCK + 4) + 1)))
                .isSubsetOf("R-SACK-002", "R-ACK-007", "R-SACK-003")
                .contains("R-SACK-002");
    }

    @Test
    void aSlotReportedThatNeverArrived() {
        Set<String> caught = new TreeSet<>();
        for (int i : matching(event -> event.isDelivery && event.isSlot())) {
            List<Event> all = new ArrayList<>(RUN.events());
            all.remove(i);
            caught.add(RUN.checked(all));
        }
        // A packet that arrived twice may lose one of its deliveries.
        assertThat(caught).contains("R-SACK-002").isSubsetOf("R-SACK-002", "");
    }

    @Test
    void anEchoOfAStampNeverSent() {
        assertThat(caught(
                        this::isAckWithBlock,
                        e -> e.buffer().putInt(BLOCK + 8, e.buffer().getInt(BLOCK + 8) + 100_000)))
                .containsExactly("R-ACK-007");
    }

    @Test
    void anEchoThatGoesBack() {
        assertThat(caught(
                        this::isAckWithBlock,
                        e -> e.buffer().putInt(BLOCK + 8, e.buffer().getInt(BLOCK + 8) - 100_000)))
                .contains("R-PATH-013")
                .isSubsetOf("R-PATH-013", ""); // the first report of a path has nothing to go back behind
    }

    @Test
    void anAckSeqLeftOut() {
        assertThat(caught(
                        this::isAckWithBlock,
                        e -> e.buffer().putInt(8, e.buffer().getInt(8) + 1)))
                .contains("ACKSEQ");
    }

    @Test
    void anAddressNobodyAdvertised() {
        assertThat(caught(Event::isSlot, e -> e.destinationPort = 4791)).containsExactly("R-HDR-010");
    }

    @Test
    void theWrongClass() {
        assertThat(caught(Event::isSlot, e -> e.trafficClass = TrafficClass.CONTROL))
                .containsExactly("R-HDR-013");
    }

    @Test
    void aWrongTrailer() {
        for (int i : matching(event -> !event.isDelivery)) {
            Event event = RUN.events().get(i).copy();
            event.bytes[event.bytes.length - 1] ^= 1;
            assertThat(RUN.checked(i, event)).isEqualTo("R-HDR-007");
        }
    }

    // The change is made to several sent packets of a kind in turn, each time in otherwise honest traffic.
    private static Set<String> caught(Predicate<Event> which, Change change) {
        List<Integer> matching = matching(event -> !event.isDelivery && which.test(event));
        Set<String> caught = new TreeSet<>();
        for (int i : matching) {
            caught.add(RUN.checkedWith(i, change));
        }
        return caught;
    }

    private static List<Integer> matching(Predicate<Event> which) {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < RUN.events().size(); i++) {
            if (which.test(RUN.events().get(i))) {
                all.add(i);
            }
        }
        List<Integer> some = new ArrayList<>();
        int step = (all.size() + TRIES_MAX - 1) / TRIES_MAX;
        for (int i = 0; i < all.size(); i += step) {
            some.add(all.get(i));
        }
        return some;
    }

    private boolean isFirst(Event event) {
        return event.isSlot() && !event.isResend();
    }

    private boolean isAckWithBlock(Event event) {
        return event.opcode() == Opcode.ACK && event.bytes[24] > 0;
    }

    private boolean hasBits(Event event) {
        return isAckWithBlock(event) && words(event) > 0;
    }

    private static int words(Event event) {
        return event.bytes[BLOCK + 3];
    }

    private void shorten(Event event) {
        byte[] shorter = new byte[event.bytes.length - 8];
        System.arraycopy(event.bytes, 0, shorter, 0, shorter.length);
        event.bytes = shorter;
    }
}
