package io.metaroce.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.engine.StreamBinding;
import io.metaroce.param.Profiles;
import org.junit.jupiter.api.Test;

class QpInitAttributesTest {
    @Test
    void theDeadTimeIsThatOfTheVerbs() {
        try (VerbsWorld world = new SimWorld(Profiles.model())) {
            QpInitAttributes usual = QpInitAttributes.of(world.client().createCompletionQueue(16));
            assertThat(usual.deadNs()).isEqualTo(StreamBinding.AS_SET);
            assertThat(usual.withTimeout(1, 0).deadNs()).isEqualTo(8_192);
            assertThat(usual.withTimeout(14, 7).deadNs()).isEqualTo(536_870_912);
            assertThat(usual.withTimeout(31, 7).deadNs()).isEqualTo(70_368_744_177_664L);
            assertThat(usual.withTimeout(0, 7).deadNs()).isEqualTo(StreamBinding.NEVER);
            for (int[] wrong : new int[][] {{-1, 0}, {32, 0}, {14, -1}, {14, 8}}) {
                assertThatThrownBy(() -> usual.withTimeout(wrong[0], wrong[1])).isInstanceOf(VerbsException.class);
            }
        }
    }
}
