package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.Transfer.Job;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transfers during which things break: what can be finished is finished, without an error. */
class FaultSimTest {
    private static final int MIB = 1 << 20;

    @ParameterizedTest
    @ValueSource(
            strings = {
                // one plane of two for ever, for a while, and again and again
                "at 40us plane 1 down",
                "at 40us plane 1 down\nat 300us plane 1 up",
                "from 40us every 100us until 2ms: plane 1 down 30us",
                // one way only: data pass and reports die, and the other way round
                "at 40us asym plane 1 from b down",
                "at 40us asym plane 1 from a down",
                // single links: every path that hashes there is dead
                "at 40us link a-b.0 down\nat 40us link a-b.1 plane 1 down",
                // everything, for a while
                "at 40us plane 0 down\nat 40us plane 1 down\nat 900us plane 0 up\nat 900us plane 1 up",
                // a receiver, a sender, both stop for a while
                "at 40us host b pause 300us",
                "at 40us host a pause 300us",
                "at 40us host a pause 300us\nat 90us host b pause 300us",
                // all routes change under traffic
                "at 40us link * reorder 10% within 4us",
                "at 40us link * corrupt 2% header\nat 40us link * corrupt 2% payload",
                "at 40us link * gilbert 1% back 20% loss 90%\nat 40us link * truncate 1%\nat 2ms heal all",
                "packet 9 drop\npacket 20 twice\npacket 21 twice after 40us\npacket 30 late 3us",
                "at 40us link * loss 30%\nat 2ms heal all"
            })
    void aTransferOfFourMebibytesSurvives(String script) {
        Job job = Job.of(21, WrOpcode.SEND_WITH_IMM, MIB, 0, MIB, 77, 2 * MIB).over(Topology.Pair.skewed(2));
        Transfer transfer = new Transfer(job);
        transfer.world.faults(FaultScript.parse(script));
        long hash = transfer.run();
        Transfer again = new Transfer(job);
        again.world.faults(FaultScript.parse(script));
        assertThat(again.run()).isEqualTo(hash);
        Transfer fetched = new Transfer(
                Job.of(21, WrOpcode.RDMA_READ, MIB, 0, MIB, 77, 2 * MIB).over(Topology.Pair.skewed(2)));
        fetched.world.faults(FaultScript.parse(script));
        fetched.run();
    }

    @Test
    @Covers("R-HEALTH-001")
    void aBlackHoleInOneSourcePortIsLeft() {
        Job job = Job.of(22, WrOpcode.RDMA_WRITE, 8 * MIB).over(Topology.Pair.skewed(1));
        Transfer transfer = new Transfer(job);
        transfer.connect();
        int entropy = transfer.a.view().paths().get(0).entropy();
        transfer.world.at(
                transfer.world.nowPs() + 50 * SimTime.US,
                () -> transfer.fabric.attachment("a").port(0).blackhole(entropy));
        transfer.post();
        transfer.complete();
        assertThat(transfer.a.view().paths().get(0).entropy()).isNotEqualTo(entropy);
        transfer.close();
    }

    @Test
    void droppedHandshakePacketsAreSentAgain() {
        for (int number = 1; number <= 3; number++) {
            Transfer transfer = new Transfer(Job.of(23, WrOpcode.SEND, 5000));
            transfer.world.faults(FaultScript.parse("drop a setup " + number + "\ndrop b setup " + number));
            transfer.run();
        }
    }

    @Test
    @Covers({"R-READ-001", "R-READ-002"})
    void anyOneDataPacketMayBeLost() {
        for (int number = 1; number <= 12; number++) {
            Transfer transfer = new Transfer(Job.of(24, WrOpcode.SEND_WITH_IMM, 0, 9000, 1, 30_000));
            transfer.world.faults(FaultScript.parse("drop a data " + number));
            transfer.run();
            for (String side : new String[] {"a", "b"}) {
                Transfer fetched = new Transfer(Job.of(24, WrOpcode.RDMA_READ, 0, 9000, 1, 30_000));
                fetched.world.faults(FaultScript.parse("drop " + side + " data " + number));
                fetched.run();
            }
        }
    }

    @Test
    void anyOneReportMayBeLost() {
        for (int number = 1; number <= 20; number++) {
            Transfer transfer = new Transfer(Job.of(25, WrOpcode.SEND_WITH_IMM, 0, 9000, 1, 30_000));
            transfer.world.faults(FaultScript.parse("drop b control " + number));
            transfer.run();
        }
    }
}
