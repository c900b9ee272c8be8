package io.metaroce.sim;

import org.jspecify.annotations.Nullable;

/** Puts ports with explicit departures on every link that leaves a switch. Set-up only, before the first event. */
final class ExactPorts {
    private final Fabric fabric;
    private final PortConfig config;
    private final @Nullable PfcIngress[] ingress;

    private ExactPorts(Fabric fabric, PortConfig config) {
        this.fabric = fabric;
        this.config = config;
        ingress = new PfcIngress[fabric.links().size()];
    }

    static void install(Fabric fabric, PortConfig config) {
        ExactPorts ports = new ExactPorts(fabric, config);
        SharedBuffer[] buffers = new SharedBuffer[fabric.switches().size()];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = ports.installOn(fabric.switches().get(i));
        }
        PfcConfig pfc = config.pfc();
        for (int i = 0; pfc != null && i < buffers.length; i++) {
            ports.installPauses(fabric.switches().get(i), pfc, buffers[i]);
        }
    }

    private SharedBuffer installOn(Switch one) {
        int linksIn = 0;
        for (Link link : fabric.links()) {
            linksIn += link.target() == one ? 1 : 0;
        }
        PfcConfig pfc = config.pfc();
        long setAside = pfc == null ? 0 : linksIn * pfc.headroomBytes();
        if (setAside > 0 && setAside >= config.sharedBytes()) {
            throw new IllegalArgumentException(one.name() + " sets aside " + setAside + " bytes for pauses of "
                    + linksIn + " links, but has " + config.sharedBytes());
        }
        SharedBuffer buffer = new SharedBuffer(config.sharedBytes() - setAside, config.alphaQ8());
        for (Link link : fabric.links()) {
            if (one.feeds(link) && link.config().rateBitsPerSecond() > 0) {
                link.exactPort(
                        new ExactPort(link, one.turn(), config, config.sharedBytes() > 0 ? buffer : null, ingress));
            }
        }
        one.saysWhereFrom();
        return buffer;
    }

    private void installPauses(Switch one, PfcConfig pfc, SharedBuffer buffer) {
        for (Link link : fabric.links()) {
            if (link.target() == one) {
                ingress[link.id()] =
                        new PfcIngress(fabric.world(), pfc, buffer, wayBack(link), sender(link), fabric.pfcCounters());
            }
        }
    }

    private Link wayBack(Link there) {
        LinkName name = there.name();
        LinkName back = new LinkName(name.plane(), name.cable(), name.to(), name.from());
        for (Link link : fabric.links()) {
            if (link.name().equals(back)) {
                return link;
            }
        }
        throw new IllegalArgumentException("pauses need a way back, but no link is called " + back.text());
    }

    private Pausable sender(Link link) {
        LinkName name = link.name();
        return fabric.switchBefore(link) == null
                ? fabric.attachment(name.from()).port(name.plane())
                : link.exactPort();
    }
}
