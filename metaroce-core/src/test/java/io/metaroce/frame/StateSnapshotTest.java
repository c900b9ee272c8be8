package io.metaroce.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.connection.ConnectionStates;
import io.metaroce.path.CandidateStates;
import io.metaroce.path.PathStates;
import io.metaroce.state.TransitionTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The state tables of the code are those printed in {@code spec/state/}: a changed transition is a changed line there.
 *
 * <p>To accept a change run this test with {@code -Dmetaroce.snapshots=write} and read the difference.
 */
class StateSnapshotTest {
    private static final Path FOLDER = Repository.ROOT.resolve("spec/state");

    @Test
    void tablesAreThoseOfTheSpecification() throws IOException {
        Map<String, String> now = new LinkedHashMap<>();
        print(now, "path", PathStates.TABLE);
        print(now, "candidate", CandidateStates.TABLE);
        print(now, "connection", ConnectionStates.TABLE);
        if ("write".equals(System.getProperty("metaroce.snapshots"))) {
            Files.createDirectories(FOLDER);
            for (Map.Entry<String, String> file : now.entrySet()) {
                Files.writeString(FOLDER.resolve(file.getKey()), file.getValue());
            }
        }
        for (Map.Entry<String, String> file : now.entrySet()) {
            assertThat(FOLDER.resolve(file.getKey())).as(file.getKey()).hasContent(file.getValue());
        }
    }

    private static void print(Map<String, String> files, String name, TransitionTable<?, ?> table) {
        files.put(name + ".txt", table.matrix());
        files.put(name + ".dot", table.dot());
    }
}
