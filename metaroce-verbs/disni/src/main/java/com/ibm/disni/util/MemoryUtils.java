package com.ibm.disni.util;

import io.metaroce.disni.BufferAddresses;
import java.nio.ByteBuffer;

/**
 * Addresses of buffers, as DiSNI's applications ask for them. Stands in for the class of the same name that reaches
 * into the JDK and fails on Java 17 unless that is opened.
 */
public class MemoryUtils {
    /** A number that stands for the buffer wherever DiSNI takes an address; not where the bytes lie. */
    public static long getAddress(ByteBuffer buffer) {
        return BufferAddresses.of(buffer);
    }
}
