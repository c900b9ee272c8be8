package io.metaroce.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Runs actors in one thread, one atomic step at a time, in every order there is, or in a seeded sample of orders.
 *
 * <p>Nothing is copied: each order is run from a fresh scenario. When no actor can step any more the run is over, and
 * the scenario says whether it ended well; so a lost wake-up shows as a run that ended too early.
 */
final class Interleavings {
    /** One thread of the story. */
    interface Actor {
        /** Whether it could take a step now; a parked or finished actor cannot. */
        boolean canStep();

        /** One atomic step. */
        void step();
    }

    /** A fresh world and what must hold at its end. */
    interface Scenario {
        List<Actor> actors();

        /** Throws when the run did not end as it must. */
        void check();
    }

    private Interleavings() {}

    /** Runs every order; returns how many there are. Fails when there are more than {@code limit}. */
    static long exploreAll(Supplier<Scenario> fresh, long limit) {
        return exploreAll(fresh, limit, Integer.MAX_VALUE);
    }

    /**
     * Runs every order in which at most {@code preemptionsMax} times an actor that could go on has to wait for another.
     */
    static long exploreAll(Supplier<Scenario> fresh, long limit, int preemptionsMax) {
        List<Integer> choices = new ArrayList<>();
        List<Integer> widths = new ArrayList<>();
        long runs = 0;
        while (true) {
            run(fresh.get(), choices, widths, preemptionsMax);
            runs++;
            if (runs > limit) {
                throw new AssertionError("more than " + limit + " orders; choose smaller actors");
            }
            int last = choices.size() - 1;
            while (last >= 0 && choices.get(last) == widths.get(last) - 1) {
                choices.remove(last);
                widths.remove(last);
                last--;
            }
            if (last < 0) {
                return runs;
            }
            choices.set(last, choices.get(last) + 1);
        }
    }

    /** Runs {@code runs} random orders. */
    static void sample(Supplier<Scenario> fresh, long seed, int runs) {
        for (int i = 0; i < runs; i++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("SplittableRandom").create(seed + i);
            Scenario scenario = fresh.get();
            StringBuilder order = new StringBuilder();
            List<Integer> able = able(scenario.actors());
            while (!able.isEmpty()) {
                int actor = able.get(random.nextInt(able.size()));
                order.append(actor);
                scenario.actors().get(actor).step();
                able = able(scenario.actors());
            }
            verify(scenario, "seed " + (seed + i) + ", actors " + order);
        }
    }

    /** Follows {@code choices} as far as they go, then goes on with the same actor while it can, and notes it. */
    private static void run(Scenario scenario, List<Integer> choices, List<Integer> widths, int preemptionsMax) {
        StringBuilder order = new StringBuilder();
        List<Integer> able = able(scenario.actors());
        Integer last = -1;
        int preemptions = 0;
        for (int depth = 0; !able.isEmpty(); depth++) {
            boolean couldGoOn = able.remove(last);
            if (couldGoOn) {
                able.add(0, last); // choice 0 is no preemption
            }
            if (depth == choices.size()) {
                choices.add(0);
                widths.add(couldGoOn && preemptions == preemptionsMax ? 1 : able.size());
            }
            int choice = choices.get(depth);
            preemptions += couldGoOn && choice > 0 ? 1 : 0;
            last = able.get(choice);
            order.append(last);
            scenario.actors().get(last).step();
            able = able(scenario.actors());
        }
        verify(scenario, "actors " + order);
    }

    private static List<Integer> able(List<Actor> actors) {
        List<Integer> able = new ArrayList<>(actors.size());
        for (int i = 0; i < actors.size(); i++) {
            if (actors.get(i).canStep()) {
                able.add(i);
            }
        }
        return able;
    }

    private static void verify(Scenario scenario, String order) {
        try {
            scenario.check();
        } catch (AssertionError e) {
            throw new AssertionError("after the order [" + order + "]: " + e.getMessage(), e);
        }
    }
}
