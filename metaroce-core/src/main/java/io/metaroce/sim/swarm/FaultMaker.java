package io.metaroce.sim.swarm;

import io.metaroce.num.SplitMix64;
import io.metaroce.sim.swarm.SwarmCase.Net;
import io.metaroce.sim.swarm.SwarmCase.Shape;
import java.util.ArrayList;
import java.util.List;

/** Draws what goes wrong: lines of a fault script that fit a network. */
final class FaultMaker {
    private static final int SPAN_US = 500;

    private final SplitMix64 draw;
    private final Net net;

    FaultMaker(SplitMix64 draw, Net net) {
        this.draw = draw;
        this.net = net;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        int count = draw.nextInt(3) == 0 ? 0 : draw.nextInt(7);
        for (int i = 0; i < count; i++) {
            String line = line();
            if (!isOfSamePacket(lines, line)) {
                lines.add(line);
            }
        }
        return lines;
    }

    // A packet has one fate.
    private static boolean isOfSamePacket(List<String> lines, String line) {
        String packet = line.startsWith("packet ") ? line.substring(0, line.indexOf(' ', 7) + 1) : "";
        for (String other : lines) {
            if (!packet.isEmpty() && other.startsWith(packet)) {
                return true;
            }
        }
        return false;
    }

    private String line() {
        String at = "at " + (draw.nextInt(3) == 0 ? 0 : draw.nextInt(SPAN_US)) + "us ";
        int plane = draw.nextInt(net.planes());
        String cable = cable();
        String host = host(draw.nextInt(net.hosts()));
        return switch (draw.nextInt(21)) {
            case 0 -> at + "plane " + plane + " down";
            case 1 -> at + "link " + cable + " down";
            case 2 -> at + "asym plane " + plane + (draw.nextInt(2) == 0 ? " from " : " to ") + host + " down";
            case 3 -> at + "host " + host + " pause " + (1 + draw.nextInt(SPAN_US)) + "us";
            case 4 -> at + "host " + host + " blackhole " + draw.nextInt(64);
            case 5 -> at + "link " + cable + " loss " + (1 + draw.nextInt(30)) + "% burst " + (1 + draw.nextInt(9));
            case 6 -> at + "link * loss " + (1 + draw.nextInt(5)) + "%";
            case 7 -> at + "link * dup " + (1 + draw.nextInt(40)) + "% within " + draw.nextInt(50) + "us";
            case 8 -> at + "link " + cable + " reorder " + (1 + draw.nextInt(20)) + "% by " + (1 + draw.nextInt(9));
            case 9 -> at + "link * reorder " + (1 + draw.nextInt(20)) + "% within " + draw.nextInt(60) + "us";
            case 10 -> at + "link " + cable + " corrupt " + (1 + draw.nextInt(5)) + "% header";
            case 11 -> at + "link " + cable + " corrupt " + (1 + draw.nextInt(5)) + "% payload";
            case 12 -> at + "link " + cable + " delay +" + draw.nextInt(200) + "us";
            case 13 -> at + "link * ecn " + new String[] {"off", "all", "bleach"}[draw.nextInt(3)];
            case 14 ->
                "from " + draw.nextInt(SPAN_US) + "us every " + (50 + draw.nextInt(300)) + "us until " + (SPAN_US + 100)
                        + "us: plane " + plane + " down " + (1 + draw.nextInt(49)) + "us";
            case 16 ->
                at + "link " + (draw.nextInt(2) == 0 ? "*" : cable) + " gilbert " + (1 + draw.nextInt(5)) + "% back "
                        + (5 + draw.nextInt(50)) + "% loss " + (20 + draw.nextInt(81)) + "%";
            case 17 -> at + "link " + cable + " truncate " + (1 + draw.nextInt(10)) + "%";
            case 18 -> "packet " + (1 + draw.nextInt(200)) + " drop";
            case 19 -> "packet " + (1 + draw.nextInt(200)) + " twice after " + (1 + draw.nextInt(300)) + "us";
            case 20 -> "packet " + (1 + draw.nextInt(200)) + " late " + (1 + draw.nextInt(300)) + "us";
            case 15 -> "drop " + host + " " + kind() + " " + numbers();
            default -> at + "link " + cable + " rate " + (5 + draw.nextInt(90)) + "%";
        };
    }

    private String kind() {
        return new String[] {"all", "data", "ack", "probe", "control", "setup"}[draw.nextInt(6)];
    }

    private String numbers() {
        StringBuilder out = new StringBuilder();
        int number = 0;
        for (int i = 1 + draw.nextInt(5); i > 0; i--) {
            number += 1 + draw.nextInt(4);
            out.append(out.isEmpty() ? "" : " ").append(number);
        }
        return out.toString();
    }

    private String host(int number) {
        return net.shape() == Shape.PAIR ? (number == 0 ? "a" : "b") : "h" + number;
    }

    private String cable() {
        return switch (net.shape()) {
            case PAIR -> "a-b." + draw.nextInt(net.spread());
            case STAR -> "h" + draw.nextInt(net.hosts()) + "-hub";
            case LEAF_SPINE ->
                draw.nextInt(2) == 0 ? "leaf" + draw.nextInt(2) + "-spine" + draw.nextInt(net.spread()) : "h0-leaf0";
        };
    }
}
