package io.metaroce.tools.group;

import io.metaroce.collective.Algorithm;
import io.metaroce.collective.Reduction;
import io.metaroce.collective.Transfer;
import io.metaroce.tools.ByteSize;
import io.metaroce.tools.Share;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of collective measurements. Letters are those of nccl-tests where it has them. */
public final class GroupOptions {
    /** Ranks. */
    @Option(
            names = "--ranks",
            defaultValue = "4",
            description = "Processes started on this machine (${DEFAULT-VALUE}).")
    public int ranks;

    /** All addresses. */
    @Option(
            names = "--join",
            split = ",",
            paramLabel = "HOST:PORT",
            description = "Instead of starting processes: where every rank is, rank 0 first. Needs --rank.")
    public @Nullable List<String> join;

    /** Own number. */
    @Option(names = "--rank", defaultValue = "0", description = "Which of the ranks of --join this is.")
    public int rank;

    /** Least size. */
    @Option(
            names = {"-b", "--minbytes"},
            defaultValue = "1M",
            description = "SYMMETRIC: smallest size (${DEFAULT-VALUE}).")
    public ByteSize minBytes = new ByteSize(1 << 20);

    /** Greatest size. */
    @Option(
            names = {"-e", "--maxbytes"},
            defaultValue = "16M",
            description = "SYMMETRIC: largest size (${DEFAULT-VALUE}).")
    public ByteSize maxBytes = new ByteSize(16 << 20);

    /** Step. */
    @Option(
            names = {"-f", "--stepfactor"},
            defaultValue = "2",
            description = "SYMMETRIC: factor from one size to the next (${DEFAULT-VALUE}).")
    public int factor;

    /** Iterations. */
    @Option(
            names = {"-n", "--iters"},
            defaultValue = "5",
            description = "SYMMETRIC: runs of each size that are timed, back to back (${DEFAULT-VALUE}).")
    public int iterations;

    /** Warm-up. */
    @Option(
            names = {"-w", "--warmup_iters"},
            defaultValue = "2",
            description = "SYMMETRIC: runs of each size before (${DEFAULT-VALUE}).")
    public int warmUp;

    /** Type. */
    @Option(
            names = {"-d", "--datatype"},
            defaultValue = "float",
            description = "SYMMETRIC: int32, int64, float or double (${DEFAULT-VALUE}).")
    public String type = "float";

    /** Reduction. */
    @Option(
            names = {"-o", "--op"},
            defaultValue = "SUM",
            description = "SYMMETRIC: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
    public Reduction reduction = Reduction.SUM;

    /** Algorithm. */
    @Option(
            names = "--algorithm",
            description =
                    "SYMMETRIC: ring, halving_doubling or hierarchical (ring) for allreduce; shift, xor, at_once or"
                            + " bruck (shift) for alltoall.")
    public @Nullable Algorithm algorithm;

    /** Transfer. */
    @Option(
            names = "--transfer",
            defaultValue = "WRITE",
            description = "SYMMETRIC: how bytes come to another rank: write, send to posted receives, or read by it"
                    + " (${DEFAULT-VALUE}).")
    public Transfer transfer = Transfer.WRITE;

    /** Slices. */
    @Option(names = "--slices", description = "SYMMETRIC: slices of each step (so that one has about 128K).")
    public int slices;

    /** Directions. */
    @Option(names = "--both-ways", description = "SYMMETRIC: every other slice of a ring runs the other way.")
    public boolean bothWays;

    /** Window. */
    @Option(
            names = "--window",
            defaultValue = "2",
            description = "SYMMETRIC: steps of an all-to-all under way at once (${DEFAULT-VALUE}).")
    public int window;

    /** Groups. */
    @Option(
            names = "--group-ranks",
            defaultValue = "2",
            description = "SYMMETRIC: ranks of a group of hierarchical (${DEFAULT-VALUE}).")
    public int groupRanks;

    /** Payload. */
    @Option(
            names = {"-m", "--mtu"},
            defaultValue = "4096",
            description = "Payload of a packet: 1024 to 8192 (${DEFAULT-VALUE}).")
    public int payload;

    /** Paths. */
    @Option(names = "--paths", defaultValue = "16", description = "Paths of a connection (${DEFAULT-VALUE}).")
    public int paths;

    /** Loss. */
    @Option(
            names = "--loss",
            defaultValue = "0",
            description = "Share of packets each rank loses on sending, 0.01 or 1%%.")
    public Share loss = Share.NONE;

    /** Seed. */
    @Option(names = "--seed", defaultValue = "1", description = "Seed of the losses (${DEFAULT-VALUE}).")
    public long seed;

    /** Started by another rank. */
    @Option(names = "--child", hidden = true)
    public boolean child;
}
