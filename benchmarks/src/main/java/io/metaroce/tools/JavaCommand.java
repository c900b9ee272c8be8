package io.metaroce.tools;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** The words that start another program of this class path, on the same Java runtime. */
public final class JavaCommand {
    private JavaCommand() {}

    /** Runs the main method of {@code mainClass}, with the memory and access settings of this process. */
    public static List<String> of(String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (option.startsWith("-X") || option.startsWith("-Dorg.slf4j.") || option.startsWith("--enable-native")) {
                command.add(option);
            }
        }
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }
}
