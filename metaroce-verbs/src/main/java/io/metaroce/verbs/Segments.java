package io.metaroce.verbs;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The foreign memory of Java 22 and later, reached by name, so that one class file serves Java 17 as well. All of it is
 * public API: no flag is needed.
 */
final class Segments {
    private static final String SEGMENT = "java.lang.foreign.MemorySegment";

    private Segments() {}

    /** The chunks of a {@code MemorySegment} outside of the heap. */
    static ByteBuffer[] chunks(Object segment, String object) {
        try {
            Class<?> type = Class.forName(SEGMENT);
            if (!type.isInstance(segment)) {
                throw refused(object, segment, "it is no " + SEGMENT, null);
            }
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            MethodHandle byteSize = lookup.findVirtual(type, "byteSize", MethodType.methodType(long.class));
            MethodHandle slice =
                    lookup.findVirtual(type, "asSlice", MethodType.methodType(type, long.class, long.class));
            MethodHandle buffer = lookup.findVirtual(type, "asByteBuffer", MethodType.methodType(ByteBuffer.class));
            long bytes = (long) byteSize.invoke(segment);
            ByteBuffer[] chunks = new ByteBuffer[Chunks.count(bytes)];
            for (int i = 0; i < chunks.length; i++) {
                Object part = slice.invoke(segment, (long) i * Chunks.BYTES, (long) Chunks.lengthOf(i, bytes));
                chunks[i] = (ByteBuffer) buffer.invoke(part);
            }
            return Chunks.of(chunks, object);
        } catch (ClassNotFoundException | NoSuchMethodException | IllegalAccessException e) {
            throw refused(object, segment, "this Java has no foreign memory", e);
        } catch (VerbsException e) {
            throw e;
        } catch (Throwable e) {
            throw refused(object, segment, String.valueOf(e.getMessage()), e);
        }
    }

    private static VerbsException refused(String object, Object segment, String why, @Nullable Throwable cause) {
        String asked = "register " + segment;
        String cure = "register a direct ByteBuffer, or use Java 22 or later";
        return cause == null
                ? new VerbsException(object, asked, why, cure)
                : new VerbsException(object, asked, why, cure, cause);
    }
}
