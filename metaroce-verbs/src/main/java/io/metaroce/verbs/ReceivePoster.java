package io.metaroce.verbs;

import io.metaroce.queue.ReceiveCell;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Posts receives: checks first, then copies into a cell. */
final class ReceivePoster {
    private final Object user;
    private final ProtectionDomain domain;
    private final Regions regions;
    private final Supplier<@Nullable ReceiveCell> acquire;
    private final Consumer<ReceiveCell> post;
    private final int sgeMax;
    private final String sgeSetting;

    /**
     * Makes one.
     *
     * @param user who posts, for exceptions
     * @param acquire a cell to fill, or null when there is none
     * @param post takes a filled cell
     * @param sgeSetting what sets {@code sgeMax}, for exceptions
     */
    ReceivePoster(
            Object user,
            ProtectionDomain domain,
            Supplier<@Nullable ReceiveCell> acquire,
            Consumer<ReceiveCell> post,
            int sgeMax,
            String sgeSetting) {
        this.user = user;
        this.domain = domain;
        this.regions = domain.device().regions();
        this.acquire = acquire;
        this.post = post;
        this.sgeMax = sgeMax;
        this.sgeSetting = sgeSetting;
    }

    /** One receive with one piece; allocates nothing. False when the queue is full. */
    boolean post(long wrId, int lkey, long offset, int length) {
        if (length != 0) {
            regions.writable(user, domain, lkey, offset, length);
        }
        ReceiveCell cell = acquire.get();
        if (cell == null) {
            return false;
        }
        cell.wrId(wrId);
        if (length != 0) {
            cell.addSge(lkey, offset, length);
        }
        post.accept(cell);
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
                    "raise " + sgeSetting);
        }
        for (ScatterGatherEntry entry : entries) {
            if (entry.length() != 0) {
                regions.writable(user, domain, entry.lkey(), entry.offset(), entry.length());
            }
        }
        ReceiveCell cell = acquire.get();
        if (cell == null) {
            return false;
        }
        cell.wrId(request.wrId());
        for (ScatterGatherEntry entry : entries) {
            if (entry.length() != 0) {
                cell.addSge(entry.lkey(), entry.offset(), entry.length());
            }
        }
        post.accept(cell);
        return true;
    }
}
