package io.metaroce.verbs;

import io.metaroce.queue.ReceiveCell;
import io.metaroce.queue.ReceiveRing;
import java.util.List;

/** Posts receives: checks first, then copies into a cell. */
final class ReceivePoster {
    private final QueuePair user;
    private final Regions regions;
    private final ReceiveRing ring;
    private final int sgeMax;

    ReceivePoster(QueuePair user, Regions regions, ReceiveRing ring, QpInitAttributes attributes) {
        this.user = user;
        this.regions = regions;
        this.ring = ring;
        sgeMax = attributes.receiveSgeMax();
    }

    /** One receive with one piece; allocates nothing. False when the queue is full. */
    boolean post(long wrId, int lkey, long offset, int length) {
        if (length != 0) {
            regions.writable(user, lkey, offset, length);
        }
        ReceiveCell cell = ring.acquire();
        if (cell == null) {
            return false;
        }
        cell.wrId(wrId);
        if (length != 0) {
            cell.addSge(lkey, offset, length);
        }
        ring.post(cell);
        return true;
    }

    /** One receive. False when the queue is full. */
    boolean post(ReceiveWorkRequest request) {
        List<ScatterGatherEntry> entries = request.entries();
        if (entries.size() > sgeMax) {
            throw new VerbsException(
                    user.toString(),
                    "receive " + request.wrId() + " with " + entries.size() + " scatter-gather entries",
                    "at most " + sgeMax,
                    "raise QpInitAttributes.receiveSgeMax");
        }
        for (ScatterGatherEntry entry : entries) {
            if (entry.length() != 0) {
                regions.writable(user, entry.lkey(), entry.offset(), entry.length());
            }
        }
        ReceiveCell cell = ring.acquire();
        if (cell == null) {
            return false;
        }
        cell.wrId(request.wrId());
        for (ScatterGatherEntry entry : entries) {
            if (entry.length() != 0) {
                cell.addSge(entry.lkey(), entry.offset(), entry.length());
            }
        }
        ring.post(cell);
        return true;
    }
}
