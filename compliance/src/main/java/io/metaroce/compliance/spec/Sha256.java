package io.metaroce.compliance.spec;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** SHA-256 in hexadecimal, of texts, files and folders. */
public final class Sha256 {
    private Sha256() {}

    /** Of a text in UTF-8. */
    public static String of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Of a file, or of a folder: then of the names and contents of all files in it, in order of names. */
    public static String of(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            return of(Files.readAllBytes(path));
        }
        StringBuilder all = new StringBuilder();
        for (Path file : files(path)) {
            all.append(of(file)).append("  ").append(name(path, file)).append('\n');
        }
        return of(all.toString());
    }

    /** All files below a folder, in order of names. */
    public static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** The name of a file inside a folder, with slashes on every platform. */
    public static String name(Path folder, Path file) {
        return folder.relativize(file).toString().replace('\\', '/');
    }

    private static String of(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
