package io.metaroce.sim.swarm;

import io.metaroce.sim.swarm.SwarmCase.End;
import io.metaroce.sim.swarm.SwarmCase.Limits;
import io.metaroce.sim.swarm.SwarmCase.Net;
import io.metaroce.sim.swarm.SwarmCase.Op;
import io.metaroce.sim.swarm.SwarmCase.Options;
import io.metaroce.sim.swarm.SwarmCase.Side;
import io.metaroce.sim.swarm.SwarmCase.Talk;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes a failing case small: leaves out faults, operations and connections, takes fewer planes and paths, smaller
 * messages, quieter networks, as long as it still fails, and until nothing more can go or the runs are used up.
 */
public final class CaseShrinker {
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
        smaller |= simplerNet();
        smaller |= simplerSide();
        smaller |= simplerOptions();
        smaller |= simplerLimits();
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

    private boolean fewerTalks() {
        boolean smaller = false;
        for (int i = best.talks().size() - 1; i >= 0 && best.talks().size() > 1; i--) {
            List<Op> ops = new ArrayList<>();
            for (Op op : best.ops()) {
                if (op.talk() != i) {
                    ops.add(with(
                            op, op.talk() > i ? op.talk() - 1 : op.talk(), op.size(), op.postNs(), op.receiveNs()));
                }
            }
            smaller |= tries(best.withTraffic(without(best.talks(), i, 1), ops));
        }
        return smaller;
    }

    private boolean simplerTalks() {
        boolean smaller = false;
        for (int i = 0; i < best.talks().size(); i++) {
            Talk talk = best.talks().get(i);
            Talk drained = new Talk(talk.from(), talk.to(), End.DRAINED, true, 0, talk.beginNs());
            smaller |= tries(best.withTraffic(replaced(best.talks(), i, drained), best.ops()));
            Talk kept = best.talks().get(i);
            Talk early = new Talk(kept.from(), kept.to(), kept.end(), kept.isByInitiator(), kept.endNs(), 0);
            smaller |= tries(best.withTraffic(replaced(best.talks(), i, early), best.ops()));
        }
        return smaller;
    }

    private boolean simplerOps() {
        boolean smaller = false;
        for (int i = 0; i < best.ops().size(); i++) {
            Op op = best.ops().get(i);
            smaller |= replaces(i, with(op, op.talk(), op.size(), 0, op.receiveNs()));
            op = best.ops().get(i);
            smaller |= replaces(i, with(op, op.talk(), op.size(), op.postNs(), 0));
            op = best.ops().get(i);
            smaller |= replaces(i, with(op, op.talk(), op.size() / 2, op.postNs(), op.receiveNs()));
            op = best.ops().get(i);
            smaller |= replaces(i, with(op, op.talk(), Math.min(op.size(), 1), op.postNs(), op.receiveNs()));
            op = best.ops().get(i);
            smaller |= replaces(
                    i,
                    new Op(
                            op.talk(),
                            op.stream(),
                            op.isFromInitiator(),
                            op.opcode(),
                            op.size(),
                            op.postNs(),
                            op.receiveNs(),
                            op.flaw(),
                            false,
                            false));
            op = best.ops().get(i);
            smaller |= replaces(
                    i,
                    new Op(
                            op.talk(),
                            0,
                            op.isFromInitiator(),
                            op.opcode(),
                            op.size(),
                            op.postNs(),
                            op.receiveNs(),
                            op.flaw(),
                            op.isFenced(),
                            op.isOrdered()));
        }
        return smaller;
    }

    private boolean replaces(int i, Op op) {
        return tries(best.withTraffic(best.talks(), replaced(best.ops(), i, op)));
    }

    private boolean simplerNet() {
        Net net = best.net();
        boolean smaller = tries(best.withNet(with(net, 1, 1, 0)));
        smaller |= tries(best.withNet(with(net, 1, net.spread(), net.queuePackets())));
        smaller |= tries(best.withNet(with(net, net.planes(), 1, net.queuePackets())));
        smaller |= tries(best.withNet(with(net, net.planes(), net.spread(), 0)));
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

    private boolean simplerOptions() {
        Options now = best.options();
        Options plain = Options.PLAIN;
        boolean smaller = tries(best.withOptions(plain));
        smaller |= !smaller
                && tries(best.withOptions(new Options(
                        plain.profile(),
                        now.trackPackets(),
                        now.sackWords(),
                        now.rekeyPackets(),
                        now.rnrRetries(),
                        now.isKeyed())));
        now = best.options();
        smaller |= tries(best.withOptions(
                new Options(now.profile(), now.trackPackets(), now.sackWords(), 0, now.rnrRetries(), now.isKeyed())));
        now = best.options();
        smaller |= tries(best.withOptions(new Options(
                now.profile(),
                now.trackPackets(),
                now.sackWords(),
                now.rekeyPackets(),
                plain.rnrRetries(),
                plain.isKeyed())));
        now = best.options();
        smaller |= tries(best.withOptions(new Options(
                now.profile(),
                plain.trackPackets(),
                plain.sackWords(),
                now.rekeyPackets(),
                now.rnrRetries(),
                now.isKeyed())));
        return smaller;
    }

    private boolean simplerLimits() {
        Limits plain = Limits.PLAIN;
        boolean smaller = tries(best.withLimits(plain));
        Limits now = best.limits();
        smaller |= tries(best.withLimits(new Limits(
                plain.openMessages(),
                now.reads(),
                now.orderedWrites(),
                now.sourcePorts(),
                now.capKib(),
                0,
                now.streams())));
        now = best.limits();
        smaller |= tries(best.withLimits(new Limits(
                now.openMessages(),
                plain.reads(),
                now.orderedWrites(),
                plain.sourcePorts(),
                0,
                now.sharedReceives(),
                now.streams())));
        smaller |= tries(best.withClocks(List.of()));
        for (int i = best.clocks().size() - 1; i >= 0; i--) {
            smaller |= tries(best.withClocks(without(best.clocks(), i, 1)));
        }
        return smaller;
    }

    private static Net with(Net net, int planes, int spread, int queuePackets) {
        return new Net(
                net.shape(),
                net.hosts(),
                Math.min(planes, net.planes()),
                Math.min(spread, net.spread()),
                net.gbit(),
                net.delayNs(),
                net.skewNs(),
                queuePackets,
                net.isMarking());
    }

    private static Op with(Op op, int talk, int size, long postNs, long receiveNs) {
        return new Op(
                talk,
                op.stream(),
                op.isFromInitiator(),
                op.opcode(),
                size,
                postNs,
                receiveNs,
                op.flaw(),
                op.isFenced(),
                op.isOrdered());
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
