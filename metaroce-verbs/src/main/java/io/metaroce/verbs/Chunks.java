package io.metaroce.verbs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Cuts memory into the chunks of 1 GiB that regions consist of, since one buffer ends below 2 GiB. */
final class Chunks {
    /** Bytes of every chunk but the last. */
    static final int BYTES = 1 << 30;

    private Chunks() {}

    /** How many chunks so many bytes need; at least one. */
    static int count(long bytes) {
        return Math.toIntExact(Math.max(1, (bytes + BYTES - 1) / BYTES));
    }

    static int lengthOf(int chunk, long bytes) {
        return Math.toIntExact(Math.min(BYTES, bytes - (long) chunk * BYTES));
    }

    /** The remaining bytes of a direct buffer, which is not changed. */
    static ByteBuffer[] of(ByteBuffer buffer, String object) {
        if (!buffer.isDirect()) {
            throw new VerbsException(
                    object,
                    "register a heap buffer of " + buffer.remaining() + " bytes",
                    "only direct buffers stay where they are",
                    "use ByteBuffer.allocateDirect, allocate(bytes), or registerCopy for a copy");
        }
        ByteBuffer[] chunks = new ByteBuffer[count(buffer.remaining())];
        for (int i = 0; i < chunks.length; i++) {
            int at = buffer.position() + i * BYTES;
            chunks[i] = buffer.duplicate()
                    .position(at)
                    .limit(at + lengthOf(i, buffer.remaining()))
                    .slice();
        }
        return chunks;
    }

    /** Several direct buffers as one memory: all but the last must have exactly 1 GiB remaining. */
    static ByteBuffer[] of(ByteBuffer[] buffers, String object) {
        if (buffers.length == 0) {
            throw new VerbsException(
                    object, "register no buffer at all", "at least one is needed", "give one or more direct buffers");
        }
        ByteBuffer[] chunks = new ByteBuffer[buffers.length];
        for (int i = 0; i < buffers.length; i++) {
            int remaining = buffers[i].remaining();
            if (!buffers[i].isDirect() || remaining > BYTES || (remaining < BYTES && i < buffers.length - 1)) {
                throw new VerbsException(
                        object,
                        "register chunk " + i + " of " + remaining + " bytes"
                                + (buffers[i].isDirect() ? "" : " on the heap"),
                        "chunks are direct and hold " + BYTES + " bytes each, the last one as many or fewer",
                        "cut the memory so, or use allocate(bytes) or registerFile");
            }
            chunks[i] = buffers[i].slice();
        }
        return chunks;
    }

    /** Fresh direct memory, zeroed. */
    static ByteBuffer[] allocate(long bytes, String object) {
        if (bytes < 0) {
            throw new VerbsException(
                    object, "allocate " + bytes + " bytes", "the length may not be negative", "give 0 or more bytes");
        }
        ByteBuffer[] chunks = new ByteBuffer[count(bytes)];
        try {
            for (int i = 0; i < chunks.length; i++) {
                chunks[i] = ByteBuffer.allocateDirect(lengthOf(i, bytes));
            }
        } catch (OutOfMemoryError e) {
            throw new VerbsException(
                    object,
                    "allocate " + bytes + " bytes",
                    "the process has no more direct memory: " + e.getMessage(),
                    "raise -XX:MaxDirectMemorySize or close regions",
                    e);
        }
        return chunks;
    }

    /** A part of a file, mapped. */
    static ByteBuffer[] map(Path file, long offset, long bytes, FileChannel.MapMode mode) throws IOException {
        ByteBuffer[] chunks = new ByteBuffer[count(bytes)];
        try (FileChannel channel = mode == FileChannel.MapMode.READ_ONLY
                ? FileChannel.open(file, StandardOpenOption.READ)
                : FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            // A mapping beyond the end would be found out only when a packet touches it.
            if (offset < 0 || bytes < 0 || offset > channel.size() - bytes) {
                throw new VerbsException(
                        "file " + file,
                        "map " + bytes + " bytes at " + offset,
                        "the file has " + channel.size() + " bytes",
                        "make the file longer first, for example with RandomAccessFile.setLength");
            }
            for (int i = 0; i < chunks.length; i++) {
                chunks[i] = channel.map(mode, offset + (long) i * BYTES, lengthOf(i, bytes));
            }
        }
        return chunks;
    }

    /** Writes changed pages of mapped chunks back to their file. */
    static void force(@Nullable ByteBuffer[] chunks) {
        for (ByteBuffer chunk : chunks) {
            if (chunk instanceof MappedByteBuffer mapped) {
                mapped.force();
            }
        }
    }
}
