package io.metaroce.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.trace.TransportEvents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Flight Recorder is told, with the settings that the documents offer. */
class FlightEventsTest {
    private final TransportEvents events = FlightEvents.orNone();

    @Test
    void everyKindOfTroubleIsRecorded(@TempDir Path folder) throws Exception {
        List<RecordedEvent> recorded = record(folder, Configuration.create(settings()));
        List<String> names = new ArrayList<>();
        recorded.forEach(event -> names.add(event.getEventType().getName()));
        assertThat(names)
                .containsExactlyInAnyOrder(
                        "io.metaroce.Retransmit",
                        "io.metaroce.Retransmit",
                        "io.metaroce.PathDown",
                        "io.metaroce.RnrNak",
                        "io.metaroce.QpError",
                        "io.metaroce.HintChanged");
        RecordedEvent lost = named(recorded, "io.metaroce.Retransmit");
        assertThat(lost.getString("connection")).isEqualTo("0000beef");
        assertThat(lost.getInt("path")).isEqualTo(3);
        assertThat(lost.getLong("psn")).isEqualTo(0xFFFF_FFFFL);
        assertThat(lost.getString("cause")).isEqualTo("gap");
        assertThat(named(recorded, "io.metaroce.PathDown").getString("state")).isEqualTo("failed");
        assertThat(named(recorded, "io.metaroce.RnrNak").getLong("msn")).isEqualTo(9);
        assertThat(named(recorded, "io.metaroce.QpError").getInt("code")).isEqualTo(2);
        assertThat(named(recorded, "io.metaroce.HintChanged").getLong("bytesPerSecond"))
                .isEqualTo(125_000_000);
    }

    @Test
    void nothingIsRecordedThatNobodyAskedFor(@TempDir Path folder) throws Exception {
        try (Recording recording = new Recording()) {
            recording.disable("io.metaroce.Retransmit");
            recording.start();
            events.slotLost(1, 2, 3, 4);
            recording.stop();
            Path file = folder.resolve("none.jfr");
            recording.dump(file);
            assertThat(ours(file)).isEmpty();
        }
    }

    private List<RecordedEvent> record(Path folder, Configuration settings) throws Exception {
        try (Recording recording = new Recording(settings)) {
            recording.start();
            events.slotLost(1, 0xBEEF, 3, -1);
            events.timedOut(2, 0xBEEF, 3);
            events.pathState(3, 0xBEEF, 3, 1);
            events.pathState(3, 0xBEEF, 3, 4);
            events.refused(4, 0xBEEF, 7, 9);
            events.streamFailed(5, 0xBEEF, 7, 2);
            events.hintChanged(6, 0xBEEF, 125_000_000);
            recording.stop();
            Path file = folder.resolve("all.jfr");
            recording.dump(file);
            List<RecordedEvent> found = ours(file);
            found.sort((a, b) -> a.getStartTime().compareTo(b.getStartTime()));
            return found;
        }
    }

    private static List<RecordedEvent> ours(Path file) throws Exception {
        List<RecordedEvent> found = new ArrayList<>();
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            if (event.getEventType().getName().startsWith("io.metaroce.")) {
                found.add(event);
            }
        }
        return found;
    }

    private static RecordedEvent named(List<RecordedEvent> all, String name) {
        TreeSet<String> seen = new TreeSet<>();
        for (RecordedEvent event : all) {
            if (event.getEventType().getName().equals(name)) {
                return event;
            }
            seen.add(event.getEventType().getName());
        }
        throw new AssertionError(name + " is not among " + seen);
    }

    private static Path settings() {
        Path here = Path.of("").toAbsolutePath();
        Path root = Files.exists(here.resolve("docs")) ? here : Objects.requireNonNull(here.getParent());
        return root.resolve("docs/metaroce.jfc");
    }
}
