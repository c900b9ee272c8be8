package io.metaroce.sim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Everything that goes wrong in a run, and when: data, fixed before the run starts. {@link FaultScript} reads and
 * writes it as text.
 */
public final class FaultPlan {
    /** A world in which nothing goes wrong. */
    public static final FaultPlan NONE = new Builder().build();

    private final List<Fault> faults;
    private final List<Mask> masks;
    private final List<Fate> fates;

    private FaultPlan(List<Fault> faults, List<Mask> masks, List<Fate> fates) {
        this.faults = faults;
        this.masks = masks;
        this.fates = fates;
    }

    /** The faults in order of time; those of one instant in order of writing. */
    public List<Fault> faults() {
        return faults;
    }

    /** The drop masks, in force from the start. */
    public List<Mask> masks() {
        return masks;
    }

    /** What becomes of single packets, in order of their numbers. */
    public List<Fate> fates() {
        return fates;
    }

    /**
     * Something that happens at an instant.
     *
     * @param atPs when
     * @param target to what
     * @param change what
     */
    public record Fault(long atPs, Target target, Change change) {}

    /**
     * What a fault concerns. Patterns may hold {@code *} for any run of characters; an empty pattern is everything.
     *
     * @param kind what sort of thing
     * @param name pattern of its name: cable, host or switch
     * @param plane the plane, or {@link #EVERY_PLANE}
     * @param from links only: pattern of the node they begin at
     * @param to links only: pattern of the node they end at
     */
    public record Target(Part kind, String name, int plane, String from, String to) {
        /** Not one plane but all of them. */
        public static final int EVERY_PLANE = -1;

        /** What sort of thing a fault concerns. */
        public enum Part {
            /** Links, by cable name, plane and direction. */
            LINK,
            /** Hosts, by name. */
            HOST,
            /** Switches, by name and plane. */
            SWITCH,
            /** Everything there is; {@code plane} names the plane that is left out. */
            WORLD
        }

        /** Both directions of the cables with a matching name, in every plane. */
        public static Target links(String name) {
            return new Target(Part.LINK, name, EVERY_PLANE, "", "");
        }

        /** Every link of a plane. */
        public static Target plane(int plane) {
            return new Target(Part.LINK, "", plane, "", "");
        }

        /** Hosts with a matching name. */
        public static Target host(String name) {
            return new Target(Part.HOST, name, EVERY_PLANE, "", "");
        }

        /** Switches with a matching name, in every plane. */
        public static Target switches(String name) {
            return new Target(Part.SWITCH, name, EVERY_PLANE, "", "");
        }

        /** The same, in one plane only. */
        public Target onPlane(int value) {
            return new Target(kind, name, value, from, to);
        }

        /** The same, only the direction that begins at a node. */
        public Target from(String node) {
            return new Target(kind, name, plane, node, to);
        }

        /** The same, only the direction that ends at a node. */
        public Target to(String node) {
            return new Target(kind, name, plane, from, node);
        }
    }

    /**
     * What happens. The meaning of {@code a} and {@code b} is the verb's.
     *
     * @param verb what is done
     * @param a first number
     * @param b second number
     * @param c third number
     */
    public record Change(Verb verb, long a, long b, long c) {
        /** A verb of two numbers. */
        public Change(Verb verb, long a, long b) {
            this(verb, a, b, 0);
        }

        /** A verb without numbers. */
        public static Change of(Verb verb) {
            return new Change(verb, 0, 0);
        }
    }

    /** What can happen. */
    public enum Verb {
        /** Link: everything on it is lost, and everything to come. */
        DOWN,
        /** Link: packets pass again. */
        UP,
        /** Link: random loss; a = ppm, b = packets in a row. */
        LOSS,
        /** Link: loss by state; a = ppm to turn bad, b = ppm to turn good, c = ppm lost while bad. */
        GILBERT,
        /** Link: packets cut short; a = ppm. */
        TRUNCATE,
        /** Link: one bit of the header flipped; a = ppm. */
        CORRUPT_HEADER,
        /** Link: one bit of the payload flipped; a = ppm. */
        CORRUPT_PAYLOAD,
        /** Link: packets arrive twice; a = ppm, b = ps the second is late at most. */
        DUPLICATE,
        /** Link: packets overtaken by others; a = ppm, b = how many overtake. */
        REORDER,
        /** Link: packets late, so that others overtake; a = ppm, b = ps at most. */
        LATE,
        /** Link: rate in percent of what it was built with; a = percent. */
        RATE,
        /** Link: delay on top of what it was built with; a = ps. */
        DELAY,
        /** Link: ECN marks are erased. */
        ECN_BLEACH,
        /** Link: nothing is marked. */
        ECN_OFF,
        /** Link: every packet that can be marked is. */
        ECN_ALL,
        /** Host: stops for a while; a = ps. */
        PAUSE,
        /** Host: packets from one source port vanish; a = entropy, b = plane or -1 for all. */
        BLACKHOLE,
        /** Switch: another hash salt, under running traffic. */
        SALT,
        /** World: takes back every change of links and black holes. */
        HEAL
    }

    /**
     * Packets to be lost, by number.
     *
     * @param host host they leave
     * @param kind which packets are counted
     * @param numbers the packets that are lost, counted from 1, in growing order
     */
    public record Mask(String host, PacketKind kind, List<Long> numbers) {
        /** Checks the order. */
        public Mask {
            numbers = List.copyOf(numbers);
            for (int i = 0; i < numbers.size(); i++) {
                if (numbers.get(i) < 1 || (i > 0 && numbers.get(i) <= numbers.get(i - 1))) {
                    throw new IllegalArgumentException("a drop mask counts from 1 and grows; this one says " + numbers);
                }
            }
        }

        boolean names(long number) {
            return Collections.binarySearch(numbers, number) >= 0;
        }
    }

    /**
     * What becomes of one packet, whoever sends it.
     *
     * @param number its number among all packets of the world, counted from 1
     * @param kind what becomes of it
     * @param delayPs how late it, or its copy, arrives
     */
    public record Fate(long number, Deed kind, long delayPs) {
        /** What can become of a packet. */
        public enum Deed {
            /** It is lost. */
            DROP,
            /** A copy of it arrives as well, right behind it or later. */
            TWICE,
            /** It is late, and all others overtake it. */
            LATE
        }

        /** Checks the number. */
        public Fate {
            if (number < 1 || delayPs < 0 || (kind == Deed.LATE && delayPs == 0)) {
                throw new IllegalArgumentException(
                        "packets count from 1, and a late one needs a time: " + number + ", " + delayPs + " ps");
            }
        }
    }

    /** Collects faults and sorts them. */
    public static final class Builder {
        private final List<Fault> faults = new ArrayList<>();
        private final List<Mask> masks = new ArrayList<>();
        private final List<Fate> fates = new ArrayList<>();

        /** Something happens at an instant. */
        public Builder at(long atPs, Target target, Change change) {
            faults.add(new Fault(atPs, target, change));
            return this;
        }

        /** Something without numbers happens at an instant. */
        public Builder at(long atPs, Target target, Verb verb) {
            return at(atPs, target, Change.of(verb));
        }

        /** Packets leaving a host are lost, counted from 1 among those of a kind. */
        public Builder drop(String host, PacketKind kind, long... numbers) {
            List<Long> list = new ArrayList<>();
            for (long number : numbers) {
                list.add(number);
            }
            masks.add(new Mask(host, kind, list));
            return this;
        }

        Builder drop(Mask mask) {
            masks.add(mask);
            return this;
        }

        /** Something becomes of one packet. */
        public Builder fate(Fate fate) {
            fates.add(fate);
            return this;
        }

        /** The plan. */
        public FaultPlan build() {
            List<Fault> sorted = new ArrayList<>(faults);
            sorted.sort((a, b) -> Long.compare(a.atPs(), b.atPs())); // stable
            List<Fate> byNumber = new ArrayList<>(fates);
            byNumber.sort((a, b) -> Long.compare(a.number(), b.number()));
            for (int i = 1; i < byNumber.size(); i++) {
                if (byNumber.get(i).number() == byNumber.get(i - 1).number()) {
                    throw new IllegalArgumentException(
                            "packet " + byNumber.get(i).number() + " cannot have two fates");
                }
            }
            return new FaultPlan(List.copyOf(sorted), List.copyOf(masks), List.copyOf(byNumber));
        }
    }
}
