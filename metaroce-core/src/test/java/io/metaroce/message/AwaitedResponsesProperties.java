package io.metaroce.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.FirstNumbers;
import io.metaroce.queue.Signalling;
import io.metaroce.trace.TransportEvents;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Requests by tag, against a list that is searched from end to end. */
class AwaitedResponsesProperties {
    private static final int STREAMS = 3;
    private static final int STEPS = 300;

    private record Awaited(int tag, Stream of, int msn, int length, boolean isRead) {}

    private final Stream[] streams = streams();

    @Property(tries = 60)
    @Covers("R-READ-004")
    void agreesWithAList(@ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int own, @ForAll int firstTag) {
        SplitMix64 chance = new SplitMix64(seed);
        AwaitedResponses awaited = new AwaitedResponses(own, firstTag);
        int limit = 1 + chance.nextInt(40);
        awaited.limit(limit);
        limit = Math.min(limit, own);
        assertThat(awaited.isOffered()).isTrue();
        List<Awaited> model = new ArrayList<>();
        boolean isWaitedFor = false;
        for (int i = 0; i < STEPS; i++) {
            if (chance.nextInt(5) < 3) {
                boolean allows = model.size() < limit;
                isWaitedFor |= !allows;
                assertThat(awaited.allowsOne()).isEqualTo(allows);
                if (allows) {
                    open(chance, awaited, model);
                }
            } else if (chance.nextInt(10) > 0 && !model.isEmpty()) {
                Awaited one = model.remove(chance.nextInt(model.size()));
                assertThat(awaited.close(awaited.find(one.tag()))).isEqualTo(isWaitedFor);
                isWaitedFor = false;
            } else {
                Stream gone = streams[chance.nextInt(STREAMS)];
                boolean hadAny = model.removeIf(one -> one.of() == gone);
                assertThat(awaited.closeAll(gone)).isEqualTo(hadAny && isWaitedFor);
                isWaitedFor &= !hadAny;
            }
            agree(awaited, model);
        }
        for (Stream stream : streams) {
            awaited.closeAll(stream);
        }
    }

    private void open(SplitMix64 chance, AwaitedResponses awaited, List<Awaited> model) {
        Stream of = streams[chance.nextInt(STREAMS)];
        int msn = chance.nextInt(1000);
        int length = chance.nextInt(1000);
        boolean isRead = chance.nextInt(2) == 0;
        int tag = awaited.open(of, msn, length, isRead);
        assertThat(model).noneMatch(one -> one.tag() == tag);
        assertThat(awaited.came[awaited.find(tag)]).isZero();
        awaited.came[awaited.find(tag)] = tag;
        model.add(new Awaited(tag, of, msn, length, isRead));
    }

    private void agree(AwaitedResponses awaited, List<Awaited> model) {
        for (Awaited one : model) {
            int at = awaited.find(one.tag());
            assertThat(at).isNotEqualTo(AwaitedResponses.NONE);
            assertThat(awaited.stream(at)).isSameAs(one.of());
            assertThat(awaited.isRead(at)).isEqualTo(one.isRead());
            assertThat(new int[] {awaited.msn[at], awaited.length[at], awaited.came[at]})
                    .containsExactly(one.msn(), one.length(), one.tag());
            assertThat(awaited.find(one.tag() + (1 << 20))).isEqualTo(AwaitedResponses.NONE);
        }
        for (Stream stream : streams) {
            assertThat(stream.cursor.unanswered()).isEqualTo((int)
                    model.stream().filter(one -> one.of() == stream).count());
        }
    }

    @Property(tries = 1)
    void nothingIsOfferedWhereNothingIsServed() {
        AwaitedResponses awaited = new AwaitedResponses(16, 0);
        awaited.limit(0);
        assertThat(awaited.isOffered()).isFalse();
        assertThat(awaited.allowsOne()).isFalse();
        assertThat(awaited.find(0)).isEqualTo(AwaitedResponses.NONE);
    }

    private static Stream[] streams() {
        Side side = new Side(Side.Shape.PLAIN);
        StreamLimits limits = new StreamLimits(STREAMS, 16, 1 << 20, 16, RnrPolicy.WAIT);
        Streams all = new Streams(new StreamTerms(limits, 1024), side, new TransportEvents() {}, FirstNumbers.USUAL);
        Stream[] made = new Stream[STREAMS];
        for (int id = 0; id < STREAMS; id++) {
            side.makeRings(id, Signalling.ALL);
            made[id] = new Stream(
                    all, id, Side.DOMAIN, side.sends[id], side.receives[id], RnrPolicy.WAIT, 16, FirstNumbers.USUAL);
        }
        return made;
    }
}
