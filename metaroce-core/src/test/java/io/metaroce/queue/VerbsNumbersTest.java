package io.metaroce.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class VerbsNumbersTest {
    @Test
    void statusesHaveTheNamesAndValuesOfRdmaCore() {
        String table = Arrays.stream(WcStatus.values())
                .map(status -> status.name() + " " + status.value())
                .collect(Collectors.joining(", "));
        assertThat(table)
                .isEqualTo(
                        "SUCCESS 0, LOC_LEN_ERR 1, LOC_QP_OP_ERR 2, LOC_EEC_OP_ERR 3, LOC_PROT_ERR 4, WR_FLUSH_ERR 5,"
                                + " MW_BIND_ERR 6, BAD_RESP_ERR 7, LOC_ACCESS_ERR 8, REM_INV_REQ_ERR 9, REM_ACCESS_ERR 10,"
                                + " REM_OP_ERR 11, RETRY_EXC_ERR 12, RNR_RETRY_EXC_ERR 13, LOC_RDD_VIOL_ERR 14,"
                                + " REM_INV_RD_REQ_ERR 15, REM_ABORT_ERR 16, INV_EECN_ERR 17, INV_EEC_STATE_ERR 18,"
                                + " FATAL_ERR 19, RESP_TIMEOUT_ERR 20, GENERAL_ERR 21, TM_ERR 22, TM_RNR_INCOMPLETE 23");
    }

    @Test
    void aStatusIsFoundByItsValueAndSaysWhatHappened() {
        for (WcStatus status : WcStatus.values()) {
            assertThat(WcStatus.of(status.value())).isSameAs(status);
            assertThat(status.sentence()).endsWith(".");
            assertThat(status.text()).isNotBlank();
            assertThat(status.isSuccess()).isEqualTo(status.value() == 0);
        }
        assertThat(WcStatus.WR_FLUSH_ERR.text()).isEqualTo("Work Request Flushed Error");
        assertThatThrownBy(() -> WcStatus.of(24)).hasMessageContaining("24").hasMessageContaining("0..23");
        assertThatThrownBy(() -> WcStatus.of(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void completionOpcodesHaveTheValuesOfRdmaCore() {
        String table = Arrays.stream(WcOpcode.values())
                .map(opcode -> opcode.name() + " " + opcode.value())
                .collect(Collectors.joining(", "));
        assertThat(table)
                .isEqualTo("SEND 0, RDMA_WRITE 1, RDMA_READ 2, COMP_SWAP 3, FETCH_ADD 4, BIND_MW 5, LOCAL_INV 6, RECV"
                        + " 128, RECV_RDMA_WITH_IMM 129");
        assertThat(WcOpcode.RECV.isReceive()).isTrue();
        assertThat(WcOpcode.RECV_RDMA_WITH_IMM.isReceive()).isTrue();
        assertThat(WcOpcode.FETCH_ADD.isReceive()).isFalse();
    }

    @Test
    void requestOpcodesHaveTheValuesOfRdmaCoreAndNameTheirCompletion() {
        String table = Arrays.stream(WrOpcode.values())
                .map(opcode -> opcode.name() + " " + opcode.value() + " " + opcode.completion())
                .collect(Collectors.joining(", "));
        assertThat(table)
                .isEqualTo(
                        "RDMA_WRITE 0 RDMA_WRITE, RDMA_WRITE_WITH_IMM 1 RDMA_WRITE, SEND 2 SEND, SEND_WITH_IMM 3 SEND,"
                                + " RDMA_READ 4 RDMA_READ, ATOMIC_CMP_AND_SWP 5 COMP_SWAP, ATOMIC_FETCH_AND_ADD 6"
                                + " FETCH_ADD, LOCAL_INV 7 LOCAL_INV, BIND_MW 8 BIND_MW, SEND_WITH_INV 9 SEND, ATOMIC_SWP 256 COMP_SWAP");
    }

    @Test
    void sendsAndWritesWithImmediateConsumeAReceive() {
        assertThat(Arrays.stream(WrOpcode.values()).filter(WrOpcode::consumesReceive))
                .containsExactly(
                        WrOpcode.RDMA_WRITE_WITH_IMM, WrOpcode.SEND, WrOpcode.SEND_WITH_IMM, WrOpcode.SEND_WITH_INV);
    }

    @Test
    void flagsHaveTheValuesOfRdmaCore() {
        assertThat(new int[] {WcFlag.GRH, WcFlag.WITH_IMM, WcFlag.WITH_INV}).containsExactly(1, 2, 8);
        assertThat(new int[] {SendFlags.FENCE, SendFlags.SIGNALED, SendFlags.SOLICITED, SendFlags.INLINE})
                .containsExactly(1, 2, 4, 8);
    }
}
