package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.param.StreamError;
import io.metaroce.trace.Counter;
import io.metaroce.wire.Opcode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ControlQueueTest {
    private final Rig rig = Rig.a(1, 1);
    private final ControlQueue queue = new ControlQueue();
    private final ControlWriter writer =
            new ControlWriter(queue, rig.streams.ports(), rig.reporting, rig.counters, rig.scratch);

    @Test
    void whatDoesNotFitIsDropped() {
        for (int i = 0; i < 1_000; i++) {
            queue.refuse(refusal(i));
            queue.ask(i);
            queue.answer(i);
        }
        List<Integer> opcodes = new ArrayList<>();
        while (opcodes.size() < 1_000 && writer.write(0, rig.out)) {
            opcodes.add(rig.written().opcode());
        }
        assertThat(opcodes.stream().filter(one -> one == Opcode.NAK)).hasSize(64);
        assertThat(opcodes.stream().filter(one -> one == Opcode.STREAM_QUERY)).hasSize(2);
        assertThat(opcodes.stream().filter(one -> one == Opcode.STREAM_STATUS)).hasSize(2);
        assertThat(queue.isEmpty()).isTrue();
        assertThat(rig.counters.get(Counter.RNR_NAKS_SENT)).isEqualTo(64);
        assertThat(rig.counters.get(Counter.STREAM_QUERIES_SENT)).isEqualTo(2);
    }

    @Test
    void aQuestionThatWaitsIsNotAskedTwice() {
        queue.ask(5);
        queue.ask(5);
        queue.answer(6);
        queue.answer(6);
        assertThat(writer.write(0, rig.out)).isTrue();
        assertThat(rig.written().streamQuery().count()).isEqualTo(1);
        assertThat(rig.written().streamQuery().streamId(0)).isEqualTo(5);
        assertThat(writer.write(0, rig.out)).isTrue();
        assertThat(rig.written().streamUpdateCount()).isEqualTo(1);
        assertThat(rig.written().streamUpdate(0).streamId()).isEqualTo(6);
        assertThat(writer.write(0, rig.out)).isFalse();
    }

    @Test
    void aRefusalSaysWhatWhereAndHowLong() {
        queue.refuse(new ConnectionPort.Refusal(StreamError.RNR, 3, 17, 5, 9, 2, -4, 1_000_000));
        writer.write(0, rig.out);
        assertThat(rig.written().nak().code()).isEqualTo(StreamError.RNR.code());
        assertThat(rig.written().nak().streamId()).isEqualTo(3);
        assertThat(rig.written().nak().msn()).isEqualTo(17);
        assertThat(rig.written().nak().attempt()).isEqualTo(5);
        assertThat(rig.written().nak().rsnLimit()).isEqualTo(9);
        assertThat(rig.written().nak().slotPath()).isEqualTo(2);
        assertThat(rig.written().nak().slotPsn()).isEqualTo(-4);
        assertThat(rig.written().nak().retryDelay()).isEqualTo(100);
    }

    @Test
    void creditsAreWrittenAsLongAsThereIsNews() {
        assertThat(writer.writeCredit(0, rig.out)).isFalse();
        for (int i = 0; i < 40; i++) {
            rig.streams.news.add(new FakeStreams.Told(i, i));
        }
        assertThat(writer.writeCredit(0, rig.out)).isTrue();
        assertThat(rig.written().opcode()).isEqualTo(Opcode.CREDIT);
        assertThat(rig.written().streamUpdateCount()).isEqualTo(32);
        assertThat(writer.writeCredit(0, rig.out)).isTrue();
        assertThat(rig.written().streamUpdateCount()).isEqualTo(8);
        assertThat(writer.writeCredit(0, rig.out)).isFalse();
    }

    private static ConnectionPort.Refusal refusal(int msn) {
        return new ConnectionPort.Refusal(StreamError.RNR, 1, msn, 0, 0, 0, 0, 0);
    }
}
