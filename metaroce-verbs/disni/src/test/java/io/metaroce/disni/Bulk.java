package io.metaroce.disni;

import com.ibm.disni.RdmaEndpoint;
import com.ibm.disni.RdmaPassiveEndpointGroup;
import com.ibm.disni.RdmaServerEndpoint;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.LinkedList;
import java.util.List;

/** An application that knows nothing but DiSNI: 1 MiB written and read again and again, results polled. */
final class Bulk {
    static final int BYTES = 1 << 20;
    private static final int DEPTH = 8;

    /** One end with a large buffer and a small one, which tells where the large one is. */
    @SuppressWarnings({"JdkObsolete", "NonApiType", "NullAway.Init"
    }) // DiSNI wants linked lists, and fields are made by init()
    static final class End extends RdmaEndpoint {
        final ByteBuffer data = ByteBuffer.allocateDirect(BYTES);
        final ByteBuffer word = ByteBuffer.allocateDirect(16);
        IbvMr dataMr;
        private IbvMr wordMr;
        private SVCPollCq poll;
        private final IbvWC[] results = {new IbvWC(), new IbvWC(), new IbvWC(), new IbvWC()};

        End(RdmaPassiveEndpointGroup<End> group, RdmaCmId id, boolean isServer) throws IOException {
            super(group, id, isServer);
        }

        @Override
        protected synchronized void init() throws IOException {
            super.init();
            dataMr = registerMemory(data).execute().free().getMr();
            wordMr = registerMemory(word).execute().free().getMr();
            poll = getCqProvider().getCQ().poll(results, results.length);
            IbvRecvWR place = new IbvRecvWR();
            place.setWr_id(1);
            place.setSg_list(pieces(wordMr));
            postRecv(new LinkedList<>(List.of(place))).execute().free();
        }

        private static LinkedList<IbvSge> pieces(IbvMr region) {
            IbvSge piece = new IbvSge();
            piece.setAddr(region.getAddr());
            piece.setLength(region.getLength());
            piece.setLkey(region.getLkey());
            return new LinkedList<>(List.of(piece));
        }

        void sendWord() throws IOException {
            IbvSendWR request = new IbvSendWR();
            request.setWr_id(2);
            request.setSg_list(pieces(wordMr));
            request.setOpcode(IbvSendWR.IBV_WR_SEND);
            request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
            postSend(new LinkedList<>(List.of(request))).execute().free();
        }

        SVCPostSend prepare(int opcode, long address, int rkey) throws IOException {
            IbvSendWR request = new IbvSendWR();
            request.setWr_id(3);
            request.setSg_list(pieces(dataMr));
            request.setOpcode(opcode);
            request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
            request.getRdma().setRemote_addr(address);
            request.getRdma().setRkey(rkey);
            return postSend(new LinkedList<>(List.of(request)));
        }

        /** Waits for so many results; a server leaves the processor to others meanwhile. */
        void await(int count) throws Exception {
            long endNs = System.nanoTime() + 60_000_000_000L;
            int seen = 0;
            while (seen < count) {
                int polls = poll.execute().getPolls();
                for (int i = 0; i < polls; i++) {
                    if (results[i].getStatus() != 0) {
                        throw new IOException("status " + results[i].getStatus());
                    }
                }
                seen += polls;
                if (polls == 0) {
                    if (System.nanoTime() > endNs) {
                        throw new IOException("only " + seen + " of " + count + " results came");
                    }
                    if (isServerSide()) {
                        Thread.sleep(1);
                    } else {
                        Thread.onSpinWait();
                    }
                }
            }
        }
    }

    private Bulk() {}

    private static RdmaPassiveEndpointGroup<End> group() throws IOException {
        RdmaPassiveEndpointGroup<End> group = new RdmaPassiveEndpointGroup<>(100, 128, 4, 256);
        group.init((id, isServer) -> new End(group, id, isServer));
        return group;
    }

    /** Lets a client write and read its memory until that says it is done. */
    static void serve(InetSocketAddress at, Runnable whenListening) throws Exception {
        RdmaPassiveEndpointGroup<End> group = group();
        RdmaServerEndpoint<End> server = group.createServerEndpoint();
        server.bind(at, 10);
        whenListening.run();
        End end = server.accept();
        end.word.putLong(0, end.dataMr.getAddr()).putInt(8, end.dataMr.getRkey());
        end.sendWord();
        end.await(2);
        end.close();
        server.close();
        group.close();
    }

    /** What a run moved, and how fast. */
    record Moved(int operations, long writeNs, long readNs) {}

    /** Writes and reads back {@code rounds} times, and compares every byte each time. */
    static Moved move(InetSocketAddress at, int rounds) throws Exception {
        RdmaPassiveEndpointGroup<End> group = group();
        End end = group.createEndpoint();
        end.connect(at, 1_000);
        end.await(1);
        long address = end.word.getLong(0);
        int rkey = end.word.getInt(8);
        SVCPostSend write = end.prepare(IbvSendWR.IBV_WR_RDMA_WRITE, address, rkey);
        SVCPostSend read = end.prepare(IbvSendWR.IBV_WR_RDMA_READ, address, rkey);
        long writeNs = 0;
        long readNs = 0;
        for (int round = 0; round < rounds; round++) {
            fill(end.data, round);
            writeNs += times(end, write);
            fill(end.data, -1);
            readNs += times(end, read);
            check(end.data, round);
        }
        end.sendWord();
        end.await(1);
        end.close();
        group.close();
        return new Moved(rounds * DEPTH, writeNs, readNs);
    }

    private static long times(End end, SVCPostSend call) throws Exception {
        long beganNs = System.nanoTime();
        for (int i = 0; i < DEPTH; i++) {
            call.execute();
        }
        end.await(DEPTH);
        return System.nanoTime() - beganNs;
    }

    static void fill(ByteBuffer data, int round) {
        for (int i = 0; i < BYTES; i += 8) {
            data.putLong(i, ((long) round << 32) | i);
        }
    }

    private static void check(ByteBuffer data, int round) throws IOException {
        for (int i = 0; i < BYTES; i += 8) {
            if (data.getLong(i) != (((long) round << 32) | i)) {
                throw new IOException("round " + round + ": byte " + i + " is wrong");
            }
        }
    }
}
