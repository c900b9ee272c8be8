package io.metaroce.compliance.adapter;

import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.utp.Agent;
import io.metaroce.compliance.utp.UtpException;
import io.metaroce.engine.EndpointHost;
import io.metaroce.engine.PathView;
import io.metaroce.param.EndpointConfig;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import io.metaroce.trace.DropReason;
import io.metaroce.verbs.Device;
import io.metaroce.verbs.ProtectionDomain;
import io.metaroce.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The agent of this engine: UTP/1 on one side, verbs on the other; the same over sockets and in virtual time. Thread
 * rule: calls are serialised by whoever owns it.
 */
public final class EngineAgent implements Agent {
    private final Hosts hosts;
    private final Settings settings;
    private final List<JsonNode> news = new ArrayList<>();
    private long nextSeq;
    private @Nullable Device device;
    private @Nullable EndpointHost host;
    private final List<ProtectionDomain> domains = new ArrayList<>();
    private AgentMemory memory = new AgentMemory();
    private @Nullable AgentTraffic traffic;

    /** Where endpoints come from. */
    public interface Hosts {
        /** Which capabilities this way of hosting has, besides those of the engine. */
        List<String> capabilities();

        /** The settings an endpoint has unless something is set. */
        EndpointConfig base();

        /** Opens an endpoint with these settings on so many planes. */
        EndpointHost open(EndpointConfig config, int planes);

        /** The addresses an endpoint receives at, one per plane. */
        List<String> addresses(EndpointHost host);

        /** Takes a plane's port down or up. */
        void plane(EndpointHost host, int plane, boolean isUp);

        /** Now, in ns, by the clock of the endpoints. */
        long nowNs();
    }

    /** An agent for endpoints that come from {@code hosts}. */
    public EngineAgent(Hosts hosts) {
        this.hosts = hosts;
        this.settings = new Settings(hosts.base());
    }

    @Override
    public ObjectNode call(String command, ObjectNode arguments) {
        try {
            return switch (command) {
                case "hello" -> hello();
                case "reset" -> reset();
                case "cfg" -> configure(arguments);
                case "ep_open" -> open(arguments);
                case "mr_reg" -> memory.register(domain(arguments.path("pd").asInt(0)), arguments);
                case "mr_dereg" -> memory.deregister(arguments);
                case "mr_fill" -> memory.fill(arguments);
                case "mr_check" -> memory.check(arguments);
                case "mr_guard" -> memory.guard(arguments);
                case "mr_read" -> memory.read(arguments);
                case "stats" -> stats(host().counters());
                case "paths" -> paths(arguments);
                case "plane" -> plane(arguments);
                case "time" -> Json.object().put("t", hosts.nowNs());
                case "barrier" -> barrier();
                case "bye" -> reset();
                default -> {
                    if (!AgentTraffic.COMMANDS.contains(command)) {
                        throw new UtpException("E_UNSUPPORTED", "no command " + command);
                    }
                    yield traffic().call(command, arguments);
                }
            };
        } catch (VerbsException e) {
            throw new UtpException("E_STATE", String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            throw new UtpException("E_BADARG", String.valueOf(e.getMessage()));
        }
    }

    @Override
    public List<JsonNode> events() {
        if (traffic != null) {
            traffic.pump();
        }
        List<JsonNode> all = List.copyOf(news);
        news.clear();
        return all;
    }

    private void tell(ObjectNode event) {
        news.add(event.put("seq", nextSeq++).put("t", hosts.nowNs()));
    }

    private ObjectNode hello() {
        ObjectNode answer = Json.object().put("utp", 1);
        answer.putObject("iut").put("vendor", "metaroce").put("name", "engine").put("version", "open draft 1");
        ArrayNode caps = answer.putArray("caps");
        List.of("reads", "atomics", "planes", "ordered", "srq", "ecn_ip", "reset_key")
                .forEach(caps::add);
        hosts.capabilities().forEach(caps::add);
        EndpointConfig base = hosts.base();
        answer.putObject("params")
                .put("flush_floor_ns", base.path().flushFloorNs())
                .put("pto_floor_ns", base.path().timeoutFloorNs())
                .put("silence_floor_ns", base.path().silenceFloorNs())
                .put("ack_delay_ns", base.ack().delayMaxNs())
                .put("ack_every", base.ack().everyPackets())
                .put("idle_probe_ns", base.path().idleProbeNs())
                .put("burst", base.scheduler().burstPackets());
        return answer;
    }

    private ObjectNode reset() {
        if (device != null) {
            Device closing = device;
            device = null;
            closing.close(java.time.Duration.ZERO);
        }
        host = null;
        domains.clear();
        memory = new AgentMemory();
        traffic = null;
        news.clear();
        nextSeq = 0;
        settings.reset();
        return Json.object();
    }

    private ObjectNode configure(ObjectNode arguments) {
        arguments.path("set").properties().forEach(entry -> settings.set(entry.getKey(), entry.getValue()));
        return Json.object();
    }

    private ObjectNode open(ObjectNode arguments) {
        if (device != null) {
            throw new UtpException("E_STATE", "one endpoint at a time");
        }
        host = hosts.open(settings.build(), arguments.path("planes").asInt(1));
        device = Device.open(host);
        domains.add(device.createProtectionDomain());
        domains.add(device.createProtectionDomain());
        traffic = new AgentTraffic(host, device, domains, memory, this::tell);
        ObjectNode answer = Json.object();
        ArrayNode addresses = answer.putArray("addresses");
        hosts.addresses(host).forEach(addresses::add);
        return answer;
    }

    private EndpointHost host() {
        if (host == null) {
            throw new UtpException("E_STATE", "no endpoint is open");
        }
        return host;
    }

    private AgentTraffic traffic() {
        if (traffic == null) {
            throw new UtpException("E_STATE", "no endpoint is open");
        }
        return traffic;
    }

    private ProtectionDomain domain(int index) {
        if (index < 0 || index >= domains.size()) {
            throw new UtpException("E_STATE", "no protection domain " + index);
        }
        return domains.get(index);
    }

    /** All counters by name, and those of packets that were dropped. */
    public static ObjectNode stats(Counters counters) {
        ObjectNode answer = Json.object();
        for (Counter counter : Counter.values()) {
            answer.put(counter.label(), counters.get(counter));
        }
        for (DropReason reason : DropReason.values()) {
            answer.put("drop_" + reason.label(), counters.get(reason));
        }
        return answer;
    }

    private ObjectNode paths(ObjectNode arguments) {
        ObjectNode answer = Json.object().put("window", traffic().windowBytes(arguments));
        ArrayNode list = answer.putArray("paths");
        for (PathView path : traffic().connection(arguments).paths()) {
            list.addObject()
                    .put("id", path.id())
                    .put("state", path.state())
                    .put("epoch", path.epoch())
                    .put("plane", path.plane())
                    .put("window", path.windowBytes())
                    .put("inflight", path.inFlightBytes())
                    .put("srtt_ns", path.srttNs());
        }
        return answer;
    }

    private ObjectNode plane(ObjectNode arguments) {
        hosts.plane(
                host(), arguments.path("plane").asInt(), arguments.path("up").asBoolean());
        return Json.object();
    }

    private ObjectNode barrier() {
        if (traffic != null) {
            traffic.pump();
        }
        return Json.object().put("next_seq", nextSeq);
    }

    @Override
    public void close() {
        reset();
    }
}
