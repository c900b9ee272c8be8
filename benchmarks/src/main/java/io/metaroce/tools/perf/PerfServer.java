package io.metaroce.tools.perf;

import io.metaroce.queue.WcOpcode;
import io.metaroce.queue.WcStatus;
import io.metaroce.tools.BareEcho;
import io.metaroce.trace.Counter;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.Connection;
import io.metaroce.verbs.ConnectionRequest;
import io.metaroce.verbs.Listener;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.SendFlag;
import io.metaroce.verbs.VerbsConnectException;
import io.metaroce.verbs.WorkCompletion;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The side that waits: receives, compares, answers. Serves one client. */
final class PerfServer {
    private static final Duration WAIT_FOR_CLIENT = Duration.ofMinutes(10);
    private static final Duration STEP = Duration.ofSeconds(1);
    private static final Duration HANDSHAKE = Duration.ofSeconds(10);
    private static final long MEMORY_MAX = 1L << 31;

    private final PerfKind kind;
    private final PerfOptions options;
    private final PrintWriter out;

    PerfServer(PerfKind kind, PerfOptions options, PrintWriter out) {
        this.kind = kind;
        this.options = options;
        this.out = out;
    }

    /** Serves one client; returns whether everything it sent was right. */
    boolean serve() throws IOException {
        String address = options.bind == null ? "127.0.0.1" : options.bind;
        try (Side side = Side.open(options, address, options.child ? 0 : options.port);
                BareEcho echo = BareEcho.start(address);
                Listener listener = side.device().listen(kind.number())) {
            announce(side);
            while (true) {
                ConnectionRequest request = accept(listener);
                Terms terms = Terms.decode(kind, request.privateData());
                String difference = fault(terms);
                if (terms == null || difference != null) {
                    request.reject(Terms.text(String.valueOf(difference)));
                    throw new IOException("refused a client: " + difference);
                }
                Serving serving = new Serving(side, terms);
                Connection connection = serving.connect(request, echo.port());
                if (connection != null) {
                    return serving.run(connection);
                }
            }
        }
    }

    private void announce(Side side) {
        if (options.child) {
            out.println("listening " + side.endpoint().localAddress());
        } else {
            out.println();
            out.println("************************************");
            out.println("* Waiting for client to connect... *");
            out.println("************************************");
        }
        out.flush();
    }

    private static ConnectionRequest accept(Listener listener) throws IOException {
        try {
            return listener.accept(WAIT_FOR_CLIENT);
        } catch (TimeoutException e) {
            throw new IOException("no client came within " + WAIT_FOR_CLIENT.toMinutes() + " minutes", e);
        }
    }

    private @Nullable String fault(@Nullable Terms client) {
        if (client == null) {
            return "the client runs another test or version of this tool";
        }
        Terms own = new Terms(kind, PerfRun.sizeMax(kind, options), options.queuePairs, options.validate, 0, 0, 0);
        if (client.slots() < 1 || client.slots() * client.size() * client.queuePairs() > MEMORY_MAX) {
            return "the client asks for more than 2 GiB of receive buffers";
        }
        return own.difference(client);
    }

    /** One client being served. */
    private final class Serving {
        private final Side side;
        private final Terms terms;
        private final long stride;
        private final CompletionQueue queue;
        private final MemoryRegion received;
        private final MemoryRegion text;
        private final ControlLine control;
        private final long[] next; // per queue pair: number of the message received next
        private long messages;
        private long verifiedBytes;
        private long wrongMessages;

        Serving(Side side, Terms terms) {
            this.side = side;
            this.terms = terms;
            this.stride = Math.max(terms.size(), 1);
            queue = side.makeQueuePairs(terms.queuePairs(), terms.slots(), options.inline);
            received = side.region(stride * terms.slots() * terms.queuePairs());
            text = side.region(Pattern.textBytes(terms.size()));
            Pattern.fill(text);
            control = new ControlLine(side);
            next = new long[terms.queuePairs()];
        }

        /** Connects; null when the client went away meanwhile. */
        @Nullable
        Connection connect(ConnectionRequest request, int echoPort) {
            control.postReceives();
            for (int qp = 0; qp < terms.queuePairs(); qp++) {
                for (int slot = 0; slot < terms.slots(); slot++) {
                    post(qp, slot);
                }
            }
            ByteBuffer where = ByteBuffer.allocate(16)
                    .putInt(received.rkey())
                    .putLong(received.address())
                    .putInt(echoPort);
            try {
                return request.accept(where.array(), HANDSHAKE, side.all());
            } catch (VerbsConnectException e) {
                return null;
            }
        }

        boolean run(Connection connection) {
            if (options.onLoop) {
                queue.deliverTo(this::onAll);
                while (!connection.isClosed()) {
                    boolean unused = side.endpoint().await(connection::isClosed, STEP.toNanos());
                }
                queue.deliverToNobody();
                return wrongMessages == 0;
            }
            WorkCompletion[] done = WorkCompletion.array(64);
            while (!connection.isClosed()) {
                int n = queue.await(done, STEP);
                for (int i = 0; i < n; i++) {
                    on(done[i]);
                }
            }
            return wrongMessages == 0;
        }

        private void onAll(WorkCompletion[] done, int count) {
            for (int i = 0; i < count; i++) {
                on(done[i]);
            }
        }

        private void on(WorkCompletion done) {
            if (done.status() == WcStatus.WR_FLUSH_ERR || isOwnSend(done)) {
                return;
            }
            if (!done.isSuccess()) {
                throw new IllegalStateException("Completion with error at server: " + done);
            }
            int qp = side.indexOf(done.qpNumber());
            if (qp < 0) {
                onControl((int) done.wrId());
            } else {
                onMessage(qp, (int) done.wrId(), done);
            }
        }

        private void onMessage(int qp, int slot, WorkCompletion done) {
            long n = next[qp]++;
            messages++;
            if (terms.validate() || !kind.isBandwidth()) {
                check(qp, slot, n, done);
            }
            post(qp, slot);
            if (!kind.isBandwidth()) {
                answer(qp, (int) done.byteLength());
            }
        }

        private void check(int qp, int slot, long n, WorkCompletion done) {
            int length = (int) done.byteLength();
            boolean numberRight = !done.hasImmediate() || done.immediate() == (int) n;
            if (numberRight && Pattern.matches(text, received, at(qp, slot), length, n)) {
                verifiedBytes += length;
            } else {
                wrongMessages++;
            }
        }

        /** Sends a message back: the other half of a round trip. */
        private void answer(int qp, int length) {
            int flags = SendFlag.mask(SendFlag.SIGNALED);
            if (kind.isWrite()) {
                side.data(qp).postWriteImmediate(0, text.lkey(), 0, length, terms.address(), terms.rkey(), 0, flags);
            } else {
                side.data(qp).postSend(0, text.lkey(), 0, length, flags);
            }
        }

        private void onControl(int index) {
            int type = control.type(index);
            control.postReceive(index);
            if (type == ControlLine.ASK) {
                control.send(ControlLine.ANSWER, report());
            }
        }

        private Report report() {
            return new Report(
                    messages,
                    verifiedBytes,
                    wrongMessages,
                    side.endpoint().counters().get(Counter.RX_DUPLICATES),
                    side.endpoint().counters().dropsTotal());
        }

        private void post(int qp, int slot) {
            int length = kind.isWrite() ? 0 : (int) terms.size();
            if (!side.data(qp).postReceive(slot, received.lkey(), at(qp, slot), length)) {
                throw new IllegalStateException("the receive queue is full although a receive has just completed");
            }
        }

        private long at(int qp, int slot) {
            return (qp * (long) terms.slots() + slot) * stride;
        }

        private boolean isOwnSend(WorkCompletion done) {
            return done.opcode() == WcOpcode.SEND || done.opcode() == WcOpcode.RDMA_WRITE;
        }
    }
}
