package io.metaroce.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The parameters of the specification, of the code and of the documents are the same. */
class ParametersInSyncTest {
    private static final Map<String, String> MODEL = settings(Profiles.model());
    private static final Map<String, String> UDP = settings(Profiles.udp());

    @Test
    void theSpecificationListsWhatTheCodeUses() {
        Map<String, String> expected = new LinkedHashMap<>();
        MODEL.forEach((name, value) -> expected.put(name, value + "," + UDP.get(name)));
        Map<String, String> listed = new LinkedHashMap<>();
        Repository.lines(Repository.ROOT.resolve("spec/parameters.csv")).stream()
                .skip(1)
                .filter(line -> !line.isBlank())
                .map(line -> line.split(",", 4))
                .forEach(parts -> listed.put(parts[0], parts[1] + "," + parts[2]));
        assertThat(listed).as("spec/parameters.csv against Profiles").containsExactlyEntriesOf(expected);
    }

    @Test
    void theConfigurationPageShowsEverySettingWithItsDefaults() {
        List<String> lines = Repository.lines(Repository.ROOT.resolve("docs/configuration.md"));
        List<String> missing = new ArrayList<>();
        MODEL.forEach((name, model) -> {
            String row = "| `" + name + "` | " + shown(model) + " | " + shown(UDP.getOrDefault(name, "")) + " |";
            if (lines.stream().noneMatch(line -> line.startsWith(row))) {
                missing.add(row);
            }
        });
        assertThat(missing).as("rows of docs/configuration.md").isEmpty();
    }

    @Test
    void theConfigurationPageShowsNothingElse() {
        List<String> unknown = Repository.lines(Repository.ROOT.resolve("docs/configuration.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .filter(name -> !MODEL.containsKey(name))
                .toList();
        assertThat(unknown).as("settings that do not exist").isEmpty();
    }

    /** Digits in groups of three, as people read them. */
    private static String shown(String value) {
        return value.matches("\\d{5,}") ? value.replaceAll("(?<=\\d)(?=(\\d{3})+$)", " ") : value;
    }

    private static Map<String, String> settings(EndpointConfig config) {
        Map<String, String> found = new LinkedHashMap<>();
        collect("", config, found);
        return found;
    }

    private static void collect(String prefix, Record group, Map<String, String> found) {
        for (RecordComponent component : group.getClass().getRecordComponents()) {
            Object value = valueOf(component, group);
            String name = prefix + component.getName();
            if (value instanceof Record inner) {
                collect(name + ".", inner, found);
            } else {
                found.put(name, String.valueOf(value));
            }
        }
    }

    private static Object valueOf(RecordComponent component, Record owner) {
        try {
            return component.getAccessor().invoke(owner);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(component.getName(), e);
        }
    }
}
