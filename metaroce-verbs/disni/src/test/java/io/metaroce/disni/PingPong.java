package io.metaroce.disni;

import com.ibm.disni.RdmaActiveEndpoint;
import com.ibm.disni.RdmaActiveEndpointGroup;
import com.ibm.disni.RdmaServerEndpoint;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** An application that knows nothing but DiSNI: messages to and fro, results fetched by DiSNI's own threads. */
final class PingPong {
    static final int BYTES = 64;

    /** One end. */
    @SuppressWarnings({"JdkObsolete", "NonApiType", "NullAway.Init"
    }) // DiSNI wants linked lists, and fields are made by init()
    static final class End extends RdmaActiveEndpoint {
        final ByteBuffer sent = ByteBuffer.allocateDirect(BYTES);
        final ByteBuffer received = ByteBuffer.allocateDirect(BYTES);
        final LinkedBlockingQueue<IbvWC> results = new LinkedBlockingQueue<>();
        private SVCPostSend send;
        private SVCPostRecv receive;

        End(RdmaActiveEndpointGroup<End> group, RdmaCmId id, boolean isServer) throws IOException {
            super(group, id, isServer);
        }

        @Override
        protected synchronized void init() throws IOException {
            super.init();
            IbvSendWR request = new IbvSendWR();
            request.setWr_id(1);
            request.setSg_list(pieces(registerMemory(sent).execute().free().getMr()));
            request.setOpcode(IbvSendWR.IBV_WR_SEND);
            request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
            send = postSend(new LinkedList<>(List.of(request)));
            IbvRecvWR place = new IbvRecvWR();
            place.setWr_id(2);
            place.setSg_list(pieces(registerMemory(received).execute().free().getMr()));
            receive = postRecv(new LinkedList<>(List.of(place)));
            receive.execute();
        }

        private static LinkedList<IbvSge> pieces(IbvMr region) {
            IbvSge piece = new IbvSge();
            piece.setAddr(region.getAddr());
            piece.setLength(region.getLength());
            piece.setLkey(region.getLkey());
            return new LinkedList<>(List.of(piece));
        }

        void say(long number) throws IOException {
            sent.putLong(0, number);
            send.execute();
        }

        /** The number that came, with a place for the next one. */
        long hear() throws Exception {
            while (true) {
                IbvWC result = results.poll(10, TimeUnit.SECONDS);
                if (result == null || result.getStatus() != 0) {
                    throw new IOException("no message: " + (result == null ? "nothing came" : result.getStatus()));
                }
                if (result.getOpcode() == IbvWC.IbvWcOpcode.IBV_WC_RECV.getOpcode()) {
                    long number = received.getLong(0);
                    receive.execute();
                    return number;
                }
            }
        }

        @Override
        public void dispatchCqEvent(IbvWC result) throws IOException {
            results.add(result.clone());
        }
    }

    private PingPong() {}

    static RdmaActiveEndpointGroup<End> group() throws IOException {
        RdmaActiveEndpointGroup<End> group = new RdmaActiveEndpointGroup<>(100, false, 128, 4, 128);
        group.init((id, isServer) -> new End(group, id, isServer));
        return group;
    }

    /** Answers {@code rounds} numbers with the next one. */
    static void serve(InetSocketAddress at, int rounds, Runnable whenListening) throws Exception {
        RdmaActiveEndpointGroup<End> group = group();
        RdmaServerEndpoint<End> server = group.createServerEndpoint();
        server.bind(at, 10);
        whenListening.run();
        End end = server.accept();
        for (int i = 0; i < rounds; i++) {
            end.say(end.hear() + 1);
        }
        // The client ends it.
        for (int i = 0; i < 1_000 && !end.isClosed() && end.isConnected(); i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        end.close();
        server.close();
        group.close();
    }

    /** Says {@code rounds} numbers; returns the sum of the answers. */
    static long call(InetSocketAddress at, int rounds) throws Exception {
        RdmaActiveEndpointGroup<End> group = group();
        try {
            End end = group.createEndpoint();
            end.connect(at, 1_000);
            long sum = 0;
            for (int i = 0; i < rounds; i++) {
                end.say(10L * i);
                sum += end.hear();
            }
            end.close();
            return sum;
        } finally {
            group.close();
        }
    }
}
