package io.metaroce.sim.swarm;

import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.Words;
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
            } catch (IllegalArgumentException e) {
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
            Words words = new Words(statement);
            String first = words.next();
            switch (first) {
                case "seed" -> seed = words.signed();
                case "heal" -> healNs = words.signed();
                case "fault" -> {
                    faults.add(statement.substring(first.length()).strip());
                    return; // read when it is played
                }
                case "net" -> net = net(words);
                case "side" ->
                    side = new Side(
                            words.integer(),
                            words.integer(),
                            words.integer(),
                            words.integer(),
                            words.integer(),
                            words.integer(),
                            words.integer());
                case "options" ->
                    options = new Options(
                            words.constant(Profile.class),
                            words.integer(),
                            words.integer(),
                            words.integer(),
                            words.integer(),
                            words.either("keyed", "unkeyed"));
                case "limits" ->
                    limits = new Limits(
                            words.integer(),
                            words.integer(),
                            words.integer(),
                            words.integer(),
                            words.integer(),
                            words.integer(),
                            words.integer());
                case "clock" -> clocks.add(new Clock(words.integer(), words.integer(), words.signed()));
                case "order" ->
                    orders.add(
                            new Order(words.integer(), words.signed(), words.constant(Command.class), words.integer()));
                case "talk" -> talks.add(talk(words));
                case "op" -> ops.add(op(words));
                default -> throw new IllegalArgumentException("unknown word " + first);
            }
            words.end();
        }

        private static Net net(Words words) {
            return new Net(
                    words.constant(Shape.class),
                    words.integer(),
                    words.integer(),
                    words.integer(),
                    words.integer(),
                    words.integer(),
                    words.integer(),
                    words.integer(),
                    words.either("mark", "nomark"));
        }

        private static Talk talk(Words words) {
            return new Talk(
                    words.integer(),
                    words.integer(),
                    words.constant(End.class),
                    words.either("a", "b"),
                    words.signed(),
                    words.hasNext() ? words.signed() : 0);
        }

        private static Op op(Words words) {
            return new Op(
                    words.integer(),
                    words.integer(),
                    words.either("a", "b"),
                    words.constant(WrOpcode.class),
                    words.integer(),
                    words.signed(),
                    words.signed(),
                    words.constant(Flaw.class),
                    words.take("fenced"),
                    words.take("ordered"));
        }

        SwarmCase finished() {
            return new SwarmCase(seed, net, side, options, limits, clocks, faults, orders, healNs, talks, ops);
        }
    }
}
