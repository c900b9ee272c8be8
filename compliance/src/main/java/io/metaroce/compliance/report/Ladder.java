package io.metaroce.compliance.report;

import io.metaroce.compliance.lt.Seen;
import io.metaroce.compliance.lt.codec.Packet;
import java.util.List;
import java.util.Locale;

/** Packets between tester and implementation as a picture: time runs down, an arrow each, crosses for what was lost. */
final class Ladder {
    private static final int STEP = 16;
    private static final int LEFT = 150;
    private static final int RIGHT = 470;

    private Ladder() {}

    static String svg(List<Seen> packets) {
        int height = STEP * packets.size() + 30;
        StringBuilder out = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg class=\"ladder\" width=\"900\" height=\"%d\" role=\"img\"><text x=\"%d\" y=\"12\">tester</text>"
                        + "<text x=\"%d\" y=\"12\">implementation</text>",
                height,
                LEFT - 20,
                RIGHT - 30));
        for (int x : new int[] {LEFT, RIGHT}) {
            out.append(String.format(
                    Locale.ROOT, "<line class=\"life\" x1=\"%d\" y1=\"16\" x2=\"%d\" y2=\"%d\"/>", x, x, height));
        }
        int y = 28;
        for (Seen seen : packets) {
            int from = seen.fromIut() ? RIGHT : LEFT;
            int to = seen.isLost() ? (LEFT + RIGHT) / 2 : seen.fromIut() ? LEFT : RIGHT;
            int back = seen.fromIut() ? 6 : -6;
            String kind = seen.isLost() ? "lost" : seen.fromIut() ? "out" : "in";
            out.append(String.format(
                    Locale.ROOT,
                    "<g class=\"%s\"><line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/><path d=\"M%d %d l%d -3 v6 z\"/>"
                            + "<text x=\"%d\" y=\"%d\">%s</text><text class=\"t\" x=\"4\" y=\"%d\">%.3f us</text></g>",
                    kind,
                    from,
                    y,
                    to,
                    y,
                    to,
                    y,
                    back,
                    RIGHT + 12,
                    y + 4,
                    Html.escape(label(seen)),
                    y + 4,
                    seen.atNs() / 1000.0));
            y += STEP;
        }
        return out.append("</svg>").toString();
    }

    private static String label(Seen seen) {
        if (seen.decoded() == null) {
            return "unreadable, " + seen.raw().length + " bytes";
        }
        Packet packet = seen.packet();
        StringBuilder out = new StringBuilder(packet.name());
        if (packet.fields().has("psn") && !packet.name().startsWith("CONN_")) {
            out.append(" path ").append(packet.get("path_id")).append('.').append(packet.get("path_epoch"));
            out.append(" psn ").append(packet.get("psn"));
        }
        if (packet.fields().has("msn")) {
            out.append(" msn ").append(packet.get("msn")).append('+').append(packet.get("message_offset"));
        }
        packet.fields()
                .list("path_blocks")
                .forEach(b -> out.append(" [")
                        .append(b.get("path_id"))
                        .append(": cum ")
                        .append(b.get("cum_psn"))
                        .append("]"));
        return out + (packet.hasFlags(Packet.R) ? " R" : "") + (seen.isLost() ? " (lost on purpose)" : "");
    }
}
