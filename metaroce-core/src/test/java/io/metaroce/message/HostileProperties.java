package io.metaroce.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.connection.UpdateSink.Freshness;
import io.metaroce.memory.Access;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.MessageHeader;
import io.metaroce.wire.NakHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.SendHeader;
import io.metaroce.wire.StreamUpdate;
import io.metaroce.wire.WriteHeader;
import java.nio.ByteBuffer;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * A peer may say anything: nothing throws, nothing is written where it may not be, the application gets its work back.
 */
class HostileProperties {
    private static final int[] SLOT_OPCODES = {0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x30, 0x31, 0x32};
    private static final int[] EDGES = {
        0, 1, -1, 2, 1023, 1024, 1025, 2048, Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MIN_VALUE + 1024
    };

    @Property(tries = 150)
    @Covers({"R-SEC-002", "R-MEM-002"})
    void aResponderSurvivesAnyRequests(@ForAll long seed) {
        Random random = new Random(seed);
        int first = random.nextBoolean() ? 0 : -3;
        Pair pair = new Pair(Side.Shape.PLAIN.openMessages(64).first(first))
                .open(0)
                .open(1)
                .start();
        ByteBuffer target = ByteBuffer.allocateDirect(4096);
        MemoryRegion open = pair.b.memory(target);
        ByteBuffer guarded = ByteBuffer.allocateDirect(4096);
        MemoryRegion closed =
                pair.b.regions.register(Side.DOMAIN, new ByteBuffer[] {guarded}, 0x10_0000, Access.REMOTE_READ);
        for (int i = 0; i < 20; i++) {
            int at = i * 64;
            pair.b.postReceive(0, cell -> cell.addSge(open.key(), at, 64));
        }
        pair.settle();
        int messages = 400;
        for (int i = 0; i < messages; i++) {
            ByteBuffer bytes = request(random, first, open, closed);
            pair.b.table.sink().accept(pair.nowNs, Side.view(bytes));
            if (!pair.b.protocolErrors.isEmpty() && random.nextInt(40) == 0) {
                pair.b.table.abort(pair.nowNs, WcStatus.FATAL_ERR);
            }
            pair.nowNs++;
            pair.news(pair.b);
        }
        pair.b.table.abort(pair.nowNs, WcStatus.WR_FLUSH_ERR);
        pair.b.poll(1000);
        assertThat(pair.b.completionsOf(100)).hasSize(20);
        for (int i = 0; i < 4096; i++) {
            assertThat(guarded.get(i)).isZero();
        }
    }

    private static ByteBuffer request(Random random, int first, MemoryRegion open, MemoryRegion closed) {
        int opcode = SLOT_OPCODES[random.nextInt(random.nextInt(3) == 0 ? SLOT_OPCODES.length : 4)];
        int payload = Opcode.hasPayload(opcode) ? random.nextInt(4) * random.nextInt(400) : 0;
        ByteBuffer bytes = ByteBuffer.allocateDirect(Opcode.headerLength(opcode) + payload + 4);
        new BaseHeader().wrap(bytes, 0).version(1).opcode(opcode);
        if (opcode > Opcode.ATOMIC_REQ) {
            return bytes;
        }
        new MessageHeader()
                .wrap(bytes, 0)
                .streamId(random.nextInt(20) == 0 ? random.nextInt(0x10000) : random.nextInt(2))
                .attempt(random.nextInt(30) == 0 ? random.nextInt(8) : 0)
                .messageFlags(random.nextInt(30) == 0 ? random.nextInt(32) : 0)
                .msn(number(random, first))
                .messageOffset(random.nextInt(4) == 0 ? edge(random) : 0);
        int length = random.nextInt(4) == 0 ? edge(random) : payload;
        MemoryRegion region = random.nextInt(5) == 0 ? closed : open;
        if (opcode == Opcode.WRITE || opcode == Opcode.WRITE_IMM) {
            new WriteHeader()
                    .wrap(bytes, 0)
                    .rkey(random.nextInt(10) == 0 ? random.nextInt() : region.key())
                    .messageLength(length)
                    .remoteAddress(random.nextInt(5) == 0 ? random.nextLong() : 0x10_0000 + random.nextInt(2000));
            if (opcode == Opcode.WRITE_IMM) {
                new WriteHeader().wrap(bytes, 0).rsn(number(random, first));
            }
        } else if (opcode <= Opcode.SEND_INV) {
            new SendHeader().wrap(bytes, 0).rsn(number(random, first)).messageLength(length);
        }
        return bytes;
    }

    @Property(tries = 150)
    @Covers({"R-SEC-002", "R-ORD-010"})
    void aRequesterSurvivesAnyReports(@ForAll long seed) {
        Random random = new Random(seed);
        int first = random.nextBoolean() ? 0 : -3;
        RnrPolicy rnr = new RnrPolicy(RnrPolicy.Trust.ONE_BEYOND, random.nextInt(8), 100);
        Pair pair =
                new Pair(Side.Shape.PLAIN.first(first).rnr(rnr)).open(0).open(1).start();
        MemoryRegion from = pair.a.memory(4096);
        int posted = 0;
        for (int i = 0; i < 300; i++) {
            if (random.nextInt(3) == 0) {
                WrOpcode opcode = random.nextBoolean() ? WrOpcode.SEND : WrOpcode.RDMA_WRITE;
                int size = random.nextInt(4000);
                posted += pair.a.post(random.nextInt(2), c -> c.opcode(opcode).addSge(from.key(), 0, size)) ? 1 : 0;
                pair.bells();
            }
            pair.a.send(pair.nowNs, random.nextInt(4));
            if (!pair.a.flight.isEmpty() && random.nextBoolean()) {
                Side.Sent sent = pair.a.flight.get(random.nextInt(pair.a.flight.size()));
                if (random.nextBoolean() || !pair.a.resend(pair.nowNs, sent)) {
                    pair.a.acked(pair.nowNs, sent);
                }
            }
            Freshness freshness = random.nextInt(4) == 0 ? Freshness.OLDER : Freshness.NEWEST;
            if (random.nextBoolean()) {
                pair.a.table.updateSink().onUpdate(pair.nowNs, update(random, first), freshness);
            } else {
                pair.a.table.updateSink().onNak(pair.nowNs, nak(random, first), freshness);
            }
            pair.nowNs += random.nextInt(200);
            pair.a.table.source().onDeadline(pair.nowNs);
            pair.a.poll(random.nextInt(3));
        }
        pair.a.table.abort(pair.nowNs, WcStatus.WR_FLUSH_ERR);
        pair.bells();
        pair.a.poll(1000);
        assertThat(pair.a.completions).hasSize(posted);
        assertThat(pair.a.table.queuedBytes()).isZero();
    }

    private static StreamUpdate update(Random random, int first) {
        int flags = random.nextInt(40) == 0 ? random.nextInt(256) : random.nextInt(2) * StreamUpdate.REFUSED | 0x30;
        return new StreamUpdate()
                .wrap(ByteBuffer.allocate(StreamUpdate.LENGTH), 0)
                .streamId(random.nextInt(20) == 0 ? random.nextInt(0x10000) : random.nextInt(2))
                .flags(flags)
                .code(random.nextInt(random.nextInt(10) == 0 ? 256 : 2))
                .nextMsn(number(random, first))
                .rsnLimit(number(random, first));
    }

    private static NakHeader nak(Random random, int first) {
        return new NakHeader()
                .wrap(ByteBuffer.allocate(NakHeader.LENGTH), 0)
                .code(random.nextInt(30) == 0 ? random.nextInt(256) : 1)
                .streamId(random.nextInt(20) == 0 ? random.nextInt(0x10000) : random.nextInt(2))
                .msn(number(random, first))
                .rsnLimit(number(random, first))
                .attempt(random.nextInt(3))
                .retryDelay(random.nextInt(2));
    }

    private static int number(Random random, int first) {
        return first + (random.nextInt(20) == 0 ? edge(random) : random.nextInt(8));
    }

    private static int edge(Random random) {
        return random.nextBoolean() ? EDGES[random.nextInt(EDGES.length)] : random.nextInt();
    }
}
