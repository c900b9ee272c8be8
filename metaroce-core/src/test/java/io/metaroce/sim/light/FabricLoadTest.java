package io.metaroce.sim.light;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.sim.WorldConfig;
import org.junit.jupiter.api.Test;

class FabricLoadTest {
    private static final long PACKETS = 256;

    @Test
    void everyPacketArrivesAndOneSeedIsOneRun() {
        FabricLoad once = run(1);
        FabricLoad again = run(1);
        assertThat(once.packets()).isEqualTo(64 * PACKETS);
        assertThat(once.world().packets().inUse()).isZero();
        assertThat(once.world().conservation().fault()).isEmpty();
        assertThat(again.world().trace().value()).isEqualTo(once.world().trace().value());
        assertThat(again.world().events()).isEqualTo(once.world().events());
        assertThat(run(2).world().trace().value())
                .isNotEqualTo(once.world().trace().value());
    }

    @Test
    void bothOrdersAreTheSameRun() {
        FabricLoad byNode = run(1);
        FabricLoad ofTime = new FabricLoad(1, PACKETS, WorldConfig.Order.OF_TIME);
        ofTime.run();
        assertThat(ofTime.world().trace().value())
                .isEqualTo(byNode.world().trace().value());
        assertThat(ofTime.world().events()).isEqualTo(byNode.world().events());
    }

    private static FabricLoad run(long seed) {
        FabricLoad load = new FabricLoad(seed, PACKETS);
        load.run();
        return load;
    }
}
