package io.metaroce.udp;

import io.metaroce.param.Reception;
import io.netty.buffer.ByteBuf;
import io.netty.channel.socket.DatagramPacket;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The endpoints that share an address, each on an event loop of its own. A packet belongs to the one whose number is in
 * the low bits of its connection's number, and a request, which has no connection yet, to the one in the low bits of
 * its sender's, so that its repetitions meet each other. The kernel sorts them so where it can; whatever a loop reads
 * that is another's it hands over.
 *
 * <p>Thread rule: any event loop of the endpoints.
 */
final class Lanes {
    private static final int CONNECTION_END = Steering.DST_CONN_ID + Integer.BYTES;
    private static final int REQUEST_END = Steering.INIT_CONN_ID + Integer.BYTES;

    private final AtomicReferenceArray<Inbox> inboxes;

    Lanes(int shards) {
        inboxes = new AtomicReferenceArray<>(shards);
    }

    /** How many there are. */
    int count() {
        return inboxes.length();
    }

    /** What is for this shard goes to {@code inbox}; before it is read. */
    void join(int shard, Inbox inbox) {
        inboxes.set(shard, inbox);
    }

    /** Hands the packet over if it is not for {@code own}; whether it was not. A copy is made, the packet stays. */
    boolean passOn(int own, int plane, DatagramPacket packet) {
        int shard = shardOf(packet.content());
        if (shard == own) {
            return false;
        }
        Inbox inbox = inboxes.get(shard);
        if (inbox != null) {
            inbox.offer(plane, packet);
        }
        return true;
    }

    /** Where a packet belongs; what is too short to say belongs to the first, which drops it. */
    private int shardOf(ByteBuf content) {
        int length = content.readableBytes();
        if (length < CONNECTION_END) {
            return 0;
        }
        int id = content.getInt(content.readerIndex() + Steering.DST_CONN_ID);
        if (id == 0 && length >= REQUEST_END) {
            id = content.getInt(content.readerIndex() + Steering.INIT_CONN_ID);
        }
        return Reception.shardOf(id, inboxes.length());
    }
}
