package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Minifloat;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.Profiles;
import io.metaroce.sim.App;
import io.metaroce.sim.Script;
import io.metaroce.sim.ScriptPeer;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.model.Packet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A peer may leap ahead with the numbers of its reports, so that these go round as often as a test likes. */
class ReportNumbersScriptTest {
    private static final int LEAP_MAX = 1 << 20; // further away is no report at all
    private static final long TURNS = 3;

    private final Script script =
            new Script(Profiles.model().withPath(Profiles.model().path().withPaths(1)), 1);
    private final App app = script.app(0, 4096, 16);
    private final ScriptPeer peer = script.connect(app);
    private long newest; // report that has arrived, on a circle that never closes
    private int ruling; // hint of that report

    @Test
    @Covers({"R-ACK-006", "R-HINT-007"})
    void threeTurnsUnderLossAndReorderingLeaveTheNewestHintInForce() {
        SplitMix64 chance = new SplitMix64(1);
        Packet.Header first = peer.reportHeader();
        newest = Integer.toUnsignedLong(first.psn());
        ruling = hint(chance);
        arrives(first, newest, ruling);
        long last = newest + (TURNS << 32);
        while (newest < last) {
            long next = newest + 1 + chance.nextInt(LEAP_MAX); // all between are lost
            ruling = hint(chance);
            long before = newest;
            newest = next;
            arrives(first, newest, ruling);
            // What was overtaken, what comes twice, and what is further away than any report.
            arrives(first, before, hint(chance));
            arrives(first, newest - chance.nextInt(LEAP_MAX), hint(chance));
            stray(first, newest + LEAP_MAX + 1 + chance.nextInt(Integer.MAX_VALUE - LEAP_MAX), hint(chance));
        }
    }

    private void arrives(Packet.Header like, long number, int hint) {
        deliver(like, number, hint);
        assertThat(Objects.requireNonNull(script.endpoint().view(peer.connectionId()))
                        .hintBytesPerSecond())
                .as("report %x after %x", number, newest)
                .isEqualTo(Minifloat.decodeHint(ruling));
    }

    private void stray(Packet.Header like, long number, int hint) {
        long before = script.counters().get(DropReason.STALE_REPORT);
        arrives(like, number, hint);
        assertThat(script.counters().get(DropReason.STALE_REPORT)).isEqualTo(before + 1);
    }

    private void deliver(Packet.Header like, long number, int hint) {
        Packet.Header header = new Packet.Header(0, 0, 0, like.dstConnId(), (int) number, like.txStamp());
        script.deliver(peer.craft(new Packet.Ack(header, hint, 1, 0, 0, List.of(), List.of(), List.of())));
    }

    private static int hint(SplitMix64 chance) {
        return Minifloat.encodeHint(1_000_000_000L * (1 + chance.nextInt(8)));
    }
}
