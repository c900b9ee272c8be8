package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.datagram.Route;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.path.Path;
import io.metaroce.trace.TransportEvents;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Source ports that nobody uses; there are eight on each plane. */
class FreshRoutesTest {
    private static final int PORTS = 8;
    private static final int DRAWS = 300;

    @Test
    @Covers("R-PATH-018")
    void everyPortThatNobodyUsesIsDrawnAndNoOther() {
        Rig a = Rig.a(config(), 4, 2);
        FreshRoutes fresh = new FreshRoutes(a.paths, a.agreement, a.shared(TransportEvents.NONE));
        for (int plane = 0; plane < 2; plane++) {
            Set<Integer> free = new TreeSet<>();
            for (int port = 0; port < PORTS; port++) {
                free.add(port);
            }
            for (int i = 0; i < 4; i++) {
                Route own = a.paths.outbound(i).route();
                if (own.plane() == plane) {
                    free.remove(own.entropy());
                }
            }
            Set<Integer> drawn = new TreeSet<>();
            for (int i = 0; i < DRAWS; i++) {
                Route route = fresh.draw(a.paths.outbound(0), plane);
                assertThat(route.plane()).isEqualTo(plane);
                assertThat(route.remote()).isEqualTo(a.agreement.planes().get(plane));
                drawn.add(route.entropy());
            }
            assertThat(drawn).isEqualTo(free);
        }
    }

    @Test
    @Covers("R-PATH-018")
    void aPortThatIsBeingTestedIsTaken() {
        Rig a = Rig.a(config(), 2, 1);
        FreshRoutes fresh = new FreshRoutes(a.paths, a.agreement, a.shared(TransportEvents.NONE));
        Route tested = fresh.draw(a.paths.outbound(0), 0);
        a.paths.outbound(0).test(tested, 77);
        for (int i = 0; i < DRAWS; i++) {
            assertThat(fresh.draw(a.paths.outbound(1), 0).entropy()).isNotEqualTo(tested.entropy());
        }
    }

    @Test
    @Covers("R-PATH-018")
    void whereAllAreUsedAnyOtherThanItsOwnIsDrawn() {
        Rig a = Rig.a(config(), PORTS, 1);
        FreshRoutes fresh = new FreshRoutes(a.paths, a.agreement, a.shared(TransportEvents.NONE));
        for (int i = 0; i < PORTS; i++) {
            Path path = a.paths.outbound(i);
            Set<Integer> drawn = new TreeSet<>();
            for (int n = 0; n < DRAWS; n++) {
                drawn.add(fresh.draw(path, 0).entropy());
            }
            assertThat(drawn).hasSize(PORTS - 1).doesNotContain(path.route().entropy());
        }
    }

    @Test
    void headsAndTailsComeBothAndChallengesDiffer() {
        Rig a = Rig.a(2, 1);
        FreshRoutes fresh = new FreshRoutes(a.paths, a.agreement, a.shared(TransportEvents.NONE));
        Set<Long> challenges = new TreeSet<>();
        int heads = 0;
        for (int i = 0; i < DRAWS; i++) {
            challenges.add(fresh.challenge());
            heads += fresh.isHeads() ? 1 : 0;
        }
        assertThat(challenges).hasSize(DRAWS);
        assertThat(heads).isBetween(DRAWS / 3, 2 * DRAWS / 3);
    }

    private static EndpointConfig config() {
        EndpointConfig config = Profiles.model();
        return config.withLimits(config.limits().withSourcePorts(PORTS));
    }
}
