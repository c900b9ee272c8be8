package io.metaroce.collective;

/**
 * A range of elements, cut into equal blocks, each into equal slices; equal but for one element, nothing left over.
 *
 * @param first the first element
 * @param elements how many
 * @param elementBytes bytes of each
 * @param blocks number of blocks
 * @param slices slices of each
 */
record Blocks(int first, int elements, int elementBytes, int blocks, int slices) {
    /** All data of a task. */
    static Blocks of(Task task, int blocks, int slices) {
        return new Blocks(0, task.elements(), task.elementBytes(), blocks, slices);
    }

    /** Offset of a slice in bytes; that of the slice behind the last one is the end of the block. */
    int at(int block, int slice) {
        return (first + element(block * slices + slice)) * elementBytes;
    }

    /** Bytes of a slice. */
    int bytes(int block, int slice) {
        return at(block, slice + 1) - at(block, slice);
    }

    /** Bytes of the longest block. */
    int longest() {
        return (int) (((long) elements + blocks - 1) / blocks) * elementBytes;
    }

    /** A slice, cut in turn. */
    Blocks cut(int block, int slice, int parts) {
        int from = element(block * slices + slice);
        return new Blocks(first + from, element(block * slices + slice + 1) - from, elementBytes, parts, 1);
    }

    private int element(int piece) {
        return (int) ((long) elements * piece / ((long) blocks * slices));
    }
}
