package io.metaroce.sim;

import io.metaroce.sim.FaultPlan.Change;
import io.metaroce.sim.FaultPlan.Fate;
import io.metaroce.sim.FaultPlan.Fault;
import io.metaroce.sim.FaultPlan.Mask;
import io.metaroce.sim.FaultPlan.Target;
import io.metaroce.sim.FaultPlan.Verb;
import java.util.ArrayList;
import java.util.List;

/**
 * Fault plans as text, one statement per line; {@code #} begins a comment.
 *
 * <pre>
 *   line   = "at" TIME what | "from" TIME "every" TIME ["until" TIME] ":" what TIME
 *          | "drop" NODE KIND NUMBER...                             packets lost, counted from 1
 *          | "packet" NUMBER ("drop" | "twice" ["after" TIME] | "late" TIME)   counted from 1 over all nodes
 *   what   = "plane" N updown | "asym" "plane" N ("from"|"to") NODE updown
 *          | "link" NAME ["plane" N] [("from"|"to") NODE] link
 *          | "switch" NAME ["plane" N] "salt" "change"
 *          | "host" NODE ("pause" TIME | "blackhole" (N|"service") ["plane" N])
 *          | "heal" "all" ["except" "plane" N]
 *   link   = updown | "loss" SHARE ["burst" N] | "corrupt" SHARE ("header"|"payload") | "truncate" SHARE
 *          | "gilbert" SHARE "back" SHARE "loss" SHARE
 *          | "dup" SHARE ["within" TIME] | "reorder" SHARE ("by" N | "within" TIME)
 *          | "rate" N"%" | "delay" "+"TIME | "ecn" ("off"|"all"|"bleach")
 *   updown = "up" | "down"
 *   KIND   = "all" | "data" | "ack" | "probe" | "control" | "setup"
 *   TIME   = 0 | number with ps, ns, us, ms or s      SHARE = 1e-3 | 0.05 | 5% | 20ppm
 * </pre>
 *
 * <p>{@code *} in a name stands for any run of characters. {@code from T every D: what L} makes {@code what} happen at
 * T, T + D and so on, each time undone after L; only {@code up} and {@code down} can be undone.
 */
public final class FaultScript {
    /** How long a packet waits for those that are to overtake it. */
    static final long REORDER_WAIT_PS = 100 * SimTime.US;

    private static final long REPEAT_UNTIL_PS = SimTime.S;
    private static final int REPEATS_MAX = 100_000;

    private FaultScript() {}

    /**
     * Reads a script.
     *
     * @throws IllegalArgumentException when a line is not understood; the message has its number and what is wrong
     */
    public static FaultPlan parse(String text) {
        FaultPlan.Builder plan = new FaultPlan.Builder();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            String statement = line.replaceAll("#.*", "").strip();
            if (statement.isEmpty()) {
                continue;
            }
            try {
                statement(new Words(statement), plan);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "line " + number + ": \"" + line.strip() + "\": " + e.getMessage(), e);
            }
        }
        return plan.build();
    }

    /** Writes a plan so that {@link #parse} reads the same plan. */
    public static String print(FaultPlan plan) {
        StringBuilder out = new StringBuilder();
        for (Mask mask : plan.masks()) {
            out.append("drop ")
                    .append(mask.host())
                    .append(' ')
                    .append(mask.kind().word());
            for (long number : mask.numbers()) {
                out.append(' ').append(number);
            }
            out.append('\n');
        }
        for (Fate fate : plan.fates()) {
            out.append(print(fate)).append('\n');
        }
        for (Fault fault : plan.faults()) {
            out.append(print(fault)).append('\n');
        }
        return out.toString();
    }

    /** Writes what becomes of one packet. */
    public static String print(Fate fate) {
        String what = switch (fate.kind()) {
            case DROP -> "drop";
            case TWICE -> "twice" + (fate.delayPs() > 0 ? " after " + Quantity.time(fate.delayPs()) : "");
            case LATE -> "late " + Quantity.time(fate.delayPs());
        };
        return "packet " + fate.number() + " " + what;
    }

    /** Writes one fault. */
    public static String print(Fault fault) {
        String at = "at " + Quantity.time(fault.atPs()) + " ";
        Target target = fault.target();
        String plane = target.plane() == Target.EVERY_PLANE ? "" : " plane " + target.plane();
        return at
                + switch (target.kind()) {
                    case LINK ->
                        "link " + (target.name().isEmpty() ? "*" : target.name())
                                + plane
                                + (target.from().isEmpty() ? "" : " from " + target.from())
                                + (target.to().isEmpty() ? "" : " to " + target.to())
                                + " ";
                    case HOST -> "host " + target.name() + " ";
                    case SWITCH -> "switch " + target.name() + plane + " ";
                    case WORLD -> "heal all" + (plane.isEmpty() ? "" : " except" + plane);
                }
                + print(fault.change());
    }

    private static String print(Change change) {
        long a = change.a();
        long b = change.b();
        return switch (change.verb()) {
            case DOWN -> "down";
            case UP -> "up";
            case LOSS -> "loss " + a + "ppm" + (b > 1 ? " burst " + b : "");
            case GILBERT -> "gilbert " + a + "ppm back " + b + "ppm loss " + change.c() + "ppm";
            case TRUNCATE -> "truncate " + a + "ppm";
            case CORRUPT_HEADER -> "corrupt " + a + "ppm header";
            case CORRUPT_PAYLOAD -> "corrupt " + a + "ppm payload";
            case DUPLICATE -> "dup " + a + "ppm" + (b > 0 ? " within " + Quantity.time(b) : "");
            case REORDER -> "reorder " + a + "ppm by " + b;
            case LATE -> "reorder " + a + "ppm within " + Quantity.time(b);
            case RATE -> "rate " + a + "%";
            case DELAY -> "delay +" + Quantity.time(a);
            case ECN_BLEACH -> "ecn bleach";
            case ECN_OFF -> "ecn off";
            case ECN_ALL -> "ecn all";
            case PAUSE -> "pause " + Quantity.time(a);
            case BLACKHOLE -> "blackhole " + (a < 0 ? "service" : Long.toString(a)) + (b < 0 ? "" : " plane " + b);
            case SALT -> "salt change";
            case HEAL -> "";
        };
    }

    private static void statement(Words words, FaultPlan.Builder plan) {
        switch (words.next()) {
            case "at" -> {
                long atPs = Quantity.timePs(words.next());
                Fault fault = fault(atPs, words);
                plan.at(atPs, fault.target(), fault.change());
            }
            case "from" -> repeat(words, plan);
            case "drop" -> {
                String host = words.next();
                PacketKind kind = kind(words.next());
                List<Long> numbers = new ArrayList<>();
                while (words.hasNext()) {
                    numbers.add(words.number());
                }
                plan.drop(new Mask(host, kind, numbers));
            }
            case "packet" -> plan.fate(fate(words.number(), words));
            default -> throw words.unexpected("at, from, drop or packet");
        }
        words.end();
    }

    private static Fate fate(long number, Words words) {
        return switch (words.next()) {
            case "drop" -> new Fate(number, Fate.Deed.DROP, 0);
            case "twice" -> new Fate(number, Fate.Deed.TWICE, words.take("after") ? Quantity.timePs(words.next()) : 0);
            case "late" -> new Fate(number, Fate.Deed.LATE, Quantity.timePs(words.next()));
            default -> throw words.unexpected("drop, twice or late");
        };
    }

    private static void repeat(Words words, FaultPlan.Builder plan) {
        long firstPs = Quantity.timePs(words.next());
        words.expect("every");
        String every = words.next();
        long untilPs = REPEAT_UNTIL_PS;
        if (!every.endsWith(":") && words.take("until")) {
            String until = words.next();
            untilPs = Quantity.timePs(withoutColon(words, until));
        } else {
            every = withoutColon(words, every);
        }
        long everyPs = Quantity.timePs(every);
        Fault fault = fault(0, words);
        long lengthPs = Quantity.timePs(words.next());
        Verb undo = switch (fault.change().verb()) {
            case DOWN -> Verb.UP;
            case UP -> Verb.DOWN;
            default -> throw new IllegalArgumentException("only up and down can be repeated");
        };
        if (everyPs <= lengthPs || (untilPs - firstPs) / everyPs > REPEATS_MAX) {
            throw new IllegalArgumentException("the period must be longer than " + Quantity.time(lengthPs)
                    + " and give at most " + REPEATS_MAX + " repetitions");
        }
        for (long atPs = firstPs; atPs < untilPs; atPs += everyPs) {
            plan.at(atPs, fault.target(), fault.change());
            plan.at(atPs + lengthPs, fault.target(), Change.of(undo));
        }
    }

    private static String withoutColon(Words words, String word) {
        if (!word.endsWith(":")) {
            throw words.unexpected("a colon");
        }
        return word.substring(0, word.length() - 1);
    }

    private static Fault fault(long atPs, Words words) {
        return switch (words.next()) {
            case "plane" -> new Fault(atPs, Target.plane((int) words.number()), Change.of(upDown(words, words.next())));
            case "asym" -> {
                words.expect("plane");
                Target plane = Target.plane((int) words.number());
                Target oneWay = direction(plane, words);
                if (oneWay.equals(plane)) {
                    throw words.unexpected("from or to");
                }
                yield new Fault(atPs, oneWay, Change.of(upDown(words, words.next())));
            }
            case "link" -> {
                Target target = direction(onPlane(Target.links(words.next()), words), words);
                yield new Fault(atPs, target, linkChange(words));
            }
            case "switch" -> {
                Target target = onPlane(Target.switches(words.next()), words);
                words.expect("salt");
                words.expect("change");
                yield new Fault(atPs, target, Change.of(Verb.SALT));
            }
            case "host" -> new Fault(atPs, Target.host(words.next()), hostChange(words));
            case "heal" -> {
                words.expect("all");
                int except = Target.EVERY_PLANE;
                if (words.take("except")) {
                    words.expect("plane");
                    except = (int) words.number();
                }
                Target world = new Target(Target.Part.WORLD, "", except, "", "");
                yield new Fault(atPs, world, Change.of(Verb.HEAL));
            }
            default -> throw words.unexpected("plane, asym, link, switch, host or heal");
        };
    }

    private static Change linkChange(Words words) {
        String word = words.next();
        return switch (word) {
            case "up", "down" -> Change.of(upDown(words, word));
            case "loss" -> {
                int ppm = Quantity.ppm(words.next());
                yield new Change(Verb.LOSS, ppm, words.take("burst") ? words.number() : 1);
            }
            case "corrupt" -> {
                int ppm = Quantity.ppm(words.next());
                boolean isHeader = words.take("header");
                if (!isHeader) {
                    words.expect("payload");
                }
                yield new Change(isHeader ? Verb.CORRUPT_HEADER : Verb.CORRUPT_PAYLOAD, ppm, 0);
            }
            case "truncate" -> new Change(Verb.TRUNCATE, Quantity.ppm(words.next()), 0);
            case "gilbert" -> {
                int toBad = Quantity.ppm(words.next());
                words.expect("back");
                int toGood = Quantity.ppm(words.next());
                words.expect("loss");
                yield new Change(Verb.GILBERT, toBad, toGood, Quantity.ppm(words.next()));
            }
            case "dup" -> {
                int ppm = Quantity.ppm(words.next());
                yield new Change(Verb.DUPLICATE, ppm, words.take("within") ? Quantity.timePs(words.next()) : 0);
            }
            case "reorder" -> {
                int ppm = Quantity.ppm(words.next());
                if (words.take("by")) {
                    yield new Change(Verb.REORDER, ppm, words.number());
                }
                words.expect("within");
                yield new Change(Verb.LATE, ppm, Quantity.timePs(words.next()));
            }
            case "rate" -> new Change(Verb.RATE, percent(words.next()), 0);
            case "delay" -> new Change(Verb.DELAY, plusTime(words.next()), 0);
            case "ecn" -> Change.of(ecn(words));
            default ->
                throw words.unexpected("up, down, loss, gilbert, corrupt, truncate, dup, reorder, rate, delay or ecn");
        };
    }

    private static Change hostChange(Words words) {
        if (words.take("pause")) {
            return new Change(Verb.PAUSE, Quantity.timePs(words.next()), 0);
        }
        words.expect("blackhole");
        long entropy = words.take("service") ? -1 : words.number();
        return new Change(Verb.BLACKHOLE, entropy, words.take("plane") ? words.number() : -1);
    }

    private static Verb ecn(Words words) {
        return switch (words.next()) {
            case "off" -> Verb.ECN_OFF;
            case "all" -> Verb.ECN_ALL;
            case "bleach" -> Verb.ECN_BLEACH;
            default -> throw words.unexpected("off, all or bleach");
        };
    }

    private static Verb upDown(Words words, String word) {
        return switch (word) {
            case "up" -> Verb.UP;
            case "down" -> Verb.DOWN;
            default -> throw words.unexpected("up or down");
        };
    }

    private static Target onPlane(Target target, Words words) {
        return words.take("plane") ? target.onPlane((int) words.number()) : target;
    }

    private static Target direction(Target target, Words words) {
        if (words.take("from")) {
            return target.from(words.next());
        }
        return words.take("to") ? target.to(words.next()) : target;
    }

    private static PacketKind kind(String word) {
        for (PacketKind kind : PacketKind.values()) {
            if (kind.word().equals(word)) {
                return kind;
            }
        }
        throw new IllegalArgumentException(
                word + " is no kind of packet; kinds are all, data, ack, probe, control, setup");
    }

    private static long percent(String word) {
        if (!word.matches("\\d{1,6}%")) {
            throw new IllegalArgumentException(word + " is not a percentage such as 25%");
        }
        return Long.parseLong(word.substring(0, word.length() - 1));
    }

    private static long plusTime(String word) {
        if (!word.startsWith("+")) {
            throw new IllegalArgumentException(word + " is not an addition such as +2us");
        }
        return Quantity.timePs(word.substring(1));
    }
}
