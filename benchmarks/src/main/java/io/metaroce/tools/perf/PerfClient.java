package io.metaroce.tools.perf;

import io.metaroce.tools.BarePing;
import io.metaroce.tools.Local;
import io.metaroce.trace.Counter;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.Connection;
import io.metaroce.verbs.FlushReport;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.WorkCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;

/** The side that connects: sends, measures, asks the server what it got. */
final class PerfClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration CLOSE = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final int WARM_UP = 100;
    private static final int BARE_ROUNDS_MAX = 2000;
    private static final int BATCH = 64;

    private final PerfKind kind;
    private final PerfOptions options;
    private final Side side;
    private final CompletionQueue queue;
    private final Terms terms;
    private final Outbox outbox;
    private final Inbox inbox;
    private final Pump pump;
    private final ControlLine control;
    private final WorkCompletion[] batch = WorkCompletion.array(BATCH);
    private @Nullable Connection connection; // null until connected
    private boolean warm;
    private long answeredNs; // when the last answer was there
    private int echoPort;

    private PerfClient(PerfKind kind, PerfOptions options, Side side) {
        this.kind = kind;
        this.options = options;
        this.side = side;
        long size = PerfRun.sizeMax(kind, options);
        int slots = PerfRun.slots(kind, options);
        queue = side.makeQueuePairs(options.queuePairs, slots, options);
        MemoryRegion text = side.region(Pattern.textBytes(size));
        Pattern.fill(text);
        MemoryRegion landing = side.region(Math.max(size, 1) * slots * options.queuePairs);
        MemoryRegion open = kind.operation() == PerfKind.Operation.READ ? text : landing;
        terms = new Terms(
                kind,
                size,
                options.queuePairs,
                options.validate,
                options.bidirectional,
                slots,
                open.rkey(),
                open.address());
        outbox = new Outbox(side, terms, text, landing);
        inbox = new Inbox(side, terms, landing, text);
        pump = new Pump(outbox, terms, options.moderation);
        control = new ControlLine(side);
    }

    /** Connects to the server; waits for one that is not there yet as long as the options say. */
    static PerfClient connect(PerfKind kind, PerfOptions options, String server, int port) throws IOException {
        String local = options.bind == null ? Local.addressTowards(server) : options.bind;
        PerfClient client = new PerfClient(kind, options, Side.open(options, local, 0));
        try {
            client.connect(Local.join(server, port));
            return client;
        } catch (IOException | RuntimeException e) {
            client.side.close();
            throw e;
        }
    }

    private void connect(String server) throws IOException {
        Connection made = PatientConnect.connect(
                side.device(), server, kind.number(), terms.encode(), options, this::postReceives, side.all());
        connection = made;
        ByteBuffer where = ByteBuffer.wrap(made.privateData());
        Outbox unused = outbox.towards(where.getInt(), where.getLong());
        echoPort = where.getInt();
    }

    private void postReceives() {
        while (queue.poll(batch) > 0) {
            // what a failed try has flushed
        }
        control.postReceives();
        boolean hears = !kind.isBandwidth() || options.bidirectional;
        if (hears && kind.consumesReceives(options.validate)) {
            inbox.postAll();
        }
    }

    Side side() {
        return side;
    }

    Connection connection() {
        return Objects.requireNonNull(connection, "not connected");
    }

    // ---- bandwidth

    /** Runs one size for the number of messages or the time that the options say, after the warm-up. */
    BwResult bandwidth(long size, Intervals intervals) throws IOException {
        if (!warm) {
            warm = true;
            warmUp(size);
        }
        Report before = askReport();
        long verified = comparedBytes();
        long wrong = comparedWrong();
        long sentBefore = sentPackets();
        long resentBefore = retransmits();
        ProcessorTime processors = new ProcessorTime();
        Budget budget = new Budget(options.iterationsOf(kind) * (long) options.queuePairs, time());
        if (options.bidirectional) {
            control.start(size, budget);
        }
        intervals.begin(resentBefore);
        run(size, budget, intervals);
        double cpu = processors.percent();
        Report after = options.bidirectional ? awaitOtherSide() : askReport();
        return new BwResult(
                size,
                pump.messages(),
                pump.tookNs() / 1e9,
                options.bidirectional || options.noPeak ? 0 : pump.peakBytesPerSecond(),
                sentPackets() - sentBefore,
                retransmits() - resentBefore,
                cpu,
                after.since(before).plus(comparedBytes() - verified, comparedWrong() - wrong));
    }

    private @Nullable Duration time() {
        return options.duration == null ? null : options.duration.duration();
    }

    private void warmUp(long size) throws IOException {
        Intervals none = new Intervals(0, row -> {});
        if (options.warmUp != null) {
            run(size, new Budget(0, options.warmUp.duration()), none);
        } else if (options.duration != null) {
            WarmUp settled = new WarmUp();
            while (!settled.isOver()) {
                run(size, new Budget(0, WarmUp.SLICE), none);
                settled.note(pump.messages() * 1e9 / Math.max(pump.tookNs(), 1));
            }
        }
    }

    private void run(long size, Budget budget, Intervals intervals) throws IOException {
        if (options.onLoop) {
            OnLoop.run(queue, new LoopPump(size, budget, intervals), LONGEST);
            return;
        }
        pump.start(size, budget);
        while (!pump.isOver()) {
            int n = awaitCompletions("a bandwidth test of " + size + " bytes");
            for (int i = 0; i < n; i++) {
                take(batch[i]);
            }
            pump.fill();
            intervals.note(pump.bytes(), retransmits());
        }
    }

    /** Sorts what has completed: own messages, and those of the other side. */
    private void take(WorkCompletion result) {
        int qp = side.indexOf(result.qpNumber());
        if (qp >= 0 && result.opcode().isReceive()) {
            inbox.onMessage(qp, result);
        } else if (qp >= 0) {
            pump.completed(qp, result.wrId());
        }
    }

    /** A bandwidth test on the endpoint's thread. */
    private final class LoopPump implements OnLoop.Work {
        private final long size;
        private final Budget budget;
        private final Intervals intervals;
        private boolean begun; // what an earlier question left behind may be delivered before

        LoopPump(long size, Budget budget, Intervals intervals) {
            this.size = size;
            this.budget = budget;
            this.intervals = intervals;
        }

        @Override
        public boolean begin() {
            begun = true;
            pump.start(size, budget);
            return !pump.isOver();
        }

        @Override
        public boolean completed(WorkCompletion result) {
            requireSuccess(result);
            take(result);
            return true;
        }

        @Override
        public boolean caughtUp() {
            if (!begun) {
                return true;
            }
            pump.fill();
            intervals.note(pump.bytes(), retransmits());
            return !pump.isOver();
        }
    }

    /** The other side sends as long as it was asked to; what it sends is taken until it says that all has arrived. */
    private Report awaitOtherSide() throws IOException {
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        Report report = askReport();
        while (report.isSending()) {
            if (System.nanoTime() > deadlineNs) {
                throw new IOException("the server did not finish sending");
            }
            report = askReport();
        }
        return report;
    }

    // ---- latency

    /** Runs one size: round trips one after the other, then the same with a bare UDP echo. */
    LatResult latency(long size) throws IOException {
        if (!warm) {
            warm = true;
            warmUpRounds(size);
        }
        Report before = askReport();
        int rounds = options.iterationsOf(kind);
        long verified = comparedBytes();
        long wrong = comparedWrong();
        ProcessorTime processors = new ProcessorTime();
        Histogram took = roundTrips(size, new Budget(rounds, time()));
        double cpu = processors.percent();
        Histogram half = BarePing.halfRoundTrips(
                Local.join(peerHost(), echoPort),
                (int) Math.max(size, 1),
                Math.min(rounds, BARE_ROUNDS_MAX),
                options.spinNs());
        Histogram bare = kind.isFetch() ? doubled(half) : half;
        Report after = askReport().since(before);
        return new LatResult(size, took, bare, cpu, after.plus(comparedBytes() - verified, comparedWrong() - wrong));
    }

    private void warmUpRounds(long size) throws IOException {
        Duration asked = options.warmUp == null ? null : options.warmUp.duration();
        Histogram unused = roundTrips(size, new Budget(WARM_UP, asked));
        if (options.warmUp == null && options.duration != null) {
            WarmUp settled = new WarmUp();
            while (!settled.isOver()) {
                settled.note(
                        (double) roundTrips(size, new Budget(0, WarmUp.SLICE)).getTotalCount());
            }
        }
    }

    /** Round trips one after the other; half of each where both ways are the same. */
    private Histogram roundTrips(long size, Budget budget) throws IOException {
        Histogram took = new Histogram(3);
        if (options.onLoop) {
            OnLoop.run(queue, new LoopRounds(size, budget, took), LONGEST);
            return took;
        }
        int parts = kind.isFetch() ? 1 : 2;
        long startNs = System.nanoTime();
        for (long i = 0; budget.allows(i, startNs); i++) {
            took.recordValue(roundTrip(size) / parts);
        }
        return took;
    }

    /** Round trips on the endpoint's thread. */
    private final class LoopRounds implements OnLoop.Work {
        private final long size;
        private final Budget budget;
        private final Histogram took;
        private final long beginNs = System.nanoTime();
        private long rounds;
        private long startNs;
        private boolean isDue;

        LoopRounds(long size, Budget budget, Histogram took) {
            this.size = size;
            this.budget = budget;
            this.took = took;
        }

        @Override
        public boolean begin() {
            isDue = true;
            return next();
        }

        @Override
        public boolean completed(WorkCompletion result) {
            requireSuccess(result);
            if (isAnswer(result)) {
                took.recordValue((System.nanoTime() - startNs) / (kind.isFetch() ? 1 : 2));
                isDue = true;
            }
            take(result, size);
            return true;
        }

        @Override
        public boolean caughtUp() {
            return !isDue || next();
        }

        /** Begins the next one; while the send queue is full the next completion does. False when there is none. */
        private boolean next() {
            if (!budget.allows(rounds, beginNs)) {
                return false;
            }
            startNs = System.nanoTime();
            if (outbox.post(0, size)) {
                rounds++;
                isDue = false;
            }
            return true;
        }
    }

    /** What a round trip ends with: the message that comes back, or what was fetched. */
    private boolean isAnswer(WorkCompletion result) {
        return result.opcode().isReceive() || kind.isFetch();
    }

    /** Takes a result of a latency test; that a message has been sent is nothing a round trip waits for. */
    private void take(WorkCompletion result, long size) {
        if (result.opcode().isReceive()) {
            inbox.onMessage(0, result);
        } else {
            outbox.completed(0, result.wrId(), size);
        }
    }

    private static Histogram doubled(Histogram half) {
        Histogram whole = new Histogram(3);
        for (HistogramIterationValue each : half.recordedValues()) {
            whole.recordValueWithCount(2 * each.getValueIteratedTo(), each.getCountAtValueIteratedTo());
        }
        return whole;
    }

    private long roundTrip(long size) throws IOException {
        long startNs = System.nanoTime();
        while (!outbox.post(0, size)) {
            boolean unused = takeNext(size);
            startNs = System.nanoTime();
        }
        while (!takeNext(size)) {
            // a message of an earlier round trip is complete
        }
        return answeredNs - startNs;
    }

    /** Takes what completes next; whether the answer is among it. */
    private boolean takeNext(long size) throws IOException {
        int n = awaitCompletions("a round trip of " + size + " bytes");
        long nowNs = System.nanoTime();
        boolean isAnswered = false;
        for (int i = 0; i < n; i++) {
            isAnswered |= isAnswer(batch[i]);
            take(batch[i], size);
        }
        answeredNs = isAnswered ? nowNs : answeredNs;
        return isAnswered;
    }

    // ---- what both need

    private long comparedBytes() {
        return kind.isFetch() || options.bidirectional ? outbox.verifiedBytes() + inbox.verifiedBytes() : 0;
    }

    private long comparedWrong() {
        return outbox.wrongMessages() + inbox.wrongMessages();
    }

    private int awaitCompletions(String what) throws IOException {
        int n = options.events ? awaitEvent() : queue.await(batch, PATIENCE);
        if (n == 0) {
            throw new IOException("nothing completed within " + PATIENCE.toSeconds() + " s (" + what + ")");
        }
        int kept = 0;
        for (int i = 0; i < n; i++) {
            if (!batch[i].isSuccess()) {
                throw new IOException(failure(batch[i]));
            }
            if (side.indexOf(batch[i].qpNumber()) >= 0) {
                WorkCompletion swap = batch[kept];
                batch[kept++] = batch[i];
                batch[i] = swap;
            }
        }
        return kept;
    }

    private static void requireSuccess(WorkCompletion result) {
        if (!result.isSuccess()) {
            throw new IllegalStateException(failure(result));
        }
    }

    private static String failure(WorkCompletion result) {
        return "Completion with error at client\n Failed status "
                + result.status().value() + ": wr_id " + result.wrId() + "\n" + result.detail();
    }

    /** As programs written to event channels do: poll, ask for an event, poll once more, sleep. */
    private int awaitEvent() {
        int n = queue.poll(batch);
        while (n == 0) {
            queue.requestNotify(false);
            n = queue.poll(batch);
            if (n == 0 && !queue.awaitEvent(PATIENCE)) {
                return 0;
            }
            n = n == 0 ? queue.poll(batch) : n;
        }
        return n;
    }

    private Report askReport() throws IOException {
        control.send(ControlLine.ASK, Report.NOTHING);
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadlineNs) {
            int n = queue.await(batch, Duration.ofSeconds(1));
            Report report = null;
            for (int i = 0; i < n; i++) {
                boolean received = batch[i].opcode().isReceive() && batch[i].isSuccess();
                int qp = side.indexOf(batch[i].qpNumber());
                if (qp >= 0 && received) {
                    inbox.onMessage(qp, batch[i]);
                } else if (received) {
                    int index = (int) batch[i].wrId();
                    report = control.report(index);
                    control.postReceive(index);
                }
            }
            if (report != null) {
                return report;
            }
            if (connection().isClosed()) {
                break;
            }
        }
        throw new IOException("the server did not say what it received: " + connection());
    }

    private long sentPackets() {
        return side.endpoint().counters().get(Counter.TX_SLOTS) + retransmits();
    }

    private long retransmits() {
        return Resent.packets(side.endpoint());
    }

    private String peerHost() {
        String text = connection().peer().toString();
        return text.substring(0, text.lastIndexOf(':'));
    }

    @Override
    public void close() {
        FlushReport ignored = connection().close(CLOSE);
        side.close();
    }
}
