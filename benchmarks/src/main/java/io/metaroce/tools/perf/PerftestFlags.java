package io.metaroce.tools.perf;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The flags of perftest that mean nothing here: each is refused with its reason, none is ignored. */
public final class PerftestFlags {
    private static final String LIST = "/perf/refused-flags.txt";

    private PerftestFlags() {}

    /** Why a flag is refused, or null when it is none of perftest's. */
    public static @Nullable String reason(String word) {
        int equals = word.indexOf('=');
        return all().get(equals < 0 ? word : word.substring(0, equals));
    }

    /** Every refused flag with its reason. */
    public static Map<String, String> all() {
        Map<String, String> reasons = new TreeMap<>();
        text().lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            String[] parts = line.split(" \\| ", 2);
            for (String flag : parts[0].split(", ", -1)) {
                reasons.put(flag, parts[1]);
            }
        });
        return reasons;
    }

    private static String text() {
        try (InputStream in = PerftestFlags.class.getResourceAsStream(LIST)) {
            if (in == null) {
                throw new IllegalStateException("missing resource " + LIST);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
