package io.metaroce.message;

import io.metaroce.connection.ConnectionPort;
import io.metaroce.connection.PacketSink;
import io.metaroce.connection.PacketSource;
import io.metaroce.connection.UpdateSink;
import io.metaroce.connection.UpdateSource;
import io.metaroce.param.FirstNumbers;
import io.metaroce.param.StreamError;
import io.metaroce.queue.ReceiveRing;
import io.metaroce.queue.SendRing;
import io.metaroce.queue.WcStatus;
import io.metaroce.trace.TransportEvents;
import java.util.ArrayList;
import java.util.List;

/**
 * The streams of one connection: the whole message room as the engine sees it.
 *
 * <p>Life: made, streams opened, {@link #limitToPeer} and {@link #payloadBytes} when the two sides have agreed,
 * {@link #start} when the connection stands, {@link #stopAccepting} when it is to close gracefully, {@link #abort} at
 * its end in any case. Streams may be opened at any time; after the end what is posted on them is flushed.
 *
 * <p>Thread rule: endpoint thread. Nothing is allocated per packet, except for a refused message.
 */
public final class StreamTable {
    /** Largest weight of a stream: most bursts in a row while others wait. */
    public static final int WEIGHT_MAX = 15;

    private final Workshop steps;
    private final FirstNumbers first;
    private final Streams streams;
    private final Outgoing outgoing;
    private final Incoming incoming;

    /**
     * A table without streams.
     *
     * @param steps what the packets of all connections go through
     * @param limits what this side holds and accepts
     * @param payloadBytes payload of a full packet, until {@link #payloadBytes} says otherwise
     * @param port the connection
     * @param events who hears of failed streams
     * @param first where the counters begin
     */
    public StreamTable(
            Workshop steps,
            StreamLimits limits,
            int payloadBytes,
            ConnectionPort port,
            TransportEvents events,
            FirstNumbers first) {
        this.steps = steps;
        this.first = first;
        streams = new Streams(new StreamTerms(limits, payloadBytes), port, events, first);
        outgoing = new Outgoing(streams, steps);
        incoming = new Incoming(streams, steps);
    }

    // ---------------------------------------------------------------- what the connection holds

    /** Where the connection gets its data packets from. */
    public PacketSource source() {
        return outgoing;
    }

    /** Where accepted data packets go. */
    public PacketSink sink() {
        return incoming;
    }

    /** Where the ACK writer gets the news of streams. */
    public UpdateSource updates() {
        return streams.news;
    }

    /** Where the news of the peer's streams goes. */
    public UpdateSink updateSink() {
        return incoming;
    }

    // ---------------------------------------------------------------- set-up

    /** The id that events of this table carry; 0 until it is told. */
    public void connectionId(int id) {
        streams.terms.connectionId(id);
    }

    /** The payload of a full packet that both sides agreed on; before anything is sent or received. */
    public void payloadBytes(int bytes) {
        streams.terms.payloadBytes(bytes);
    }

    /**
     * What the peer accepts.
     *
     * @param maxStreams ids are below it; it announces no others, so nothing is sent on them
     * @param maxOpenMessages messages begun and not complete, over all streams
     * @param maxMessage longest message in bytes
     * @param maxReads Reads and atomics served at once, over all streams
     */
    public void limitToPeer(int maxStreams, int maxOpenMessages, long maxMessage, int maxReads) {
        // R-CONN-008: this side stays within the limits the peer has stated.
        streams.budget.limit(maxOpenMessages);
        streams.terms.peerMessageBytesMax(maxMessage);
        streams.awaited.limit(maxReads);
    }

    /**
     * Both sides know of ordered writes; after {@link #payloadBytes}.
     *
     * @param own how many of the peer's are kept here, 0: it sends none
     * @param ofPeer how many of this side's the peer keeps, 0: none are sent
     */
    public void orderedWrites(int own, int ofPeer) {
        if (own > 0 && ofPeer > 0) {
            streams.stash = new OrderedStash(own, streams.terms.payloadBytes());
            streams.ordered.limit(ofPeer);
        }
    }

    /**
     * How many bursts in a row a stream sends while others wait; false when it is not bound.
     *
     * @param weight 1..{@link #WEIGHT_MAX}
     */
    public boolean weight(int streamId, int weight) {
        if (weight < 1 || weight > WEIGHT_MAX) {
            throw new IllegalArgumentException("weight " + weight + ": 1.." + WEIGHT_MAX + " is allowed");
        }
        Stream stream = streams.find(streamId);
        if (stream != null) {
            stream.weight = (byte) weight;
        }
        return stream != null;
    }

    /** Binds a queue pair to a stream; about missing receives {@link StreamLimits#rnr} is done. */
    public void open(long nowNs, int streamId, int domain, SendRing sends, ReceiveRing receives) {
        open(nowNs, streamId, domain, sends, receives, streams.terms.own.rnr());
    }

    /**
     * Binds a queue pair to a stream. The id is below {@link StreamLimits#streams} and was never bound before.
     *
     * @param domain protection domain of the queue pair
     * @param rnr what to do about receives the peer has not posted
     */
    public void open(long nowNs, int streamId, int domain, SendRing sends, ReceiveRing receives, RnrPolicy rnr) {
        Stream stream =
                new Stream(streams, streamId, domain, sends, receives, rnr, streams.terms.own.openMessages(), first);
        streams.add(stream);
        SendIntake sendIntake = new SendIntake(stream, steps.flusher);
        ReceiveIntake receiveIntake = new ReceiveIntake(stream, steps.flusher);
        stream.receiveQueue.owner(receiveIntake);
        stream.sendQueue.owner(sendIntake);
        if (streams.terms.isEnded()) {
            steps.flusher.end(nowNs, stream, WcStatus.WR_FLUSH_ERR, StreamError.ABORT);
            return;
        }
        receiveIntake.onRung(nowNs);
        sendIntake.onRung(nowNs);
        streams.news.opened(stream);
        streams.port.reportWanted();
    }

    /** Whether a queue pair was ever bound to a stream. */
    public boolean isBound(int streamId) {
        return streams.find(streamId) != null;
    }

    /** Receives of a stream that the peer may use: its credits at the moment; 0 for a stream that is not bound. */
    public int postedReceives(int streamId) {
        Stream stream = streams.find(streamId);
        return stream == null ? 0 : stream.receives.limit() - first.rsn();
    }

    /** The peer has announced a stream open in its handshake, with so many receives posted. */
    public void peerOpened(long nowNs, int streamId, int posted) {
        Stream stream = streams.find(streamId);
        if (stream == null) {
            streams.announced(streamId);
            streams.raised(streamId, first.rsn() + posted);
            return;
        }
        stream.credits.announce();
        stream.credits.raise(first.rsn() + posted);
        streams.ready.wake(stream);
    }

    // ---------------------------------------------------------------- life

    /** The connection stands: data may be sent. */
    public void start(long nowNs) {
        streams.terms.start();
        streams.demand.tell(nowNs);
        for (int i = 0; i < streams.count(); i++) {
            streams.ready.wake(streams.at(i));
        }
    }

    /** Work requests posted from now on are flushed, behind those under way, which go on. Receives go on too. */
    public void stopAccepting(long nowNs) {
        streams.terms.stop();
        for (int i = 0; i < streams.count(); i++) {
            streams.at(i).sendQueue.serve(nowNs);
        }
    }

    /**
     * Ends every stream: of each the first outstanding work request completes with {@code first}, all others are
     * flushed, receives too. Nothing is read or written afterwards.
     */
    public void abort(long nowNs, WcStatus first) {
        // R-MEM-007: packets that still come find no stream that would take them.
        streams.terms.end();
        for (int i = 0; i < streams.count(); i++) {
            steps.flusher.end(nowNs, streams.at(i), first, StreamError.ABORT);
        }
    }

    /** Gives one stream up: what is outstanding is flushed, the peer is told. */
    public void closeStream(long nowNs, int streamId) {
        Stream stream = streams.find(streamId);
        if (stream != null) {
            steps.flusher.giveUp(nowNs, stream);
        }
    }

    // ---------------------------------------------------------------- questions

    /** Whether send work requests of this side are outstanding. */
    public boolean hasWork() {
        for (int i = 0; i < streams.count(); i++) {
            Stream stream = streams.at(i);
            boolean isWaiting = !stream.isFailed() && !stream.sendQueue.isClosed() && stream.sendQueue.hasPosted();
            if (stream.sends.outstanding() > 0 || isWaiting) {
                return true;
            }
        }
        return false;
    }

    /** Bytes of accepted work requests that have not been sent. */
    public long queuedBytes() {
        return streams.budget.queuedBytes();
    }

    /** The counters of all streams, in the order of binding. */
    public List<StreamState> states() {
        List<StreamState> all = new ArrayList<>();
        for (int i = 0; i < streams.count(); i++) {
            all.add(StreamState.of(streams.at(i)));
        }
        return all;
    }

    /** Ids of the streams bound here, failed ones included, in the order of binding. */
    public int[] streamIds() {
        int[] ids = new int[streams.count()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = streams.at(i).id;
        }
        return ids;
    }
}
