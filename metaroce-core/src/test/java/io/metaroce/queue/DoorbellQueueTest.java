package io.metaroce.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DoorbellQueueTest {
    private final DoorbellQueue doorbells = new DoorbellQueue(3);
    private int wakes;

    @Test
    void atMostOneWakeUpIsOnItsWay() {
        doorbells.onWake(() -> wakes++);
        doorbells.wake();
        doorbells.wake();
        assertThat(wakes).isEqualTo(1);
        assertThat(doorbells.isPending()).isTrue();
        doorbells.drain(0);
        assertThat(doorbells.isPending()).isFalse();
        doorbells.wake();
        assertThat(wakes).isEqualTo(2);
        doorbells.clear();
        doorbells.wake();
        assertThat(wakes).isEqualTo(3);
    }

    @Test
    void aWakeUpThatCameBeforeThereWasADoorbellIsPassedOn() {
        doorbells.wake();
        doorbells.onWake(() -> wakes++);
        assertThat(wakes).isEqualTo(1);
        new DoorbellQueue(1).onWake(() -> wakes++);
        assertThat(wakes).isEqualTo(1);
    }

    @Test
    void ringsAreServedInTheOrderTheyWereRung() {
        List<String> told = new ArrayList<>();
        Bell a = bell("a", told);
        Bell b = bell("b", told);
        b.ring();
        a.ring();
        b.ring();
        doorbells.drain(0);
        assertThat(told).containsExactly("b", "a");
    }

    @Test
    void aRingThatIsRungWhileServedIsServedAgain() {
        List<Long> told = new ArrayList<>();
        Bell bell = new Bell(doorbells);
        bell.owner(nowNs -> {
            told.add(nowNs);
            if (told.size() == 1) {
                bell.ring();
            }
        });
        doorbells.onWake(() -> wakes++);
        bell.ring();
        doorbells.drain(3);
        assertThat(told).containsExactly(3L, 3L);
        assertThat(wakes).isEqualTo(2);
    }

    @Test
    void aRingThatAlwaysRingsAgainDoesNotHoldUpTheEndpoint() {
        List<Long> told = new ArrayList<>();
        Bell bell = new Bell(doorbells);
        bell.owner(nowNs -> {
            told.add(nowNs);
            bell.ring();
        });
        doorbells.onWake(() -> wakes++);
        bell.ring();
        doorbells.drain(0);
        assertThat(told).hasSize(3);
        assertThat(doorbells.isPending()).as("and it is not forgotten").isTrue();
        assertThat(wakes).isEqualTo(2);
    }

    @Test
    void moreRingsThanPlacesAreRefusedAndTheLimitIsNamed() {
        Bell first = new Bell(doorbells);
        new Bell(doorbells);
        new Bell(doorbells);
        assertThatThrownBy(() -> new Bell(doorbells))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ring 4")
                .hasMessageContaining("serves 3")
                .hasMessageContaining("ringsMax");
        first.retire();
        first.retire();
        new Bell(doorbells);
        assertThatThrownBy(() -> new Bell(doorbells)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aRetiredRingThatIsStillInTheQueueKeepsItsPlaceUntilItComesOut() {
        List<String> told = new ArrayList<>();
        Bell first = bell("first", told);
        new Bell(doorbells);
        new Bell(doorbells);
        first.ring();
        first.retire();
        assertThatThrownBy(() -> new Bell(doorbells)).isInstanceOf(IllegalStateException.class);
        doorbells.drain(0);
        first.ring();
        first.ring();
        doorbells.drain(0);
        assertThat(told).isEmpty();
        new Bell(doorbells);
        assertThatThrownBy(() -> new Bell(doorbells)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void commandsRunInOrderAndTheQueueIsBounded() {
        CommandQueue<List<String>> commands = new CommandQueue<>(3);
        List<String> ran = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            commands.offer((nowNs, target) -> target.add(name + nowNs));
        }
        assertThatThrownBy(() -> commands.offer((nowNs, target) -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("3 commands")
                .hasMessageContaining("commandsMax");
        assertThat(commands.drain(7, ran)).isEqualTo(3);
        assertThat(ran).containsExactly("a7", "b7", "c7");
        assertThat(commands.drain(8, ran)).isZero();
        commands.offer((nowNs, target) -> target.add("d"));
        assertThat(commands.drain(9, ran)).isEqualTo(1);
    }

    @Test
    void commandsRunBeforeRingsAreServed() {
        CommandQueue<List<String>> commands = new CommandQueue<>();
        List<String> told = new ArrayList<>();
        bell("ring", told).ring();
        commands.offer((nowNs, target) -> target.add("command"));
        doorbells.drain(0, commands, told);
        assertThat(told).containsExactly("command", "ring");
        assertThat(doorbells.isPending()).isFalse();
    }

    @Test
    void commandsThatOfferCommandsDoNotHoldUpTheEndpoint() {
        CommandQueue<List<String>> commands = new CommandQueue<>(2);
        List<String> ran = new ArrayList<>();
        Command<List<String>> again = new Command<>() {
            @Override
            public void run(long nowNs, List<String> target) {
                target.add("again");
                commands.offer(this);
            }
        };
        commands.offer(again);
        assertThat(commands.drain(0, ran)).isEqualTo(2);
        assertThat(ran).hasSize(2);
    }

    @Test
    void theStandardQueueHoldsAThousandAndTwentyFourCommands() {
        CommandQueue<Object> commands = new CommandQueue<>();
        for (int i = 0; i < 1024; i++) {
            commands.offer((nowNs, target) -> {});
        }
        assertThatThrownBy(() -> commands.offer((nowNs, target) -> {})).hasMessageContaining("1024 commands");
    }

    private Bell bell(String name, List<String> told) {
        Bell bell = new Bell(doorbells);
        bell.owner(nowNs -> told.add(name));
        return bell;
    }
}
