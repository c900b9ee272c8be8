package io.metaroce.tools;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Lays out the help of every command like a page of the manual. */
final class ManPage {
    private ManPage() {}

    /** The command and all below it. */
    static void style(CommandLine line) {
        UsageMessageSpec usage = line.getCommandSpec().usageMessage();
        usage.synopsisHeading("SYNOPSIS%n  ")
                .descriptionHeading("%nDESCRIPTION%n  ")
                .parameterListHeading("%nARGUMENTS%n")
                .optionListHeading("%nOPTIONS%n")
                .commandListHeading("%nCOMMANDS%n")
                .exitCodeListHeading("%nEXIT STATUS%n")
                .width(100)
                .abbreviateSynopsis(true);
        Map<String, String> codes = new LinkedHashMap<>();
        codes.put("0", "success");
        codes.put("1", "the operation failed, or a limit was not reached");
        codes.put("2", "the command line was wrong");
        usage.exitCodeList(codes);
        line.getSubcommands().values().forEach(ManPage::style);
    }
}
