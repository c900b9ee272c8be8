package io.metaroce.sim;

import io.metaroce.engine.StreamBinding;
import io.metaroce.memory.Access;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.memory.RegionTable;
import io.metaroce.queue.CompletionCell;
import io.metaroce.queue.CompletionRing;
import io.metaroce.queue.DoorbellQueue;
import io.metaroce.queue.ReceiveCell;
import io.metaroce.queue.ReceiveRing;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.SendRing;
import io.metaroce.queue.SharedReceiveRing;
import io.metaroce.queue.Signalling;
import io.metaroce.queue.WcOpcode;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A small application on the work queues of one endpoint, for scripts and tests: one region of memory, one queue pair,
 * and every completion in the order it was polled.
 */
public final class App {
    /** Protection domain of its region and queue pair. */
    public static final int DOMAIN = 1;
    /** Address of its region as the peer sees it. */
    public static final long BASE = 0x10_0000_0000L;

    private static final int SGE_MAX = 4;

    private final RegionTable regions;
    private long deadNs = StreamBinding.AS_SET;
    private final int streamId;
    private final ByteBuffer memory;
    private final MemoryRegion region;
    private final CompletionRing completions;
    private final SendRing sends;
    private final ReceiveRing receives;
    private final List<Done> done = new ArrayList<>();
    private int rnrRetries;
    private long rnrDelayNs = -1; // as usual

    /**
     * A completion as it was polled.
     *
     * @param wrId number of the request
     * @param status how it ended
     * @param opcode what it was
     * @param length bytes received or read
     * @param immediate immediate, if the flags say so
     * @param flags flags of {@link io.metaroce.queue.WcFlag}
     */
    public record Done(long wrId, WcStatus status, WcOpcode opcode, int length, int immediate, int flags) {
        /** Number and status, all that counts for most sends. */
        public String brief() {
            return wrId + " " + status;
        }
    }

    /**
     * An application.
     *
     * @param regions where its memory is registered
     * @param doorbells doorbells of the endpoint
     * @param streamId stream its queue pair is bound to; also the number of the queue pair
     * @param memoryBytes size of its region
     * @param depth work requests outstanding, each way
     */
    public App(RegionTable regions, DoorbellQueue doorbells, int streamId, int memoryBytes, int depth) {
        this(regions, doorbells, streamId, memoryBytes, depth, null, depth);
    }

    /**
     * The same, whose queue pair may take receives from a queue that others take from too.
     *
     * @param shared that queue; null for one of its own
     * @param receivesMax completions of receives it has room for
     */
    public App(
            RegionTable regions,
            DoorbellQueue doorbells,
            int streamId,
            int memoryBytes,
            int depth,
            @Nullable SharedReceiveRing shared,
            int receivesMax) {
        this.regions = regions;
        this.streamId = streamId;
        memory = ByteBuffer.allocateDirect(memoryBytes);
        region = regions.register(DOMAIN, memory, BASE, Access.ALL);
        completions = new CompletionRing(depth + receivesMax + 2, doorbells, () -> {});
        sends = new SendRing(depth, SGE_MAX, 0, streamId, completions, completions.attach(), Signalling.ALL, doorbells);
        int attachment = completions.attach();
        receives = shared == null
                ? new ReceiveRing(depth, SGE_MAX, streamId, completions, attachment, doorbells)
                : new ReceiveRing(shared, streamId, completions, attachment);
    }

    /** Its queue pair, to be given to connect or accept. */
    public StreamBinding binding() {
        StreamBinding usual = rnrDelayNs < 0
                ? new StreamBinding(streamId, DOMAIN, sends, receives)
                : new StreamBinding(streamId, DOMAIN, sends, receives, rnrRetries, rnrDelayNs);
        return usual.withDeadNs(deadNs);
    }

    /** Sets the dead time its queue pair asks for. */
    public App deadNs(long ns) {
        deadNs = ns;
        return this;
    }

    /** What its queue pair does about receives that are missing; before {@link #binding} is used. */
    public void rnr(int retries, long delayNs) {
        rnrRetries = retries;
        rnrDelayNs = delayNs;
    }

    /** Its memory, all of it registered. */
    public ByteBuffer memory() {
        return memory;
    }

    /** Its region. */
    public MemoryRegion region() {
        return region;
    }

    /** A region of its own over the same memory: a further key, which a peer may make invalid. */
    public MemoryRegion furtherRegion() {
        return regions.register(DOMAIN, memory, BASE, Access.ALL);
    }

    /** Gives the key of a region back. */
    public void deregister(MemoryRegion gone) {
        regions.deregister(gone);
    }

    /** Its send queue. */
    public SendRing sends() {
        return sends;
    }

    /** Its receive queue. */
    public ReceiveRing receives() {
        return receives;
    }

    /** Posts a receive into a range of its region. */
    public void receive(long wrId, Range into) {
        ReceiveCell cell = receives.acquire();
        if (cell == null) {
            throw new IllegalStateException("the receive queue of " + receives.depth() + " is full");
        }
        cell.wrId(wrId);
        if (into.length() > 0) {
            cell.addSge(region.key(), into.offset(), into.length());
        }
        receives.post(cell);
        receives.ring();
    }

    /** Posts a request about a range of its own region; for Writes and Reads {@code remote} is where at the peer. */
    public void post(long wrId, WrOpcode opcode, Range local, Remote remote) {
        post(wrId, opcode, 0, local, remote);
    }

    /** The same with flags of {@link io.metaroce.queue.SendFlags}. */
    public void post(long wrId, WrOpcode opcode, int flags, Range local, Remote remote) {
        SendCell cell = sends.acquire();
        if (cell == null) {
            throw new IllegalStateException("the send queue of " + sends.depth() + " is full");
        }
        cell.wrId(wrId)
                .opcode(opcode)
                .flags(flags)
                .rkey(remote.rkey())
                .remoteAddress(remote.address())
                .immediate(remote.immediate())
                .invalidateRkey(remote.immediate());
        if (local.length() > 0) {
            cell.addSge(region.key(), local.offset(), local.length());
        }
        sends.post(cell);
        sends.ring();
    }

    /**
     * Posts an atomic on eight bytes of the peer; what was there is brought to {@code localOffset} of its own region.
     */
    public void postAtomic(long wrId, WrOpcode opcode, int localOffset, Remote remote, long compareAdd, long swap) {
        postAtomic(wrId, opcode, 0, localOffset, remote, compareAdd, swap);
    }

    /** The same with flags of {@link io.metaroce.queue.SendFlags}. */
    public void postAtomic(
            long wrId, WrOpcode opcode, int flags, int localOffset, Remote remote, long compareAdd, long swap) {
        SendCell cell = sends.acquire();
        if (cell == null) {
            throw new IllegalStateException("the send queue of " + sends.depth() + " is full");
        }
        cell.wrId(wrId)
                .opcode(opcode)
                .flags(flags)
                .rkey(remote.rkey())
                .remoteAddress(remote.address())
                .compareAdd(compareAdd)
                .swap(swap)
                .addSge(region.key(), localOffset, Long.BYTES);
        sends.post(cell);
        sends.ring();
    }

    /** The address of a byte of its region, for the peer, with an immediate. */
    public Remote at(int offset, int immediate) {
        return new Remote(region.key(), region.base() + offset, immediate);
    }

    /** Polls everything that is there; answers with every completion so far. */
    public List<Done> poll() {
        CompletionCell cell = completions.take();
        while (cell != null) {
            done.add(
                    new Done(cell.wrId(), cell.status(), cell.opcode(), cell.length(), cell.immediate(), cell.flags()));
            completions.release(cell);
            cell = completions.take();
        }
        return done;
    }

    /** Every completion polled so far. */
    public List<Done> done() {
        return done;
    }

    /**
     * Bytes of a region.
     *
     * @param offset first byte, counted from the start of the region
     * @param length how many
     */
    public record Range(int offset, int length) {
        /** No bytes at all. */
        public static final Range NONE = new Range(0, 0);
    }

    /**
     * Where a request goes at the peer.
     *
     * @param rkey key of the peer's region
     * @param address address in it
     * @param immediate 32 bits for the peer, or the key to make invalid, if the request carries any
     */
    public record Remote(int rkey, long address, int immediate) {
        /** Nowhere: for Sends without immediate. */
        public static final Remote NOWHERE = new Remote(0, 0, 0);
    }
}
