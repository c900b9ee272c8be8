package io.metaroce.bench.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import io.metaroce.trace.DropReason;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Random, truncated, spoiled and misplaced datagrams at the service port of an endpoint that is being written to over
 * real sockets. Nothing throws, memory is right, every bad packet is dropped under a name, and the traffic never stops.
 * The property {@code metaroce.fuzz} says how many datagrams; 50,000 without it.
 */
class LiveEndpointFuzzTest {
    private static final int DATAGRAMS = Integer.getInteger("metaroce.fuzz", 50_000);
    private static final int SHARE_LOST_MAX = 100; // one of so many may get lost in the kernel
    private static final Address SOMEWHERE = Address.ipv4(0x7F000003, 1003);

    @Test
    void badDatagramsAreDroppedUnderANameAndTrafficGoesOn() throws Exception {
        Handshake handshake = new Handshake();
        try (Traffic traffic = new Traffic(bytes ->
                handshake.see(new Datagram().set(bytes, 0, bytes.capacity(), 0, Ecn.UNKNOWN, () -> SOMEWHERE)))) {
            Counters counters = traffic.reader().counters();
            traffic.runUntil(() -> traffic.compared() > 100);
            assertThat(counters.dropsTotal()).as("drops before the attack").isZero();

            Attack attack = new Attack(
                    traffic.reader().localAddress().port(),
                    handshake.initiatorId(),
                    handshake.initiatorSeed(),
                    1,
                    counters::dropsTotal);
            CompletableFuture<Void> attacking = CompletableFuture.runAsync(() -> run(attack));
            traffic.runUntil(attacking::isDone);
            attacking.get();
            long during = traffic.compared();
            traffic.runUntil(() -> traffic.compared() > during + 100);
            traffic.finish();

            Map<DropReason, Long> drops = drops(counters);
            String figures = String.format(
                    Locale.ROOT,
                    "%d bad datagrams while %d messages were compared: %d dropped, %s",
                    attack.sent(),
                    during,
                    counters.dropsTotal(),
                    drops);
            assertThat(traffic.areGuardsIntact()).as(figures).isTrue();
            accountsForEverything(traffic, attack);
            assertThat(drops.keySet())
                    .as(figures)
                    .contains(
                            DropReason.SHORT,
                            DropReason.VERSION,
                            DropReason.OPCODE,
                            DropReason.NO_CONNECTION,
                            DropReason.INTEGRITY,
                            DropReason.LENGTH,
                            DropReason.TLV,
                            DropReason.STALE_REPORT);
        }
    }

    /** What arrived is either good and the writer sent it, or bad and counted, or a request that was answered. */
    private static void accountsForEverything(Traffic traffic, Attack attack) {
        Counters counters = traffic.reader().counters();
        long accepted = counters.get(Counter.RX_PACKETS) - counters.dropsTotal();
        long good = traffic.writer().counters().get(Counter.TX_PACKETS);
        assertThat(accepted).as("accepted").isLessThanOrEqualTo(good + attack.mayBeAnswered());
        assertThat(counters.dropsTotal())
                .as("dropped of %d", attack.sent())
                .isBetween(attack.sent() - attack.mayBeAnswered() - attack.sent() / SHARE_LOST_MAX, attack.sent());
    }

    private static Map<DropReason, Long> drops(Counters counters) {
        Map<DropReason, Long> drops = new EnumMap<>(DropReason.class);
        for (DropReason reason : DropReason.values()) {
            if (counters.get(reason) > 0) {
                drops.put(reason, counters.get(reason));
            }
        }
        return drops;
    }

    private static void run(Attack attack) {
        try {
            attack.run(DATAGRAMS);
        } catch (Exception e) {
            throw new IllegalStateException("the attack failed after " + attack.sent() + " datagrams", e);
        }
    }
}
