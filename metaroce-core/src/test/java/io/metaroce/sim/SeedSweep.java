package io.metaroce.sim;

import io.metaroce.num.SplitMix64;
import io.metaroce.param.AckConfig;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.FirstNumbers;
import io.metaroce.param.PathConfig;
import io.metaroce.param.SchedulerConfig;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.Transfer.Job;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs transfers whose every circumstance is drawn from the seed: operation, sizes, planes, paths, payload, and which
 * faults exist at all. A seed that fails is the whole bug report.
 */
final class SeedSweep {
    private static final WrOpcode[] OPCODES = {
        WrOpcode.SEND,
        WrOpcode.SEND_WITH_IMM,
        WrOpcode.SEND_WITH_INV,
        WrOpcode.RDMA_WRITE,
        WrOpcode.RDMA_WRITE_WITH_IMM,
        WrOpcode.RDMA_READ
    };
    private static final int[] PAYLOADS = {1024, 2048, 4096, 8192};

    private SeedSweep() {}

    /** Runs {@code count} seeds from {@code first} on; answers with one line per seed that failed. */
    static List<String> run(long first, int count) {
        List<String> failures = new ArrayList<>();
        for (long seed = first; seed < first + count; seed++) {
            String failure = fault(seed);
            if (!failure.isEmpty()) {
                failures.add("seed " + seed + ": " + failure);
            }
        }
        return failures;
    }

    /** What is wrong with one seed, or nothing. */
    static String fault(long seed) {
        Job job = job(seed);
        try {
            long hash = Transfer.run(job);
            // Every sixteenth seed is run twice: equal seeds, equal worlds.
            return seed % 16 != 0 || hash == Transfer.run(job) ? "" : "a second run was another one";
        } catch (AssertionError | RuntimeException e) {
            return e + "\n  job " + job;
        }
    }

    /** What a seed stands for. */
    static Job job(long seed) {
        SplitMix64 draw = new SplitMix64(seed).split("sweep", 0);
        int planes = 1 + draw.nextInt(3);
        int links = 1 + draw.nextInt(6);
        int payload = PAYLOADS[draw.nextInt(PAYLOADS.length)];
        NicConfig nic = NicConfig.ofGbit(new int[] {10, 25, 100, 400}[draw.nextInt(4)]);
        LinkConfig link = link(draw, nic);
        long skewPs = draw.nextInt(3) == 0 ? 0 : draw.nextInt(3_000_000);
        Topology.Pair shape = new Topology.Pair(planes, links, nic, link, skewPs);
        EndpointConfig config = config(draw, nic, planes, payload);
        List<Integer> sizes = new ArrayList<>();
        int messages = 1 + draw.nextInt(20);
        for (int i = 0; i < messages; i++) {
            sizes.add(size(draw, payload));
        }
        WrOpcode opcode = OPCODES[draw.nextInt(OPCODES.length)];
        return new Job(seed, opcode, sizes, shape, faults(draw), config, FirstNumbers.USUAL);
    }

    private static LinkConfig link(SplitMix64 draw, NicConfig nic) {
        long delayPs = SimTime.US / 2 + draw.nextInt(20_000_000);
        if (draw.nextInt(2) == 0) {
            return LinkConfig.wire(delayPs);
        }
        // A slower port with a queue of 16 to 80 full packets that marks.
        long queueBytes = (16 + draw.nextInt(64)) * 8192L;
        return LinkConfig.port(nic.rateBitsPerSecond() / (1 + draw.nextInt(4)), delayPs, queueBytes)
                .withEcn(
                        draw.nextInt(4) == 0
                                ? EcnRamp.OFF
                                : new EcnRamp(queueBytes / 5, 4 * queueBytes / 5, 1_000_000));
    }

    private static EndpointConfig config(SplitMix64 draw, NicConfig nic, int planes, int payload) {
        EndpointConfig config = Transfer.config((int) (nic.rateBitsPerSecond() / 1_000_000_000), planes);
        PathConfig path = config.path().withPaths(planes * (1 + draw.nextInt(12)));
        if (draw.nextInt(4) == 0) {
            path = path.withInFlightPacketsMax(1 + draw.nextInt(64));
        }
        return config.withPath(path)
                .withConnection(config.connection().withPayloadBytes(payload))
                .withAck(new AckConfig(1 + draw.nextInt(16), (4 + draw.nextInt(60)) * 1024, draw.nextInt(20_000)))
                .withScheduler(new SchedulerConfig(1 + draw.nextInt(8)));
    }

    private static LinkConfig.Faults faults(SplitMix64 draw) {
        LinkConfig.Faults faults = LinkConfig.Faults.NONE;
        if (draw.nextInt(2) == 0) {
            faults = faults.withLoss(draw.nextInt(1 << (6 + draw.nextInt(12))), 1 + draw.nextInt(4));
        }
        if (draw.nextInt(3) == 0) {
            faults = faults.withDuplicates(draw.nextInt(200_000), draw.nextInt(100_000_000));
        }
        if (draw.nextInt(4) == 0) {
            faults = faults.withCorruption(draw.nextInt(20_000), draw.nextInt(20_000));
        }
        if (draw.nextInt(4) == 0) {
            faults = draw.nextInt(2) == 0
                    ? faults.withReordering(draw.nextInt(50_000), 1 + draw.nextInt(8), 100 * SimTime.US)
                    : faults.withReordering(draw.nextInt(50_000), 0, draw.nextInt(30_000_000));
        }
        return faults;
    }

    private static int size(SplitMix64 draw, int payload) {
        return switch (draw.nextInt(6)) {
            case 0 -> 0;
            case 1 -> 1 + draw.nextInt(64);
            case 2 -> payload * (1 + draw.nextInt(4)) + draw.nextInt(3) - 1;
            case 3 -> draw.nextInt(1 << 18);
            default -> draw.nextInt(8 * payload);
        };
    }

    /** Runs seeds {@code args[0]} to {@code args[1]} and stops the machine with the number of those that failed. */
    public static void main(String[] args) {
        long first = Long.parseLong(args[0]);
        long last = Long.parseLong(args[1]);
        int failed = 0;
        for (long seed = first; seed <= last; seed++) {
            String failure = fault(seed);
            if (!failure.isEmpty()) {
                failed++;
                System.out.println("seed " + seed + ": " + failure);
            }
        }
        System.out.println((last - first + 1) + " seeds, " + failed + " failed");
        System.exit(Math.min(failed, 100));
    }
}
