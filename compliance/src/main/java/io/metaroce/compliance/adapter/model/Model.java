package io.metaroce.compliance.adapter.model;

import io.metaroce.compliance.utp.UtpException;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.engine.ConnectionView;
import io.metaroce.engine.Driver;
import io.metaroce.engine.Endpoint;
import io.metaroce.queue.CommandQueue;
import io.metaroce.queue.DoorbellQueue;
import io.metaroce.trace.Counters;
import java.nio.ByteBuffer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One endpoint that is stepped: datagrams, commands and time go in, records come out. Equal inputs give equal records.
 * After each input {@link #log} holds its effects until {@link #taken}.
 */
public final class Model {
    /** No deadline. */
    public static final long NEVER = Endpoint.NEVER;

    private static final int RINGS = 1 << 12;
    private static final int DATAGRAM_BYTES_MAX = 65_507;
    private static final Ecn[] CODEPOINTS = {Ecn.NOT_ECT, Ecn.ECT_1, Ecn.ECT_0, Ecn.CE};

    private final ModelSetup setup;
    private final RecordLog log = new RecordLog();
    private final Counters counters = new Counters();
    private final ModelMemory memory = new ModelMemory();
    private final Recorder recorder;
    private final Endpoint endpoint;
    private final Driver driver;
    private final ModelCommands commands;
    private final Choices choices;
    private final ByteBuffer arriving = ByteBuffer.allocateDirect(DATAGRAM_BYTES_MAX);
    private final Datagram datagram = new Datagram();
    private Address source;
    private long nowNs;
    private long nextNs = NEVER;
    private boolean isHeld; // the log was full before everything was done

    /** A model at time 0. */
    public Model(ModelSetup setup) {
        this.setup = setup;
        source = setup.addresses().get(0);
        DoorbellQueue doorbells = new DoorbellQueue(RINGS);
        QueuePairs pairs = new QueuePairs(doorbells);
        CommandQueue<Endpoint> queue = new CommandQueue<>();
        recorder = new Recorder(log, setup, counters, memory, pairs);
        ChosenEntropy.Chosen chosen = new ChosenEntropy.Chosen();
        endpoint = new Endpoint(
                setup.config(),
                setup.addresses(),
                new ChosenEntropy(setup.seed(), chosen),
                counters,
                recorder,
                queue,
                doorbells);
        choices = new Choices(this, chosen);
        endpoint.regions().tap(recorder);
        driver = new Driver(endpoint, recorder);
        commands = new ModelCommands(endpoint, memory, pairs, recorder, queue, doorbells);
    }

    /** What it was made with. */
    public ModelSetup setup() {
        return setup;
    }

    /** What has happened since {@link #taken}. */
    public RecordLog log() {
        return log;
    }

    /** Its time. */
    public long nowNs() {
        return nowNs;
    }

    /** The next deadline, or {@link #NEVER}. */
    public long nextNs() {
        return nextNs;
    }

    /** Whether there is more to do at this instant, or up to the time that was asked for last. */
    public boolean hasMore() {
        return isHeld;
    }

    /** Whoever steps it has taken what is in the log. */
    public void taken() {
        log.clear();
    }

    // ---- inputs

    /**
     * A datagram arrives.
     *
     * @param from where it comes from
     * @param ecn codepoint as in the IP header: 0..3
     */
    public void receive(long tNs, Address from, int plane, int ecn, byte[] bytes, int offset, int length) {
        catchUp(tNs);
        if (length > DATAGRAM_BYTES_MAX) {
            throw new Refused("E_ARG", "a datagram of " + length + " bytes");
        }
        if (plane < 0 || plane >= setup.addresses().size()) {
            throw new Refused("E_ARG", "no plane " + plane);
        }
        source = from;
        arriving.put(0, bytes, offset, length);
        datagram.set(arriving, 0, length, plane, CODEPOINTS[ecn & 3], () -> source);
        recorder.arrives(datagram);
        driver.feed(nowNs, datagram);
        recorder.hasArrived();
        settle();
    }

    /** The plane a datagram to this address arrives on. */
    public int plane(Address to) {
        return setup.plane(to);
    }

    /** A command of the application; answers what it has to say. */
    public ObjectNode command(long tNs, String name, JsonNode arguments) {
        catchUp(tNs);
        try {
            ObjectNode answer = commands.call(nowNs, name, arguments);
            settle();
            return answer;
        } catch (UtpException e) {
            throw new Refused("E_ARG", String.valueOf(e.getMessage()));
        }
    }

    /** Time passes; stops early with {@link #hasMore} when the log is full. */
    public void advance(long tNs) {
        checkTime(tNs);
        run(tNs);
        if (!isHeld) {
            nowNs = tNs;
        }
    }

    /** A device tells what it chose; refused when it must not, or when the model cannot follow. */
    public void choose(long tNs, int point, long value, int connection, int path) {
        catchUp(tNs);
        choices.choose(point, value, connection, path);
    }

    /** What an input that is refused leaves behind, however often it is refused. */
    void caughtUp(long tNs) {
        try {
            catchUp(tNs);
        } catch (Refused again) {
            assert log.isFull() : again.getMessage();
        }
    }

    /** What is due next runs now, later than it was due. */
    void fireLate(long tNs) {
        nowNs = tNs;
        recorder.at(tNs);
        recorder.fires(nextNs);
        settle();
    }

    private void checkTime(long tNs) {
        if (tNs < nowNs) {
            throw new Refused("E_TIME", "it is " + nowNs + " ns, and " + tNs + " lies before");
        }
    }

    /** Runs what is due before {@code tNs}; what is due at it comes after the input. */
    private void catchUp(long tNs) {
        checkTime(tNs);
        if (tNs > nowNs && (isHeld || nextNs < tNs)) {
            run(tNs - 1);
        }
        if (log.isFull()) {
            throw new Refused("E_MORE", "more than " + RecordLog.EFFECTS_MAX + " effects are due first; advance");
        }
        nowNs = tNs;
        recorder.at(tNs);
    }

    private void run(long untilNs) {
        if (isHeld && !log.isFull()) {
            settle();
        }
        while (!log.isFull() && nextNs <= untilNs) {
            nowNs = nextNs;
            recorder.at(nowNs);
            recorder.fires(nextNs);
            settle();
        }
        isHeld = log.isFull();
    }

    private void settle() {
        recorder.at(nowNs);
        long next = driver.quiesce(nowNs);
        nextNs = next <= nowNs ? nowNs + 1 : next;
        recorder.settled();
        isHeld = log.isFull();
    }

    // ---- questions

    /** The endpoint itself. */
    Endpoint endpoint() {
        return endpoint;
    }

    /** The peer's number of a connection, 0 if there is none. */
    public int peerId(int connection) {
        ConnectionView view = endpoint.view(connection);
        return view == null ? 0 : view.peerId();
    }

    /** What has been received for the connection whose peer has this number. */
    public Received received(int peerId) {
        return Received.of(endpoint, peerId);
    }

    ModelMemory memory() {
        return memory;
    }
}
