package io.metaroce.message;

import io.metaroce.connection.ConnectionPort;
import io.metaroce.connection.PacketSink;
import io.metaroce.connection.PacketSource;
import io.metaroce.connection.UpdateSink;
import io.metaroce.connection.UpdateSource;
import io.metaroce.memory.PayloadWindow;
import io.metaroce.memory.Placement;
import io.metaroce.queue.ReceiveRing;
import io.metaroce.queue.SendRing;
import io.metaroce.queue.WcStatus;
import io.metaroce.trace.Counters;
import io.metaroce.trace.TransportEvents;

/** The streams of one connection. SIGNATURES ONLY, bodies follow. */
public final class StreamTable {
    /** A table without streams. */
    public StreamTable(
            StreamLimits limits,
            int payloadBytes,
            Placement placement,
            PayloadWindow window,
            SentFragments sent,
            ConnectionPort port,
            Counters counters,
            TransportEvents events) {}

    /** The id that events of this table carry; 0 until it is told. */
    public void connectionId(int id) {}

    /** Where the connection gets its data packets from. */
    public PacketSource source() {
        throw new UnsupportedOperationException();
    }

    /** Where accepted data packets go. */
    public PacketSink sink() {
        throw new UnsupportedOperationException();
    }

    /** Where the ACK writer gets the news of streams. */
    public UpdateSource updates() {
        throw new UnsupportedOperationException();
    }

    /** Where the news of the peer's streams goes. */
    public UpdateSink updateSink() {
        throw new UnsupportedOperationException();
    }

    /** Binds a queue pair to a stream, with the default policy about missing receives. */
    public void open(long nowNs, int streamId, int domain, SendRing sends, ReceiveRing receives) {}

    /** Binds a queue pair to a stream. */
    public void open(long nowNs, int streamId, int domain, SendRing sends, ReceiveRing receives, RnrPolicy rnr) {}

    /** Receives posted so far on a stream. */
    public int postedReceives(int streamId) {
        return 0;
    }

    /** The peer has announced a stream open. */
    public void peerOpened(long nowNs, int streamId, int posted) {}

    /** What the peer accepts. */
    public void limitToPeer(int maxStreams, int maxOpenMessages, long maxMessage) {}

    /** The payload both sides agreed on; before anything is sent or received. */
    public void payloadBytes(int bytes) {}

    /** The connection is established: may send. */
    public void start(long nowNs) {}

    /** New work is flushed from now on, behind what is under way. */
    public void stopAccepting(long nowNs) {}

    /** Everything outstanding is completed: the first work request of each stream with {@code first}, the rest flushed. */
    public void abort(long nowNs, WcStatus first) {}

    /** Gives one stream up on both sides. */
    public void closeStream(long nowNs, int streamId) {}

    /** Whether own work requests are outstanding. */
    public boolean hasWork() {
        return false;
    }

    /** Bytes of accepted work requests not yet sent. */
    public long queuedBytes() {
        return 0;
    }

    /** Ids of the streams bound here. */
    public int[] streamIds() {
        return new int[0];
    }
}
