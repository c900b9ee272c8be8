package io.metaroce.udp;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.AddressSource;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.netty.buffer.ByteBuf;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Lays one reused {@link Datagram} over each packet a socket hands out. Packets that the kernel coalesced arrive here
 * as slices of one buffer, one call each; no byte is copied, and a source address is converted only when it is asked
 * for.
 */
final class ReceiveBatch implements AddressSource {
    /** What is taken from a socket. */
    enum Intake {
        /** Everything. */
        ALL,
        /** Only the two packets that are sent to an observed source. */
        STATELESS_REPLIES
    }

    // Where the base header has its opcode, and the two opcodes a source port may receive.
    static final int OPCODE_AT = 1;
    static final int VERSION_NEG = 0x06;
    static final int RESET = 0x09;

    private final LoopDriver driver;
    private final int plane;
    private final Intake intake;
    private final Ecn codepoint;
    private final @Nullable Lanes lanes;
    private final int shard;
    private final Datagram datagram = new Datagram();
    private @Nullable InetSocketAddress sender;
    private long end; // address behind the packet that came last, 0 for none

    ReceiveBatch(LoopDriver driver, int plane, Intake intake) {
        this(driver, plane, intake, Ecn.UNKNOWN, null, 0);
    }

    /**
     * What a socket hands out on which packets of one codepoint arrive and no others.
     *
     * @param lanes the other endpoints at the address, or null
     * @param shard which of them this is
     */
    ReceiveBatch(LoopDriver driver, int plane, Intake intake, Ecn codepoint, @Nullable Lanes lanes, int shard) {
        this.lanes = lanes;
        this.shard = shard;
        this.codepoint = codepoint;
        this.driver = driver;
        this.plane = plane;
        this.intake = intake;
    }

    /** Feeds the packet; the buffer stays the caller's. */
    void deliver(DatagramPacket packet) {
        ByteBuf content = packet.content();
        if (intake == Intake.STATELESS_REPLIES && !isStatelessReply(content)) {
            return;
        }
        if (lanes != null && lanes.passOn(shard, plane, packet)) {
            return;
        }
        int length = content.readableBytes();
        sender = packet.sender();
        driver.feed(lay(content, length), instant(content, length));
        sender = null;
    }

    /** A slice would make a buffer of its own for everybody who looks into it; what it was cut from has one already. */
    private Datagram lay(ByteBuf content, int length) {
        ByteBuf whole = content.unwrap();
        if (whole == null || !content.hasMemoryAddress() || whole.unwrap() != null) {
            ByteBuffer bytes = content.internalNioBuffer(content.readerIndex(), length);
            return datagram.set(bytes, bytes.position(), length, plane, codepoint, this);
        }
        ByteBuffer bytes = whole.internalNioBuffer(0, whole.capacity());
        int at = (int) (content.memoryAddress() + content.readerIndex() - whole.memoryAddress());
        return datagram.set(bytes, at, length, plane, codepoint, this);
    }

    /** All that was read so far has been delivered. */
    void readComplete() {
        end = 0;
    }

    /** Packets that lie one behind the other were read by one call. */
    private LoopDriver.Instant instant(ByteBuf content, int length) {
        if (!content.hasMemoryAddress()) {
            return LoopDriver.Instant.OWN;
        }
        long start = content.memoryAddress() + content.readerIndex();
        boolean follows = start == end;
        end = start + length;
        return follows ? LoopDriver.Instant.AS_BEFORE : LoopDriver.Instant.OWN;
    }

    @Override
    public Address address() {
        if (sender == null) {
            throw new IllegalStateException("the source of a datagram can be asked for only while it is delivered");
        }
        return SocketAddresses.toAddress(sender);
    }

    private static boolean isStatelessReply(ByteBuf content) {
        if (content.readableBytes() <= OPCODE_AT) {
            return false;
        }
        int opcode = content.getByte(content.readerIndex() + OPCODE_AT);
        return opcode == RESET || opcode == VERSION_NEG;
    }
}
