package io.metaroce.compliance.report;

import io.metaroce.compliance.run.Result;
import io.metaroce.compliance.verdict.Verdict;
import java.util.Locale;

/** A run as JUnit XML, so that every CI shows it. */
final class JUnitXml {
    private JUnitXml() {}

    static String of(Outcome outcome) {
        StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        out.append(String.format(
                Locale.ROOT,
                "<testsuite name=\"metaroce compliance\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\">%n",
                outcome.results().size(),
                outcome.count(Verdict.FAIL) + outcome.count(Verdict.INCONCLUSIVE),
                outcome.count(Verdict.ERROR),
                outcome.count(Verdict.NOT_APPLICABLE)));
        for (Result result : outcome.results()) {
            out.append("  <testcase classname=\"")
                    .append(result.test().id().replaceAll("-\\d+$", ""))
                    .append("\" name=\"")
                    .append(Html.escape(result.test().id() + " " + result.test().title()))
                    .append("\">");
            String reason = Html.escape(result.reason());
            switch (result.verdict()) {
                case PASS -> {}
                case FAIL ->
                    out.append("<failure type=\"violated\" message=\"")
                            .append(reason)
                            .append("\"/>");
                case INCONCLUSIVE ->
                    out.append("<failure type=\"inconclusive\" message=\"")
                            .append(reason)
                            .append("\"/>");
                case ERROR -> out.append("<error message=\"").append(reason).append("\"/>");
                case NOT_APPLICABLE ->
                    out.append("<skipped message=\"").append(reason).append("\"/>");
            }
            out.append("</testcase>\n");
        }
        return out.append("</testsuite>\n").toString();
    }
}
