package io.metaroce.verbs;

import io.metaroce.queue.SendCell;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.SendRing;
import io.metaroce.queue.WrOpcode;
import java.nio.ByteBuffer;
import java.util.List;

/** Posts sends: checks everything first, for an acquired cell must be posted; then copies it into the cell. */
final class SendPoster {
    private static final int FLAGS_ALL = SendFlags.FENCE | SendFlags.SIGNALED | SendFlags.SOLICITED | SendFlags.INLINE;
    private static final long MESSAGE_BYTES_MAX = 1L << 31;

    private final QueuePair user;
    private final Regions regions;
    private final SendRing ring;
    private final int sgeMax;
    private final int inlineBytesMax;

    SendPoster(QueuePair user, Regions regions, SendRing ring, QpInitAttributes attributes) {
        this.user = user;
        this.regions = regions;
        this.ring = ring;
        sgeMax = attributes.sendSgeMax();
        inlineBytesMax = attributes.inlineBytesMax();
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
        checkFlags(flags);
        // R-MEM-008: nothing is checked or touched for a request without bytes.
        MemoryRegion region = null;
        if (length != 0) {
            region = regions.readable(user, lkey, offset, length);
            if ((flags & SendFlags.INLINE) != 0) {
                checkInline(length);
            }
        }
        SendCell cell = ring.acquire();
        if (cell == null) {
            return false;
        }
        cell.wrId(wrId)
                .opcode(opcode)
                .flags(flags)
                .remoteAddress(remoteAddress)
                .rkey(rkey)
                .immediate(immediate);
        if (region != null) {
            add(cell, region, offset, length, flags);
        }
        ring.post(cell);
        return true;
    }

    /** One request with all it may have. False when the queue is full. */
    boolean post(SendWorkRequest request) {
        int flags = 0;
        for (SendFlag flag : request.flags()) {
            flags |= flag.value();
        }
        List<ScatterGatherEntry> entries = request.entries();
        ByteBuffer inlineData = request.inlineData();
        check(request, entries, inlineData);
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

    private static void add(SendCell cell, MemoryRegion region, long offset, int length, int flags) {
        if ((flags & SendFlags.INLINE) != 0) {
            region.appendTo(cell, offset, length);
        } else {
            cell.addSge(region.lkey(), offset, length);
        }
    }

    private void check(SendWorkRequest request, List<ScatterGatherEntry> entries, ByteBuffer inlineData) {
        boolean inline = request.flags().contains(SendFlag.INLINE);
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
                regions.readable(user, entry.lkey(), entry.offset(), entry.length());
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
