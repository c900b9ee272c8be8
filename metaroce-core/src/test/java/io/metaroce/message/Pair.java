package io.metaroce.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.connection.ConnectionPort.Refusal;
import io.metaroce.connection.PacketSink;
import io.metaroce.connection.UpdateSink.Freshness;
import io.metaroce.num.Minifloat;
import io.metaroce.param.StreamError;
import io.metaroce.wire.NakHeader;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.StreamUpdate;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * Two stream tables and a connection between them that delivers every slot exactly once, in any order the test likes.
 * {@link #a} is the side that sends in most tests.
 */
final class Pair {
    final Side a;
    final Side b;
    long nowNs = 1;

    Pair(Side.Shape shape) {
        this(shape, shape);
    }

    Pair(Side.Shape ofA, Side.Shape ofB) {
        a = new Side(ofA);
        b = new Side(ofB);
    }

    /** Opens stream {@code id} on both sides; each hears of it. */
    Pair open(int id) {
        a.open(nowNs, id);
        b.open(nowNs, id);
        return this;
    }

    /** Both sides know each other's limits and may send. */
    Pair start() {
        a.table.limitToPeer(b.shape.streams(), b.shape.openMessages(), 1L << 31, Side.READS);
        b.table.limitToPeer(a.shape.streams(), a.shape.openMessages(), 1L << 31, Side.READS);
        a.table.start(nowNs);
        b.table.start(nowNs);
        reports();
        return this;
    }

    Side other(Side side) {
        return side == a ? b : a;
    }

    void bells() {
        a.doorbells.drain(nowNs);
        b.doorbells.drain(nowNs);
    }

    /** Delivers one packet to the peer of {@code from}. */
    PacketSink.Urgency deliver(Side from, Side.Sent sent) {
        assertThat(sent.isAccepted).as("the connection delivers once").isFalse();
        sent.isAccepted = true;
        return other(from).table.sink().accept(nowNs, Side.view(sent.bytes));
    }

    /** Carries all news and refusals of one side to the other. */
    void report(Side from) {
        for (StreamUpdate update : news(from)) {
            other(from).table.updateSink().onUpdate(nowNs, update, Freshness.NEWEST);
        }
        for (Refusal refusal : from.refusals) {
            other(from).table.updateSink().onNak(nowNs, nak(refusal), Freshness.NEWEST);
        }
        from.refusals.clear();
        from.isReportWanted = false;
    }

    /** One report's worth of news. */
    List<StreamUpdate> news(Side from) {
        List<StreamUpdate> told = new ArrayList<>();
        StreamUpdate update = new StreamUpdate().wrap(ByteBuffer.allocate(StreamUpdate.LENGTH), 0);
        while (from.table.updates().fill(nowNs, update)) {
            told.add(update);
            update = new StreamUpdate().wrap(ByteBuffer.allocate(StreamUpdate.LENGTH), 0);
        }
        return told;
    }

    /** The present state of a stream as its answer to a question. */
    StreamUpdate describe(Side of, int id) {
        StreamUpdate update = new StreamUpdate().wrap(ByteBuffer.allocate(StreamUpdate.LENGTH), 0);
        assertThat(of.table.updates().describe(id, update)).isTrue();
        return update;
    }

    void answerQuestions(Side asked) {
        Side asker = other(asked);
        StreamUpdate update = new StreamUpdate().wrap(ByteBuffer.allocate(StreamUpdate.LENGTH), 0);
        for (int id : asker.questions) {
            if (asked.table.updates().describe(id, update)) {
                asker.table.updateSink().onUpdate(nowNs, update, Freshness.NEWEST);
            }
        }
        asker.questions.clear();
    }

    void reports() {
        nowNs++;
        report(a);
        report(b);
    }

    static NakHeader nak(Refusal refusal) {
        return new NakHeader()
                .wrap(ByteBuffer.allocate(NakHeader.LENGTH), 0)
                .code(refusal.error().code())
                .streamId(refusal.streamId())
                .msn(refusal.msn())
                .rsnLimit(refusal.rsnLimit())
                .attempt(refusal.attempt())
                .retryDelay(Minifloat.encodeRetryDelay(refusal.retryDelayNs()));
    }

    /** Delivers and acknowledges everything in order until nothing moves any more. */
    void settle() {
        boolean moved = true;
        while (moved) {
            bells();
            moved = carry(a);
            moved |= carry(b);
            moved |= a.table.updates().hasNews() || b.table.updates().hasNews();
            reports();
            moved |= a.poll(Integer.MAX_VALUE) + b.poll(Integer.MAX_VALUE) > 0;
        }
    }

    private boolean carry(Side from) {
        from.send(nowNs, Integer.MAX_VALUE);
        List<Side.Sent> all = List.copyOf(from.flight);
        for (Side.Sent sent : all) {
            if (!sent.isAccepted) {
                deliver(from, sent);
            }
            from.acked(nowNs, sent);
        }
        return !all.isEmpty();
    }

    /**
     * A hostile network: delivers, loses, delays and reorders at random, until {@code done}. Reports are lost too; time
     * passes, so that questions and retries come due.
     */
    void shuffle(Random random, BooleanSupplier done) {
        for (int step = 0; step < 2_000_000; step++) {
            if (done.getAsBoolean()) {
                return;
            }
            Side from = random.nextBoolean() ? a : b;
            switch (random.nextInt(10)) {
                case 0 -> bells();
                case 1, 2 -> from.send(nowNs, 1 + random.nextInt(20));
                case 3, 4, 5 -> some(random, from, false);
                case 6 -> some(random, from, true);
                case 7 -> lossyReport(random, from);
                case 8 -> from.poll(1 + random.nextInt(4));
                default -> tick(random, from);
            }
        }
        throw new AssertionError("not done after two million steps: a " + a.completions.size() + ", b "
                + b.completions.size() + " completions");
    }

    /** Delivers, loses or acknowledges one packet. */
    private void some(Random random, Side from, boolean ack) {
        if (from.flight.isEmpty()) {
            return;
        }
        Side.Sent sent = from.flight.get(random.nextInt(from.flight.size()));
        if (sent.isAccepted) {
            if (ack || random.nextInt(4) == 0) {
                from.acked(nowNs, sent);
            } else if (random.nextInt(4) == 0 && !from.resend(nowNs, sent)) {
                from.acked(nowNs, sent); // taken for lost, but settled by NextMSN
            }
        } else if (random.nextInt(5) == 0) {
            if (!from.resend(nowNs, sent)) {
                throw new AssertionError("settled, but never accepted");
            }
        } else {
            deliver(from, sent);
        }
    }

    private void lossyReport(Random random, Side from) {
        List<StreamUpdate> told = news(from);
        boolean isLost = random.nextInt(3) == 0;
        Freshness freshness = random.nextInt(4) == 0 ? Freshness.OLDER : Freshness.NEWEST;
        for (StreamUpdate update : told) {
            if (!isLost) {
                other(from).table.updateSink().onUpdate(nowNs, update, freshness);
            }
        }
        for (Refusal refusal : from.refusals) {
            if (random.nextInt(3) != 0) {
                other(from).table.updateSink().onNak(nowNs, nak(refusal), freshness);
            }
        }
        from.refusals.clear();
    }

    private void tick(Random random, Side side) {
        nowNs += random.nextInt(2000);
        side.table.source().onDeadline(nowNs);
        if (random.nextInt(3) != 0) {
            answerQuestions(other(side));
        }
    }

    static void assertNoProtocolError(Side side) {
        assertThat(side.protocolErrors).isEqualTo(List.<StreamError>of());
    }

    static PacketView view(Side.Sent sent) {
        return Side.view(sent.bytes);
    }
}
