package io.metaroce.sim;

import io.metaroce.sim.FaultPlan.Change;
import io.metaroce.sim.FaultPlan.Fate;
import io.metaroce.sim.FaultPlan.Fault;
import io.metaroce.sim.FaultPlan.Target;
import org.jspecify.annotations.Nullable;

/** Makes the faults of a plan happen in a fabric. */
final class FaultRunner {
    private final FaultPlan plan;
    private final Fabric fabric;
    private int nextIndex;
    private int nextFate;

    FaultRunner(FaultPlan plan, Fabric fabric) {
        this.plan = plan;
        this.fabric = fabric;
        for (FaultPlan.Mask mask : plan.masks()) {
            fabric.attachment(mask.host()).mask(new DropMask(mask));
        }
        for (Fault fault : plan.faults()) {
            if (concerned(fault.target()) == 0) {
                throw new IllegalArgumentException("a fault concerns nothing: " + FaultScript.print(fault)
                        + "; links are " + fabric.cables() + ", hosts " + fabric.attachmentNames());
            }
        }
    }

    long nextPs() {
        return nextIndex == plan.faults().size()
                ? SimTime.NEVER
                : plan.faults().get(nextIndex).atPs();
    }

    /** What becomes of the packet with this number, or null; asked for each in turn. */
    @Nullable
    Fate fate(long number) {
        boolean has =
                nextFate < plan.fates().size() && plan.fates().get(nextFate).number() == number;
        return has ? plan.fates().get(nextFate++) : null;
    }

    void runDue(long nowPs) {
        while (nextPs() <= nowPs) {
            Fault fault = plan.faults().get(nextIndex++);
            run(nowPs, fault.target(), fault.change());
        }
    }

    private void run(long nowPs, Target target, Change change) {
        switch (target.kind()) {
            case LINK -> {
                for (Link link : fabric.links()) {
                    if (concerns(target, link)) {
                        run(nowPs, link, change);
                    }
                }
            }
            case HOST -> {
                for (Attachment host : fabric.attachments()) {
                    if (matches(target.name(), host.name())) {
                        run(nowPs, host, change);
                    }
                }
            }
            case SWITCH -> {
                for (Switch one : fabric.switches()) {
                    if (concerns(target, one)) {
                        one.changeSalt();
                    }
                }
            }
            case WORLD -> heal(target.plane());
        }
    }

    private static void run(long nowPs, Link link, Change change) {
        LinkConfig config = link.config();
        LinkConfig.Faults faults = config.faults();
        int a = (int) Math.min(change.a(), Integer.MAX_VALUE);
        switch (change.verb()) {
            case DOWN -> link.down(nowPs);
            case UP -> link.up();
            case LOSS -> link.configure(config.withFaults(faults.withLoss(a, (int) change.b())));
            case GILBERT ->
                link.configure(config.withFaults(
                        faults.withGilbert(new LinkConfig.Gilbert(a, (int) change.b(), (int) change.c()))));
            case TRUNCATE -> link.configure(config.withFaults(faults.withTruncation(a)));
            case CORRUPT_HEADER ->
                link.configure(config.withFaults(
                        faults.withCorruption(a, faults.corruption().payloadPpm())));
            case CORRUPT_PAYLOAD ->
                link.configure(config.withFaults(
                        faults.withCorruption(faults.corruption().headerPpm(), a)));
            case DUPLICATE -> link.configure(config.withFaults(faults.withDuplicates(a, change.b())));
            case REORDER ->
                link.configure(
                        config.withFaults(faults.withReordering(a, (int) change.b(), FaultScript.REORDER_WAIT_PS)));
            case LATE -> link.configure(config.withFaults(faults.withReordering(a, 0, change.b())));
            case RATE ->
                link.configure(config.withRate(Math.max(
                        config.rateBitsPerSecond() == 0 ? 0 : 1,
                        link.original().rateBitsPerSecond() / 100 * change.a())));
            case DELAY -> link.configure(config.withDelay(link.original().delayPs() + change.a()));
            case ECN_BLEACH -> link.bleach();
            case ECN_OFF -> link.configure(config.withEcn(EcnRamp.OFF));
            case ECN_ALL -> link.configure(config.withEcn(EcnRamp.ALL));
            case PAUSE, BLACKHOLE, SALT, HEAL -> throw misfit(change, "link");
        }
    }

    private static void run(long nowPs, Attachment host, Change change) {
        switch (change.verb()) {
            case PAUSE -> host.pause(nowPs, change.a());
            case BLACKHOLE -> {
                for (int plane = 0; plane < host.planes(); plane++) {
                    if (change.b() < 0 || change.b() == plane) {
                        host.port(plane).blackhole((int) change.a());
                    }
                }
            }
            default -> throw misfit(change, "host");
        }
    }

    private void heal(int exceptPlane) {
        for (Link link : fabric.links()) {
            if (link.name().plane() != exceptPlane) {
                link.heal();
            }
        }
        for (Attachment host : fabric.attachments()) {
            for (int plane = 0; plane < host.planes(); plane++) {
                if (plane != exceptPlane) {
                    host.port(plane).heal();
                }
            }
        }
    }

    private int concerned(Target target) {
        int count = 0;
        for (Link link : fabric.links()) {
            count += target.kind() == Target.Part.LINK && concerns(target, link) ? 1 : 0;
        }
        for (Attachment host : fabric.attachments()) {
            count += target.kind() == Target.Part.HOST && matches(target.name(), host.name()) ? 1 : 0;
        }
        for (Switch one : fabric.switches()) {
            count += target.kind() == Target.Part.SWITCH && concerns(target, one) ? 1 : 0;
        }
        return target.kind() == Target.Part.WORLD ? 1 : count;
    }

    private static boolean concerns(Target target, Link link) {
        LinkName name = link.name();
        return isPlane(target, name.plane())
                && matches(target.name(), name.cable())
                && matches(target.from(), name.from())
                && matches(target.to(), name.to());
    }

    private static boolean concerns(Target target, Switch one) {
        return isPlane(target, one.plane()) && matches(target.name(), one.name());
    }

    private static boolean isPlane(Target target, int plane) {
        return target.plane() == Target.EVERY_PLANE || target.plane() == plane;
    }

    private static IllegalArgumentException misfit(Change change, String what) {
        return new IllegalArgumentException(change.verb() + " cannot happen to a " + what);
    }

    /** Whether a name fits a pattern with stars; the empty pattern fits everything. */
    static boolean matches(String pattern, String name) {
        if (pattern.isEmpty()) {
            return true;
        }
        int star = pattern.indexOf('*');
        if (star < 0) {
            return pattern.equals(name);
        }
        if (!name.startsWith(pattern.substring(0, star))) {
            return false;
        }
        String rest = pattern.substring(star + 1);
        for (int from = star; from <= name.length(); from++) {
            if (rest.isEmpty() || matches(rest, name.substring(from))) {
                return true;
            }
        }
        return false;
    }
}
