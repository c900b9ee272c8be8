package io.metaroce.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.connection.ConnectionEvent;
import io.metaroce.connection.ConnectionState;
import io.metaroce.connection.ConnectionStates;
import io.metaroce.connection.PayloadEvent;
import io.metaroce.connection.PayloadState;
import io.metaroce.connection.PayloadStates;
import io.metaroce.path.CandidateEvent;
import io.metaroce.path.CandidateState;
import io.metaroce.path.CandidateStates;
import io.metaroce.path.PathEvent;
import io.metaroce.path.PathState;
import io.metaroce.path.PathStates;
import io.metaroce.state.TransitionTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The state tables of the code are those printed in {@code spec/state/}: a changed transition is a changed line there.
 *
 * <p>To accept a change run this test with {@code -Dmetaroce.snapshots=write} and read the difference.
 */
class StateSnapshotTest {
    private static final Path FOLDER = Repository.ROOT.resolve("spec/state");
    private static final Path VECTORS = Repository.ROOT.resolve("spec/vectors/states");

    @Test
    void tablesAreThoseOfTheSpecification() throws IOException {
        Map<String, String> now = new LinkedHashMap<>();
        print(now, "path", PathStates.TABLE);
        print(now, "candidate", CandidateStates.TABLE);
        print(now, "connection", ConnectionStates.TABLE);
        print(now, "payload", PayloadStates.TABLE);
        compare(FOLDER, now);
        Map<String, String> vectors = new LinkedHashMap<>();
        vectors.put(
                "path.json",
                vectors(PathState.class, PathEvent.class, PathStates.TABLE, "anything else changes nothing"));
        vectors.put(
                "candidate.json",
                vectors(
                        CandidateState.class,
                        CandidateEvent.class,
                        CandidateStates.TABLE,
                        "anything else changes nothing"));
        vectors.put(
                "connection.json",
                vectors(ConnectionState.class, ConnectionEvent.class, ConnectionStates.TABLE, "nothing else happens"));
        vectors.put(
                "payload.json",
                vectors(PayloadState.class, PayloadEvent.class, PayloadStates.TABLE, "anything else changes nothing"));
        compare(VECTORS, vectors);
    }

    private static void compare(Path folder, Map<String, String> now) throws IOException {
        if ("write".equals(System.getProperty("metaroce.snapshots"))) {
            Files.createDirectories(folder);
            for (Map.Entry<String, String> file : now.entrySet()) {
                Files.writeString(folder.resolve(file.getKey()), file.getValue());
            }
        }
        for (Map.Entry<String, String> file : now.entrySet()) {
            assertThat(folder.resolve(file.getKey())).as(file.getKey()).hasContent(file.getValue());
        }
    }

    /** One line for every transition there is. */
    private static <S extends Enum<S>, E extends Enum<E>> String vectors(
            Class<S> states, Class<E> events, TransitionTable<S, E> table, String otherwise) {
        List<String> lines = new ArrayList<>();
        for (S state : states.getEnumConstants()) {
            for (E event : events.getEnumConstants()) {
                if (table.allows(state, event)) {
                    lines.add("  {\"state\": \"" + state + "\", \"event\": \"" + event + "\", \"next\": \""
                            + table.next(state, event) + "\"}");
                }
            }
        }
        return "{\n \"otherwise\": \"" + otherwise + "\",\n \"transitions\": [\n" + String.join(",\n", lines)
                + "\n ]\n}\n";
    }

    private static void print(Map<String, String> files, String name, TransitionTable<?, ?> table) {
        files.put(name + ".txt", table.matrix());
        files.put(name + ".dot", table.dot());
    }
}
