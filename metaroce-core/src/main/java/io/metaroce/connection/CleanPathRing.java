package io.metaroce.connection;

/** The last 64 paths that returned a clean acknowledgement, oldest first: packets that left a path make room on it. */
final class CleanPathRing {
    static final int NONE = -1;
    private static final int SIZE = 64;

    private final byte[] tokens = new byte[SIZE];
    private int head;
    private int count;

    void put(int path) {
        if (count == SIZE) {
            take();
        }
        tokens[(head + count) % SIZE] = (byte) path;
        count++;
    }

    int take() {
        if (count == 0) {
            return NONE;
        }
        int path = tokens[head] & 0xFF;
        head = (head + 1) % SIZE;
        count--;
        return path;
    }
}
