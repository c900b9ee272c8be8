package io.metaroce.compliance.cli;

import io.metaroce.compliance.adapter.SelfTarget;
import io.metaroce.compliance.run.Declaration;
import io.metaroce.compliance.run.RemoteTarget;
import io.metaroce.compliance.run.Target;
import io.metaroce.compliance.spec.Checkout;
import io.metaroce.compliance.utp.RemoteAgent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Implementations by the names the command line knows. */
final class Targets {
    private Targets() {}

    /** Finds, starts or calls an implementation. */
    static Target of(String name) {
        if (name.equals("self")) {
            return new SelfTarget();
        }
        if (name.equals("udp")) {
            return remote(name, agentCommand());
        }
        if (name.startsWith("exec:")) {
            return remote(name, List.of(name.substring(5).split(" ")));
        }
        if (name.startsWith("tcp:")) {
            return remote(name, List.of());
        }
        throw new IllegalArgumentException("no target " + name + "; known are: self, udp, exec:COMMAND, tcp:HOST:PORT");
    }

    /** The engine's agent; its life is short, so it is not worth the best of compilers. */
    private static List<String> agentCommand() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "compliance",
                "agent");
    }

    private static Target remote(String name, List<String> command) {
        try {
            RemoteAgent agent =
                    name.startsWith("tcp:") ? RemoteAgent.at(name.substring(4)) : RemoteAgent.started(command);
            return new RemoteTarget(name, agent);
        } catch (IOException e) {
            throw new IllegalArgumentException("no agent: " + e.getMessage(), e);
        }
    }

    /** What an implementation declares: the file given, that of the engine, or only what its agent claims to have. */
    static Declaration declaration(Target target, @Nullable Path file) {
        Path folder = Checkout.root().resolve("compliance").resolve("declarations");
        Declaration declaration = file != null
                ? Declaration.read(file)
                : switch (target.name()) {
                    case "self" -> Declaration.read(folder.resolve("engine.json"));
                    case "udp" -> Declaration.read(folder.resolve("engine-udp.json"));
                    default -> Declaration.silent(target.about());
                };
        List<String> faults = declaration.disagreements(target.about());
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException("the declaration is not that of this implementation: " + faults);
        }
        return declaration;
    }
}
