package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.Covers;
import io.metaroce.engine.StreamBinding;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.Transfer.Job;
import org.junit.jupiter.api.Test;

/** Receives that come late, or never, as each queue pair wants it. */
class RnrSimTest {
    private static final long DELAY_NS = 50_000;

    @Test
    @Covers("R-SEND-011")
    void aQueuePairGivesUpAfterItsOwnNumberOfRetries() {
        Transfer transfer = start(1, 2);
        transfer.a.app.post(7, WrOpcode.SEND, new App.Range(512, 9000), App.Remote.NOWHERE);
        assertThat(transfer.world.runUntil(() -> !transfer.a.app.poll().isEmpty(), 1_000_000_000L))
                .isTrue();
        assertThat(transfer.a.app.done().get(0).brief()).isEqualTo("7 " + WcStatus.RNR_RETRY_EXC_ERR);
        assertThat(transfer.world.nowNs()).as("two delays").isGreaterThan(2 * DELAY_NS);
    }

    @Test
    @Covers("R-SEND-004")
    void aReceiveThatComesBetweenTheRetriesIsUsedAlthoughRefusalsGetLost() {
        Transfer transfer = start(2, 6);
        transfer.world.faults(FaultScript.parse("at 20us link * loss 30%"));
        transfer.a.app.post(7, WrOpcode.SEND, new App.Range(512, 9000), App.Remote.NOWHERE);
        transfer.world.run(120_000);
        transfer.b.app.receive(70, new App.Range(512, 9000));
        assertThat(transfer.world.runUntil(() -> !transfer.a.app.poll().isEmpty(), 1_000_000_000L))
                .isTrue();
        assertThat(transfer.a.app.done().get(0).brief()).isEqualTo("7 " + WcStatus.SUCCESS);
        assertThat(transfer.b.app.poll()).hasSize(1);
        assertThat(transfer.b.app.memory().slice(512, 9000))
                .isEqualTo(transfer.a.app.memory().slice(512, 9000));
    }

    @Test
    void boundsAreChecked() {
        App app = start(3, 0).a.app;
        assertThatThrownBy(() -> new StreamBinding(0, 1, app.sends(), app.receives(), 8, 0))
                .hasMessageContaining("0..6");
        assertThatThrownBy(() -> new StreamBinding(0, 1, app.sends(), app.receives(), 7, 1_000_000_000L))
                .hasMessageContaining("655350000");
    }

    private static Transfer start(long seed, int retries) {
        Transfer transfer = new Transfer(Job.of(seed, WrOpcode.SEND, 9000));
        transfer.a.app.rnr(retries, DELAY_NS);
        transfer.b.app.rnr(retries, DELAY_NS);
        transfer.connect();
        return transfer;
    }
}
