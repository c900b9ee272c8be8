package io.metaroce.sim;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.engine.StreamBinding;
import io.metaroce.sim.Script.Sent;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.ProbeHeader;
import io.metaroce.wire.StreamUpdate;
import io.metaroce.wire.Tlv;
import io.metaroce.wire.model.Bytes;
import io.metaroce.wire.model.Packet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The far side of a script: no engine, only what the script says. It knows both sides' numbers, so scripts count the
 * slots of a path from 0 wherever its PSNs begin, and name a stamp by the slot that carried it.
 */
public final class ScriptPeer {
    /** ConnId the peer receives on. */
    public static final int CONN_ID = 0x5EEDFACE;

    private static final int PATH_STRIDE = 0x9E3779B1;
    private static final long HANDSHAKE_NS = 10_000;
    private static final int NS_PER_STAMP = 16;
    private static final int ALL_PLANES = 0xFFFF;
    private static final int ECHO_BYTES = 10;

    private final Script script;
    private final ConnectParameters own = new ConnectParameters();
    private ConnectParameters theirs = new ConnectParameters();
    private int theirConnId;
    private int localId;
    private int nextAckSeq = 1;
    private boolean answersChallenges = true;
    private final int[] lastStamp = new int[256];

    ScriptPeer(Script script, int planes) {
        this.script = script;
        List<ConnectParameters.PlaneAddress> addresses = new ArrayList<>();
        for (int plane = 0; plane < planes; plane++) {
            addresses.add(new ConnectParameters.PlaneAddress(plane, Addressing.of(plane, Script.PEER_NODE)));
        }
        own.planes(addresses)
                .crcSeed(0x0C0FFEE0)
                .psnSeed(1000)
                .ecnMode(ConnectParameters.ECN_IP)
                .maxAckDelayNs(1000);
    }

    /** What the peer says in the handshake; change it before connecting. */
    public ConnectParameters parameters() {
        return own;
    }

    /** What the endpoint said in the handshake. */
    public ConnectParameters theirParameters() {
        return theirs;
    }

    /** Local number of the connection at the endpoint. */
    public int connectionId() {
        return localId;
    }

    /** ConnId the endpoint receives on. */
    public int theirConnId() {
        return theirConnId;
    }

    /** PSN of slot {@code index} of one of the endpoint's paths. */
    public int psn(int path, int index) {
        return theirs.psnSeed() + path * PATH_STRIDE + index;
    }

    /** PSN of slot {@code index} of one of the peer's own paths. */
    public int ownPsn(int path, int index) {
        return own.psnSeed() + path * PATH_STRIDE + index;
    }

    // ---- the handshake

    /** Challenges that come with the connection stay unanswered. Before it is connected. */
    public ScriptPeer withoutEchoes() {
        answersChallenges = false;
        return this;
    }

    /** Echoes every challenge sent so far. */
    private void answerChallenges() {
        for (Sent sent : List.copyOf(script.history())) {
            if (sent.packet() instanceof Packet.Probe probe && (probe.probeFlags() & ProbeHeader.CHALLENGE) != 0) {
                script.take(Script.any(PacketKind.PROBE));
                script.deliver(echo(probe.challenge()));
            }
        }
    }

    /** An acknowledgement that says nothing but a challenge; all planes up, the next AckSeq. */
    public Crafted echo(long challenge) {
        ByteBuffer value = ByteBuffer.allocate(ECHO_BYTES).putLong(2, challenge);
        List<Packet.Option> echo = List.of(new Packet.Option(Tlv.PROBE_ECHO, Bytes.of(value, 0, ECHO_BYTES)));
        Packet.Header header = new Packet.Header(BaseHeader.X, 0, 0, theirConnId, nextAckSeq++, stamp());
        return craft(new Packet.Ack(header, 0, ALL_PLANES, 0, 0, List.of(), List.of(), echo));
    }

    ScriptPeer isAskedFor(App... apps) {
        List<StreamBinding> bindings = new ArrayList<>();
        List<ConnectParameters.StreamOpen> open = new ArrayList<>();
        for (App app : apps) {
            bindings.add(app.binding());
            open.add(new ConnectParameters.StreamOpen(app.binding().streamId(), 0));
        }
        if (own.streamsOpen().size() < open.size()) {
            own.streamsOpen(open);
        }
        Address to = Addressing.of(0, Script.PEER_NODE);
        localId =
                script.endpoint().connect(script.nowNs(), to, Script.SERVICE, bindings, new byte[0], script.listener());
        Sent request = script.go().take(Script.any(PacketKind.SETUP));
        Packet.ConnectRequest asked = (Packet.ConnectRequest) request.packet();
        theirConnId = asked.initConnId();
        theirs = parameters(request.bytes());
        Packet.Header header = new Packet.Header(0, 0, 0, theirConnId, 0, stamp());
        Packet accept = new Packet.ConnectAccept(header, asked.nonce(), CONN_ID, 1, options(own));
        script.after(HANDSHAKE_NS).deliver(accept, 0);
        script.take(Script.any(PacketKind.SETUP)); // CONN_CONFIRM
        if (answersChallenges) {
            answerChallenges();
        }
        return this;
    }

    private static ConnectParameters parameters(ByteBuffer bytes) {
        PacketView view = new PacketView();
        Address nowhere = Address.ipv4(0, 1);
        Datagram datagram = new Datagram().set(bytes, 0, bytes.capacity(), 0, Ecn.ECT_0, () -> nowhere);
        ConnectParameters parameters = new ConnectParameters();
        if (view.open(datagram) != null
                || view.parse() != null
                || parameters.read(bytes, view.tlvOffset(), view.tlvEnd()) != null) {
            throw new AssertionError("the endpoint sent a request that cannot be read");
        }
        return parameters;
    }

    private static List<Packet.Option> options(ConnectParameters parameters) {
        ByteBuffer buffer = ByteBuffer.allocate(2048);
        parameters.write(buffer, 0);
        List<Packet.Option> options = new ArrayList<>();
        int at = 0;
        while (Tlv.type(buffer, at) != Tlv.END) {
            int length = Tlv.lengthBytes(buffer, at);
            options.add(new Packet.Option(Tlv.type(buffer, at), Bytes.of(buffer, at + 2, length - 2)));
            at += length;
        }
        return options;
    }

    // ---- packets of the peer

    /**
     * A packet ready to be delivered.
     *
     * @param packet what it says
     * @param seed seed of its trailer
     * @param plane plane it arrives on
     * @param ecn codepoint it arrives with
     */
    public record Crafted(Packet packet, int seed, int plane, Ecn ecn) {
        /** The same on another plane. */
        public Crafted onPlane(int value) {
            return new Crafted(packet, seed, value, ecn);
        }

        /** The same with congestion experienced. */
        public Crafted marked() {
            return new Crafted(packet, seed, plane, Ecn.CE);
        }
    }

    /** Any packet with the trailer the endpoint expects. */
    public Crafted craft(Packet packet) {
        int seed = Opcode.usesSeedZero(packet.opcode()) ? 0 : theirs.crcSeed();
        return new Crafted(packet, seed, 0, Ecn.ECT_0);
    }

    /** An acknowledgement with these blocks, no hint, all planes up, the next AckSeq. */
    public Crafted ack(BlockBuilder... blocks) {
        return ack(0, List.of(), blocks);
    }

    /** An acknowledgement with a rate hint and news of streams. */
    public Crafted ack(int rateHint, List<Packet.Update> updates, BlockBuilder... blocks) {
        List<Packet.Block> list = new ArrayList<>();
        for (BlockBuilder block : blocks) {
            list.add(block.build());
        }
        return craft(new Packet.Ack(reportHeader(), rateHint, ALL_PLANES, 0, 0, list, updates, List.of()));
    }

    /** The next report header: AckSeq grows by one each time. */
    public Packet.Header reportHeader() {
        return new Packet.Header(0, 0, 0, theirConnId, nextAckSeq++, stamp());
    }

    /** The header of slot {@code index} of one of the peer's own paths; stamps grow. */
    public Packet.Header slotHeader(int path, int index, int flags) {
        lastStamp[path] = Math.max(lastStamp[path] + 1, stamp());
        return new Packet.Header(flags, path, 0, theirConnId, ownPsn(path, index), lastStamp[path]);
    }

    /** News of a stream that is open: messages before {@code nextMsn} are complete, so many receives are posted. */
    public static Packet.Update update(int streamId, int nextMsn, int rsnLimit) {
        return new Packet.Update(streamId, StreamUpdate.OPEN | StreamUpdate.LIMIT_VALID, 0, nextMsn, rsnLimit);
    }

    /** What the peer has received on a path of the endpoint, to be told in an acknowledgement. */
    public BlockBuilder block(int path) {
        return new BlockBuilder(path);
    }

    /** Collects the fields of a path block; slots are counted from 0. */
    public final class BlockBuilder {
        private final int path;
        private int epoch;
        private int flags;
        private int cum;
        private int echo;
        private int ackDelay;
        private int rxPackets = -1;
        private int cePackets;
        private int duplicates;
        private String bits = "";

        private BlockBuilder(int path) {
            this.path = path;
        }

        /** Every slot before {@code index} has arrived, it has not. */
        public BlockBuilder cum(int index) {
            cum = index;
            return this;
        }

        /** Bit i, counted from the left, is slot cum + i: {@code "011"} says that cum + 1 and cum + 2 came. */
        public BlockBuilder bits(String value) {
            bits = value;
            return this;
        }

        /** The newest stamp seen is that of the latest transmission of slot {@code index}. */
        public BlockBuilder echo(int index) {
            Sent sent = latest(path, index);
            echo = sent.packet().header().txStamp();
            epoch = sent.packet().header().pathEpoch();
            return this;
        }

        /** The newest stamp seen is this one, and the epoch it came with. */
        public BlockBuilder echoStamp(int stamp, int withEpoch) {
            echo = stamp;
            epoch = withEpoch;
            return this;
        }

        /** Flags of {@link io.metaroce.wire.PathBlock}. */
        public BlockBuilder flags(int value) {
            flags = value;
            return this;
        }

        /** Time between arrival and report, in units of 64 ns. */
        public BlockBuilder ackDelay(int units) {
            ackDelay = units;
            return this;
        }

        /** Slots received so far; without it, as many as are reported. */
        public BlockBuilder rxPackets(int count) {
            rxPackets = count;
            return this;
        }

        /** Marked packets received so far. */
        public BlockBuilder cePackets(int count) {
            cePackets = count;
            return this;
        }

        /** Duplicates received so far. */
        public BlockBuilder duplicates(int count) {
            duplicates = count;
            return this;
        }

        private Packet.Block build() {
            long[] words = new long[(bits.length() + 63) / 64];
            int arrived = cum;
            for (int i = 0; i < bits.length(); i++) {
                if (bits.charAt(i) == '1') {
                    words[i >>> 6] |= 1L << i;
                    arrived++;
                }
            }
            List<Long> bitmap = new ArrayList<>();
            for (long word : words) {
                bitmap.add(word);
            }
            int received = rxPackets < 0 ? arrived + duplicates : rxPackets;
            return new Packet.Block(
                    path, epoch, flags, psn(path, cum), echo, ackDelay, 0, received, cePackets, duplicates, bitmap);
        }
    }

    // ---- packets of the endpoint

    /** The latest transmission of slot {@code index} of a path. */
    public Sent latest(int path, int index) {
        List<Sent> history = script.history();
        for (int i = history.size() - 1; i >= 0; i--) {
            Packet packet = history.get(i).packet();
            if (Opcode.isSlot(packet.opcode())
                    && packet.header().pathId() == path
                    && packet.header().psn() == psn(path, index)) {
                return history.get(i);
            }
        }
        throw new AssertionError("slot " + index + " of path " + path + " was never sent");
    }

    /** A first transmission of slot {@code index} of a path. */
    public SlotExpected data(int path, int index) {
        return new SlotExpected(path, index, 0);
    }

    /** A PROBE(T) of a path. */
    public Script.Expected probe(int path) {
        return new Script.Expected() {
            @Override
            public boolean fits(Sent sent) {
                return sent.packet() instanceof Packet.Probe probe
                        && (probe.probeFlags() & ProbeHeader.IN_PATH) != 0
                        && probe.header().pathId() == path;
            }

            @Override
            public String text() {
                return "a PROBE(T) of path " + path;
            }
        };
    }

    /** A slot packet with a place in its path. */
    public final class SlotExpected implements Script.Expected {
        private final int path;
        private final int index;
        private final int flags;

        private SlotExpected(int path, int index, int flags) {
            this.path = path;
            this.index = index;
            this.flags = flags;
        }

        /** The same as a retransmission. */
        public SlotExpected resent() {
            return new SlotExpected(path, index, flags | BaseHeader.R);
        }

        @Override
        public boolean fits(Sent sent) {
            Packet.Header header = sent.packet().header();
            return Opcode.isSlot(sent.packet().opcode())
                    && header.pathId() == path
                    && header.psn() == psn(path, index)
                    && (header.flags() & BaseHeader.R) == flags;
        }

        @Override
        public String text() {
            return (flags == 0 ? "slot " : "a resend of slot ") + index + " of path " + path + " (psn "
                    + Integer.toUnsignedString(psn(path, index)) + ")";
        }
    }

    private int stamp() {
        return (int) (script.nowNs() / NS_PER_STAMP);
    }
}
