package io.metaroce.disni;

import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostRecv;
import io.metaroce.verbs.ReceiveWorkRequest;
import io.metaroce.verbs.ScatterGatherEntry;
import io.metaroce.verbs.VerbsException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A prepared list of receives, which may be posted many times. */
final class PostReceive extends SVCPostRecv {
    private final Qp queuePair;
    private final List<ReceiveWorkRequest> requests = new ArrayList<>();
    private boolean freed;

    PostReceive(Qp queuePair, List<IbvRecvWR> from) throws IOException {
        this.queuePair = queuePair;
        for (IbvRecvWR request : from) {
            List<ScatterGatherEntry> entries = new ArrayList<>();
            if (request.getSg_list() != null) {
                for (IbvSge piece : request.getSg_list()) {
                    long offset = queuePair.domain().offset(piece.getLkey(), piece.getAddr(), piece.getLength());
                    entries.add(new ScatterGatherEntry(piece.getLkey(), offset, piece.getLength()));
                }
            }
            requests.add(new ReceiveWorkRequest(request.getWr_id(), entries));
        }
    }

    @Override
    public RecvWRMod getWrMod(int index) {
        return requests.get(index)::wrId;
    }

    @Override
    public SVCPostRecv execute() throws IOException {
        for (int i = 0; i < requests.size(); i++) {
            boolean posted;
            try {
                posted = queuePair.queuePair().postReceive(requests.get(i));
            } catch (VerbsException e) {
                throw new IOException(e.getMessage(), e);
            }
            if (!posted) {
                throw new IOException("ENOMEM: the receive queue of " + queuePair.queuePair() + " is full after " + i
                        + " of " + requests.size() + " requests; poll completions first, or raise max_recv_wr");
            }
        }
        return this;
    }

    @Override
    public boolean isValid() {
        return !freed;
    }

    @Override
    public SVCPostRecv free() {
        freed = true;
        return this;
    }
}
