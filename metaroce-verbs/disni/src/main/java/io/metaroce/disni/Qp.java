package io.metaroce.disni;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPCap;
import com.ibm.disni.verbs.IbvQPInitAttr;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.QpInitAttributes;
import io.metaroce.verbs.QpState;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.VerbsException;
import java.io.IOException;
import java.time.Duration;

/** A queue pair; receives can be posted as soon as it is made. */
final class Qp extends IbvQP {
    private static final Duration CLOSING = Duration.ofMillis(100);

    private final Pd domain;
    private final QueuePair queuePair;

    private Qp(Pd domain, QueuePair queuePair, IbvQPInitAttr how) throws IOException {
        super(queuePair.qpNumber());
        this.domain = domain;
        this.queuePair = queuePair;
        context = domain.getContext();
        pd = domain;
        send_cq = how.getSend_cq();
        recv_cq = how.getRecv_cq();
        handle = queuePair.qpNumber();
        qp_num = queuePair.qpNumber();
        qp_type = how.getQp_type();
    }

    static Qp create(Pd domain, IbvQPInitAttr how) throws IOException {
        if (how.getQp_type() != IBV_QPT_RC) {
            throw new IOException("queue pairs of type " + how.getQp_type() + ": only RC (" + IBV_QPT_RC + ") exists");
        }
        IbvQPCap limits = how.cap();
        CompletionQueue sends = ((Cq) how.getSend_cq()).queue();
        CompletionQueue receives = ((Cq) how.getRecv_cq()).queue();
        try {
            QpInitAttributes attributes = QpInitAttributes.of(sends)
                    .withReceiveQueue(receives)
                    .withSendDepth(Math.max(1, limits.getMax_send_wr()))
                    .withReceiveDepth(Math.max(1, limits.getMax_recv_wr()))
                    .withSgeMax(Math.max(1, Math.max(limits.getMax_send_sge(), limits.getMax_recv_sge())))
                    .withInlineBytesMax(Math.max(0, limits.getMax_inline_data()));
            QueuePair made =
                    domain.domain().createQueuePair(how.getSq_sig_all() == 0 ? attributes : attributes.withSignalAll());
            made.modify(QpState.INIT);
            return new Qp(domain, made, how);
        } catch (VerbsException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    Pd domain() {
        return domain;
    }

    QueuePair queuePair() {
        return queuePair;
    }

    @Override
    public int getState() {
        return queuePair.state().value();
    }

    @Override
    public void close() {
        super.close();
        queuePair.close(CLOSING);
    }
}
