package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * What one path has received: everything before {@code cumPsn}, and from there on what the bitmap says.
 *
 * <pre>PathBlock ::= pathId:8 epoch:8 flags:8 words:8 cumPsn:32 echoStamp:32 ackDelay:16 sackOffset:16
 *               rxPackets:32 cePackets:16 duplicates:16 bitmap:64^words</pre>
 *
 * <p>Bit i of the bitmap, counted from the least significant bit of word 0, stands for PSN {@code cumPsn + sackOffset +
 * i}. Trailing zero words are left out; the block covers the negotiated number of words all the same.
 */
public final class PathBlock {
    /** Flag G: a new gap. */
    public static final int GAP = 0x80;
    /** Flag C: the packet that caused the report carried CE. */
    public static final int MARKED = 0x40;
    /** Flag O: a slot was dropped as beyond the window. */
    public static final int OUT_OF_WINDOW = 0x20;
    /** Most words of bitmap a block can have. */
    public static final int WORDS_MAX = 16;
    /** Value of {@link #ackDelay()} that says: take no RTT sample. */
    public static final int NO_RTT_SAMPLE = 0xFFFF;

    static final int PATH_ID = 0;
    static final int EPOCH = PATH_ID + 1;
    static final int FLAGS = EPOCH + 1;
    static final int WORDS = FLAGS + 1;
    static final int CUM_PSN = WORDS + 1;
    static final int ECHO_STAMP = CUM_PSN + 4;
    static final int ACK_DELAY = ECHO_STAMP + 4;
    static final int SACK_OFFSET = ACK_DELAY + 2;
    static final int RX_PACKETS = SACK_OFFSET + 2;
    static final int CE_PACKETS = RX_PACKETS + 4;
    static final int DUPLICATES = CE_PACKETS + 2;
    static final int BITMAP = DUPLICATES + 2;
    /** Bytes of a block before its bitmap. */
    public static final int HEADER_LENGTH = BITMAP;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /** Bytes of a block with {@code words} words of bitmap. */
    public static int lengthBytes(int words) {
        return HEADER_LENGTH + words * 8;
    }

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the block; valid until the buffer is
     * reused.
     */
    public PathBlock wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** Bytes of this block, bitmap included. */
    public int lengthBytes() {
        return lengthBytes(words());
    }

    /** The path. */
    public int pathId() {
        return buffer.get(at + PATH_ID) & 0xFF;
    }

    /** Sets {@link #pathId()}. */
    public PathBlock pathId(int value) {
        buffer.put(at + PATH_ID, (byte) value);
        return this;
    }

    /** Epoch of the packet that carried {@link #echoStamp()}. */
    public int epoch() {
        return buffer.get(at + EPOCH) & 0xFF;
    }

    /** Sets {@link #epoch()}. */
    public PathBlock epoch(int value) {
        buffer.put(at + EPOCH, (byte) value);
        return this;
    }

    /** Flags {@link #GAP}, {@link #MARKED}, {@link #OUT_OF_WINDOW}. */
    public int flags() {
        return buffer.get(at + FLAGS) & 0xFF;
    }

    /** Sets {@link #flags()}. */
    public PathBlock flags(int value) {
        buffer.put(at + FLAGS, (byte) value);
        return this;
    }

    /** Words of bitmap present, 0..{@link #WORDS_MAX}. */
    public int words() {
        return buffer.get(at + WORDS) & 0xFF;
    }

    /** Sets {@link #words()}; the bitmap itself is not touched. */
    public PathBlock words(int value) {
        buffer.put(at + WORDS, (byte) value);
        return this;
    }

    /** The first PSN that is still missing. */
    public int cumPsn() {
        return buffer.getInt(at + CUM_PSN);
    }

    /** Sets {@link #cumPsn()}. */
    public PathBlock cumPsn(int value) {
        buffer.putInt(at + CUM_PSN, value);
        return this;
    }

    /** The highest TxStamp received on the path, in units of 16 ns of the sender's clock. */
    public int echoStamp() {
        return buffer.getInt(at + ECHO_STAMP);
    }

    /** Sets {@link #echoStamp()}. */
    public PathBlock echoStamp(int value) {
        buffer.putInt(at + ECHO_STAMP, value);
        return this;
    }

    /** Time from arrival of the echoed packet to this report, in units of 64 ns, or {@link #NO_RTT_SAMPLE}. */
    public int ackDelay() {
        return buffer.getShort(at + ACK_DELAY) & 0xFFFF;
    }

    /** Sets {@link #ackDelay()}. */
    public PathBlock ackDelay(int value) {
        buffer.putShort(at + ACK_DELAY, (short) value);
        return this;
    }

    /** Distance from {@link #cumPsn()} to the PSN of bit 0. */
    public int sackOffset() {
        return buffer.getShort(at + SACK_OFFSET) & 0xFFFF;
    }

    /** Sets {@link #sackOffset()}. */
    public PathBlock sackOffset(int value) {
        buffer.putShort(at + SACK_OFFSET, (short) value);
        return this;
    }

    /** Slot packets and in-path probes received on the path so far; wraps. */
    public int rxPackets() {
        return buffer.getInt(at + RX_PACKETS);
    }

    /** Sets {@link #rxPackets()}. */
    public PathBlock rxPackets(int value) {
        buffer.putInt(at + RX_PACKETS, value);
        return this;
    }

    /** How many of {@link #rxPackets()} carried CE; wraps. */
    public int cePackets() {
        return buffer.getShort(at + CE_PACKETS) & 0xFFFF;
    }

    /** Sets {@link #cePackets()}. */
    public PathBlock cePackets(int value) {
        buffer.putShort(at + CE_PACKETS, (short) value);
        return this;
    }

    /** How many of {@link #rxPackets()} were duplicates; wraps. */
    public int duplicates() {
        return buffer.getShort(at + DUPLICATES) & 0xFFFF;
    }

    /** Sets {@link #duplicates()}. */
    public PathBlock duplicates(int value) {
        buffer.putShort(at + DUPLICATES, (short) value);
        return this;
    }

    /** 64 bits of the bitmap, least significant first; 0 for words that are not present. */
    public long bitmapWord(int index) {
        // R-SACK-004: bit i of word k stands for PSN cumPsn + sackOffset + 64 k + i.
        return index < words() ? buffer.getLong(at + BITMAP + index * 8) : 0;
    }

    /** Sets {@link #bitmapWord}; {@link #words()} is not touched. */
    public PathBlock bitmapWord(int index, long value) {
        buffer.putLong(at + BITMAP + index * 8, value);
        return this;
    }
}
