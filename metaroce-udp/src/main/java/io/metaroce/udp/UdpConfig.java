package io.metaroce.udp;

import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.trace.TransportEvents;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How an endpoint sits on its machine: addresses, sockets, event loop, and the settings of the protocol itself.
 * Immutable; made by {@link #builder()}.
 */
public final class UdpConfig {
    /** Port an address means when it names none. */
    public static final int DEFAULT_PORT = 49_741;

    /** Which mechanism of the operating system waits for sockets. */
    public enum Engine {
        /** epoll where it is available, else NIO. */
        AUTO,
        /** epoll, or the bind fails. */
        EPOLL,
        /** What the JDK offers, everywhere. */
        NIO
    }

    /** Whether to use something that not every system offers. */
    public enum Offload {
        /** When a test at bind shows that it works. */
        AUTO,
        /** Yes; the bind fails when the test fails. */
        ON,
        /** No. */
        OFF
    }

    /** What an event loop of the endpoint's own does when nothing happens. */
    public enum Idle {
        /** Sleeps until something happens. */
        BLOCK,
        /** Goes on asking for a while after something happened, 100 us by default, then sleeps. epoll only. */
        ADAPTIVE,
        /** Asks again and again: shortest round trips, one processor always busy. epoll only. */
        SPIN
    }

    /** Where the line rate is taken from unless it is given as a number. */
    public enum LineRate {
        /**
         * From the speed of the interface; 10 Gbit/s when it tells none, 100 Gbit/s on loopback. The inbound rate is
         * bounded by what the receive buffer holds of it.
         */
        INTERFACE,
        /** From the protocol's settings, as they are. */
        SETTINGS
    }

    private final Builder values;

    private UdpConfig(Builder values) {
        this.values = new Builder(values);
    }

    /** A builder with every default; at least one address must be given. */
    public static Builder builder() {
        return new Builder();
    }

    /** Every default, on these addresses, one per plane; see {@link Builder#bind}. */
    public static UdpConfig on(String... addresses) {
        return builder().bind(addresses).build();
    }

    /** Local addresses as they were given, one per plane. */
    public List<String> addresses() {
        return values.addresses;
    }

    /** Settings of the protocol, with the number of source ports as configured here. */
    public EndpointConfig settings() {
        if (values.sourcePorts == 0) {
            return values.settings;
        }
        return values.settings.withLimits(values.settings.limits().withSourcePorts(values.sourcePorts));
    }

    /** Receive buffer asked for per service socket, in bytes. */
    public int receiveBufferBytes() {
        return values.receiveBufferBytes;
    }

    /** Send buffer asked for per socket, in bytes. */
    public int sendBufferBytes() {
        return values.sendBufferBytes;
    }

    /** Whether runs of packets leave as one segmented send (UDP_SEGMENT). */
    public Offload segmentation() {
        return values.segmentation;
    }

    /** Whether the kernel may hand over several packets as one (UDP_GRO). */
    public Offload coalescing() {
        return values.coalescing;
    }

    /** Whether the congestion marks of received packets are read. */
    public Offload congestionMarks() {
        return values.congestionMarks;
    }

    /** Mechanism that waits for sockets. */
    public Engine engine() {
        return values.engine;
    }

    /** What an idle event loop does. */
    public Idle idle() {
        return values.idle;
    }

    /** How long an adaptive event loop goes on asking, in ns. */
    public long spinNs() {
        return values.spinNs;
    }

    /** Event loops shared with others, or null: the endpoint has one of its own. */
    public @Nullable EventLoopGroup eventLoops() {
        return values.eventLoops;
    }

    /** Where the line rate comes from when {@link #lineRateBytesPerSecond()} is empty. */
    public LineRate lineRate() {
        return values.lineRate;
    }

    /** Line rate of all planes together, in bytes per second. */
    public OptionalLong lineRateBytesPerSecond() {
        return values.lineRateBytesPerSecond;
    }

    /** DSCP of slot packets and probes, 0..63. */
    public int dataDscp() {
        return values.dataDscp;
    }

    /** DSCP of everything else, 0..63. */
    public int controlDscp() {
        return values.controlDscp;
    }

    /** Faults injected on the sending side from the start. */
    public FaultPlan faults() {
        return values.faults;
    }

    /** Seed of all randomness; empty: unforeseeable. */
    public OptionalLong seed() {
        return values.seed;
    }

    /** Who else hears what happens in the engine. */
    public TransportEvents events() {
        return values.events;
    }

    /** Work queues that may exist at once on this endpoint. */
    public int workQueuesMax() {
        return values.workQueuesMax;
    }

    /** Commands that may wait for the endpoint's thread. */
    public int commandsMax() {
        return values.commandsMax;
    }

    /** Collects settings. Every method returns this. */
    public static final class Builder {
        private static final int MIB = 1 << 20;

        private List<String> addresses = List.of();
        private EndpointConfig settings = Profiles.udp();
        private int sourcePorts;
        private int receiveBufferBytes = 4 * MIB;
        private int sendBufferBytes = MIB;
        private Offload segmentation = Offload.AUTO;
        private Offload coalescing = Offload.AUTO;
        private Offload congestionMarks = Offload.AUTO;
        private Engine engine = Engine.AUTO;
        private Idle idle = Idle.BLOCK;
        private long spinNs = 100_000;
        private @Nullable EventLoopGroup eventLoops;
        private LineRate lineRate = LineRate.INTERFACE;
        private OptionalLong lineRateBytesPerSecond = OptionalLong.empty();
        private int dataDscp;
        private int controlDscp;
        private FaultPlan faults = FaultPlan.NONE;
        private OptionalLong seed = OptionalLong.empty();
        private TransportEvents events = TransportEvents.NONE;
        private int workQueuesMax = 1 << 16;
        private int commandsMax = 1024;

        private Builder() {}

        private Builder(Builder other) {
            addresses = other.addresses;
            settings = other.settings;
            sourcePorts = other.sourcePorts;
            receiveBufferBytes = other.receiveBufferBytes;
            sendBufferBytes = other.sendBufferBytes;
            segmentation = other.segmentation;
            coalescing = other.coalescing;
            congestionMarks = other.congestionMarks;
            engine = other.engine;
            idle = other.idle;
            spinNs = other.spinNs;
            eventLoops = other.eventLoops;
            lineRate = other.lineRate;
            lineRateBytesPerSecond = other.lineRateBytesPerSecond;
            dataDscp = other.dataDscp;
            controlDscp = other.controlDscp;
            faults = other.faults;
            seed = other.seed;
            events = other.events;
            workQueuesMax = other.workQueuesMax;
            commandsMax = other.commandsMax;
        }

        /**
         * Local addresses, one per plane, 1..16: {@code host}, {@code host:port}, {@code [v6]:port}. They are told to
         * peers, so a wildcard is refused. Without a port {@link #DEFAULT_PORT}; port 0: any free one.
         */
        public Builder bind(String... local) {
            addresses = List.of(local);
            return this;
        }

        /** Settings of the protocol; default {@link Profiles#udp()}. */
        public Builder settings(EndpointConfig value) {
            settings = value;
            return this;
        }

        /** Source ports per plane, 1..1024; default what the settings say. Opened when first used. */
        public Builder sourcePorts(int count) {
            sourcePorts = inRange("sourcePorts", count, 1, 1024);
            return this;
        }

        /** Receive buffer to ask for, in bytes; default 4 MiB. It bounds the rate that is granted to senders. */
        public Builder receiveBufferBytes(int bytes) {
            receiveBufferBytes = inRange("receiveBufferBytes", bytes, 4096, 1 << 30);
            return this;
        }

        /** Send buffer to ask for, in bytes; default 1 MiB. */
        public Builder sendBufferBytes(int bytes) {
            sendBufferBytes = inRange("sendBufferBytes", bytes, 4096, 1 << 30);
            return this;
        }

        /** Segmented sends; default {@link Offload#AUTO}. */
        public Builder segmentation(Offload value) {
            segmentation = value;
            return this;
        }

        /** Coalesced receives; default {@link Offload#AUTO}. */
        public Builder coalescing(Offload value) {
            coalescing = value;
            return this;
        }

        /**
         * Reading the congestion marks of received packets; default {@link Offload#AUTO}. Linux with an event loop of
         * the endpoint's own: four sockets per plane instead of one. Without, senders are told so and go by delay.
         */
        public Builder congestionMarks(Offload value) {
            congestionMarks = value;
            return this;
        }

        /** Mechanism that waits for sockets; default {@link Engine#AUTO}. */
        public Builder engine(Engine value) {
            engine = value;
            return this;
        }

        /** What an event loop of the endpoint's own does when idle; default {@link Idle#BLOCK}. */
        public Builder idle(Idle value) {
            idle = value;
            return this;
        }

        /** How long an event loop goes on asking with {@link Idle#ADAPTIVE}: up to 1 s; default 100 us. */
        public Builder spin(Duration value) {
            if (value.isNegative() || value.compareTo(Duration.ofSeconds(1)) > 0) {
                throw new IllegalArgumentException("spin = " + value + " is outside 0..1 s; change the option spin");
            }
            spinNs = value.toNanos();
            return this;
        }

        /** Event loops to share, of epoll or NIO; the endpoint takes one of them and never shuts them down. */
        public Builder eventLoops(EventLoopGroup shared) {
            eventLoops = shared;
            return this;
        }

        /** Where the line rate comes from; default {@link LineRate#INTERFACE}. */
        public Builder lineRate(LineRate source) {
            lineRate = source;
            lineRateBytesPerSecond = OptionalLong.empty();
            return this;
        }

        /** Line rate of all planes together, in bytes per second. */
        public Builder lineRateBytesPerSecond(long rate) {
            lineRateBytesPerSecond = OptionalLong.of(rate);
            return this;
        }

        /** DSCP of slot packets and probes, 0..63; default 0. */
        public Builder dataDscp(int value) {
            dataDscp = inRange("dataDscp", value, 0, 63);
            return this;
        }

        /** DSCP of reports, handshake and close, 0..63; default 0. */
        public Builder controlDscp(int value) {
            controlDscp = inRange("controlDscp", value, 0, 63);
            return this;
        }

        /** Faults to inject on the sending side; default none. */
        public Builder faults(FaultPlan plan) {
            faults = plan;
            return this;
        }

        /** Makes all randomness repeatable. For tests: identifiers can be foreseen by whoever knows the seed. */
        public Builder seed(long value) {
            seed = OptionalLong.of(value);
            return this;
        }

        /** Who else hears what happens in the engine; called on the endpoint's thread. */
        public Builder events(TransportEvents value) {
            events = value;
            return this;
        }

        /** Work queues that may exist at once; default 65,536. */
        public Builder workQueuesMax(int count) {
            workQueuesMax = inRange("workQueuesMax", count, 2, 1 << 22);
            return this;
        }

        /** Commands that may wait for the endpoint's thread; default 1024. */
        public Builder commandsMax(int count) {
            commandsMax = inRange("commandsMax", count, 2, 1 << 20);
            return this;
        }

        /** The settings collected so far. */
        public UdpConfig build() {
            inRange("the number of addresses given to bind", addresses.size(), 1, 16);
            return new UdpConfig(this);
        }

        private static int inRange(String option, int value, int low, int high) {
            if (value < low || value > high) {
                throw new IllegalArgumentException(
                        option + " = " + value + " is outside " + low + ".." + high + "; change the option " + option);
            }
            return value;
        }
    }
}
