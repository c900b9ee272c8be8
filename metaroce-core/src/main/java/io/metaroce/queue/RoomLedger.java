package io.metaroce.queue;

import org.jspecify.annotations.Nullable;

/**
 * Who may post how many completions: tokens, one per cell. Endpoint thread.
 *
 * <p>Each account owns one token for good, from the first time it is met; the rest is shared. A token is free,
 * reserved, or out with a completion. Own tokens are reserved first and given back last, so shared ones are held no
 * longer than needed.
 */
final class RoomLedger {
    /** A token that belongs to nobody. */
    static final int SHARED = -1;

    private final @Nullable Account[] accounts; // made when first met
    private int sharedFree;
    private int owed; // accounts whose own token is still to come

    RoomLedger(int tokens) {
        accounts = new @Nullable Account[tokens];
        sharedFree = tokens;
    }

    /** The account of an attachment; met for the first time, its own token is set apart. */
    Account meet(int attachment) {
        Account account = accounts[attachment];
        if (account == null) {
            account = new Account();
            accounts[attachment] = account;
        }
        if (!account.met) {
            account.met = true;
            if (sharedFree > 0) {
                sharedFree--;
                account.ownFree = true;
            } else {
                account.isOwed = true;
                owed++;
            }
        }
        return account;
    }

    /** The account of an attachment that was met. */
    Account of(int attachment) {
        Account account = accounts[attachment];
        if (account == null) {
            throw new IllegalStateException("attachment " + attachment + " never reserved anything");
        }
        return account;
    }

    /** Whether {@link #reserve} would find a token. */
    boolean hasRoom(Account account) {
        return account.ownFree || sharedFree > 0;
    }

    /** Takes a free token. */
    boolean reserve(Account account) {
        if (account.ownFree) {
            account.ownFree = false;
            account.ownReserved = true;
            return true;
        }
        if (sharedFree > 0) {
            sharedFree--;
            account.sharedReserved++;
            return true;
        }
        return false;
    }

    /** Gives a reserved token back; whether it was a shared one, so that others may have it. */
    boolean unreserve(Account account) {
        if (account.sharedReserved > 0) {
            account.sharedReserved--;
            giveShared();
            return true;
        }
        if (account.ownReserved) {
            account.ownReserved = false;
            account.ownFree = true;
            return false;
        }
        throw new IllegalStateException("nothing reserved that could be given back");
    }

    /** Sends a reserved token out with a completion: {@link #SHARED}, or the attachment whose own it is. */
    int spend(int attachment, Account account) {
        if (account.sharedReserved > 0) {
            account.sharedReserved--;
            return SHARED;
        }
        if (account.ownReserved) {
            account.ownReserved = false;
            return attachment;
        }
        throw new IllegalStateException("attachment " + attachment + " completes without a reservation");
    }

    /** A token came back with a released cell; that of a former life is shared now. */
    void comeBack(int token, int life) {
        Account account = token == SHARED ? null : accounts[token];
        if (account != null && life == account.life) {
            account.ownFree = true;
        } else {
            giveShared();
        }
    }

    /** Ends the account's life: all it holds goes back, its own token becomes shared. */
    void leave(int attachment) {
        Account account = of(attachment);
        while (account.sharedReserved > 0) {
            account.sharedReserved--;
            giveShared();
        }
        if (account.isOwed) {
            account.isOwed = false;
            owed--;
        }
        if (account.ownFree || account.ownReserved) {
            account.ownFree = false;
            account.ownReserved = false;
            giveShared();
        }
        account.met = false;
        account.life++;
        account.waiter = null;
    }

    private void giveShared() {
        if (owed == 0) {
            sharedFree++;
            return;
        }
        for (Account account : accounts) {
            if (account != null && account.isOwed) {
                account.isOwed = false;
                owed--;
                account.ownFree = true;
                return;
            }
        }
    }

    /** What one attachment holds. */
    static final class Account {
        private boolean met;
        private boolean ownFree;
        private boolean ownReserved;
        private boolean isOwed;
        private int sharedReserved;
        private int life;

        /** Not null: stands in the line of the starved. */
        @Nullable
        Rung waiter;

        /** Counts up each time the attachment is given up. */
        int life() {
            return life;
        }
    }
}
