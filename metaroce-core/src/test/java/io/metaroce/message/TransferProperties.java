package io.metaroce.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Many messages on several streams, both ways, over a network that reorders, loses and delays whatever it likes. */
class TransferProperties {
    private static final int STREAMS = 3;
    private static final int MESSAGES = 25;
    private static final int ROOM = 1 << 18;
    private static final WrOpcode[] OPCODES = {
        WrOpcode.RDMA_WRITE,
        WrOpcode.RDMA_WRITE_WITH_IMM,
        WrOpcode.SEND,
        WrOpcode.SEND_WITH_IMM,
        WrOpcode.RDMA_READ,
        WrOpcode.ATOMIC_FETCH_AND_ADD
    };

    /** One direction of the traffic of a run. */
    private static final class Traffic {
        final Side from;
        final Side to;
        final ByteBuffer source = ByteBuffer.allocateDirect(ROOM);
        final ByteBuffer target = ByteBuffer.allocateDirect(ROOM);
        final ByteBuffer fetched = ByteBuffer.allocateDirect(ROOM);
        final ByteBuffer counters = ByteBuffer.allocateDirect(STREAMS * 8).order(ByteOrder.nativeOrder());
        final MemoryRegion fetchedRegion;
        final MemoryRegion countersRegion;
        final MemoryRegion farSourceRegion;
        final MemoryRegion sourceRegion;
        final MemoryRegion targetRegion;
        final List<List<Message>> byStream = new ArrayList<>();
        final int[] posted = new int[STREAMS];
        final int[] receivesPosted = new int[STREAMS];

        Traffic(Random random, Side from, Side to) {
            this.from = from;
            this.to = to;
            sourceRegion = from.memory(source);
            farSourceRegion = to.memory(source);
            fetchedRegion = from.memory(fetched);
            countersRegion = to.memory(counters);
            targetRegion = to.memory(target);
            byte[] noise = new byte[ROOM];
            random.nextBytes(noise);
            source.put(0, noise);
            int at = 0;
            for (int s = 0; s < STREAMS; s++) {
                List<Message> messages = new ArrayList<>();
                for (int m = 0; m < MESSAGES; m++) {
                    WrOpcode opcode = OPCODES[random.nextInt(OPCODES.length)];
                    int size = opcode.isAtomic() ? 8 : sizes(random);
                    messages.add(new Message(m, opcode, at, size, random.nextInt(3) > 0));
                    at += size;
                }
                byStream.add(messages);
            }
        }

        private static int sizes(Random random) {
            return switch (random.nextInt(6)) {
                case 0 -> 0;
                case 1 -> 1 + random.nextInt(5);
                case 2 -> 1024;
                case 3 -> 1025;
                case 4 -> 2048 + random.nextInt(1025);
                default -> random.nextInt(3000);
            };
        }

        List<Message> consuming(int stream) {
            return byStream.get(stream).stream()
                    .filter(m -> m.opcode.consumesReceive())
                    .toList();
        }

        void post(Random random) {
            int stream = random.nextInt(STREAMS);
            List<Message> messages = byStream.get(stream);
            while (posted[stream] < messages.size() && random.nextInt(5) > 0) {
                Message message = messages.get(posted[stream]);
                boolean ok = from.post(stream, cell -> {
                    cell.wrId(message.id)
                            .opcode(message.opcode)
                            .immediate(message.id * 31)
                            .flags((message.isSignaled ? SendFlags.SIGNALED : 0)
                                    | (message.id % 5 == 0 ? SendFlags.FENCE : 0))
                            .remoteAddress(targetRegion.base() + message.at)
                            .rkey(targetRegion.key());
                    if (message.opcode.fetches()) {
                        fetch(stream, message, cell);
                        return;
                    }
                    int first = message.size / 3;
                    cell.addSge(sourceRegion.key(), message.at, first);
                    cell.addSge(sourceRegion.key(), message.at + first, message.size - first);
                });
                if (!ok) {
                    return;
                }
                posted[stream]++;
            }
        }

        private void fetch(int stream, Message message, SendCell cell) {
            if (message.opcode == WrOpcode.RDMA_READ) {
                cell.remoteAddress(farSourceRegion.base() + message.at).rkey(farSourceRegion.key());
            } else {
                cell.remoteAddress(countersRegion.base() + stream * 8L)
                        .rkey(countersRegion.key())
                        .compareAdd(1 + message.id);
            }
            int first = message.size / 3;
            cell.addSge(fetchedRegion.key(), message.at, first);
            cell.addSge(fetchedRegion.key(), message.at + first, message.size - first);
        }

        void postReceives(Random random) {
            int stream = random.nextInt(STREAMS);
            List<Message> messages = consuming(stream);
            while (receivesPosted[stream] < messages.size() && random.nextInt(4) > 0) {
                Message message = messages.get(receivesPosted[stream]);
                boolean ok = to.postReceive(stream, cell -> {
                    cell.wrId(message.id);
                    boolean isSend = message.opcode == WrOpcode.SEND || message.opcode == WrOpcode.SEND_WITH_IMM;
                    int half = isSend ? message.size / 2 : 0;
                    if (isSend) {
                        cell.addSge(targetRegion.key(), message.at, half)
                                .addSge(targetRegion.key(), message.at + half, message.size - half);
                    }
                });
                if (!ok) {
                    return;
                }
                receivesPosted[stream]++;
            }
        }

        boolean isDone() {
            for (int s = 0; s < STREAMS; s++) {
                if (posted[s] < MESSAGES || receivesPosted[s] < consuming(s).size()) {
                    return false;
                }
            }
            if (from.table.hasWork()) {
                return false;
            }
            from.poll(1000);
            to.poll(1000);
            for (int s = 0; s < STREAMS; s++) {
                if (to.completionsOf(100 + s).size() < consuming(s).size()) {
                    return false;
                }
            }
            return true;
        }

        void check() {
            for (int s = 0; s < STREAMS; s++) {
                List<Long> signaled = byStream.get(s).stream()
                        .filter(m -> m.isSignaled)
                        .map(m -> (long) m.id)
                        .toList();
                assertThat(from.wrIds(s)).as("send completions of stream " + s).isEqualTo(signaled);
                assertThat(from.statuses(s)).allMatch(status -> status == WcStatus.SUCCESS);
                List<Message> consuming = consuming(s);
                List<Side.Wc> got = to.completionsOf(100 + s);
                assertThat(got).hasSize(consuming.size());
                for (int i = 0; i < got.size(); i++) {
                    Message message = consuming.get(i);
                    assertThat(got.get(i).wrId()).isEqualTo(message.id);
                    assertThat(got.get(i).length()).isEqualTo(message.size);
                    assertThat(got.get(i).status()).isEqualTo(WcStatus.SUCCESS);
                    boolean hasImmediate =
                            message.opcode == WrOpcode.SEND_WITH_IMM || message.opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
                    assertThat(got.get(i).immediate()).isEqualTo(hasImmediate ? message.id * 31 : 0);
                }
            }
            byte[] noise = new byte[ROOM];
            source.get(0, noise);
            byte[] written = new byte[ROOM];
            byte[] read = new byte[ROOM];
            ByteBuffer readNumbers = ByteBuffer.wrap(read).order(ByteOrder.nativeOrder());
            for (int s = 0; s < STREAMS; s++) {
                long sum = 0;
                for (Message message : byStream.get(s)) {
                    if (message.opcode.isAtomic()) {
                        readNumbers.putLong(message.at, sum); // in the order of posting, each exactly once
                        sum += 1 + message.id;
                    } else {
                        byte[] into = message.opcode == WrOpcode.RDMA_READ ? read : written;
                        System.arraycopy(noise, message.at, into, message.at, message.size);
                    }
                }
                assertThat(counters.getLong(s * 8)).isEqualTo(sum);
            }
            byte[] got = new byte[ROOM];
            target.get(0, got);
            assertThat(got).isEqualTo(written);
            fetched.get(0, got);
            assertThat(got).isEqualTo(read);
            assertThat(from.readBytesOutstanding).isZero();
            assertThat(from.table.queuedBytes()).isZero();
        }
    }

    private record Message(int id, WrOpcode opcode, int at, int size, boolean isSignaled) {}

    @Property(tries = 60)
    @Covers({
        "R-ORD-001",
        "R-ORD-002",
        "R-ORD-006",
        "R-SEND-001",
        "R-SEND-003",
        "R-SEND-006",
        "R-ORD-009",
        "R-ORD-004",
        "R-ORD-005",
        "R-READ-001",
        "R-READ-002",
        "R-ATOM-001",
        "R-ATOM-002"
    })
    void everythingArrivesOnceAndInOrderWhateverTheNetworkDoes(@ForAll long seed) {
        run(seed, Side.Shape.PLAIN.depth(16));
    }

    @Property(tries = 30)
    @Covers("R-PATH-002")
    void itDoesSoWhenTheNumbersWrapAround(@ForAll long seed) {
        run(seed, Side.Shape.PLAIN.depth(16).first(-10));
        run(seed, Side.Shape.PLAIN.depth(5).first(Integer.MAX_VALUE - 7));
    }

    @Property(tries = 30)
    void itDoesSoWithACompletionQueueThatHasOneCellForEachWorkQueue(@ForAll long seed) {
        run(seed, Side.Shape.PLAIN.depth(8).cqDepth(2 * STREAMS));
    }

    @Property(tries = 30)
    void itDoesSoWithFewOpenMessages(@ForAll long seed) {
        run(seed, Side.Shape.PLAIN.depth(16).openMessages(4));
    }

    @Property(tries = 40)
    @Covers({"R-SEND-004", "R-SEND-005", "R-SEND-008", "R-SEND-009"})
    void itDoesSoWhenMessagesAreTriedBeforeTheirReceiveIsPosted(@ForAll long seed) {
        RnrPolicy bold = new RnrPolicy(RnrPolicy.Trust.ONE_BEYOND, RnrPolicy.FOR_EVER, 3000);
        run(seed, Side.Shape.PLAIN.depth(16).rnr(bold));
        run(seed, Side.Shape.PLAIN.depth(7).rnr(bold).first(-5));
    }

    private static void run(long seed, Side.Shape shape) {
        Random random = new Random(seed);
        Pair pair = new Pair(shape);
        for (int s = 0; s < STREAMS; s++) {
            pair.open(s);
        }
        pair.start();
        Traffic there = new Traffic(random, pair.a, pair.b);
        Traffic back = new Traffic(random, pair.b, pair.a);
        pair.shuffle(random, () -> {
            if (random.nextInt(8) == 0) {
                there.post(random);
                there.postReceives(random);
                back.post(random);
                back.postReceives(random);
            }
            return random.nextInt(50) == 0 && there.isDone() && back.isDone();
        });
        Pair.assertNoProtocolError(pair.a);
        Pair.assertNoProtocolError(pair.b);
        // R-SEND-003: who waits for credits is never refused.
        if (shape.rnr().trust() == RnrPolicy.Trust.CREDITS) {
            assertThat(pair.a.refusalsInAll + pair.b.refusalsInAll).isZero();
        }
        there.check();
        back.check();
    }
}
