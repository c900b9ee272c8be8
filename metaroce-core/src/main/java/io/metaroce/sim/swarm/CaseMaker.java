package io.metaroce.sim.swarm;

import io.metaroce.engine.StreamBinding;
import io.metaroce.num.SplitMix64;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.SeedTree;
import io.metaroce.sim.swarm.SwarmCase.Clock;
import io.metaroce.sim.swarm.SwarmCase.Command;
import io.metaroce.sim.swarm.SwarmCase.End;
import io.metaroce.sim.swarm.SwarmCase.Flaw;
import io.metaroce.sim.swarm.SwarmCase.Limits;
import io.metaroce.sim.swarm.SwarmCase.Net;
import io.metaroce.sim.swarm.SwarmCase.Op;
import io.metaroce.sim.swarm.SwarmCase.Options;
import io.metaroce.sim.swarm.SwarmCase.Order;
import io.metaroce.sim.swarm.SwarmCase.Profile;
import io.metaroce.sim.swarm.SwarmCase.Shape;
import io.metaroce.sim.swarm.SwarmCase.Side;
import io.metaroce.sim.swarm.SwarmCase.Talk;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws a case from a seed. Most cases are small and leave most kinds of trouble out, so that what is left meets often:
 * two faults at once find more than all at once.
 */
public final class CaseMaker {
    private static final List<Command> COMMANDS = List.of(Command.values());
    private static final WrOpcode[] OPCODES = {
        WrOpcode.SEND,
        WrOpcode.SEND_WITH_IMM,
        WrOpcode.RDMA_WRITE,
        WrOpcode.RDMA_WRITE_WITH_IMM,
        WrOpcode.RDMA_READ,
        WrOpcode.ATOMIC_FETCH_AND_ADD,
        WrOpcode.ATOMIC_CMP_AND_SWP,
        WrOpcode.ATOMIC_SWP,
        WrOpcode.SEND_WITH_INV
    };
    private static final int OPS_MAX = 48;
    private static final int STREAMS_MAX = 48;
    private static final int BYTES_MAX = 1 << 21; // of one case, so that it stays short
    private static final int SPAN_NS = 600_000; // of all that is posted and that goes wrong

    private final long seed;
    private final SeedTree seeds;

    private CaseMaker(long seed) {
        this.seed = seed;
        seeds = new SeedTree(seed);
    }

    /** The case of a seed. */
    public static SwarmCase make(long seed) {
        return new CaseMaker(seed).made();
    }

    private SwarmCase made() {
        Net net = net(seeds.stream("net", 0));
        Side side = side(seeds.stream("side", 0), net);
        Options options = options(seeds.stream("options", 0));
        Limits limits = limits(seeds.stream("limits", 0));
        List<Clock> clocks = clocks(seeds.stream("clocks", 0), net);
        List<Order> orders = orders(seeds.stream("orders", 0), net, side);
        List<Talk> talks = talks(seeds.stream("talks", 0), net);
        List<Op> ops = ops(seeds.stream("ops", 0), side, limits, talks);
        SplitMix64 draw = seeds.stream("faults", 0);
        List<String> faults = new FaultMaker(draw, net).lines();
        long healNs = SPAN_NS + (long) draw.nextInt(4_000_000);
        return new SwarmCase(seed, net, side, options, limits, clocks, faults, orders, healNs, talks, ops);
    }

    private static Net net(SplitMix64 draw) {
        Shape shape = switch (draw.nextInt(5)) {
            case 3 -> Shape.STAR;
            case 4 -> Shape.LEAF_SPINE;
            default -> Shape.PAIR;
        };
        int hosts = shape == Shape.PAIR ? 2 : 2 + draw.nextInt(3);
        int planes = draw.nextInt(2) == 0 ? 1 << draw.nextInt(4) : 1 + draw.nextInt(8);
        int gbit = new int[] {10, 25, 100, 400}[draw.nextInt(4)];
        int delayNs = 250 + draw.nextInt(1 << (8 + draw.nextInt(7)));
        int skewNs = draw.nextInt(3) == 0 ? draw.nextInt(3000) : 0;
        int queue = draw.nextInt(2) == 0 ? 0 : 16 + draw.nextInt(64);
        return new Net(shape, hosts, planes, 1 + draw.nextInt(4), gbit, delayNs, skewNs, queue, draw.nextInt(4) > 0);
    }

    private static Side side(SplitMix64 draw, Net net) {
        int payload = 1024 << draw.nextInt(4);
        int paths = net.planes() * (1 + draw.nextInt(net.planes() > 2 ? 2 : 8));
        int window = draw.nextInt(2) == 0 ? 64 : 1 + draw.nextInt(1 << (3 * (1 + draw.nextInt(4))));
        int slots = draw.nextInt(4) == 0 ? 256 : 1 << 12;
        return new Side(payload, paths, window, 1 + draw.nextInt(8), slots, 1 + draw.nextInt(16), 1 + draw.nextInt(24));
    }

    private static Options options(SplitMix64 draw) {
        if (draw.nextInt(2) == 0) {
            return Options.PLAIN;
        }
        int trackPackets = 256 << draw.nextInt(4);
        return new Options(
                draw.nextInt(3) == 0 ? Profile.UDP : Profile.MODEL,
                trackPackets,
                4 << draw.nextInt(3),
                draw.nextInt(3) == 0 ? 1 << (6 + draw.nextInt(7)) : 0,
                draw.nextInt(4) == 0 ? draw.nextInt(7) : StreamBinding.FOR_EVER,
                draw.nextInt(2) == 0);
    }

    private static Limits limits(SplitMix64 draw) {
        if (draw.nextInt(2) == 0) {
            return Limits.PLAIN;
        }
        return new Limits(
                draw.nextInt(2) == 0 ? 1024 : 1 + draw.nextInt(16),
                draw.nextInt(2) == 0 ? 128 : 1 + draw.nextInt(4),
                draw.nextInt(2) == 0 ? 0 : 1 << draw.nextInt(6),
                draw.nextInt(2) == 0 ? 64 : 1 + draw.nextInt(32),
                draw.nextInt(6) == 0 ? 1024 + draw.nextInt(1024) : 0,
                draw.nextInt(3) == 0 ? 1 + draw.nextInt(16) : 0,
                draw.nextInt(3) == 0 ? 128 : 64);
    }

    private static List<Clock> clocks(SplitMix64 draw, Net net) {
        List<Clock> clocks = new ArrayList<>();
        if (draw.nextInt(3) == 0) {
            int limitPpm = draw.nextInt(4) == 0 ? 200_000 : 200;
            for (int host = 0; host < net.hosts(); host++) {
                long offsetNs = draw.nextLong() >>> (18 + draw.nextInt(40));
                clocks.add(new Clock(host, draw.nextInt(2 * limitPpm + 1) - limitPpm, offsetNs));
            }
        }
        return clocks;
    }

    private static List<Order> orders(SplitMix64 draw, Net net, Side side) {
        List<Order> orders = new ArrayList<>();
        int count = draw.nextInt(4) == 0 ? 1 + draw.nextInt(6) : 0;
        for (int i = 0; i < count; i++) {
            Command command = COMMANDS.get(draw.nextInt(COMMANDS.size()));
            boolean isPlane = command == Command.PLANE_DOWN || command == Command.PLANE_UP;
            int number = draw.nextInt(isPlane ? net.planes() : side.paths());
            orders.add(new Order(draw.nextInt(net.hosts()), draw.nextInt(SPAN_NS), command, number));
        }
        return orders;
    }

    private static List<Talk> talks(SplitMix64 draw, Net net) {
        int count = draw.nextInt(2) == 0 ? 1 : 1 + draw.nextInt(draw.nextInt(4) == 0 ? 16 : 4);
        List<Talk> talks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int from = draw.nextInt(net.hosts());
            int to = (from + 1 + draw.nextInt(net.hosts() - 1)) % net.hosts();
            long beginNs = draw.nextInt(6) == 0 ? draw.nextInt(2 * SPAN_NS) : 0;
            Talk talk = new Talk(from, to, end(draw), draw.nextInt(2) == 0, draw.nextInt(SPAN_NS), beginNs);
            talks.add(talk);
            if (talk.end() == End.RESTARTED) {
                // Whoever has restarted is asked again, and new work must be done.
                boolean isReturned = draw.nextInt(3) == 0;
                talks.add(new Talk(
                        isReturned ? to : from,
                        isReturned ? from : to,
                        End.DRAINED,
                        true,
                        0,
                        talk.endNs() + 60_000 + draw.nextInt(SPAN_NS)));
            }
        }
        return talks;
    }

    private static End end(SplitMix64 draw) {
        return switch (draw.nextInt(24)) {
            case 0, 1 -> End.CLOSED;
            case 2, 3 -> End.ABORTED;
            case 4 -> End.LEFT;
            case 5 -> draw.nextInt(2) == 0 ? End.CRASHED : End.RESTARTED;
            default -> End.DRAINED;
        };
    }

    private static List<Op> ops(SplitMix64 draw, Side side, Limits limits, List<Talk> talks) {
        boolean isWide = draw.nextInt(10) == 0;
        int count = isWide ? OPS_MAX + draw.nextInt(2 * OPS_MAX) : 1 + draw.nextInt(1 + draw.nextInt(OPS_MAX));
        int streams = isWide ? 1 + draw.nextInt(STREAMS_MAX) : 1 + draw.nextInt(4);
        int fenceOneIn = draw.nextInt(4) == 0 ? 2 : 8;
        boolean isLate = draw.nextInt(3) == 0;
        boolean isFlawed = draw.nextInt(6) == 0;
        long left = BYTES_MAX;
        List<Op> ops = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int size = (int) Math.min(left, size(draw, side.payloadBytes()));
            left -= size;
            int talk = draw.nextInt(talks.size());
            long postNs = draw.nextInt(SPAN_NS / 2);
            WrOpcode opcode = OPCODES[draw.nextInt(OPCODES.length)];
            boolean isOrdered = opcode == WrOpcode.RDMA_WRITE
                    && limits.orderedWrites() > 0
                    && size <= side.payloadBytes()
                    && draw.nextInt(2) == 0;
            boolean isShared = limits.sharedReceives() > 0;
            Flaw flaw = isFlawed && draw.nextInt(count) == 0 ? flaw(draw, opcode, size, isShared) : Flaw.NONE;
            ops.add(new Op(
                    talk,
                    draw.nextInt(streams),
                    draw.nextInt(3) > 0,
                    opcode,
                    size,
                    postNs,
                    isLate || flaw == Flaw.REVOKED_KEY ? draw.nextInt(SPAN_NS) : 0,
                    flaw,
                    draw.nextInt(fenceOneIn) == 0,
                    isOrdered));
        }
        return ops;
    }

    private static Flaw flaw(SplitMix64 draw, WrOpcode opcode, int size, boolean isShared) {
        boolean isSend = opcode.consumesReceive() && opcode != WrOpcode.RDMA_WRITE_WITH_IMM;
        if (size == 0 || (isSend && isShared)) {
            return Flaw.NONE;
        }
        if (isSend) {
            return Flaw.SHORT_RECEIVE;
        }
        return switch (draw.nextInt(opcode.consumesReceive() ? 2 : 4)) {
            case 0 -> Flaw.BAD_KEY;
            case 1 -> Flaw.STALE_KEY;
            default -> Flaw.REVOKED_KEY;
        };
    }

    private static int size(SplitMix64 draw, int payload) {
        return switch (draw.nextInt(8)) {
            case 0 -> 0;
            case 1 -> 1 + draw.nextInt(64);
            case 2 -> payload * (1 + draw.nextInt(4)) + draw.nextInt(3) - 1;
            case 3 -> draw.nextInt(1 << 19);
            default -> draw.nextInt(6 * payload);
        };
    }
}
