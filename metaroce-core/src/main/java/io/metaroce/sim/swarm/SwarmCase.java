package io.metaroce.sim.swarm;

import io.metaroce.queue.WrOpcode;
import java.util.List;

/**
 * All of one case: the network, the hosts on it, what goes wrong, who talks to whom, and what they say. Nothing else
 * decides what happens, so equal cases give equal runs.
 *
 * @param seed root of every draw of the world: ports, keys, chances of loss
 * @param net the network
 * @param side what every host is configured with
 * @param options what else every host is configured with
 * @param limits what every host grants
 * @param clocks clocks that are not true
 * @param faults lines of a fault script
 * @param orders what operators tell hosts
 * @param healNs when everything that broke is repaired; whatever can end must end a bounded time later
 * @param talks connections
 * @param ops work requests; those of one stream and direction are posted in this order
 */
public record SwarmCase(
        long seed,
        Net net,
        Side side,
        Options options,
        Limits limits,
        List<Clock> clocks,
        List<String> faults,
        List<Order> orders,
        long healNs,
        List<Talk> talks,
        List<Op> ops) {
    /** Copies the lists and checks that every operation has a connection. */
    public SwarmCase {
        clocks = List.copyOf(clocks);
        faults = List.copyOf(faults);
        orders = List.copyOf(orders);
        talks = List.copyOf(talks);
        ops = List.copyOf(ops);
        for (Op op : ops) {
            if (op.talk() < 0 || op.talk() >= talks.size()) {
                throw new IllegalArgumentException("operation " + op + " names a connection that is not there");
            }
        }
    }

    /** How hosts are connected. */
    public enum Shape {
        /** Two hosts and cables. */
        PAIR,
        /** Hosts around one switch. */
        STAR,
        /** Two tiers of switches. */
        LEAF_SPINE
    }

    /**
     * The network.
     *
     * @param shape how hosts are connected
     * @param hosts hosts
     * @param planes planes
     * @param spread parallel links, or spines
     * @param gbit rate of a NIC port
     * @param delayNs delay of a link
     * @param skewNs how much longer each parallel link is than the one before; pairs only
     * @param queuePackets full packets a port of a link holds; 0 when links only take time
     * @param isMarking whether those queues mark
     */
    public record Net(
            Shape shape,
            int hosts,
            int planes,
            int spread,
            int gbit,
            int delayNs,
            int skewNs,
            int queuePackets,
            boolean isMarking) {
        /** The same with other planes. */
        public Net withPlanes(int value) {
            return new Net(shape, hosts, value, spread, gbit, delayNs, skewNs, queuePackets, isMarking);
        }

        /** The same with other links or spines. */
        public Net withSpread(int value) {
            return new Net(shape, hosts, planes, value, gbit, delayNs, skewNs, queuePackets, isMarking);
        }

        /** The same with other queues. */
        public Net withQueuePackets(int value) {
            return new Net(shape, hosts, planes, spread, gbit, delayNs, skewNs, value, isMarking);
        }
    }

    /**
     * What every host is configured with.
     *
     * @param payloadBytes payload of a full packet
     * @param paths paths of a connection
     * @param window slots tracked per path
     * @param burst packets sent on one path before the next is taken
     * @param slots packets in flight over all connections
     * @param ackPackets packets after which a report is due
     * @param depth work requests outstanding
     */
    public record Side(int payloadBytes, int paths, int window, int burst, int slots, int ackPackets, int depth) {}

    /** A named set of parameters. */
    public enum Profile {
        /** Microseconds. */
        MODEL,
        /** Software over sockets. */
        UDP
    }

    /**
     * What else every host is configured with.
     *
     * @param profile set of parameters that everything else stands on
     * @param trackPackets slots of a path that a receiver tells apart
     * @param sackWords words of bitmap of a path block
     * @param rekeyPackets packets a key encrypts; 0 when nothing is encrypted
     * @param rnrRetries attempts without a receive, 0..6; 7 to wait for receives instead
     * @param isKeyed whether hosts keep a key over a restart, and so can tell peers that connections are gone
     */
    public record Options(
            Profile profile, int trackPackets, int sackWords, int rekeyPackets, int rnrRetries, boolean isKeyed) {
        /** Nothing out of the ordinary. */
        public static final Options PLAIN = new Options(Profile.MODEL, 256, 4, 0, 7, false);

        /** The same with another profile. */
        public Options withProfile(Profile value) {
            return new Options(value, trackPackets, sackWords, rekeyPackets, rnrRetries, isKeyed);
        }

        /** The same with other slots told apart, and words to report them. */
        public Options withTracking(int newTrackPackets, int newSackWords) {
            return new Options(profile, newTrackPackets, newSackWords, rekeyPackets, rnrRetries, isKeyed);
        }

        /** The same with another life of keys. */
        public Options withRekeyPackets(int value) {
            return new Options(profile, trackPackets, sackWords, value, rnrRetries, isKeyed);
        }

        /** The same with other attempts. */
        public Options withRnrRetries(int value) {
            return new Options(profile, trackPackets, sackWords, rekeyPackets, value, isKeyed);
        }

        /** The same with or without a key kept. */
        public Options withKeyed(boolean value) {
            return new Options(profile, trackPackets, sackWords, rekeyPackets, rnrRetries, value);
        }
    }

    /**
     * What every host grants.
     *
     * @param openMessages messages of a peer begun and not complete
     * @param reads Reads and atomics of a peer served at once
     * @param orderedWrites ordered writes of a peer kept until their turn
     * @param sourcePorts source ports of a plane
     * @param capKib memory for the state of an endpoint, in KiB; 0 for the usual
     * @param sharedReceives depth of the receive queue that the streams of a connection share; 0 when each has its own
     * @param streams numbers of streams, of which whoever asks for a connection uses every other; to ask for more is
     *     refused
     */
    public record Limits(
            int openMessages,
            int reads,
            int orderedWrites,
            int sourcePorts,
            int capKib,
            int sharedReceives,
            int streams) {
        /** What the profiles say. */
        public static final Limits PLAIN = new Limits(1024, 128, 0, 64, 0, 0, 64);

        /** The same with other messages. */
        public Limits withOpenMessages(int value) {
            return new Limits(value, reads, orderedWrites, sourcePorts, capKib, sharedReceives, streams);
        }

        /** The same with other Reads. */
        public Limits withReads(int value) {
            return new Limits(openMessages, value, orderedWrites, sourcePorts, capKib, sharedReceives, streams);
        }

        /** The same with other ordered writes. */
        public Limits withOrderedWrites(int value) {
            return new Limits(openMessages, reads, value, sourcePorts, capKib, sharedReceives, streams);
        }

        /** The same with other source ports. */
        public Limits withSourcePorts(int value) {
            return new Limits(openMessages, reads, orderedWrites, value, capKib, sharedReceives, streams);
        }

        /** The same with other memory. */
        public Limits withCapKib(int value) {
            return new Limits(openMessages, reads, orderedWrites, sourcePorts, value, sharedReceives, streams);
        }

        /** The same with another shared queue. */
        public Limits withSharedReceives(int value) {
            return new Limits(openMessages, reads, orderedWrites, sourcePorts, capKib, value, streams);
        }

        /** The same with other streams. */
        public Limits withStreams(int value) {
            return new Limits(openMessages, reads, orderedWrites, sourcePorts, capKib, sharedReceives, value);
        }
    }

    /**
     * A clock that is not true.
     *
     * @param host whose
     * @param ratePpm how much too fast it is
     * @param offsetNs what it shows at the beginning
     */
    public record Clock(int host, int ratePpm, long offsetNs) {}

    /** What an operator can tell a host. */
    public enum Command {
        /** Leave a plane. */
        PLANE_DOWN,
        /** Use a plane again. */
        PLANE_UP,
        /** Leave a path of every connection. */
        PARK,
        /** Use a path again. */
        UNPARK
    }

    /**
     * An operator tells a host something; all of it is taken back at the end.
     *
     * @param host host
     * @param atNs when
     * @param command what to do
     * @param number plane or path
     */
    public record Order(int host, long atNs, Command command, int number) {}

    /** How a connection ends. */
    public enum End {
        /** Closed when all work is done. */
        DRAINED,
        /** Closed in the middle of the work, gracefully. */
        CLOSED,
        /** Given up in the middle of the work. */
        ABORTED,
        /** A host gives up everything at once. */
        LEFT,
        /** A host falls silent and never comes back. */
        CRASHED,
        /** A host falls silent and comes back without a memory. */
        RESTARTED
    }

    /**
     * A connection.
     *
     * @param from host that asks for it
     * @param to host that accepts it
     * @param end how it ends
     * @param isByInitiator who ends it
     * @param endNs when, unless it is drained
     * @param beginNs when it is asked for
     */
    public record Talk(int from, int to, End end, boolean isByInitiator, long endNs, long beginNs) {
        /** The host that ends it. */
        public int endedBy() {
            return isByInitiator ? from : to;
        }

        /** Whether a host goes with it, and every other connection of that host. */
        public boolean takesHost() {
            return end == End.LEFT || end == End.CRASHED || end == End.RESTARTED;
        }

        /** The same, closed when all work is done. */
        public Talk drained() {
            return new Talk(from, to, End.DRAINED, true, 0, beginNs);
        }

        /** The same, asked for at another time. */
        public Talk withBeginNs(long value) {
            return new Talk(from, to, end, isByInitiator, endNs, value);
        }
    }

    /** What is wrong with an operation. */
    public enum Flaw {
        /** Nothing. */
        NONE,
        /** The key of the peer's memory is unknown there. */
        BAD_KEY,
        /** The receive posted for it is too short. */
        SHORT_RECEIVE,
        /** The key was given back, and the memory registered again, before it was posted. */
        STALE_KEY,
        /** The key is given back at the time of {@code receiveNs}, whatever has become of it. */
        REVOKED_KEY
    }

    /**
     * A work request, and the receive it needs.
     *
     * @param talk connection
     * @param stream stream of it
     * @param isFromInitiator direction
     * @param opcode what is asked for
     * @param size bytes
     * @param postNs posted no earlier
     * @param receiveNs the receive is posted no earlier
     * @param flaw what is wrong with it
     * @param isFenced whether it waits for what earlier ones fetch
     * @param isOrdered whether it shows only after everything before it
     */
    public record Op(
            int talk,
            int stream,
            boolean isFromInitiator,
            WrOpcode opcode,
            int size,
            long postNs,
            long receiveNs,
            Flaw flaw,
            boolean isFenced,
            boolean isOrdered) {
        /** The same on another connection. */
        public Op withTalk(int value) {
            return new Op(value, stream, isFromInitiator, opcode, size, postNs, receiveNs, flaw, isFenced, isOrdered);
        }

        /** The same on another stream. */
        public Op withStream(int value) {
            return new Op(talk, value, isFromInitiator, opcode, size, postNs, receiveNs, flaw, isFenced, isOrdered);
        }

        /** The same with other bytes. */
        public Op withSize(int value) {
            return new Op(talk, stream, isFromInitiator, opcode, value, postNs, receiveNs, flaw, isFenced, isOrdered);
        }

        /** The same, posted at another time. */
        public Op withPostNs(long value) {
            return new Op(talk, stream, isFromInitiator, opcode, size, value, receiveNs, flaw, isFenced, isOrdered);
        }

        /** The same with a receive at another time. */
        public Op withReceiveNs(long value) {
            return new Op(talk, stream, isFromInitiator, opcode, size, postNs, value, flaw, isFenced, isOrdered);
        }

        /** The same, waiting for nothing. */
        public Op plain() {
            return new Op(talk, stream, isFromInitiator, opcode, size, postNs, receiveNs, flaw, false, false);
        }
    }

    /** The same with other faults. */
    public SwarmCase withFaults(List<String> value) {
        return new SwarmCase(seed, net, side, options, limits, clocks, value, orders, healNs, talks, ops);
    }

    /** The same with another network. */
    public SwarmCase withNet(Net value) {
        return new SwarmCase(seed, value, side, options, limits, clocks, faults, orders, healNs, talks, ops);
    }

    /** The same with other settings of hosts. */
    public SwarmCase withSide(Side value) {
        return new SwarmCase(seed, net, value, options, limits, clocks, faults, orders, healNs, talks, ops);
    }

    /** The same with other connections and operations. */
    public SwarmCase withTraffic(List<Talk> newTalks, List<Op> newOps) {
        return new SwarmCase(seed, net, side, options, limits, clocks, faults, orders, healNs, newTalks, newOps);
    }

    /** The same with other options. */
    public SwarmCase withOptions(Options value) {
        return new SwarmCase(seed, net, side, value, limits, clocks, faults, orders, healNs, talks, ops);
    }

    /** The same with other limits. */
    public SwarmCase withLimits(Limits value) {
        return new SwarmCase(seed, net, side, options, value, clocks, faults, orders, healNs, talks, ops);
    }

    /** The same with other clocks. */
    public SwarmCase withClocks(List<Clock> value) {
        return new SwarmCase(seed, net, side, options, limits, value, faults, orders, healNs, talks, ops);
    }

    /** The same with other orders. */
    public SwarmCase withOrders(List<Order> value) {
        return new SwarmCase(seed, net, side, options, limits, clocks, faults, value, healNs, talks, ops);
    }

    /** Bytes of all operations. */
    public long bytes() {
        long bytes = 0;
        for (Op op : ops) {
            bytes += op.size();
        }
        return bytes;
    }
}
