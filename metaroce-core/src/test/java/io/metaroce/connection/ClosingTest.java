package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.datagram.Transmit;
import io.metaroce.num.Deadline;
import io.metaroce.param.LivenessConfig;
import io.metaroce.wire.CloseHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosingTest {
    private static final long MS = 1_000_000;
    private final Rig rig = Rig.a(1, 1);
    private final LivenessConfig config = rig.config.liveness();
    private final Closing closing = new Closing(config, rig.agreement, rig.seal, rig.scratch);
    private final Transmit out = new Transmit();

    @Test
    @Covers("R-CONN-010")
    void theQuestionIsRepeatedWithGrowingPausesAndThenGivenUp() {
        closing.ask(0, CloseHeader.NORMAL, 0);
        List<Long> asked = new ArrayList<>();
        while (!closing.isExhausted(closing.deadlineNs())) {
            long now = closing.deadlineNs();
            assertThat(closing.write(now, 1, out)).isTrue();
            assertThat(closing.write(now, 1, out)).isFalse();
            assertClose(Opcode.CLOSE, CloseHeader.NORMAL, 0, rig.agreement.localId());
            asked.add(now);
            assertThat(asked).hasSizeLessThan(10);
        }
        assertThat(asked).containsExactly(0L, 50 * MS, 150 * MS, 350 * MS, 750 * MS);
        assertThat(closing.deadlineNs()).isEqualTo(1_550 * MS);
        assertThat(closing.write(1_550 * MS, 1, out)).isFalse();
    }

    @Test
    void whoeverStillDrainsIsAskedEveryTenthOfASecondWithoutEnd() {
        closing.ask(0, CloseHeader.NORMAL, 0);
        closing.write(0, 1, out);
        closing.onPending(7 * MS);
        for (int i = 0; i < 40; i++) {
            assertThat(closing.deadlineNs()).isEqualTo((107 + 100L * i) * MS);
            assertThat(closing.isExhausted(closing.deadlineNs())).isFalse();
            assertThat(closing.write(closing.deadlineNs(), 1, out)).isTrue();
        }
    }

    @Test
    void theAnswerRepeatsCodeAndNumber() {
        closing.answer(close(0x109, 77), Closing.Finality.PENDING);
        assertThat(closing.write(0, 1, out)).isTrue();
        assertClose(Opcode.CLOSE_ACK, 0x109, CloseHeader.PENDING, 77);
        assertThat(closing.write(0, 1, out)).isFalse();
        closing.answerFinally();
        assertThat(closing.write(0, 1, out)).isTrue();
        assertClose(Opcode.CLOSE_ACK, 0x109, 0, 77);
    }

    @Test
    void anAnswerGoesBeforeTheOwnQuestion() {
        closing.ask(0, CloseHeader.NORMAL, 0);
        closing.answer(close(0, 5), Closing.Finality.FINAL);
        closing.write(0, 1, out);
        assertThat(view().opcode()).isEqualTo(Opcode.CLOSE_ACK);
        closing.write(0, 1, out);
        assertThat(view().opcode()).isEqualTo(Opcode.CLOSE);
    }

    @Test
    void whoeverStopsAskingHasNoDeadline() {
        closing.ask(0, CloseHeader.NORMAL, 0);
        closing.stopAsking();
        assertThat(closing.write(0, 1, out)).isFalse();
        assertThat(closing.deadlineNs()).isEqualTo(Deadline.NEVER);
    }

    @Test
    @Covers("R-CONN-010")
    void anAbortAfterAQuestionIsRepeatedAsOftenAsAnyOther() {
        closing.ask(0, CloseHeader.NORMAL, 0);
        closing.write(0, 1, out);
        closing.onPending(10 * MS);
        closing.ask(5_000 * MS, CloseHeader.APPLICATION_ABORT, CloseHeader.ABORT);
        int asked = 0;
        while (!closing.isExhausted(closing.deadlineNs())) {
            assertThat(closing.write(closing.deadlineNs(), 1, out)).isTrue();
            assertClose(Opcode.CLOSE, CloseHeader.APPLICATION_ABORT, CloseHeader.ABORT, rig.agreement.localId());
            asked++;
            assertThat(asked).isLessThanOrEqualTo(config.closeTries());
        }
        assertThat(asked).isEqualTo(config.closeTries());
    }

    private void assertClose(int opcode, int code, int flags, int closeId) {
        PacketView view = view();
        assertThat(view.opcode()).isEqualTo(opcode);
        assertThat(view.base().dstConnId()).isEqualTo(rig.agreement.peerId());
        assertThat(view.close().code()).isEqualTo(code);
        assertThat(view.close().flags()).isEqualTo(flags);
        assertThat(view.close().closeId()).isEqualTo(closeId);
        assertThat(view.trailerMatches(rig.agreement.sendSeed())).isTrue();
    }

    private PacketView view() {
        return Rig.parsed(out, new PacketView());
    }

    private static CloseHeader close(int code, int id) {
        return new CloseHeader()
                .wrap(ByteBuffer.allocate(CloseHeader.LENGTH), 0)
                .code(code)
                .closeId(id);
    }
}
