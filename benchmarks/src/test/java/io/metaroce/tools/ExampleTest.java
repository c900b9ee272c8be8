package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The programs that applications begin with; that each runs as the documents show is for
 * {@code DocumentedSessionsTest}.
 */
class ExampleTest {
    @TempDir
    private Path folder = Path.of("");

    private static List<String> names() throws Exception {
        return Tool.run("example")
                .endsWell()
                .out()
                .lines()
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList();
    }

    @Test
    void eachHasALineInTheListAndASessionInTheDocuments() throws Exception {
        String page = Files.readString(Checkout.root().resolve("docs/examples.md"));
        assertThat(names())
                .hasSize(4)
                .allSatisfy(name -> assertThat(page.lines())
                        .contains("$ ./metaroce example " + name)
                        .anyMatch(line -> line.startsWith("## ") && line.contains("`" + name + "`")));
    }

    private Shell started(String... words) throws IOException {
        return Shell.start(
                folder,
                JavaCommand.of(Main.class.getName(), List.of(Tool.line(List.of("example", "file-transfer"), words))));
    }

    @Test
    void aFileOfNoRoundSizeArrivesAsItWas() throws Exception {
        byte[] bytes = new byte[(3 << 20) + 7];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31 + (i >> 8));
        }
        Path source = Files.write(folder.resolve("source"), bytes);
        Path target = Files.writeString(folder.resolve("target"), "was here before", StandardCharsets.UTF_8);
        try (Shell server = started("server", "127.0.0.1:0", "target")) {
            String address = server.await("listening ");
            try (Shell client = started("client", address, "source")) {
                assertThat(client.code()).as("%s", client.err()).isZero();
                assertThat(server.code()).as("%s", server.err()).isZero();
            }
        }
        assertThat(Files.mismatch(source, target)).isEqualTo(-1);
    }

    @Test
    void wordsThatNoExampleUnderstandsAreRefused() throws Exception {
        for (String name : names()) {
            Tool tool = Tool.run("example", name, "servant", "127.0.0.1:1");
            assertThat(tool.code()).isEqualTo(2);
            assertThat(tool.err()).contains("server ADDRESS:PORT").contains("client ADDRESS:PORT");
        }
    }

    @Test
    void whatGoesWrongEndsWithOneLineAndCodeOne() throws Exception {
        Tool missing = Tool.run(
                "example",
                "file-transfer",
                "client",
                "127.0.0.1:1",
                folder.resolve("none").toString());
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.err().strip().lines()).singleElement().asString().contains("no such file or folder");
        Path empty = Files.createFile(folder.resolve("empty"));
        Tool nothing = Tool.run("example", "file-transfer", "client", "127.0.0.1:1", empty.toString());
        assertThat(nothing.code()).isEqualTo(1);
        assertThat(nothing.err().strip().lines()).singleElement().asString().contains("register 0 bytes");
    }
}
