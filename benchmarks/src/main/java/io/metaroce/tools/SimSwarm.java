package io.metaroce.tools;

import io.metaroce.sim.swarm.CaseMaker;
import io.metaroce.sim.swarm.CaseRunner;
import io.metaroce.sim.swarm.CaseText;
import io.metaroce.sim.swarm.Finding;
import io.metaroce.sim.swarm.SwarmCase;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Many random cases, one per seed, each judged by every oracle; what fails is made small and can be run again. */
@Command(
        name = "swarm",
        description = "Runs random cases: topology, faults and work drawn from a seed each, every byte and completion"
                + " judged. What fails is made small. Exit code 1 if any failed.",
        mixinStandardHelpOptions = true)
final class SimSwarm implements Callable<Integer> {
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long MINUTE_NS = 60 * NS_PER_SECOND;
    private static final long PROGRESS_NS = 5 * NS_PER_SECOND;
    private static final long FOREVER = Long.MAX_VALUE / 4;

    @Option(names = "--seeds", description = "Seeds to run (default: 200; without end if --minutes is given).")
    private @Nullable Long seeds;

    @Option(names = "--from", defaultValue = "1", description = "First seed (default: ${DEFAULT-VALUE}).")
    private long from;

    @Option(names = "--minutes", description = "Stops after this long, whatever is left.")
    private @Nullable Long minutes;

    @Option(names = "--jobs", defaultValue = "1", description = "Cases at a time (default: ${DEFAULT-VALUE}).")
    private int jobs;

    @Option(names = "--shrink-runs", defaultValue = "400", description = "Runs spent on making a failed case small.")
    private int shrinkRuns;

    @Option(names = "--replay", description = "Runs this case, as printed for a failure, instead of seeds.")
    private @Nullable String replay;

    @Mixin
    private JsonFile jsonFile = new JsonFile();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final AtomicLong nextSeed = new AtomicLong();
    private final AtomicLong finished = new AtomicLong();
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong virtualNs = new AtomicLong();
    private final ConcurrentLinkedQueue<Finding> findings = new ConcurrentLinkedQueue<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (replay != null) {
            return replays(replay);
        }
        if (jobs < 1 || (seeds != null && seeds < 1) || (minutes != null && minutes < 1)) {
            throw new ParameterException(spec.commandLine(), "--jobs, --seeds and --minutes must be at least 1");
        }
        long count = seeds != null ? seeds : minutes != null ? FOREVER : 200;
        long begunNs = System.nanoTime();
        nextSeed.set(from);
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            Thread worker = new Thread(() -> works(from + count, begunNs), "swarm-" + i);
            worker.start();
            workers.add(worker);
        }
        for (Thread worker : workers) {
            while (worker.isAlive()) {
                worker.join(PROGRESS_NS / 1_000_000);
                if (worker.isAlive()) {
                    progress(count, begunNs);
                }
            }
        }
        return reports(System.nanoTime() - begunNs);
    }

    private void works(long endSeed, long begunNs) {
        long limitNs = minutes == null ? Long.MAX_VALUE : minutes * MINUTE_NS;
        while (System.nanoTime() - begunNs < limitNs) {
            long seed = nextSeed.getAndIncrement();
            if (seed >= endSeed) {
                return;
            }
            SwarmCase one = CaseMaker.make(seed);
            CaseRunner.Outcome outcome = CaseRunner.run(one);
            events.addAndGet(outcome.events());
            virtualNs.addAndGet(outcome.virtualNs());
            if (!outcome.isRight()) {
                findings.add(Finding.of(one, outcome, shrinkRuns));
            }
            finished.incrementAndGet();
        }
    }

    private int replays(String text) {
        CaseRunner.Outcome outcome = CaseRunner.run(CaseText.parse(text));
        line(
                "%s: %d events, %d ns, trace %016x",
                outcome.isRight() ? "right" : outcome.fault(),
                outcome.events(),
                outcome.virtualNs(),
                outcome.traceHash());
        return outcome.isRight() ? 0 : 1;
    }

    // Progress goes to the other stream: what is printed depends on the seeds alone.
    private void progress(long count, long begunNs) {
        double seconds = (double) (System.nanoTime() - begunNs) / NS_PER_SECOND;
        double perSecond = finished.get() / seconds;
        PrintWriter err = spec.commandLine().getErr();
        String left = count == FOREVER || perSecond == 0
                ? ""
                : String.format(Locale.ROOT, ", %.0f s to go", (count - finished.get()) / perSecond);
        err.println(String.format(
                Locale.ROOT, "%d seeds, %.1f a second%s, %d failed", finished.get(), perSecond, left, findings.size()));
        err.flush();
    }

    private int reports(long tookNs) throws IOException {
        List<Finding> sorted = new ArrayList<>(findings);
        sorted.sort(Comparator.comparingLong(Finding::seed));
        for (Finding finding : sorted) {
            line("%s", finding.text());
        }
        line(
                "seeds %d to %d: %d failed; %d events in %.3f s of virtual time",
                from, from + finished.get() - 1, sorted.size(), events.get(), (double) virtualNs.get() / NS_PER_SECOND);
        jsonFile.write(root -> fill(root, sorted, tookNs));
        return sorted.isEmpty() ? 0 : 1;
    }

    private void fill(ObjectNode root, List<Finding> sorted, long tookNs) {
        root.put("from", from)
                .put("seeds", finished.get())
                .put("failed", sorted.size())
                .put("events", events.get())
                .put("virtual_nsec", virtualNs.get())
                .put("wall_nsec", tookNs);
        ArrayNode list = root.putArray("findings");
        for (Finding finding : sorted) {
            list.addObject()
                    .put("seed", finding.seed())
                    .put("fault", finding.fault())
                    .put("case", CaseText.line(finding.smallest()));
        }
    }

    private void line(String format, Object... values) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(String.format(Locale.ROOT, format, values));
        out.flush();
    }
}
