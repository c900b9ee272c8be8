package io.metaroce.tools.lab;

import io.metaroce.sim.World;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** A number that changes with every class or resource that an experiment is made of: engine, simulator, laboratory. */
final class Fingerprint {
    private static final int DIGITS = 16;

    private Fingerprint() {}

    static String ofThisCode() throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Class<?> one : List.of(World.class, Scenario.class)) {
                add(
                        digest,
                        Path.of(one.getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI()));
            }
            return HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException | URISyntaxException e) {
            throw new IllegalStateException("the place of the running code cannot be read", e);
        }
    }

    private static void add(MessageDigest digest, Path place) throws IOException {
        if (Files.isDirectory(place)) {
            addFiles(digest, place);
        } else {
            try (FileSystem jar = FileSystems.newFileSystem(place)) {
                addFiles(digest, jar.getPath("/"));
            }
        }
    }

    // In order of their names; what a build writes besides (manifests, dates) is left out.
    private static void addFiles(MessageDigest digest, Path root) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(root)) {
            files = all.filter(file -> file.toString().endsWith(".class")
                            || file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            try (InputStream in = Files.newInputStream(file)) {
                digest.update(in.readAllBytes());
            }
        }
    }
}
