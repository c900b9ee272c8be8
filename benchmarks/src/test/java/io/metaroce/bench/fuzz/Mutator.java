package io.metaroce.bench.fuzz;

import io.metaroce.datagram.Datagram;
import io.metaroce.num.SplitMix64;
import io.metaroce.wire.Crc32cTrailer;
import java.nio.ByteBuffer;

/** Spoils packets: bits, bytes, fields, lengths. Seeded, so that a finding can be repeated. */
final class Mutator {
    private static final int BYTES_MAX = 9000;
    private static final int BASE_HEADER_BYTES = 16;
    private static final int HEADER_BYTES = 96;
    private static final long[] EDGES = {
        0, 1, 2, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFFL, 0x8000_0000L, 0xFFFF_FFFFL, -1
    };

    private final SplitMix64 random;
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES_MAX);
    private final Crc32cTrailer trailer = new Crc32cTrailer();
    private int length;

    Mutator(long seed) {
        random = new SplitMix64(seed);
    }

    /** A number below {@code bound}. */
    int draw(int bound) {
        return random.nextInt(bound);
    }

    /** The packet as it stands; its first {@link #length} bytes count. */
    ByteBuffer bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** Begins with a copy of a good packet. */
    Mutator copy(Datagram packet) {
        return copy(packet.buffer(), packet.offset(), packet.length());
    }

    Mutator copy(ByteBuffer from, int at, int count) {
        length = Math.min(count, BYTES_MAX);
        bytes.put(0, from, at, length);
        return this;
    }

    /** Begins with noise of any length. */
    Mutator noise(int bytesMax) {
        length = random.nextInt(bytesMax + 1);
        for (int i = 0; i < length; i++) {
            bytes.put(i, (byte) random.nextLong());
        }
        return this;
    }

    /** Begins with {@code count} zeros. */
    Mutator zeros(int count) {
        length = count;
        for (int i = 0; i < length; i++) {
            bytes.put(i, (byte) 0);
        }
        return this;
    }

    /** Turns one to eight bits. */
    Mutator flipBits() {
        for (int n = 1 + random.nextInt(8); n > 0 && length > 0; n--) {
            int at = random.nextInt(length);
            bytes.put(at, (byte) (bytes.get(at) ^ (1 << random.nextInt(8))));
        }
        return this;
    }

    /** Puts one to three unlikely numbers into the headers. */
    Mutator setFields() {
        return setFields(1);
    }

    private Mutator setFields(int from) {
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
            long value = random.nextInt(4) == 0 ? random.nextLong() : EDGES[random.nextInt(EDGES.length)];
            int width = 1 << random.nextInt(4);
            int room = Math.min(length, HEADER_BYTES) - width - from;
            if (room < 0) {
                return this;
            }
            int at = from + random.nextInt(room + 1);
            for (int i = 0; i < width && at + i < length; i++) {
                bytes.put(at + i, (byte) (value >>> (8 * (width - 1 - i))));
            }
        }
        return this;
    }

    /** Cuts the packet off somewhere. */
    Mutator truncate() {
        return truncate(random.nextInt(Math.max(length, 1)));
    }

    Mutator truncate(int to) {
        length = Math.min(to, length);
        return this;
    }

    /** Adds some bytes at the end. */
    Mutator extend() {
        for (int n = 1 + random.nextInt(40); n > 0 && length < BYTES_MAX; n--) {
            bytes.put(length++, (byte) random.nextLong());
        }
        return this;
    }

    /** What {@link #spoil} may do. */
    enum Reach {
        /** Anything, to any part. */
        EVERYTHING,
        /** Change numbers behind the base header, where they have to be judged by what is under way. */
        FIELDS
    }

    /** Spoils the packet in one way or another. */
    Mutator spoil(Reach reach) {
        return reach == Reach.FIELDS ? setFields(BASE_HEADER_BYTES) : spoilAnywhere();
    }

    private Mutator spoilAnywhere() {
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> setFields();
            case 3 -> flipBits();
            case 4 -> truncate();
            case 5 -> extend();
            case 6 -> opcode(random.nextInt(64));
            default -> opcode(random.nextInt(64)).setFields();
        };
    }

    Mutator opcode(int value) {
        return put(1, value);
    }

    Mutator put(int at, int value) {
        if (at < length) {
            bytes.put(at, (byte) value);
        }
        return this;
    }

    /** Makes sure that the trailer is wrong, whatever was done before. */
    Mutator breakSeal(int seed) {
        while (trailer.matches(seed, bytes, 0, length)) {
            flipBits();
        }
        return this;
    }

    /** Gives the packet the right trailer: a peer sent it, and it is the peer that is bad. */
    Mutator seal(int seed) {
        int covered = length - Crc32cTrailer.LENGTH;
        if (covered > 0) {
            bytes.putInt(covered, trailer.of(seed, bytes, 0, covered, bytes, 0, 0));
        }
        return this;
    }
}
