package io.metaroce.compliance.cosim;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Lines of bytes, and what follows them. A line that is too long is cut, so it is no request. */
final class Lines {
    private final BufferedInputStream in;
    private final int bytesMax;

    Lines(InputStream in, int bytesMax) {
        this.in = new BufferedInputStream(in, 1 << 16);
        this.bytesMax = bytesMax;
    }

    /** The next line without its end, or null when there is none. Blank lines are skipped. */
    byte @Nullable [] next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        boolean isBlank = true;
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next == '\n') {
                if (!isBlank) {
                    return line.toByteArray();
                }
                line.reset();
            } else if (line.size() < bytesMax) {
                isBlank &= next == ' ' || next == '\r' || next == '\t';
                line.write(next);
            }
        }
        return isBlank ? null : line.toByteArray();
    }

    /** What comes after the last line. */
    InputStream rest() {
        return in;
    }
}
