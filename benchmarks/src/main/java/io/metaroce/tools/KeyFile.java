package io.metaroce.tools;

import io.metaroce.param.Secret;
import io.metaroce.param.SecurityConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The file of option {@code --psk-file}: a pre-shared key in hexadecimal digits. */
public final class KeyFile {
    private KeyFile() {}

    /** Security by the key in {@code file}; none without a file. */
    public static SecurityConfig security(@Nullable Path file) {
        if (file == null) {
            return SecurityConfig.NONE;
        }
        try {
            return SecurityConfig.NONE.withPresharedKey(
                    Secret.ofHex(Files.readString(file).strip()));
        } catch (IOException e) {
            throw new IllegalArgumentException("--psk-file " + file + " cannot be read: " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--psk-file " + file + ": " + e.getMessage(), e);
        }
    }
}
