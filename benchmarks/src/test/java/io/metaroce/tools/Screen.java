package io.metaroce.tools;

import java.io.Writer;
import java.time.Duration;

/** Remembers what is printed, and lets others wait for it. */
final class Screen extends Writer {
    private final StringBuilder text = new StringBuilder();

    /** Waits until {@code words} have been printed. */
    void await(String words, Duration limit) throws InterruptedException {
        long endNs = System.nanoTime() + limit.toNanos();
        synchronized (text) {
            while (text.indexOf(words) < 0) {
                long leftMs = (endNs - System.nanoTime()) / 1_000_000;
                if (leftMs <= 0) {
                    throw new AssertionError("'" + words + "' was not printed within " + limit + ", only: " + text);
                }
                text.wait(leftMs);
            }
        }
    }

    @Override
    public void write(char[] from, int at, int length) {
        synchronized (text) {
            text.append(from, at, length);
            text.notifyAll();
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    @Override
    public String toString() {
        synchronized (text) {
            return text.toString();
        }
    }
}
