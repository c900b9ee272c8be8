package io.metaroce.frame;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The checkout the tests run in: its root and its text files. */
final class Repository {
    /** The folder that holds {@code .mvn}. */
    static final Path ROOT = findRoot();

    private static final Set<String> SKIPPED = Set.of("target", ".git", ".idea", ".settings", "node_modules");
    private static final Set<String> BINARY =
            Set.of("class", "jar", "png", "gif", "jpg", "pcap", "pcapng", "bin", "zip", "gz", "iml", "args");

    private Repository() {}

    /** All files of the checkout whose path, relative to the root and with slashes, is accepted; in order. */
    static List<Path> files(Predicate<String> accepted) {
        try (Stream<Path> all = Files.walk(ROOT)) {
            return all.filter(path -> isOurs(path) && accepted.test(name(path)))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Java sources of the main code, or of the tests, of all modules. */
    static List<Path> sources(String kind) {
        return files(name -> name.contains("/src/" + kind + "/java/") && name.endsWith(".java"));
    }

    /** Path relative to the root, with slashes. */
    static String name(Path path) {
        return ROOT.relativize(path).toString().replace('\\', '/');
    }

    /** The whole text of a file. */
    static String text(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException(name(path), e);
        }
    }

    /** The whole text of a file named relative to the root. */
    static String text(String name) {
        return text(ROOT.resolve(name));
    }

    /** The lines of a file. */
    static List<String> lines(Path path) {
        return text(path).lines().toList();
    }

    private static boolean isOurs(Path path) {
        for (Path part : ROOT.relativize(path)) {
            if (SKIPPED.contains(part.toString())) {
                return false;
            }
        }
        String file = path.getFileName().toString();
        return !BINARY.contains(file.substring(file.lastIndexOf('.') + 1)) && !file.equals(".jqwik-database");
    }

    private static Path findRoot() {
        for (Path start : List.of(Path.of("").toAbsolutePath(), ownLocation())) {
            for (Path folder = start; folder != null; folder = folder.getParent()) {
                if (Files.isDirectory(folder.resolve(".mvn"))) {
                    return folder;
                }
            }
        }
        throw new IllegalStateException("no folder with .mvn above the working directory");
    }

    private static Path ownLocation() {
        try {
            return Path.of(Repository.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
