package io.metaroce.engine;

import io.metaroce.connection.Sealed;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.WireFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** The packets that fuzzing begins with: all vectors, and what is kept in {@code corpus}. */
final class Corpus {
    static final List<byte[]> SEEDS = seeds();

    private static final int PATH_STRIDE = 0x9E3779B1; // between the first numbers of neighbouring paths
    private static final int[] ODD = {0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0xFFFF, 0x0001_0000, 0xFF};

    private Corpus() {}

    /** What is done to a seed. */
    enum Kind {
        NOTHING,
        FLIP,
        BYTE,
        ODD_NUMBER,
        CUT,
        LENGTHEN,
        SPLICE
    }

    /**
     * A seed, and what becomes of it.
     *
     * @param seed number of the seed
     * @param kind what is done
     * @param at where, modulo the length
     * @param value with what
     * @param isTargeted whether it is then addressed to the connection
     * @param isSealed whether its trailer is then made right
     */
    record Mutation(int seed, Kind kind, int at, int value, boolean isTargeted, boolean isSealed) {
        /**
         * The bytes, for a connection with this number and these seeds. What is targeted has a number that the receiver
         * is waiting for, so that it is not put aside as a stray.
         */
        byte[] bytes(int connId, int crcSeed, int psnSeed) {
            byte[] bytes = mutated(SEEDS.get(seed).clone());
            if (bytes.length < 20) {
                return bytes;
            }
            int opcode = bytes[1] & 0xFF;
            if (isTargeted) {
                int slot = psnSeed + (bytes[2] & 0xFF) * PATH_STRIDE + (value & 0x1F);
                ByteBuffer.wrap(bytes).putInt(4, connId).putInt(8, Opcode.isSlot(opcode) ? slot : value & 0x3FF);
            }
            return isSealed ? Sealed.again(bytes, Opcode.usesSeedZero(opcode) ? 0 : crcSeed) : bytes;
        }

        private byte[] mutated(byte[] bytes) {
            int length = bytes.length;
            if (length < 8) {
                return bytes;
            }
            int i = at % length;
            switch (kind) {
                case NOTHING -> {}
                case FLIP -> bytes[i] ^= (byte) (1 << (value & 7));
                case BYTE -> bytes[i] = (byte) value;
                case ODD_NUMBER -> ByteBuffer.wrap(bytes).putInt(Math.min(i & ~3, length - 4), ODD[value & 7]);
                case CUT -> {
                    return Arrays.copyOf(bytes, i);
                }
                case LENGTHEN -> {
                    return Arrays.copyOf(bytes, length + 1 + (value & 0x3FF));
                }
                case SPLICE -> {
                    byte[] other = SEEDS.get((value & 0x7FFF_FFFF) % SEEDS.size());
                    for (int k = i; k < Math.min(length, other.length); k++) {
                        bytes[k] = other[k];
                    }
                }
            }
            return bytes;
        }
    }

    private static List<byte[]> seeds() {
        List<byte[]> all = new ArrayList<>(WireFiles.payloads());
        try (Stream<Path> files = Files.list(Path.of("src/test/resources/corpus"))) {
            files.filter(file -> file.toString().endsWith(".hex")).sorted().forEach(file -> all.add(read(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.copyOf(all);
    }

    private static byte[] read(Path file) {
        try {
            List<String> lines = Files.readAllLines(file);
            if (!lines.get(0).startsWith("# ")) {
                throw new IllegalStateException(file + " does not say what it is about");
            }
            String hex = String.join("", lines.subList(1, lines.size())).replace(" ", "");
            return HexFormat.of().parseHex(hex);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
