package io.metaroce.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** What programs promise, proved without running them. */
class SchedulesTest {
    @Property(tries = 25)
    void everyProgramEndsHasNoRaceAndAddsEachContributionOnce(
            @ForAll @IntRange(min = 1, max = 9) int ranks,
            @ForAll @IntRange(min = 0, max = 60) int elements,
            @ForAll @IntRange(min = 1, max = 4) int slices,
            @ForAll long seed) {
        Transfer other = seed % 2 == 0 ? Transfer.SEND : Transfer.READ;
        for (Task task : Tasks.all(ranks, elements, slices)) {
            for (Task one :
                    List.of(task, task.withOrder(Tasks.shuffled(ranks, seed)).withTransfer(other))) {
                assertThat(new ProgramCheck(Schedules.compile(one)).faults())
                        .as("%s", one)
                        .isEmpty();
            }
        }
    }

    @Test
    void bytesSentAreAsFewAsCanBe() {
        int ranks = 8;
        int bytes = 4 * 8 * 24;
        int most = bytes / ranks * (ranks - 1);
        for (Task task : Tasks.all(ranks, bytes / 4, 3)) {
            int least = switch (task.what()) {
                case ALL_REDUCE -> 2 * most;
                case REDUCE_SCATTER, ALL_GATHER, ALL_TO_ALL -> most;
                case BROADCAST -> bytes;
                case BARRIER -> 0;
            };
            // A tree's root sends to several, and Bruck sends bytes several times to send fewer messages.
            boolean isExact = task.how() != Algorithm.TREE && task.how() != Algorithm.BRUCK;
            long sent = new ProgramCheck(Schedules.compile(task)).bytesSentMax();
            if (isExact) {
                assertThat(sent).as("%s", task).isEqualTo(least);
                for (Transfer transfer : Transfer.values()) {
                    assertThat(new ProgramCheck(Schedules.compile(task.withTransfer(transfer))).bytesSentMax())
                            .as("%s", task)
                            .isEqualTo(least);
                }
            } else {
                assertThat(sent).as("%s", task).isGreaterThan(least);
            }
        }
    }

    @Test
    void theCriticalPathIsThatOfTheAlgorithm() {
        int ranks = 8;
        // One message more than the textbook says: the receiver tells that it has begun.
        assertThat(path(Task.of(Collective.ALL_REDUCE, Algorithm.RING, ranks, 1024)))
                .isEqualTo(1 + 2 * (ranks - 1));
        assertThat(path(Task.of(Collective.ALL_REDUCE, Algorithm.RING, ranks, 1024)
                        .withSlices(4)))
                .as("slices do not wait for each other")
                .isEqualTo(1 + 2 * (ranks - 1));
        assertThat(path(Task.of(Collective.ALL_REDUCE, Algorithm.HALVING_DOUBLING, ranks, 1024)))
                .isEqualTo(1 + 2 * 3);
        assertThat(path(Task.of(Collective.ALL_REDUCE, Algorithm.HIERARCHICAL, ranks, 1024)
                        .withGroupRanks(4)))
                .isEqualTo(1 + 3 + 2 + 3);
        assertThat(path(Task.of(Collective.BROADCAST, Algorithm.TREE, ranks, 1024)))
                .isEqualTo(1 + 3);
        assertThat(path(Task.of(Collective.ALL_TO_ALL, Algorithm.AT_ONCE, ranks, 1024)))
                .isEqualTo(2);
        assertThat(path(Task.of(Collective.ALL_TO_ALL, Algorithm.BRUCK, ranks, 1024)))
                .isEqualTo(1 + 3);
        assertThat(path(Task.of(Collective.BARRIER, Algorithm.DISSEMINATION, ranks, 0)))
                .isEqualTo(3);
    }

    // A read is a message that says "ready", a question, an answer; and the last of them is heard of.
    @Test
    void readsTakeThreeMessagesWhereWritesTakeOne() {
        Task ring = Task.of(Collective.ALL_REDUCE, Algorithm.RING, 8, 1024);
        assertThat(path(ring.withTransfer(Transfer.SEND))).isEqualTo(path(ring));
        assertThat(path(ring.withTransfer(Transfer.READ))).isEqualTo(1 + 3 * 2 * 7 + 1);
    }

    @Test
    void aReadOfWhichItsOwnerDoesNotHearIsFound() {
        Draft draft =
                new Draft(Task.of(Collective.ALL_GATHER, Algorithm.RING, 2, 8).withTransfer(Transfer.READ));
        Draft.Message unused = draft.move(0, 1, 0, Range.data(0, 4), Range.data(0, 4), 0);
        List<Program> programs = draft.programs();
        assertThat(new ProgramCheck(programs).faults()).noneMatch(fault -> fault.contains("may be done"));
        int last = Mutant.edges(programs.get(1)) - 1; // from the read to the message that tells of it
        List<Program> changed = List.of(programs.get(0), Mutant.without(programs.get(1), last));
        assertThat(new ProgramCheck(changed).faults())
                .anyMatch(fault -> fault.contains("reads from rank 0, which may be done"));
    }

    @Test
    void aSendForAReceiveThatIsNotItsTurnIsFound() {
        Task task = Task.of(Collective.ALL_GATHER, Algorithm.RING, 2, 8).withTransfer(Transfer.SEND);
        RankDraft from = new RankDraft();
        RankDraft to = new RankDraft();
        for (int i = 0; i < 2; i++) {
            int sent = from.add(Op.SEND, 1, 0, Range.data(4 * i, 4), Range.data(4 * i, 4), 0);
            int unused = to.add(Op.RECV_INTO, 0, 0, Range.EMPTY, Range.data(4 * i, 4), 0);
            from.immediate(sent, 1 - i);
        }
        assertThat(new TurnLaw(List.of(from.program(task, 0), to.program(task, 1))).faults())
                .containsExactly(
                        "rank 0, node 0 is send 0 of its stream and for receive 1",
                        "rank 0, node 1 is send 1 of its stream and for receive 0");
    }

    private static int path(Task task) {
        return new ProgramCheck(Schedules.compile(task)).criticalPath();
    }

    @Test
    void anEdgeThatIsMissingIsFound() {
        for (Task task : Tasks.all(4, 16, 2)) {
            List<Program> programs = Schedules.compile(task);
            int edges = Mutant.edges(programs.get(1));
            int survivors = 0;
            for (int edge = 0; edge < edges; edge++) {
                List<Program> changed = new ArrayList<>(programs);
                changed.set(1, Mutant.without(programs.get(1), edge));
                survivors += new ProgramCheck(changed).faults().isEmpty() ? 1 : 0;
            }
            // Some edges say what others imply: a late message need not be told that the peer has begun, and a window
            // only spares the network.
            assertThat(survivors).as("%s: %d edges", task, edges).isLessThanOrEqualTo(edges * 3 / 4);
        }
    }

    @Test
    void aCycleIsFound() {
        Draft draft = new Draft(Task.of(Collective.BARRIER, Algorithm.DISSEMINATION, 2, 0));
        int first = draft.join(0);
        int second = draft.join(0);
        draft.after(0, first, second);
        draft.after(0, second, first);
        assertThat(new ProgramCheck(draft.programs()).faults())
                .singleElement()
                .asString()
                .contains("wait for each other");
    }

    @Test
    void aWriteBesideAReadIsFound() {
        Draft draft = new Draft(Task.of(Collective.ALL_TO_ALL, Algorithm.SHIFT, 1, 8));
        int unused = draft.local(0, Op.COPY, Range.data(0, 8), Range.result(0, 8), 0);
        unused = draft.local(0, Op.COPY, Range.result(4, 4), Range.scratch(0, 4), 0);
        assertThat(new ProgramCheck(draft.programs()).faults())
                .contains("rank 0, node 0 and rank 0, node 1 touch the same bytes in any order");
    }

    @Test
    void whatAnAlgorithmDoesNotDoIsRefused() {
        assertThatThrownBy(() -> Schedules.compile(Task.of(Collective.BARRIER, Algorithm.RING, 4, 0)))
                .hasMessageContaining("BARRIER is not done by RING");
        assertThatThrownBy(() -> Schedules.compile(Task.of(Collective.ALL_TO_ALL, Algorithm.XOR, 6, 24)))
                .hasMessageContaining("6 ranks");
        assertThatThrownBy(() -> Schedules.compile(Task.of(Collective.ALL_TO_ALL, Algorithm.SHIFT, 3, 16)))
                .hasMessageContaining("equal blocks");
        assertThatThrownBy(() -> Task.of(Collective.ALL_REDUCE, Algorithm.RING, 4, 10))
                .hasMessageContaining("whole number of elements");
    }
}
