package io.metaroce.compliance.report;

import io.metaroce.compliance.lt.Seen;
import io.metaroce.compliance.run.Result;
import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.spec.Requirement;
import io.metaroce.compliance.verdict.Checks;
import io.metaroce.compliance.verdict.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** The page of a run: one file, no network. */
final class Html {
    private static final int LADDER_PASSED = 40;
    private static final int LADDER_FAILED = 200;
    private static final int HEX_PACKETS = 40;
    private static final int HEX_BYTES = 160;
    private static final int HEARD = 100;

    private Html() {}

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    static String of(Outcome outcome) {
        StringBuilder out = new StringBuilder("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<title>MetaRoCE compliance: ")
                .append(escape(outcome.target().name()))
                .append("</title><style>")
                .append(resource("page.css"))
                .append("</style></head><body>");
        banner(out, outcome);
        if (!outcome.troubles().isEmpty()) {
            out.append("<h2>What is wrong, or was not proved</h2>");
            outcome.troubles().forEach(result -> test(out, outcome, result));
        }
        out.append("<h2>Requirements</h2><p><input id=\"filter\" placeholder=\"filter requirements and tests:"
                + " tag, test, verdict, word\"></p>");
        out.append(
                "<div class=\"wide\"><table id=\"requirements\"><tr><th>Tag<th>Level<th>Origin<th>State<th>Tests<th>Sentence</tr>");
        for (Requirement requirement : outcome.requirements().all()) {
            requirement(out, outcome, requirement);
        }
        out.append("</table></div><h2>Tests</h2>");
        outcome.results().stream()
                .filter(result -> !outcome.troubles().contains(result))
                .forEach(result -> test(out, outcome, result));
        return out.append("<script>")
                .append(resource("page.js"))
                .append("</script></body></html>\n")
                .toString();
    }

    private static void banner(StringBuilder out, Outcome outcome) {
        out.append("<h1 class=\"")
                .append(outcome.profile())
                .append("\">")
                .append(outcome.profile().name().replace('_', '-'))
                .append(" <small>")
                .append(outcome.profileName())
                .append("</small></h1><p><code>")
                .append(escape(outcome.target().name()))
                .append("</code> against <b>MetaRoCE open draft 1</b>, clock ")
                .append(outcome.target().clock())
                .append(", seed ")
                .append(outcome.seed())
                .append(". ")
                .append(outcome.covered())
                .append(" of ")
                .append(outcome.requirements().testable().size())
                .append(" testable MUSTs covered.</p><p class=\"counts\">");
        for (Verdict verdict : Verdict.values()) {
            out.append("<span class=\"")
                    .append(outcome.count(verdict) == 0 ? "none" : verdict.name())
                    .append("\"><b>")
                    .append(outcome.count(verdict))
                    .append("</b> ")
                    .append(words(verdict))
                    .append("</span> ");
        }
        out.append("</p>");
        outcome.gaps()
                .forEach(gap ->
                        out.append("<p class=\"reason\">").append(escape(gap)).append("</p>"));
        out.append("<details><summary>Declaration: ")
                .append(escape(outcome.declaration().name()))
                .append("</summary><pre>")
                .append(escape(Json.pretty(outcome.declaration().json())))
                .append("</pre></details>");
        out.append("<details><summary>Not judged by packets, completions or memory</summary><ul>");
        for (Requirement requirement : outcome.requirements().all()) {
            if (!requirement.isTestable()) {
                out.append("<li><code>")
                        .append(requirement.id())
                        .append("</code> (")
                        .append(requirement.observed().name().toLowerCase(Locale.ROOT))
                        .append("): ")
                        .append(escape(requirement.reason()));
            }
        }
        out.append("</ul></details>");
    }

    /** The name of a constant as words. */
    private static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static void requirement(StringBuilder out, Outcome outcome, Requirement requirement) {
        Outcome.State state = outcome.state(requirement);
        out.append("<tr class=\"row ")
                .append(state)
                .append("\" id=\"")
                .append(requirement.id())
                .append("\"><td><code>");
        out.append(requirement.citation())
                .append("</code><td>")
                .append(requirement.level())
                .append("<td>");
        out.append(requirement.origin()).append("<td>").append(words(state)).append("<td>");
        outcome.about(requirement)
                .forEach(result -> out.append("<a href=\"#")
                        .append(result.test().id())
                        .append("\">")
                        .append(result.test().id())
                        .append("</a> "));
        out.append("<td>").append(escape(requirement.text())).append("</tr>");
    }

    private static void test(StringBuilder out, Outcome outcome, Result result) {
        boolean isTrouble = outcome.troubles().contains(result);
        out.append("<details class=\"row test ").append(result.verdict()).append("\" id=\"");
        out.append(result.test().id()).append(isTrouble ? "\" open>" : "\">").append("<summary><b>");
        out.append(result.test().id())
                .append("</b> ")
                .append(escape(result.test().title()))
                .append(" <i>");
        out.append(words(result.verdict())).append("</i> <small>");
        result.test()
                .citations()
                .forEach(citation -> out.append("<a href=\"#")
                        .append(citation, 0, citation.indexOf('@'))
                        .append("\">")
                        .append(citation)
                        .append("</a> "));
        out.append("</small></summary>");
        if (!result.reason().isEmpty()) {
            out.append("<p class=\"reason\">").append(escape(result.reason())).append("</p>");
        }
        out.append("<ul>");
        for (Checks.Check check : result.checks()) {
            out.append("<li class=\"")
                    .append(check.isOk() ? "ok" : check.isAdvice() ? "advice" : "bad")
                    .append("\">");
            out.append(check.requirement().isEmpty() ? "effect" : check.requirement());
            out.append(check.isMonitor() ? " (monitor): " : ": ").append(escape(check.detail()));
        }
        out.append("</ul><pre>").append(escape(outcome.repro(result))).append("</pre>");
        List<Seen> shown =
                result.ledger().subList(0, Math.min(result.ledger().size(), isTrouble ? LADDER_FAILED : LADDER_PASSED));
        if (!shown.isEmpty()) {
            out.append(Ladder.svg(shown));
            out.append("<p>").append(result.ledger().size()).append(" packets in all, all of them in the trace.</p>");
        }
        if (isTrouble && !result.ledger().isEmpty()) {
            hex(out, result);
        }
        out.append("</details>");
    }

    private static void hex(StringBuilder out, Result result) {
        out.append("<details><summary>First packets as bytes</summary><pre class=\"hex\">");
        result.ledger().stream().limit(HEX_PACKETS).forEach(seen -> {
            out.append(escape(seen.line())).append('\n');
            int length = Math.min(seen.raw().length, HEX_BYTES);
            String digits = HexFormat.ofDelimiter(" ").formatHex(seen.raw(), 0, length);
            out.append("    ")
                    .append(digits)
                    .append(length < seen.raw().length ? " …" : "")
                    .append('\n');
        });
        out.append(
                "</pre></details><details><summary>What the agent was asked and said</summary><pre class=\"events\">");
        result.spoken().stream()
                .limit(HEARD)
                .forEach(said -> out.append(escape(said.toString())).append('\n'));
        out.append("</pre></details>");
    }

    private static String resource(String name) {
        try (InputStream in = Html.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
