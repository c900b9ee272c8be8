package io.metaroce.sim.swarm;

import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.swarm.SwarmCase.Clock;
import io.metaroce.sim.swarm.SwarmCase.Command;
import io.metaroce.sim.swarm.SwarmCase.End;
import io.metaroce.sim.swarm.SwarmCase.Flaw;
import io.metaroce.sim.swarm.SwarmCase.Limits;
import io.metaroce.sim.swarm.SwarmCase.Net;
import io.metaroce.sim.swarm.SwarmCase.Op;
import io.metaroce.sim.swarm.SwarmCase.Options;
import io.metaroce.sim.swarm.SwarmCase.Order;
import io.metaroce.sim.swarm.SwarmCase.Profile;
import io.metaroce.sim.swarm.SwarmCase.Shape;
import io.metaroce.sim.swarm.SwarmCase.Side;
import io.metaroce.sim.swarm.SwarmCase.Talk;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Cases as text: statements on lines of their own, or on one line with semicolons between; {@code #} begins a comment.
 *
 * <pre>
 *   seed SEED
 *   net SHAPE HOSTS PLANES SPREAD GBIT DELAY_NS SKEW_NS QUEUE_PACKETS (mark|nomark)
 *   side PAYLOAD PATHS WINDOW BURST SLOTS ACK_PACKETS DEPTH
 *   options (model|udp) TRACK_PACKETS SACK_WORDS REKEY_PACKETS RNR_RETRIES (keyed|unkeyed)
 *   limits OPEN_MESSAGES READS ORDERED_WRITES SOURCE_PORTS CAP_KIB SHARED_RECEIVES STREAMS
 *   clock HOST RATE_PPM OFFSET_NS
 *   order HOST AT_NS COMMAND NUMBER
 *   fault LINE OF A FAULT SCRIPT
 *   heal NS
 *   talk FROM TO END (a|b) END_NS [BEGIN_NS]                             connections count from 0
 *   op TALK STREAM (a|b) OPCODE SIZE POST_NS RECEIVE_NS FLAW [fenced] [ordered]
 *                                                                        a is who asked for the connection
 * </pre>
 */
public final class CaseText {
    private CaseText() {}

    /** One line that says all of a case. */
    public static String line(SwarmCase one) {
        return String.join("; ", statements(one));
    }

    /** The same, a statement a line. */
    public static String lines(SwarmCase one) {
        return String.join("\n", statements(one)) + "\n";
    }

    private static List<String> statements(SwarmCase one) {
        List<String> out = new ArrayList<>();
        Net net = one.net();
        Side side = one.side();
        out.add("seed " + one.seed());
        out.add(words(
                "net",
                net.shape(),
                net.hosts(),
                net.planes(),
                net.spread(),
                net.gbit(),
                net.delayNs(),
                net.skewNs(),
                net.queuePackets(),
                net.isMarking() ? "mark" : "nomark"));
        out.add(words(
                "side",
                side.payloadBytes(),
                side.paths(),
                side.window(),
                side.burst(),
                side.slots(),
                side.ackPackets(),
                side.depth()));
        Options options = one.options();
        if (!options.equals(Options.PLAIN)) {
            out.add(words(
                    "options",
                    options.profile(),
                    options.trackPackets(),
                    options.sackWords(),
                    options.rekeyPackets(),
                    options.rnrRetries(),
                    options.isKeyed() ? "keyed" : "unkeyed"));
        }
        Limits limits = one.limits();
        if (!limits.equals(Limits.PLAIN)) {
            out.add(words(
                    "limits",
                    limits.openMessages(),
                    limits.reads(),
                    limits.orderedWrites(),
                    limits.sourcePorts(),
                    limits.capKib(),
                    limits.sharedReceives(),
                    limits.streams()));
        }
        for (Clock clock : one.clocks()) {
            out.add(words("clock", clock.host(), clock.ratePpm(), clock.offsetNs()));
        }
        for (Order order : one.orders()) {
            out.add(words("order", order.host(), order.atNs(), order.command(), order.number()));
        }
        for (String fault : one.faults()) {
            out.add("fault " + fault);
        }
        out.add("heal " + one.healNs());
        for (Talk talk : one.talks()) {
            out.add(words("talk", talk.from(), talk.to(), talk.end(), who(talk.isByInitiator()), talk.endNs())
                    + (talk.beginNs() == 0 ? "" : " " + talk.beginNs()));
        }
        for (Op op : one.ops()) {
            out.add(words(
                            "op",
                            op.talk(),
                            op.stream(),
                            who(op.isFromInitiator()),
                            op.opcode(),
                            op.size(),
                            op.postNs(),
                            op.receiveNs(),
                            op.flaw())
                    + (op.isFenced() ? " fenced" : "")
                    + (op.isOrdered() ? " ordered" : ""));
        }
        return out;
    }

    private static String words(Object... words) {
        StringBuilder out = new StringBuilder();
        for (Object word : words) {
            out.append(out.isEmpty() ? "" : " ")
                    .append(word instanceof Enum<?> name ? name.name().toLowerCase(Locale.ROOT) : word);
        }
        return out.toString();
    }

    private static String who(boolean isInitiator) {
        return isInitiator ? "a" : "b";
    }

    /**
     * Reads a case.
     *
     * @throws IllegalArgumentException when a statement is not understood; the message shows it
     */
    public static SwarmCase parse(String text) {
        Draft draft = new Draft();
        for (String line : text.replaceAll("#.*", "").split("[;\n]", -1)) {
            String statement = line.strip();
            if (statement.isEmpty()) {
                continue;
            }
            try {
                draft.take(statement);
            } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
                throw new IllegalArgumentException("\"" + statement + "\" is no statement of a case: " + e, e);
            }
        }
        return draft.finished();
    }

    /** What was read so far. */
    private static final class Draft {
        private long seed;
        private Net net = new Net(Shape.PAIR, 2, 1, 1, 100, 1000, 0, 0, false);
        private Side side = new Side(4096, 4, 64, 1, 1 << 12, 4, 16);
        private long healNs;
        private Options options = Options.PLAIN;
        private Limits limits = Limits.PLAIN;
        private final List<Clock> clocks = new ArrayList<>();
        private final List<Order> orders = new ArrayList<>();
        private final List<String> faults = new ArrayList<>();
        private final List<Talk> talks = new ArrayList<>();
        private final List<Op> ops = new ArrayList<>();

        void take(String statement) {
            String[] w = statement.split("\\s+", -1);
            List<String> words = List.of(w);
            switch (w[0]) {
                case "seed" -> seed = Long.parseLong(w[1]);
                case "heal" -> healNs = Long.parseLong(w[1]);
                case "fault" -> faults.add(statement.substring("fault".length()).strip());
                case "net" ->
                    net = new Net(
                            Shape.valueOf(upper(w[1])),
                            number(w[2]),
                            number(w[3]),
                            number(w[4]),
                            number(w[5]),
                            number(w[6]),
                            number(w[7]),
                            number(w[8]),
                            w[9].equals("mark"));
                case "side" ->
                    side = new Side(
                            number(w[1]),
                            number(w[2]),
                            number(w[3]),
                            number(w[4]),
                            number(w[5]),
                            number(w[6]),
                            number(w[7]));
                case "options" ->
                    options = new Options(
                            Profile.valueOf(upper(w[1])),
                            number(w[2]),
                            number(w[3]),
                            number(w[4]),
                            number(w[5]),
                            w[6].equals("keyed"));
                case "limits" ->
                    limits = new Limits(
                            number(w[1]),
                            number(w[2]),
                            number(w[3]),
                            number(w[4]),
                            number(w[5]),
                            number(w[6]),
                            number(w[7]));
                case "clock" -> clocks.add(new Clock(number(w[1]), number(w[2]), Long.parseLong(w[3])));
                case "order" ->
                    orders.add(
                            new Order(number(w[1]), Long.parseLong(w[2]), Command.valueOf(upper(w[3])), number(w[4])));
                case "talk" ->
                    talks.add(new Talk(
                            number(w[1]),
                            number(w[2]),
                            End.valueOf(upper(w[3])),
                            w[4].equals("a"),
                            Long.parseLong(w[5]),
                            w.length > 6 ? Long.parseLong(w[6]) : 0));
                case "op" ->
                    ops.add(new Op(
                            number(w[1]),
                            number(w[2]),
                            w[3].equals("a"),
                            WrOpcode.valueOf(upper(w[4])),
                            number(w[5]),
                            Long.parseLong(w[6]),
                            Long.parseLong(w[7]),
                            Flaw.valueOf(upper(w[8])),
                            words.contains("fenced"),
                            words.contains("ordered")));
                default -> throw new IllegalArgumentException("unknown word " + w[0]);
            }
        }

        SwarmCase finished() {
            return new SwarmCase(seed, net, side, options, limits, clocks, faults, orders, healNs, talks, ops);
        }

        private static int number(String word) {
            return Integer.parseInt(word);
        }

        private static String upper(String word) {
            return word.toUpperCase(Locale.ROOT);
        }
    }
}
