package io.metaroce.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCDeregMr;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import com.ibm.disni.verbs.SVCRegMr;
import com.ibm.disni.verbs.SVCReqNotify;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/** DiSNI's verbs over metaroce. */
final class Verbs extends RdmaVerbs {
    private static final Duration FOR_EVER = Duration.ofDays(10_000);

    @Override
    public IbvPd allocPd(IbvContext context) throws IOException {
        return new Pd((Context) context);
    }

    @Override
    public IbvCompChannel createCompChannel(IbvContext context) throws IOException {
        return new CompChannel((Context) context);
    }

    @Override
    public IbvCQ createCQ(IbvContext context, IbvCompChannel channel, int depth, int vector) throws IOException {
        return new Cq((Context) context, channel, depth);
    }

    @Override
    public boolean getCqEvent(IbvCompChannel channel, IbvCQ queue, int timeoutMs) {
        return ((Cq) queue).queue().awaitEvent(timeoutMs < 0 ? FOR_EVER : Duration.ofMillis(timeoutMs));
    }

    @Override
    public SVCRegMr regMr(IbvPd domain, ByteBuffer buffer, int access) {
        return new RegionCalls.Register((Pd) domain, buffer, access);
    }

    @Override
    public SVCRegMr regMr(IbvPd domain, long address, int length, int access) throws IOException {
        ByteBuffer buffer = BufferAddresses.at(address, length);
        if (buffer == null) {
            throw new IOException("register " + length + " bytes at " + address
                    + ": only what MemoryUtils.getAddress gave for a buffer that is still there can be registered");
        }
        return new RegionCalls.Register((Pd) domain, buffer, access);
    }

    @Override
    public int queryOdpSupport(IbvContext context) {
        return 0;
    }

    @Override
    public int expPrefetchMr(IbvMr region, long address, int length) {
        return 0;
    }

    @Override
    public SVCDeregMr deregMr(IbvMr region) {
        return new RegionCalls.Deregister((Mr) region);
    }

    @Override
    public SVCPostSend postSend(IbvQP queuePair, List<IbvSendWR> requests, List<IbvSendWR> bad) throws IOException {
        return new PostSend((Qp) queuePair, requests);
    }

    @Override
    public SVCPostRecv postRecv(IbvQP queuePair, List<IbvRecvWR> requests, List<IbvRecvWR> bad) throws IOException {
        return new PostReceive((Qp) queuePair, requests);
    }

    @Override
    public SVCPollCq pollCQ(IbvCQ queue, IbvWC[] into, int count) {
        return new Cq.Poll((Cq) queue, into, count);
    }

    @Override
    public SVCReqNotify reqNotifyCQ(IbvCQ queue, boolean solicitedOnly) {
        return new Cq.Notify((Cq) queue, solicitedOnly);
    }

    @Override
    public int ackCqEvents(IbvCQ queue, int count) {
        return 0;
    }

    @Override
    public int destroyCompChannel(IbvCompChannel channel) {
        channel.close();
        return 0;
    }

    @Override
    public int deallocPd(IbvPd domain) {
        domain.close();
        return 0;
    }

    @Override
    public int destroyCQ(IbvCQ queue) {
        queue.close();
        return 0;
    }
}
