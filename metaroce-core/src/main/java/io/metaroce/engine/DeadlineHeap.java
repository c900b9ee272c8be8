package io.metaroce.engine;

import io.metaroce.num.Deadline;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Connections by the instant at which they want to be called; equal instants in order of their number.
 *
 * <p>What is compared lies in the heap itself, four children beside each other, and where a connection stands is
 * remembered by ticket: with thousands of connections no step touches any but the one it is about.
 */
final class DeadlineHeap {
    static final int ABSENT = -1;

    private static final int CHILDREN = 4;

    // By place in the heap. Places from the size on hold the tickets that are free.
    private long[] atNs = new long[16];
    private int[] number = new int[16];
    private int[] ticket = new int[16];
    // By ticket.
    private int[] place = new int[16];
    private @Nullable Peering[] holder = new Peering[16];
    private int size;

    DeadlineHeap() {
        freeTickets(0);
    }

    /** Sets the instant of a connection, adding it or taking it out as needed. */
    void set(Peering peering, long deadlineNs) {
        if (deadlineNs == Deadline.NEVER) {
            remove(peering);
            return;
        }
        if (peering.ticket == ABSENT) {
            add(peering, deadlineNs);
        }
        int at = place[peering.ticket];
        if (atNs[at] != deadlineNs) {
            atNs[at] = deadlineNs;
            settle(at);
        }
    }

    void remove(Peering peering) {
        int free = peering.ticket;
        if (free == ABSENT) {
            return;
        }
        int gap = place[free];
        size--;
        if (gap != size) {
            put(gap, atNs[size], number[size], ticket[size]);
            settle(gap);
        }
        ticket[size] = free;
        holder[free] = null;
        peering.ticket = ABSENT;
    }

    /** The instant of a connection. */
    long atNs(Peering peering) {
        return peering.ticket == ABSENT ? Deadline.NEVER : atNs[place[peering.ticket]];
    }

    long earliestNs() {
        return size == 0 ? Deadline.NEVER : atNs[0];
    }

    /** The connection that wants to be called first; there must be one. */
    Peering first() {
        return Objects.requireNonNull(holder[ticket[0]]);
    }

    private void add(Peering peering, long deadlineNs) {
        if (size == atNs.length) {
            grow();
        }
        peering.ticket = ticket[size];
        holder[peering.ticket] = peering;
        put(size, deadlineNs, peering.connection().localId(), peering.ticket);
        size++;
        settle(size - 1);
    }

    /** What stands at {@code at} goes where it belongs. */
    private void settle(int at) {
        long its = atNs[at];
        int itsNumber = number[at];
        int itsTicket = ticket[at];
        int index = at;
        while (index > 0 && isBefore(its, itsNumber, (index - 1) / CHILDREN)) {
            move((index - 1) / CHILDREN, index);
            index = (index - 1) / CHILDREN;
        }
        for (int child = earliestChild(index); child < size && !isBefore(its, itsNumber, child); ) {
            move(child, index);
            index = child;
            child = earliestChild(index);
        }
        put(index, its, itsNumber, itsTicket);
    }

    /** The child that is to be called first; beyond the size when there is none. */
    private int earliestChild(int index) {
        int first = CHILDREN * index + 1;
        int earliest = first;
        for (int child = first + 1; child < Math.min(first + CHILDREN, size); child++) {
            if (isBefore(atNs[child], number[child], earliest)) {
                earliest = child;
            }
        }
        return earliest;
    }

    private boolean isBefore(long its, int itsNumber, int other) {
        return its != atNs[other] ? its < atNs[other] : itsNumber < number[other];
    }

    private void move(int from, int to) {
        put(to, atNs[from], number[from], ticket[from]);
    }

    private void put(int index, long its, int itsNumber, int itsTicket) {
        atNs[index] = its;
        number[index] = itsNumber;
        ticket[index] = itsTicket;
        place[itsTicket] = index;
    }

    private void grow() {
        int wider = 2 * size;
        atNs = Arrays.copyOf(atNs, wider);
        number = Arrays.copyOf(number, wider);
        ticket = Arrays.copyOf(ticket, wider);
        place = Arrays.copyOf(place, wider);
        holder = Arrays.copyOf(holder, wider);
        freeTickets(size);
    }

    private void freeTickets(int from) {
        for (int i = from; i < ticket.length; i++) {
            ticket[i] = i;
        }
    }
}
