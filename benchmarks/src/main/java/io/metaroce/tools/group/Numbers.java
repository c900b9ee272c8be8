package io.metaroce.tools.group;

import io.metaroce.collective.Arithmetic;
import io.metaroce.collective.Collective;
import io.metaroce.collective.Task;
import java.nio.ByteBuffer;

/**
 * What ranks put into their data, and what must come out. All are small whole numbers, so that sums of floating-point
 * numbers are exact in any order and every bit can be compared.
 */
final class Numbers {
    private static final int MASK = 63;

    private final Task task;
    private final Arithmetic arithmetic;

    Numbers(Task task, Arithmetic arithmetic) {
        this.task = task;
        this.arithmetic = arithmetic;
    }

    /** Element i of the data of a rank. */
    private static long given(int rank, int i) {
        return (i * 13L + (i >>> 6) + rank * 7L) & MASK;
    }

    void fill(int rank, ByteBuffer data, ByteBuffer result) {
        for (int i = 0; i < task.elements(); i++) {
            put(data, i, given(rank, i));
            if (task.what() == Collective.ALL_TO_ALL) {
                put(result, i, -1);
            }
        }
    }

    /** How many elements are wrong. */
    long wrong(int rank, ByteBuffer data, ByteBuffer result) {
        ByteBuffer seen = task.what() == Collective.ALL_TO_ALL ? result : data;
        long wrong = 0;
        for (int i = 0; i < task.elements(); i++) {
            wrong += isRight(seen, i, wanted(rank, i)) ? 0 : 1;
        }
        return wrong;
    }

    private long wanted(int rank, int i) {
        if (task.what() == Collective.ALL_TO_ALL) {
            int block = task.elements() / task.ranks();
            int from = i / block;
            return given(from, rank * block + i % block);
        }
        long all = given(0, i);
        for (int other = 1; other < task.ranks(); other++) {
            long one = given(other, i);
            all = switch (arithmetic.reduction()) {
                case SUM -> all + one;
                case MIN -> Math.min(all, one);
                case MAX -> Math.max(all, one);
            };
        }
        return all;
    }

    private void put(ByteBuffer into, int i, long value) {
        switch (arithmetic.type()) {
            case INT32 -> into.putInt(i * Integer.BYTES, (int) value);
            case INT64 -> into.putLong(i * Long.BYTES, value);
            case FLOAT32 -> into.putFloat(i * Float.BYTES, (float) value);
            case FLOAT64 -> into.putDouble(i * Double.BYTES, (double) value);
        }
    }

    private boolean isRight(ByteBuffer in, int i, long value) {
        return switch (arithmetic.type()) {
            case INT32 -> in.getInt(i * Integer.BYTES) == (int) value;
            case INT64 -> in.getLong(i * Long.BYTES) == value;
            case FLOAT32 -> in.getInt(i * Float.BYTES) == Float.floatToRawIntBits((float) value);
            case FLOAT64 -> in.getLong(i * Double.BYTES) == Double.doubleToRawLongBits((double) value);
        };
    }
}
