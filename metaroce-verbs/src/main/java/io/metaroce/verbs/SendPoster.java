package io.metaroce.verbs;

import io.metaroce.queue.SendCell;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.SendRing;
import io.metaroce.queue.WrOpcode;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Posts sends: checks everything first, for an acquired cell must be posted; then copies it into the cell. */
final class SendPoster {
    private static final int FLAGS_ALL =
            SendFlags.FENCE | SendFlags.SIGNALED | SendFlags.SOLICITED | SendFlags.INLINE | SendFlags.ORDERED;
    private static final int ATOMIC_BYTES = 8;
    private static final long MESSAGE_BYTES_MAX = 1L << 31;

    private final QueuePair user;
    private final Regions regions;
    private final SendRing ring;
    private final int sgeMax;
    private final int inlineBytesMax;
    private final int packetBytesMax;
    private final int orderedMax;

    SendPoster(QueuePair user, Regions regions, SendRing ring, QpInitAttributes attributes) {
        this.user = user;
        this.regions = regions;
        this.ring = ring;
        sgeMax = attributes.sendSgeMax();
        inlineBytesMax = attributes.inlineBytesMax();
        packetBytesMax = user.domain().device().attributes().payloadBytes();
        orderedMax = user.domain().device().attributes().orderedWritesMax();
    }

    /** One request with one piece of payload; allocates nothing. False when the queue is full. */
    boolean post(
            long wrId,
            WrOpcode opcode,
            int lkey,
            long offset,
            int length,
            long remoteAddress,
            int rkey,
            int immediate,
            int flags) {
        SendCell cell = acquire(wrId, opcode, lkey, offset, length, flags);
        return posted(
                cell == null
                        ? null
                        : cell.remoteAddress(remoteAddress).rkey(rkey).immediate(immediate));
    }

    /** One message that invalidates a key of the peer; allocates nothing. False when the queue is full. */
    boolean postSendInvalidate(long wrId, int lkey, long offset, int length, int rkey, int flags) {
        SendCell cell = acquire(wrId, WrOpcode.SEND_WITH_INV, lkey, offset, length, flags);
        return posted(cell == null ? null : cell.invalidateRkey(rkey));
    }

    /** One atomic operation with its operands; allocates nothing. False when the queue is full. */
    boolean postAtomic(
            long wrId,
            WrOpcode opcode,
            int lkey,
            long offset,
            long remoteAddress,
            int rkey,
            long compareAdd,
            long swap,
            int flags) {
        SendCell cell = acquire(wrId, opcode, lkey, offset, ATOMIC_BYTES, flags);
        return posted(
                cell == null
                        ? null
                        : cell.remoteAddress(remoteAddress)
                                .rkey(rkey)
                                .compareAdd(compareAdd)
                                .swap(swap));
    }

    /** A cell for a request with one piece of memory, once everything has been checked; null when the queue is full. */
    private @Nullable SendCell acquire(long wrId, WrOpcode opcode, int lkey, long offset, int length, int flags) {
        checkFlags(flags);
        checkFetch(opcode, flags, wrId, length);
        checkOrdered(opcode, flags, wrId, length);
        // R-MEM-008: nothing is checked or touched for a request without bytes.
        MemoryRegion region = null;
        if (length != 0) {
            region = usable(opcode, lkey, offset, length);
            if ((flags & SendFlags.INLINE) != 0) {
                checkInline(length);
            }
        }
        SendCell cell = ring.acquire();
        if (cell != null) {
            cell.wrId(wrId).opcode(opcode).flags(flags);
            if (region != null) {
                add(cell, region, offset, length, flags);
            }
        }
        return cell;
    }

    /** Posts what was acquired, if anything was. */
    private boolean posted(@Nullable SendCell cell) {
        if (cell != null) {
            ring.post(cell);
        }
        return cell != null;
    }

    /** One request with all it may have. False when the queue is full. */
    boolean post(SendWorkRequest request) {
        int flags = 0;
        for (SendFlag flag : request.flags()) {
            flags |= flag.value();
        }
        List<ScatterGatherEntry> entries = request.entries();
        ByteBuffer inlineData = request.inlineData();
        check(request, flags, entries, inlineData);
        SendCell cell = ring.acquire();
        if (cell == null) {
            return false;
        }
        cell.wrId(request.wrId()).opcode(request.opcode()).flags(flags);
        if (request instanceof SendWorkRequest.SendImmediate send) {
            cell.immediate(send.immediate());
        } else if (request instanceof SendWorkRequest.Write write) {
            cell.remoteAddress(write.remoteAddress()).rkey(write.rkey());
        } else if (request instanceof SendWorkRequest.WriteImmediate write) {
            cell.remoteAddress(write.remoteAddress()).rkey(write.rkey()).immediate(write.immediate());
        } else if (request instanceof SendWorkRequest.SendInvalidate send) {
            cell.invalidateRkey(send.rkey());
        } else if (request instanceof SendWorkRequest.Fetch fetch) {
            cell.remoteAddress(fetch.remoteAddress()).rkey(fetch.rkey());
            operands(cell, fetch);
        }
        for (ScatterGatherEntry entry : entries) {
            MemoryRegion region = entry.length() == 0 ? null : regions.find(entry.lkey());
            if (region != null) {
                add(cell, region, entry.offset(), entry.length(), flags);
            }
        }
        if (inlineData.hasRemaining()) {
            cell.inline(inlineData, inlineData.position(), inlineData.remaining());
        }
        ring.post(cell);
        return true;
    }

    private static void operands(SendCell cell, SendWorkRequest.Fetch fetch) {
        if (fetch instanceof SendWorkRequest.CompareAndSwap atomic) {
            cell.compareAdd(atomic.compare()).swap(atomic.swap());
        } else if (fetch instanceof SendWorkRequest.Swap atomic) {
            cell.swap(atomic.swap());
        } else if (fetch instanceof SendWorkRequest.FetchAndAdd atomic) {
            cell.compareAdd(atomic.add());
        }
    }

    private static void add(SendCell cell, MemoryRegion region, long offset, int length, int flags) {
        if ((flags & SendFlags.INLINE) != 0) {
            region.appendTo(cell, offset, length);
        } else {
            cell.addSge(region.lkey(), offset, length);
        }
    }

    private void check(SendWorkRequest request, int flags, List<ScatterGatherEntry> entries, ByteBuffer inlineData) {
        boolean inline = (flags & SendFlags.INLINE) != 0;
        if (inlineData.hasRemaining() && (!inline || !entries.isEmpty())) {
            throw new VerbsException(
                    user.toString(),
                    "wrId " + request.wrId() + " with bytes of its own and " + entries.size() + " entries, flags "
                            + request.flags(),
                    "a payload is either bytes with INLINE, or entries",
                    "use one of inline(bytes) and from(region, offset, length)");
        }
        if (entries.size() > sgeMax) {
            throw new VerbsException(
                    user.toString(),
                    "wrId " + request.wrId() + " with " + entries.size() + " scatter-gather entries",
                    "at most " + sgeMax,
                    "raise QpInitAttributes.sendSgeMax");
        }
        long total = inlineData.remaining();
        for (ScatterGatherEntry entry : entries) {
            if (entry.length() != 0) {
                usable(request.opcode(), entry.lkey(), entry.offset(), entry.length());
                total += entry.length();
            }
        }
        if (total > MESSAGE_BYTES_MAX) {
            throw new VerbsException(
                    user.toString(),
                    "wrId " + request.wrId() + " with " + total + " bytes",
                    "a message has at most " + MESSAGE_BYTES_MAX + " bytes",
                    "cut it into several");
        }
        if (inline) {
            checkInline(total);
        }
        checkFetch(request.opcode(), flags, request.wrId(), total);
        checkOrdered(request.opcode(), flags, request.wrId(), total);
    }

    /** The region of one piece: the peer's bytes are written to it, or its bytes are read. */
    private MemoryRegion usable(WrOpcode opcode, int lkey, long offset, int length) {
        return opcode.fetches()
                ? regions.writable(user, user.domain(), lkey, offset, length)
                : regions.readable(user, user.domain(), lkey, offset, length);
    }

    private void checkFetch(WrOpcode opcode, int flags, long wrId, long bytes) {
        if (!opcode.fetches()) {
            return;
        }
        if ((flags & SendFlags.INLINE) != 0) {
            throw new VerbsException(
                    user.toString(),
                    "wrId " + wrId + ", " + opcode + " with INLINE",
                    "nothing is carried to the peer that could be inline",
                    "leave INLINE out");
        }
        if (opcode != WrOpcode.RDMA_READ && bytes != ATOMIC_BYTES) {
            throw new VerbsException(
                    user.toString(),
                    "wrId " + wrId + ", " + opcode + " into " + bytes + " bytes",
                    "it fetches " + ATOMIC_BYTES + " bytes",
                    "give entries of " + ATOMIC_BYTES + " bytes together");
        }
    }

    /** The agreed payload may be smaller still, which shows only when the request's turn comes. */
    private void checkOrdered(WrOpcode opcode, int flags, long wrId, long bytes) {
        if ((flags & SendFlags.ORDERED) == 0) {
            return;
        }
        if (orderedMax == 0) {
            throw new VerbsException(
                    user.toString(),
                    "wrId " + wrId + " with ORDERED",
                    "this device takes no part in ordered writes",
                    "raise the setting connection.orderedWrites on both sides");
        }
        if (opcode != WrOpcode.RDMA_WRITE || bytes > packetBytesMax) {
            throw new VerbsException(
                    user.toString(),
                    "wrId " + wrId + ", " + opcode + " of " + bytes + " bytes with ORDERED",
                    "only a write of one packet can be ordered, at most " + packetBytesMax + " bytes (setting "
                            + "connection.payloadBytes)",
                    "write the data without ORDERED, and a short flag after it with ORDERED");
        }
    }

    private void checkInline(long bytes) {
        if (bytes > inlineBytesMax) {
            throw new VerbsException(
                    user.toString(),
                    "inline data of " + bytes + " bytes",
                    "at most " + inlineBytesMax,
                    "raise QpInitAttributes.inlineBytesMax, or leave INLINE out");
        }
    }

    private void checkFlags(int flags) {
        if ((flags & ~FLAGS_ALL) != 0) {
            throw new VerbsException(
                    user.toString(),
                    "send flags " + Texts.key(flags),
                    "known are " + Texts.key(FLAGS_ALL),
                    "use SendFlag.mask");
        }
    }
}
