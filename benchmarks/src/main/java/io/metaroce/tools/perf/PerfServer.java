package io.metaroce.tools.perf;

import io.metaroce.queue.WcStatus;
import io.metaroce.tools.BareEcho;
import io.metaroce.trace.Counter;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.Connection;
import io.metaroce.verbs.ConnectionRequest;
import io.metaroce.verbs.Listener;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.VerbsConnectException;
import io.metaroce.verbs.WorkCompletion;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
                BareEcho echo = BareEcho.start(address, options.spinNs());
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
        Terms own = new Terms(
                kind,
                PerfRun.sizeMax(kind, options),
                options.queuePairs,
                options.validate,
                options.bidirectional,
                0,
                0,
                0);
        if (client.slots() < 1 || client.slots() * client.size() * client.queuePairs() > MEMORY_MAX) {
            return "the client asks for more than 2 GiB of receive buffers";
        }
        return own.difference(client);
    }

    /** One client being served. */
    private final class Serving {
        private final Side side;
        private final Terms terms;
        private final CompletionQueue queue;
        private final MemoryRegion open; // what the client writes to, or reads from
        private final Outbox outbox;
        private final Inbox inbox;
        private final Pump pump;
        private final ControlLine control;
        private final CountDownLatch flushed = new CountDownLatch(1);
        private boolean pumping;

        Serving(Side side, Terms terms) {
            this.side = side;
            this.terms = terms;
            long stride = Math.max(terms.size(), 1);
            queue = side.makeQueuePairs(terms.queuePairs(), terms.slots(), options);
            MemoryRegion received = side.region(stride * terms.slots() * terms.queuePairs());
            MemoryRegion text = side.region(Pattern.textBytes(terms.size()));
            Pattern.fill(text);
            open = kind.operation() == PerfKind.Operation.READ ? text : received;
            outbox = new Outbox(side, terms, text, received).towards(terms.rkey(), terms.address());
            inbox = new Inbox(side, terms, received, text);
            pump = new Pump(outbox, terms, options.moderation);
            control = new ControlLine(side);
        }

        /** Connects; null when the client went away meanwhile. */
        @Nullable
        Connection connect(ConnectionRequest request, int echoPort) {
            control.postReceives();
            if (kind.consumesReceives(terms.validate())) {
                inbox.postAll();
            }
            ByteBuffer where = ByteBuffer.allocate(16)
                    .putInt(open.rkey())
                    .putLong(open.address())
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
                awaitEnd(connection);
                queue.deliverToNobody();
            } else {
                WorkCompletion[] done = WorkCompletion.array(64);
                while (!connection.isClosed()) {
                    onAll(done, queue.await(done, STEP));
                }
            }
            return inbox.wrongMessages() == 0 && outbox.wrongMessages() == 0;
        }

        /**
         * The receives of a connection are flushed when it ends; the endpoint would wake this thread at every result.
         */
        private void awaitEnd(Connection connection) {
            try {
                while (!connection.isClosed() && !flushed.await(STEP.toNanos(), TimeUnit.NANOSECONDS)) {
                    // or nobody was told of the end
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void onAll(WorkCompletion[] done, int count) {
            for (int i = 0; i < count; i++) {
                on(done[i]);
            }
            if (pumping) {
                pump.fill();
                pumping = !pump.isOver();
            }
        }

        private void on(WorkCompletion done) {
            if (done.status() == WcStatus.WR_FLUSH_ERR) {
                flushed.countDown();
                return;
            }
            if (!done.isSuccess()) {
                throw new IllegalStateException("Completion with error at server: " + done);
            }
            int qp = side.indexOf(done.qpNumber());
            boolean isReceive = done.opcode().isReceive();
            if (qp < 0 && isReceive) {
                onControl((int) done.wrId());
            } else if (qp >= 0 && isReceive) {
                onMessage(qp, done);
            } else if (qp >= 0 && pumping) {
                pump.completed(qp, done.wrId());
            }
        }

        private void onMessage(int qp, WorkCompletion done) {
            long bytes = done.byteLength();
            // The answer first: the other side waits for it, and for nothing else.
            if (!kind.isBandwidth() && !outbox.post(qp, bytes)) {
                throw new IllegalStateException("the send queue is full although every answer is asked for");
            }
            inbox.onMessage(qp, done);
        }

        private void onControl(int index) {
            int type = control.type(index);
            Report said = control.report(index);
            control.postReceive(index);
            if (type == ControlLine.ASK) {
                control.send(ControlLine.ANSWER, report());
            } else if (type == ControlLine.START) {
                long ns = said.wrongMessages();
                pump.start(said.messages(), new Budget(said.verifiedBytes(), ns == 0 ? null : Duration.ofNanos(ns)));
                pumping = true;
            }
        }

        private Report report() {
            return new Report(
                    inbox.messages(),
                    inbox.verifiedBytes() + outbox.verifiedBytes(),
                    inbox.wrongMessages() + outbox.wrongMessages(),
                    side.endpoint().counters().get(Counter.RX_DUPLICATES),
                    side.endpoint().counters().dropsTotal(),
                    pump.messages(),
                    pumping ? -1 : pump.tookNs());
        }
    }
}
