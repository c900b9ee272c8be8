package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.param.StreamError;
import io.metaroce.wire.CloseHeader;
import org.junit.jupiter.api.Test;

class CloseCodesTest {
    @Test
    void everyReasonIsToldInItsOwnWords() {
        assertThat(CloseCodes.describe(CloseHeader.IDLE)).contains("dead time");
        assertThat(CloseCodes.describe(CloseHeader.NO_RESOURCES)).contains("no room");
        assertThat(CloseCodes.describe(CloseHeader.APPLICATION_ABORT)).contains("application");
    }

    @Test
    void errorsAreToldInTheWordsOfTheTable() {
        for (StreamError error : StreamError.values()) {
            assertThat(CloseCodes.describe(CloseHeader.ERROR_BASE + error.code()))
                    .isEqualTo("the peer closed: " + error.sentence());
        }
    }
}
