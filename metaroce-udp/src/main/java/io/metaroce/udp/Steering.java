package io.metaroce.udp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Lets the kernel sort arriving datagrams onto the members of a group of sockets with one address: by connection where
 * several endpoints share it, and by ECN codepoint. Neither the JDK nor Netty hands over the TOS byte; but the kernel
 * asks a classic BPF program which member a datagram is for, and that can read it. The index of a member is the order
 * in which it was bound.
 */
final class Steering {
    /** Members of a group: one for each codepoint, in the order of the two bits. */
    static final int CODEPOINTS = 4;

    private static final int SOL_SOCKET = 1;
    private static final int SO_ATTACH_REUSEPORT_CBPF = 51;
    // struct sock_fprog: the number of instructions, padding, the address of the first.
    private static final int SOCK_FPROG_BYTES = 16;
    private static final int INSTRUCTIONS_AT = 8;

    private static final int LOAD_BYTE = 0x30;
    private static final int LOAD_WORD = 0x20;
    private static final int AND = 0x54;
    private static final int SHIFT_LEFT = 0x64;
    private static final int SHIFT_RIGHT = 0x74;
    private static final int ADD_X = 0x0C;
    private static final int TO_X = 0x07;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int RETURN_A = 0x16;
    private static final int IP_HEADER = -0x100000; // where loads begin at the IP header instead of the UDP payload

    // Where packets name their connection, and where a request, which has none yet, names that of its sender.
    static final int DST_CONN_ID = 4;
    static final int INIT_CONN_ID = 16;

    private static final ChannelOption<ByteBuffer> ATTACH = new RawUnixChannelOption(
            "SO_ATTACH_REUSEPORT_CBPF", SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, SOCK_FPROG_BYTES);

    private Steering() {}

    /** Whether codepoints are told apart. */
    enum Codepoints {
        SORTED,
        MIXED
    }

    /**
     * Sorts by connection where {@code shards} endpoints share the address, and within each by codepoint: the member is
     * shard times four plus codepoint, or the shard alone.
     *
     * @param member any member of the group; all are bound
     * @param shards a power of two
     * @return whether the system knows how
     */
    static boolean attach(Channel member, boolean isIpv6, int shards, Codepoints codepoints) {
        boolean bySocket = codepoints == Codepoints.SORTED;
        ByteBuf program = Unpooled.directBuffer(256);
        try {
            int instructions = byConnection(program, shards, bySocket ? 2 : 0);
            if (bySocket) {
                instructions += put(program, TO_X, 0);
                instructions += byCodepoint(program, isIpv6);
                instructions += put(program, ADD_X, 0);
            }
            instructions += put(program, RETURN_A, 0);
            if (!program.hasMemoryAddress()) {
                return false;
            }
            ByteBuffer header = ByteBuffer.allocateDirect(SOCK_FPROG_BYTES).order(ByteOrder.nativeOrder());
            header.putShort(0, (short) instructions).putLong(INSTRUCTIONS_AT, program.memoryAddress());
            return member.config().setOption(ATTACH, header);
        } catch (ChannelException e) {
            return false;
        } finally {
            boolean unused = program.release();
        }
    }

    /** The traffic class of IPv6 straddles the first two bytes; its low two bits are bits 5 and 4 of the second. */
    private static int byCodepoint(ByteBuf program, boolean isIpv6) {
        int count = put(program, LOAD_BYTE, IP_HEADER + 1);
        if (isIpv6) {
            count += put(program, SHIFT_RIGHT, 4);
        }
        return count + put(program, AND, CODEPOINTS - 1);
    }

    /**
     * The low bits of the number of the connection; of a request those of its sender's, so that repeats go there too.
     */
    private static int byConnection(ByteBuf program, int shards, int shift) {
        int count = put(program, LOAD_WORD, DST_CONN_ID);
        count += jumpUnlessZero(program, 1);
        count += put(program, LOAD_WORD, INIT_CONN_ID);
        count += put(program, AND, shards - 1);
        return count + put(program, SHIFT_LEFT, shift);
    }

    private static int put(ByteBuf program, int code, int value) {
        return put(program, code, 0, value);
    }

    private static int jumpUnlessZero(ByteBuf program, int over) {
        return put(program, JUMP_IF_EQUAL, over << 8, 0);
    }

    /** struct sock_filter: code, two jumps of a byte each, a value; the byte order is that of the machine. */
    private static int put(ByteBuf program, int code, int jumps, int value) {
        if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
            program.writeShortLE(code).writeShortLE(jumps).writeIntLE(value);
        } else {
            program.writeShort(code)
                    .writeByte(jumps & 0xFF)
                    .writeByte(jumps >>> 8)
                    .writeInt(value);
        }
        return 1;
    }
}
