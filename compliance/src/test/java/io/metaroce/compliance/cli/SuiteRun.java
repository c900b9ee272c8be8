package io.metaroce.compliance.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;

/**
 * One run of the suite as its command line does it.
 *
 * @param code the exit code
 * @param told what it printed
 */
public record SuiteRun(int code, String told) {
    /** Runs {@code metaroce compliance run} with these options. */
    public static SuiteRun of(String... options) {
        StringWriter told = new StringWriter();
        PrintWriter out = new PrintWriter(told);
        String[] words = Stream.concat(Stream.of("compliance", "run"), Stream.of(options))
                .toArray(String[]::new);
        int code = Main.run(out, out, words);
        out.flush();
        return new SuiteRun(code, told.toString());
    }
}
