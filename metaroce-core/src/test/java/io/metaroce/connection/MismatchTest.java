package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.CloseReason;
import io.metaroce.wire.ConnectParameters;
import org.junit.jupiter.api.Test;

class MismatchTest {
    @Test
    @Covers("R-CONN-004")
    void theWordsNameTheValuesOfBothSides() {
        ConnectParameters own = new ConnectParameters().integrity(ConnectParameters.INTEGRITY_AEAD_1);
        ConnectParameters peer = new ConnectParameters()
                .integrity(ConnectParameters.INTEGRITY_NONE | ConnectParameters.INTEGRITY_CRC32C);
        assertThat(Mismatch.describe(CloseReason.REJECTED_INTEGRITY, own, peer))
                .isEqualTo(": this side offers AEAD-1 with a pre-shared key, the peer accepts no trailer or CRC32C in"
                        + " clear");
        assertThat(Mismatch.describe(
                        CloseReason.REJECTED_FEATURE,
                        own.featuresRequired(6),
                        new ConnectParameters().featuresSupported(4)))
                .isEqualTo(": this side requires features 110, the peer supports 100 (bit n for feature n)");
    }

    @Test
    void aPeerThatSaidNothingIsNotSpokenFor() {
        ConnectParameters silent = new ConnectParameters().integrity(0);
        assertThat(Mismatch.describe(CloseReason.REJECTED_INTEGRITY, new ConnectParameters(), silent))
                .isEmpty();
        assertThat(Mismatch.describe(CloseReason.REJECTED_STALE, new ConnectParameters(), silent))
                .isEmpty();
    }
}
