package io.metaroce.tools.peers.added;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;

/** A key and a certificate signed by itself, made anew for each run by the keytool of the Java runtime. */
final class QuicKeys {
    private static final String PASSWORD = "peers-only"; // of a file that lives for a moment
    private static final long PATIENCE_S = 60;

    private QuicKeys() {}

    static KeyManagerFactory create() throws IOException {
        Path folder = Files.createTempDirectory("quic-peer");
        Path file = folder.resolve("keys.p12");
        try {
            generate(file);
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream bytes = Files.newInputStream(file)) {
                keys.load(bytes, PASSWORD.toCharArray());
            }
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(keys, PASSWORD.toCharArray());
            return factory;
        } catch (GeneralSecurityException e) {
            throw new IOException("no key for QUIC", e);
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder);
        }
    }

    private static void generate(Path file) throws IOException {
        Process process = new ProcessBuilder(List.of(
                        System.getProperty("java.home") + "/bin/keytool",
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-alias",
                        "peer",
                        "-dname",
                        "CN=peer",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException("keytool made no key");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
