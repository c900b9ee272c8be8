package io.metaroce.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCReqNotify;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.WorkCompletion;
import java.io.IOException;

/** A completion queue, with the prepared calls that poll and arm it. */
final class Cq extends IbvCQ {
    private final CompletionQueue queue;

    Cq(Context context, IbvCompChannel channel, int depth) throws IOException {
        super(context, channel, depth);
        queue = context.device().createCompletionQueue(depth);
        cqe = depth;
    }

    CompletionQueue queue() {
        return queue;
    }

    @Override
    public void close() {
        super.close();
        queue.close();
    }

    /** Fetches results into the caller's objects. */
    static final class Poll extends SVCPollCq {
        private final CompletionQueue queue;
        private final IbvWC[] into;
        private final WorkCompletion[] fetched;
        private int polls;
        private boolean freed;

        Poll(Cq from, IbvWC[] into, int count) {
            queue = from.queue;
            this.into = into;
            fetched = WorkCompletion.array(Math.min(count, into.length));
        }

        @Override
        public SVCPollCq execute() {
            polls = queue.poll(fetched);
            for (int i = 0; i < polls; i++) {
                WorkCompletion from = fetched[i];
                IbvWC to = into[i];
                to.setWr_id(from.wrId());
                to.setStatus(from.status().value());
                to.setOpcode(from.opcode().value());
                to.setByte_len((int) from.byteLength());
                to.setImm_data(from.immediate());
                to.setWc_flags(from.flags());
                to.setQp_num(from.qpNumber());
                to.setSend(!from.opcode().isReceive());
                to.setErr(from.status().value());
            }
            return this;
        }

        @Override
        public int getPolls() {
            return polls;
        }

        @Override
        public boolean isValid() {
            return !freed;
        }

        @Override
        public SVCPollCq free() {
            freed = true;
            return this;
        }
    }

    /** Asks for one event. */
    static final class Notify extends SVCReqNotify {
        private final CompletionQueue queue;
        private final boolean solicitedOnly;
        private boolean freed;

        Notify(Cq of, boolean solicitedOnly) {
            queue = of.queue;
            this.solicitedOnly = solicitedOnly;
        }

        @Override
        public SVCReqNotify execute() {
            queue.requestNotify(solicitedOnly);
            return this;
        }

        @Override
        public boolean isValid() {
            return !freed;
        }

        @Override
        public SVCReqNotify free() {
            freed = true;
            return this;
        }
    }
}
