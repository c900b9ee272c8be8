package io.metaroce.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class QpTransitionsTest {
    @Test
    void theTableIsThis() {
        assertThat(QpTransitions.table().lines())
                .containsExactly(
                        "RESET -> INIT: modify",
                        "RESET -> ERR: an error, the end of the connection, or modify",
                        "INIT -> RTR: connect or accept",
                        "INIT -> ERR: an error, the end of the connection, or modify",
                        "RTR -> RTS: the connection stands",
                        "RTR -> ERR: an error, or the end of the connection",
                        "RTS -> ERR: an error, the end of the connection, or modify",
                        "ERR -> RESET: modify");
    }

    @Test
    void modifyMayDoOnlyWhatNeedsNoConnection() {
        assertThat(QpTransitions.modifyAllows(QpState.RESET, QpState.INIT)).isTrue();
        assertThat(QpTransitions.modifyAllows(QpState.INIT, QpState.RTR)).isFalse();
        assertThat(QpTransitions.modifyAllows(QpState.RTR, QpState.RTS)).isFalse();
        assertThat(QpTransitions.allows(QpState.RTR, QpState.RTS)).isTrue();
        assertThat(QpTransitions.allows(QpState.RESET, QpState.RTS)).isFalse();
    }

    @Test
    void exitsAreToldInWords() {
        assertThat(QpTransitions.exits(QpState.RTR))
                .isEqualTo("RTS (by the connection stands), ERR (by an error, or the end of the connection)");
    }

    @Test
    void numbersAreThoseOfVerbs() {
        assertThat(QpState.RESET.value()).isZero();
        assertThat(QpState.RTS.value()).isEqualTo(3);
        assertThat(QpState.ERR.value()).isEqualTo(6);
    }
}
