package io.metaroce.sim.swarm;

import io.metaroce.sim.swarm.SwarmCase.Limits;
import io.metaroce.sim.swarm.SwarmCase.Net;
import io.metaroce.sim.swarm.SwarmCase.Op;
import io.metaroce.sim.swarm.SwarmCase.Options;
import io.metaroce.sim.swarm.SwarmCase.Side;
import io.metaroce.sim.swarm.SwarmCase.Talk;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Makes a failing case small: leaves out faults, operations and connections, takes fewer planes and paths, smaller
 * messages, quieter networks, as long as it still fails, and until nothing more can go or the runs are used up.
 */
public final class CaseShrinker {
    private static final List<UnaryOperator<Talk>> TALK_STEPS = List.of(Talk::drained, talk -> talk.withBeginNs(0));
    private static final List<UnaryOperator<Op>> OP_STEPS = List.of(
            op -> op.withPostNs(0),
            op -> op.withReceiveNs(0),
            op -> op.withSize(op.size() / 2),
            op -> op.withSize(Math.min(op.size(), 1)),
            Op::plain,
            op -> op.withStream(0));
    private static final List<UnaryOperator<Net>> NET_STEPS = List.of(
            net -> net.withPlanes(1).withSpread(1).withQueuePackets(0),
            net -> net.withPlanes(1),
            net -> net.withSpread(1),
            net -> net.withQueuePackets(0));
    private static final List<UnaryOperator<Options>> OPTIONS_STEPS = List.of(
            options -> Options.PLAIN,
            options -> options.withProfile(Options.PLAIN.profile()),
            options -> options.withRekeyPackets(Options.PLAIN.rekeyPackets()),
            options -> options.withRnrRetries(Options.PLAIN.rnrRetries()),
            options -> options.withKeyed(Options.PLAIN.isKeyed()),
            options -> options.withTracking(Options.PLAIN.trackPackets(), Options.PLAIN.sackWords()));
    private static final List<UnaryOperator<Limits>> LIMITS_STEPS = List.of(
            limits -> Limits.PLAIN,
            limits -> limits.withOpenMessages(Limits.PLAIN.openMessages()),
            limits -> limits.withReads(Limits.PLAIN.reads()),
            limits -> limits.withOrderedWrites(Limits.PLAIN.orderedWrites()),
            limits -> limits.withSourcePorts(Limits.PLAIN.sourcePorts()),
            limits -> limits.withCapKib(Limits.PLAIN.capKib()),
            limits -> limits.withSharedReceives(Limits.PLAIN.sharedReceives()),
            limits -> limits.withStreams(Limits.PLAIN.streams()));

    private final Predicate<SwarmCase> fails;
    private SwarmCase best;
    private int runsLeft;

    private CaseShrinker(SwarmCase failing, Predicate<SwarmCase> fails, int runs) {
        best = failing;
        this.fails = fails;
        runsLeft = runs;
    }

    /**
     * The smallest case found that still fails.
     *
     * @param failing a case for which {@code fails} is true
     * @param fails whether a case fails in the same way
     * @param runs cases tried at most
     */
    public static SwarmCase shrink(SwarmCase failing, Predicate<SwarmCase> fails, int runs) {
        CaseShrinker shrinker = new CaseShrinker(failing, fails, runs);
        boolean smaller = true;
        while (smaller) {
            smaller = shrinker.round();
        }
        return shrinker.best;
    }

    // One round through all ways of leaving something out; answers whether anything could go.
    private boolean round() {
        boolean smaller = fewerTalks();
        smaller |= fewerOps();
        smaller |= fewerFaults();
        smaller |= simplerTalks();
        smaller |= simplerOps();
        smaller |= simpler(NET_STEPS, SwarmCase::net, SwarmCase::withNet);
        smaller |= simplerSide();
        smaller |= simpler(OPTIONS_STEPS, SwarmCase::options, SwarmCase::withOptions);
        smaller |= simpler(LIMITS_STEPS, SwarmCase::limits, SwarmCase::withLimits);
        smaller |= fewerClocks();
        return smaller;
    }

    private boolean tries(SwarmCase candidate) {
        if (runsLeft == 0 || candidate.equals(best)) {
            return false;
        }
        runsLeft--;
        if (!fails.test(candidate)) {
            return false;
        }
        best = candidate;
        return true;
    }

    // Leaves out runs of elements, long ones first.
    private boolean fewerOps() {
        boolean smaller = false;
        for (int run = Math.max(1, best.ops().size() / 2); run > 0; run /= 2) {
            for (int from = best.ops().size() - run; from >= 0; from -= run) {
                if (from + run <= best.ops().size()) {
                    smaller |= tries(best.withTraffic(best.talks(), without(best.ops(), from, run)));
                }
            }
        }
        return smaller;
    }

    private boolean fewerFaults() {
        boolean smaller = false;
        for (int i = best.faults().size() - 1; i >= 0; i--) {
            smaller |= tries(best.withFaults(without(best.faults(), i, 1)));
        }
        for (int i = best.orders().size() - 1; i >= 0; i--) {
            smaller |= tries(best.withOrders(without(best.orders(), i, 1)));
        }
        return smaller;
    }

    private boolean fewerClocks() {
        boolean smaller = tries(best.withClocks(List.of()));
        for (int i = best.clocks().size() - 1; i >= 0; i--) {
            smaller |= tries(best.withClocks(without(best.clocks(), i, 1)));
        }
        return smaller;
    }

    private boolean fewerTalks() {
        boolean smaller = false;
        for (int i = best.talks().size() - 1; i >= 0 && best.talks().size() > 1; i--) {
            List<Op> ops = new ArrayList<>();
            for (Op op : best.ops()) {
                if (op.talk() != i) {
                    ops.add(op.talk() > i ? op.withTalk(op.talk() - 1) : op);
                }
            }
            smaller |= tries(best.withTraffic(without(best.talks(), i, 1), ops));
        }
        return smaller;
    }

    private boolean simplerTalks() {
        boolean smaller = false;
        for (int i = 0; i < best.talks().size(); i++) {
            int at = i;
            smaller |= simpler(
                    TALK_STEPS,
                    one -> one.talks().get(at),
                    (one, talk) -> one.withTraffic(replaced(one.talks(), at, talk), one.ops()));
        }
        return smaller;
    }

    private boolean simplerOps() {
        boolean smaller = false;
        for (int i = 0; i < best.ops().size(); i++) {
            int at = i;
            smaller |= simpler(
                    OP_STEPS,
                    one -> one.ops().get(at),
                    (one, op) -> one.withTraffic(one.talks(), replaced(one.ops(), at, op)));
        }
        return smaller;
    }

    // Tries one step after the other on a part of what is best by then.
    private <T> boolean simpler(
            List<UnaryOperator<T>> steps, Function<SwarmCase, T> part, BiFunction<SwarmCase, T, SwarmCase> with) {
        boolean smaller = false;
        for (UnaryOperator<T> step : steps) {
            smaller |= tries(with.apply(best, step.apply(part.apply(best))));
        }
        return smaller;
    }

    private boolean simplerSide() {
        Side side = best.side();
        boolean smaller = false;
        for (int paths = 1; paths < side.paths() && !smaller; paths *= 2) {
            smaller = tries(best.withSide(new Side(side.payloadBytes(), paths, 64, 1, side.slots(), 4, side.depth())));
        }
        return smaller;
    }

    private static <T> List<T> without(List<T> all, int from, int count) {
        List<T> rest = new ArrayList<>(all.subList(0, from));
        rest.addAll(all.subList(from + count, all.size()));
        return rest;
    }

    private static <T> List<T> replaced(List<T> all, int at, T value) {
        List<T> changed = new ArrayList<>(all);
        changed.set(at, value);
        return changed;
    }
}
