package io.metaroce.queue;

import java.nio.ByteBuffer;

/**
 * One send work request on its way. Filled by the thread that acquired it, read by the endpoint's thread, never by
 * both: post and release hand it over.
 */
public final class SendCell extends WorkCell implements SgeList {
    private final int[] lkeys;
    private final long[] offsets;
    private final int[] lengths;
    private final ByteBuffer inline;
    private int sgeCount;
    private int inlineLength;
    private long lengthBytes;
    private long wrId;
    private WrOpcode opcode = WrOpcode.SEND;
    private int flags;
    private long remoteAddress;
    private int rkey;
    private int immediate;
    private int invalidateRkey;
    private long compareAdd;
    private long swap;

    SendCell(Object home, int sgeMax, ByteBuffer inline) {
        super(home);
        lkeys = new int[sgeMax];
        offsets = new long[sgeMax];
        lengths = new int[sgeMax];
        this.inline = inline;
    }

    /** Makes it a request without bytes, flags and addresses; done by {@link SendRing#acquire}. */
    @Override
    void clear() {
        sgeCount = 0;
        inlineLength = 0;
        lengthBytes = 0;
        wrId = 0;
        opcode = WrOpcode.SEND;
        flags = 0;
        remoteAddress = 0;
        rkey = 0;
        immediate = 0;
        invalidateRkey = 0;
        compareAdd = 0;
        swap = 0;
    }

    /** The application's own number for the request. */
    public long wrId() {
        return wrId;
    }

    /** Sets {@link #wrId()}. */
    public SendCell wrId(long v) {
        wrId = v;
        return this;
    }

    /** What is asked for. */
    public WrOpcode opcode() {
        return opcode;
    }

    /** Sets {@link #opcode()}. */
    public SendCell opcode(WrOpcode v) {
        opcode = v;
        return this;
    }

    /** Bits of {@link SendFlags}. */
    public int flags() {
        return flags;
    }

    /** Sets {@link #flags()}; {@link SendFlags#INLINE} is set by {@link #inline(ByteBuffer, int, int)} alone. */
    public SendCell flags(int v) {
        flags = (flags & SendFlags.INLINE) | (v & ~SendFlags.INLINE);
        return this;
    }

    /** Whether it waits for earlier Reads and atomics. */
    public boolean isFenced() {
        return (flags & SendFlags.FENCE) != 0;
    }

    /** Whether its bytes are in the cell. */
    public boolean isInline() {
        return (flags & SendFlags.INLINE) != 0;
    }

    /** Whether the peer is to be woken. */
    public boolean isSolicited() {
        return (flags & SendFlags.SOLICITED) != 0;
    }

    /** Whether it is to show only after everything before it. */
    public boolean isOrdered() {
        return (flags & SendFlags.ORDERED) != 0;
    }

    /** Address in the peer's region, unsigned. */
    public long remoteAddress() {
        return remoteAddress;
    }

    /** Sets {@link #remoteAddress()}. */
    public SendCell remoteAddress(long v) {
        remoteAddress = v;
        return this;
    }

    /** Key of the peer's region. */
    public int rkey() {
        return rkey;
    }

    /** Sets {@link #rkey()}. */
    public SendCell rkey(int v) {
        rkey = v;
        return this;
    }

    /** 32 bits for the peer. */
    public int immediate() {
        return immediate;
    }

    /** Sets {@link #immediate()}. */
    public SendCell immediate(int v) {
        immediate = v;
        return this;
    }

    /** The key the peer is to make invalid. */
    public int invalidateRkey() {
        return invalidateRkey;
    }

    /** Sets {@link #invalidateRkey()}. */
    public SendCell invalidateRkey(int v) {
        invalidateRkey = v;
        return this;
    }

    /** Atomics: what to compare with, or what to add. */
    public long compareAdd() {
        return compareAdd;
    }

    /** Sets {@link #compareAdd()}. */
    public SendCell compareAdd(long v) {
        compareAdd = v;
        return this;
    }

    /** Atomics: what to put in place. */
    public long swap() {
        return swap;
    }

    /** Sets {@link #swap()}. */
    public SendCell swap(long v) {
        swap = v;
        return this;
    }

    /**
     * Adds a scatter-gather entry.
     *
     * @param lkey key of the local region
     * @param offset first byte, counted from the start of the region
     * @param length bytes, 0..2^31-1
     * @throws IllegalArgumentException when the cell is full or the length is negative; the message names the limit
     */
    public SendCell addSge(int lkey, long offset, int length) {
        ReceiveCell.checkSge(sgeCount, lkeys.length, length);
        lkeys[sgeCount] = lkey;
        offsets[sgeCount] = offset;
        lengths[sgeCount] = length;
        sgeCount++;
        lengthBytes += length;
        return this;
    }

    /** Scatter-gather entries. */
    public int sgeCount() {
        return sgeCount;
    }

    /** Scatter-gather entries it can hold. */
    public int sgeMax() {
        return lkeys.length;
    }

    @Override
    public int lkey(int i) {
        return lkeys[i];
    }

    @Override
    public long offset(int i) {
        return offsets[i];
    }

    @Override
    public int length(int i) {
        return lengths[i];
    }

    /**
     * Copies bytes into the cell and sets {@link SendFlags#INLINE}; several calls append.
     *
     * @throws IllegalArgumentException when they do not fit; the message names the limit
     */
    public SendCell inline(ByteBuffer from, int fromOffset, int length) {
        if (length > inline.capacity() - inlineLength) {
            throw new IllegalArgumentException("inline data of " + ((long) inlineLength + length)
                    + " bytes, but the queue takes " + inline.capacity() + "; raise inlineBytesMax or post a region");
        }
        inline.put(inlineLength, from, fromOffset, length);
        inlineLength += length;
        lengthBytes += length;
        flags |= SendFlags.INLINE;
        return this;
    }

    /** The inline bytes, from index 0 on; position and limit mean nothing. */
    public ByteBuffer inline() {
        return inline;
    }

    /** Inline bytes used. */
    public int inlineLength() {
        return inlineLength;
    }

    /** Inline bytes the cell can hold. */
    public int inlineMax() {
        return inline.capacity();
    }

    /** Bytes of the request in all. */
    public long lengthBytes() {
        return lengthBytes;
    }
}
