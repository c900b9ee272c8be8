package io.metaroce.tools.perf;

import io.metaroce.tools.BarePing;
import io.metaroce.trace.Counter;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.Connection;
import io.metaroce.verbs.FlushReport;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.SendFlag;
import io.metaroce.verbs.WorkCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The side that connects: sends, measures, asks the server what it got. */
final class PerfClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration CLOSE = Duration.ofSeconds(5);
    private static final long PEAK_WINDOW_NS = 20_000_000;
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final int WARM_UP = 100;
    private static final int BATCH = 64;

    private final PerfKind kind;
    private final PerfOptions options;
    private final Side side;
    private final CompletionQueue queue;
    private final MemoryRegion text;
    private final MemoryRegion echoed;
    private final ControlLine control;
    private final int slots;
    private final long stride;
    private final long[] next; // per queue pair: number of the next message
    private final WorkCompletion[] batch = WorkCompletion.array(BATCH);
    private @Nullable Connection connection; // null until connected
    private boolean warm;
    private int rkey;
    private long address;
    private int echoPort;

    private PerfClient(PerfKind kind, PerfOptions options, Side side) {
        this.kind = kind;
        this.options = options;
        this.side = side;
        long size = PerfRun.sizeMax(kind, options);
        stride = Math.max(size, 1);
        slots = PerfRun.slots(kind, options);
        queue = side.makeQueuePairs(options.queuePairs, slots, options.inline);
        text = side.region(Pattern.textBytes(size));
        Pattern.fill(text);
        echoed = side.region(stride * slots);
        control = new ControlLine(side);
        next = new long[options.queuePairs];
    }

    /** Connects to the server; waits for one that is not there yet as long as the options say. */
    static PerfClient connect(PerfKind kind, PerfOptions options, String server, int port) throws IOException {
        String local = options.bind == null ? io.metaroce.tools.Local.addressTowards(server) : options.bind;
        PerfClient client = new PerfClient(kind, options, Side.open(options, local, 0));
        try {
            client.connect(io.metaroce.tools.Local.join(server, port));
            return client;
        } catch (IOException | RuntimeException e) {
            client.side.close();
            throw e;
        }
    }

    private void connect(String server) throws IOException {
        Terms terms = new Terms(
                kind,
                PerfRun.sizeMax(kind, options),
                options.queuePairs,
                options.validate,
                slots,
                echoed.rkey(),
                echoed.address());
        Connection made = PatientConnect.connect(
                side.device(), server, kind.number(), terms.encode(), options, this::postReceives, side.all());
        connection = made;
        ByteBuffer where = ByteBuffer.wrap(made.privateData());
        rkey = where.getInt();
        address = where.getLong();
        echoPort = where.getInt();
    }

    private void postReceives() {
        while (queue.poll(batch) > 0) {
            // what a failed try has flushed
        }
        control.postReceives();
        for (int slot = 0; !kind.isBandwidth() && slot < slots; slot++) {
            postEchoReceive(slot);
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
    BwResult bandwidth(long size) throws IOException {
        if (!warm) {
            warm = true;
            warmUp(size);
        }
        Report before = askReport();
        long sentBefore = sentPackets();
        long resentBefore = retransmits();
        Duration time = options.duration == null ? null : options.duration.duration();
        Pumped pumped = pump(size, new Budget(options.iterationsOf(kind) * (long) options.queuePairs, time));
        return new BwResult(
                size,
                pumped.messages(),
                pumped.seconds(),
                pumped.peakBytesPerSecond(),
                sentPackets() - sentBefore,
                retransmits() - resentBefore,
                askReport().since(before));
    }

    private void warmUp(long size) throws IOException {
        if (options.warmUp != null) {
            Pumped unused = pump(size, new Budget(0, options.warmUp.duration()));
        } else if (options.duration != null) {
            WarmUp settled = new WarmUp();
            while (!settled.isOver()) {
                Pumped slice = pump(size, new Budget(0, WarmUp.SLICE));
                settled.note(slice.messages() / Math.max(slice.seconds(), 1e-9));
            }
        }
    }

    /** The same on the endpoint's thread. */
    private final class LoopPump implements OnLoop.Work {
        private final Stretch stretch = new Stretch();
        private final long[] outstanding = new long[options.queuePairs];
        private final long size;
        private final Budget budget;
        private final long startNs = System.nanoTime();
        private long posted;
        private long done;
        private long endNs = startNs;

        LoopPump(long size, Budget budget) {
            this.size = size;
            this.budget = budget;
        }

        @Override
        public boolean begin() {
            return caughtUp();
        }

        @Override
        public boolean completed(WorkCompletion result) {
            requireSuccess(result);
            int qp = side.indexOf(result.qpNumber());
            if (qp >= 0) {
                outstanding[qp]--;
                done++;
            }
            return true;
        }

        @Override
        public boolean caughtUp() {
            endNs = System.nanoTime();
            stretch.note(endNs, done * size);
            posted += fill(size, budget, posted, startNs, outstanding);
            return done < posted;
        }

        Pumped result() {
            return new Pumped(done, (endNs - startNs) / 1e9, stretch.best());
        }
    }

    /** What went through. */
    private record Pumped(long messages, double seconds, double peakBytesPerSecond) {}

    /** Keeps every queue pair full until the budget is spent and everything is complete. */
    private Pumped pump(long size, Budget budget) throws IOException {
        if (options.onLoop) {
            LoopPump pump = new LoopPump(size, budget);
            OnLoop.run(queue, pump, LONGEST);
            return pump.result();
        }
        Stretch stretch = new Stretch();
        long[] outstanding = new long[options.queuePairs];
        long posted = 0;
        long completed = 0;
        long startNs = System.nanoTime();
        long endNs = startNs;
        while (true) {
            posted += fill(size, budget, posted, startNs, outstanding);
            if (completed == posted) {
                return new Pumped(completed, (endNs - startNs) / 1e9, stretch.best());
            }
            int n = awaitCompletions("messages outstanding: " + (posted - completed));
            endNs = System.nanoTime();
            for (int i = 0; i < n; i++) {
                outstanding[side.indexOf(batch[i].qpNumber())]--;
            }
            completed += n;
            stretch.note(endNs, completed * size);
        }
    }

    /** Posts to the queue pairs in turn while any has room and the budget allows; how many. */
    private long fill(long size, Budget budget, long before, long startNs, long[] outstanding) {
        long posted = 0;
        boolean room = true;
        while (room) {
            room = false;
            for (int qp = 0; qp < options.queuePairs; qp++) {
                if (outstanding[qp] < slots && budget.allows(before + posted, startNs) && post(qp, size)) {
                    outstanding[qp]++;
                    posted++;
                    room = true;
                }
            }
        }
        return posted;
    }

    private boolean post(int qp, long size) {
        long n = next[qp];
        long from = options.validate ? Pattern.offset(n) : 0;
        int flags = SendFlag.mask(SendFlag.SIGNALED);
        long to = address + (qp * (long) slots + n % slots) * stride;
        boolean posted = !kind.isWrite()
                ? side.data(qp).postSend(n, text.lkey(), from, (int) size, flags)
                : options.validate
                        ? side.data(qp).postWriteImmediate(n, text.lkey(), from, (int) size, to, rkey, (int) n, flags)
                        : side.data(qp).postWrite(n, text.lkey(), from, (int) size, to, rkey, flags);
        if (posted) {
            next[qp]++;
        }
        return posted;
    }

    // ---- latency

    /** Runs one size: round trips one after the other, then the same with a bare UDP echo. */
    LatResult latency(long size) throws IOException {
        Report before = askReport();
        int rounds = options.iterationsOf(kind);
        for (int i = 0; i < WARM_UP; i++) {
            roundTrip(size);
        }
        Histogram half = new Histogram(3);
        Budget budget = new Budget(rounds, options.duration == null ? null : options.duration.duration());
        if (options.onLoop) {
            OnLoop.run(queue, new LoopRounds(size, budget, half), LONGEST);
        } else {
            long startNs = System.nanoTime();
            for (long i = 0; budget.allows(i, startNs); i++) {
                half.recordValue(roundTrip(size) / 2);
            }
        }
        Histogram bare = BarePing.halfRoundTrips(
                io.metaroce.tools.Local.join(peerHost(), echoPort), (int) Math.max(size, 1), Math.min(rounds, 2000));
        return new LatResult(size, half, bare, askReport().since(before));
    }

    /** Round trips on the endpoint's thread. */
    private final class LoopRounds implements OnLoop.Work {
        private final long size;
        private final Budget budget;
        private final Histogram half;
        private final long beginNs = System.nanoTime();
        private long rounds;
        private long startNs;
        private boolean answered;
        private boolean sent;

        LoopRounds(long size, Budget budget, Histogram half) {
            this.size = size;
            this.budget = budget;
            this.half = half;
        }

        @Override
        public boolean begin() {
            return next();
        }

        @Override
        public boolean completed(WorkCompletion result) {
            requireSuccess(result);
            if (result.opcode().value() >= 128) {
                answered = true;
                half.recordValue((System.nanoTime() - startNs) / 2);
                postEchoReceive((int) result.wrId());
            } else {
                sent = true;
            }
            return true;
        }

        @Override
        public boolean caughtUp() {
            return !answered || !sent || next();
        }

        private boolean next() {
            if (!budget.allows(rounds, beginNs)) {
                return false;
            }
            rounds++;
            answered = false;
            sent = false;
            startNs = System.nanoTime();
            postPing(size);
            return true;
        }
    }

    private long roundTrip(long size) throws IOException {
        long startNs = System.nanoTime();
        postPing(size);
        boolean answered = false;
        boolean sent = false;
        while (!answered || !sent) {
            int n = awaitCompletions("a round trip of " + size + " bytes");
            for (int i = 0; i < n; i++) {
                if (batch[i].opcode().value() >= 128) {
                    answered = true;
                    postEchoReceive((int) batch[i].wrId());
                } else {
                    sent = true;
                }
            }
            if (answered && startNs > 0) {
                long ns = System.nanoTime() - startNs;
                startNs = -ns;
            }
        }
        return -startNs;
    }

    private void postPing(long size) {
        long n = next[0]++;
        int flags = SendFlag.mask(SendFlag.SIGNALED);
        if (kind.isWrite()) {
            long to = address + n % slots * stride;
            side.data(0).postWriteImmediate(n, text.lkey(), Pattern.offset(n), (int) size, to, rkey, (int) n, flags);
        } else {
            side.data(0).postSend(n, text.lkey(), Pattern.offset(n), (int) size, flags);
        }
    }

    private void postEchoReceive(int slot) {
        int length = kind.isWrite() ? 0 : (int) stride;
        side.data(0).postReceive(slot, echoed.lkey(), slot * stride, length);
    }

    // ---- what both need

    private int awaitCompletions(String what) throws IOException {
        int n = queue.await(batch, PATIENCE);
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

    private Report askReport() throws IOException {
        control.send(ControlLine.ASK, new Report(0, 0, 0, 0, 0));
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadlineNs) {
            int n = queue.await(batch, Duration.ofSeconds(1));
            for (int i = 0; i < n; i++) {
                boolean received = batch[i].opcode().value() >= 128;
                if (side.indexOf(batch[i].qpNumber()) < 0 && received && batch[i].isSuccess()) {
                    int index = (int) batch[i].wrId();
                    Report report = control.report(index);
                    control.postReceive(index);
                    return report;
                }
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

    /** How long to go on. */
    private record Budget(long messages, @Nullable Duration time) {
        boolean allows(long posted, long startNs) {
            return time == null ? posted < messages : System.nanoTime() - startNs < time.toNanos();
        }
    }

    /** The best stretch of a test. */
    private static final class Stretch {
        private long fromNs;
        private long fromBytes;
        private double best;

        void note(long nowNs, long bytes) {
            if (fromNs == 0) {
                fromNs = nowNs;
                fromBytes = bytes;
            } else if (nowNs - fromNs >= PEAK_WINDOW_NS) {
                best = Math.max(best, (bytes - fromBytes) * 1e9 / (nowNs - fromNs));
                fromNs = nowNs;
                fromBytes = bytes;
            }
        }

        double best() {
            return best;
        }
    }
}
