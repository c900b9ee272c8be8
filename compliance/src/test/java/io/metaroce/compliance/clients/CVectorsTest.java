package io.metaroce.compliance.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.compliance.spec.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The trailers of the golden vectors once more, by a checksum in another language that goes bit by bit. */
class CVectorsTest {
    @Test
    void everyTrailerIsWhatItsVectorSays(@TempDir Path folder) throws Exception {
        List<String> command = program(folder);
        int vectors = command.size() - 1;
        Foreign.Run run = Foreign.run(command);
        assertThat(run.code()).as(run.said()).isZero();
        assertThat(run.said()).contains(vectors - 1 + 6 + " vectors, 0 faults"); // one of the files has six rows
    }

    @Test
    void aVectorThatWasTamperedWithIsFound(@TempDir Path folder) throws Exception {
        String text = Files.readString(Checkout.spec().resolve("vectors/wire/write_imm.json"));
        int at = text.indexOf("\"hex\": \"") + 60;
        char other = text.charAt(at) == '0' ? '1' : '0';
        Path tampered = folder.resolve("tampered.json");
        Files.writeString(tampered, text.substring(0, at) + other + text.substring(at + 1));
        Path program = Foreign.compiled(folder, "vectors", "c/vectors.c");
        Foreign.Run run = Foreign.run(List.of(program.toString(), tampered.toString()));
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.said()).contains("the trailer is not what bytes and seed give");
    }

    private static List<String> program(Path folder) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Foreign.compiled(folder, "vectors", "c/vectors.c").toString()));
        Path vectors = Checkout.spec().resolve("vectors");
        for (String kind : List.of("wire", "bad")) {
            try (Stream<Path> files = Files.list(vectors.resolve(kind))) {
                files.map(Path::toString).sorted().forEach(command::add);
            }
        }
        command.add(vectors.resolve("crc32c.json").toString());
        return command;
    }
}
