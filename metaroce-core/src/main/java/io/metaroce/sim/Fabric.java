package io.metaroce.sim;

import io.metaroce.param.EndpointConfig;
import io.metaroce.trace.TransportEvents;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A network that has been built: its links, its switches, and the places where hosts are attached. */
public final class Fabric {
    private final World world;
    private final List<Link> links = new ArrayList<>();
    private final List<Switch> switches = new ArrayList<>();
    private final List<Attachment> attachments = new ArrayList<>();
    private final PfcCounters pfcCounters = new PfcCounters();

    Fabric(World world) {
        this.world = world;
    }

    /** The world it belongs to. */
    public World world() {
        return world;
    }

    /** Every link, by number. */
    public List<Link> links() {
        return Collections.unmodifiableList(links);
    }

    /** Every switch. */
    public List<Switch> switches() {
        return Collections.unmodifiableList(switches);
    }

    /** Every place for a host, by node number. */
    public List<Attachment> attachments() {
        return Collections.unmodifiableList(attachments);
    }

    /** What pauses have done. */
    public PfcCounters pfcCounters() {
        return pfcCounters;
    }

    /** Gives every switch ports with explicit departures: two events a hop. Once, before the first event. */
    public Fabric exactPorts(PortConfig config) {
        ExactPorts.install(this, config);
        return this;
    }

    /** From now on every switch sends each packet to the shorter queue of two of its equal links, drawn at random. */
    public Fabric adaptiveRouting() {
        for (Switch one : switches) {
            one.adapts();
        }
        return this;
    }

    /** The place with this node name. */
    public Attachment attachment(String name) {
        for (Attachment one : attachments) {
            if (one.name().equals(name)) {
                return one;
            }
        }
        throw new IllegalArgumentException("no node is called " + name + "; there are " + attachmentNames());
    }

    /** Puts a host with the real engine on every place that is still free. */
    public Fabric hosts(EndpointConfig config) {
        for (Attachment place : attachments) {
            if (!place.isAttached()) {
                Host.attach(place, config);
            }
        }
        return this;
    }

    /** Puts a host with the real engine on one place. */
    public Host host(String name, EndpointConfig config) {
        return Host.attach(attachment(name), config);
    }

    /** Puts a host with the real engine and a clock of its own on one place. */
    public Host host(String name, EndpointConfig config, HostClock clock) {
        return Host.attach(attachment(name), config, TransportEvents.NONE, clock);
    }

    /**
     * Gives the ports of one NIC, and the links that end there, another rate than others have. Before the first packet.
     */
    public Fabric rateOf(Attachment place, long bitsPerSecond) {
        for (int plane = 0; plane < place.planes(); plane++) {
            place.port(plane).rate(bitsPerSecond);
        }
        for (Link link : links) {
            if (link.name().to().equals(place.name()) && link.config().rateBitsPerSecond() > 0) {
                link.configure(link.config().withRate(bitsPerSecond));
            }
        }
        return this;
    }

    /** Packets on links and in the rings of paused hosts. */
    public long packetsUnderWay() {
        long sum = 0;
        for (Link link : links) {
            sum += link.onLink();
        }
        for (Attachment place : attachments) {
            sum += place.packetsHeld();
        }
        return sum;
    }

    /** The switch a link leaves; null when it leaves a host. */
    @Nullable
    Switch switchBefore(Link link) {
        for (Switch one : switches) {
            if (one.feeds(link)) {
                return one;
            }
        }
        return null;
    }

    List<String> cables() {
        List<String> names = new ArrayList<>();
        for (Link link : links) {
            if (!names.contains(link.name().cable())) {
                names.add(link.name().cable());
            }
        }
        return names;
    }

    List<String> attachmentNames() {
        List<String> names = new ArrayList<>();
        for (Attachment place : attachments) {
            names.add(place.name());
        }
        return names;
    }

    // ---- building ----

    Attachment addAttachment(String name, int planes, NicConfig nic) {
        Attachment place = new Attachment(world, name, attachments.size(), planes, nic);
        attachments.add(place);
        return place;
    }

    Switch addSwitch(String name, int plane) {
        Switch one = new Switch(world, name, plane, switches.size());
        switches.add(one);
        return one;
    }

    Link addLink(LinkName name, LinkConfig config, LinkTarget target) {
        Link link = new Link(world, links.size(), name, config, target);
        links.add(link);
        return link;
    }
}
