package io.metaroce.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class TransitionTableTest {
    private enum Door {
        OPEN,
        SHUT,
        LOCKED
    }

    private enum Hand {
        PUSH,
        PULL,
        TURN_KEY
    }

    private static final TransitionTable<Door, Hand> TABLE = TransitionTable.of(Door.class, Hand.class)
            .on(Hand.PUSH, EnumSet.of(Door.OPEN, Door.SHUT), Door.SHUT)
            .on(Hand.PULL, EnumSet.of(Door.SHUT), Door.OPEN)
            .on(Hand.TURN_KEY, EnumSet.of(Door.SHUT), Door.LOCKED)
            .build();

    @Test
    void aListedPairLeadsOn() {
        assertThat(TABLE.allows(Door.SHUT, Hand.PULL)).isTrue();
        assertThat(TABLE.next(Door.SHUT, Hand.PULL)).isEqualTo(Door.OPEN);
        assertThat(TABLE.next(Door.OPEN, Hand.PUSH)).isEqualTo(Door.SHUT);
        assertThat(TABLE.nextOrSame(Door.SHUT, Hand.TURN_KEY)).isEqualTo(Door.LOCKED);
    }

    @Test
    void aPairThatIsNotListedIsRefusedByName() {
        assertThat(TABLE.allows(Door.LOCKED, Hand.PULL)).isFalse();
        assertThatThrownBy(() -> TABLE.next(Door.LOCKED, Hand.PULL))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("PULL")
                .hasMessageContaining("LOCKED");
        assertThat(TABLE.nextOrSame(Door.LOCKED, Hand.PULL)).isEqualTo(Door.LOCKED);
    }

    @Test
    void aPairMayBeListedOnce() {
        TransitionTable.Builder<Door, Hand> builder =
                TransitionTable.of(Door.class, Hand.class).on(Hand.PUSH, EnumSet.of(Door.OPEN), Door.SHUT);
        assertThatThrownBy(() -> builder.on(Hand.PUSH, EnumSet.allOf(Door.class), Door.OPEN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("OPEN on PUSH");
    }

    @Test
    void theMatrixShowsEveryCell() {
        assertThat(TABLE.matrix().lines())
                .containsExactly(
                        "          PUSH      PULL      TURN_KEY",
                        "OPEN      SHUT      -         -",
                        "SHUT      SHUT      OPEN      LOCKED",
                        "LOCKED    -         -         -");
    }

    @Test
    void theDrawingShowsEveryArrow() {
        assertThat(TABLE.dot().lines())
                .containsExactly(
                        "digraph {",
                        "  OPEN -> SHUT [label=\"PUSH\"];",
                        "  SHUT -> SHUT [label=\"PUSH\"];",
                        "  SHUT -> OPEN [label=\"PULL\"];",
                        "  SHUT -> LOCKED [label=\"TURN_KEY\"];",
                        "}");
    }

    @Test
    void anEmptyTableRefusesEverything() {
        TransitionTable<Door, Hand> empty =
                TransitionTable.of(Door.class, Hand.class).build();
        for (Door door : Door.values()) {
            for (Hand hand : Hand.values()) {
                assertThat(empty.allows(door, hand)).isFalse();
            }
        }
    }
}
