package io.metaroce.verbs;

import io.metaroce.queue.CompletionCell;
import io.metaroce.queue.WcFlag;
import io.metaroce.queue.WcOpcode;
import io.metaroce.queue.WcStatus;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a work request ended. Belongs to the caller and is filled anew by every poll, so polling allocates nothing.
 *
 * <p>Unlike in verbs, the opcode is valid in error too.
 */
public final class WorkCompletion {
    private long wrId;
    private WcStatus status = WcStatus.SUCCESS;
    private WcOpcode opcode = WcOpcode.SEND;
    private int length;
    private int immediate;
    private int flags;
    private int qpNumber;
    private @Nullable Device failedAt;

    /** Results to be filled by polling. */
    public static WorkCompletion[] array(int length) {
        WorkCompletion[] array = new WorkCompletion[length];
        for (int i = 0; i < length; i++) {
            array[i] = new WorkCompletion();
        }
        return array;
    }

    void set(CompletionCell cell, Device device) {
        wrId = cell.wrId();
        status = cell.status();
        opcode = cell.opcode();
        length = cell.length();
        immediate = cell.immediate();
        flags = cell.flags();
        qpNumber = cell.qpNumber();
        failedAt = status == WcStatus.SUCCESS ? null : device;
    }

    /** The caller's number of the work request. */
    public long wrId() {
        return wrId;
    }

    /** How it ended; names and values as in {@code ibv_wc_status}. */
    public WcStatus status() {
        return status;
    }

    /** Whether it was carried out. */
    public boolean isSuccess() {
        return status == WcStatus.SUCCESS;
    }

    /** What it was. */
    public WcOpcode opcode() {
        return opcode;
    }

    /** Bytes received, 0..2^31; what a send completion says here has no meaning, as in verbs. */
    public long byteLength() {
        return length & 0xFFFF_FFFFL;
    }

    /** Whether the peer sent 32 bits along. */
    public boolean hasImmediate() {
        return (flags & WcFlag.WITH_IMM) != 0;
    }

    /** The 32 bits the peer sent along, if {@link #hasImmediate()}. */
    public int immediate() {
        return immediate;
    }

    /** Whether the peer made one of this side's keys invalid along with its message. */
    public boolean hasInvalidatedRkey() {
        return (flags & WcFlag.WITH_INV) != 0;
    }

    /** The key the peer made invalid, if {@link #hasInvalidatedRkey()}. */
    public int invalidatedRkey() {
        return immediate;
    }

    /** Bits of {@link WcFlag}. */
    public int flags() {
        return flags;
    }

    /** The queue pair it was posted on. */
    public int qpNumber() {
        return qpNumber;
    }

    /**
     * What happened, in plain words: the meaning of the status, and in error the queue pair, its peer, and the first
     * cause. Makes a string, so not for every completion.
     */
    public String detail() {
        Device device = failedAt;
        return device == null ? status.sentence() : status.sentence() + " " + device.causeOfFailure(qpNumber);
    }

    @Override
    public String toString() {
        StringBuilder out =
                new StringBuilder("WC wrId=").append(wrId).append(' ').append(status);
        if (!isSuccess()) {
            out.append(" (").append(status.value()).append(')');
        }
        out.append(' ').append(opcode);
        if (isSuccess() && opcode.isReceive()) {
            out.append(' ').append(byteLength()).append(" bytes");
        }
        if (hasImmediate()) {
            out.append(String.format(Locale.ROOT, " immediate=0x%08x", immediate));
        }
        out.append(" QP ").append(qpNumber);
        return isSuccess() ? out.toString() : out.append(": ").append(detail()).toString();
    }
}
