package io.metaroce.tools.wireshark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a capture with tshark and the checked-in dissector; tests that ask for it are skipped where it is missing. */
public final class Tshark {
    private static final List<Path> PLACES = List.of(Path.of("/usr/bin/tshark"), Path.of("/usr/local/bin/tshark"));
    private static final long DEADLINE_S = 120;

    private final Path tshark;
    private final Path folder;

    private Tshark(Path tshark, Path folder) {
        this.tshark = tshark;
        this.folder = folder;
    }

    /** The tool; skips the test where there is none. */
    public static Tshark orSkip(Path folder) {
        Path found = PLACES.stream().filter(Files::isExecutable).findFirst().orElse(null);
        assumeTrue(found != null, "no tshark here; install it to have the dissector checked");
        return new Tshark(Objects.requireNonNull(found), folder);
    }

    /** What the dissector makes of each packet: the layers of the packet as JSON. */
    public List<JsonNode> layers(Path capture, String ports) throws IOException, InterruptedException {
        Path json = run(capture, ports, "-T", "json", "--no-duplicate-keys");
        List<JsonNode> all = new ArrayList<>();
        for (JsonNode packet : new JsonMapper().readTree(Files.readString(json))) {
            all.add(packet.at("/_source/layers"));
        }
        return all;
    }

    /** One line per packet that the filter lets through, with the fields. */
    public List<String> fields(Path capture, String ports, String filter, String... names)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("-Y", filter, "-T", "fields"));
        for (String name : names) {
            words.add("-e");
            words.add(name);
        }
        return Files.readAllLines(run(capture, ports, words.toArray(new String[0])));
    }

    private Path run(Path capture, String ports, String... more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                tshark.toString(),
                "-X",
                "lua_script:" + DissectorFile.path(),
                "-d",
                "udp.port==" + ports + ",metaroce",
                "-r",
                capture.toString()));
        command.addAll(List.of(more));
        Path out = folder.resolve("tshark.out");
        Path err = folder.resolve("tshark.err");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            assertThat(process.waitFor(DEADLINE_S, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(err)).isZero();
        assertThat(Files.readString(err)).doesNotContain("Lua: Error");
        return out;
    }
}
