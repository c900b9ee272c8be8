package io.metaroce.sim.roce;

import io.metaroce.sim.SimTime;
import java.util.Arrays;

/**
 * Messages from one host to another, in order, over one or more queue pairs that take turns message by message. A queue
 * pair has one source port and thereby one way through the fabric.
 */
public final class RoceChannel {
    private static final int FIRST_RING = 4;

    private final RoceHost from;
    private final RoceHost to;
    private final RoceSender[] senders;
    private final RoceReceiver[] receivers;
    private final int[] acknowledgedOf; // messages of each queue pair
    private final int[] arrivedOf;
    private int[] tags = new int[FIRST_RING]; // of messages that have not been acknowledged and told
    private int[] immediates = new int[FIRST_RING];
    private int posted;
    private int acknowledged; // all before this one have been
    private int told; // all before this one have been told to the receiver
    private int acknowledgedCount;
    private long doneAtPs = SimTime.NEVER;

    RoceChannel(RoceHost from, RoceHost to, int queuePairs) {
        this.from = from;
        this.to = to;
        senders = new RoceSender[queuePairs];
        receivers = new RoceReceiver[queuePairs];
        acknowledgedOf = new int[queuePairs];
        arrivedOf = new int[queuePairs];
    }

    void join(int index, RoceSender sender, RoceReceiver receiver) {
        senders[index] = sender;
        receivers[index] = receiver;
    }

    /** Who sends. */
    public RoceHost from() {
        return from;
    }

    /** Who receives. */
    public RoceHost to() {
        return to;
    }

    /**
     * Sends a message from now on.
     *
     * @param bytes how long it is; one without bytes takes a packet too
     * @param tag what the sender is told when it has been acknowledged
     * @param immediate what the receiver is told when it has come
     */
    public void send(long bytes, int tag, int immediate) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a message of " + bytes + " bytes; 0 is the least");
        }
        if (posted - Math.min(acknowledged, told) == tags.length) {
            grow();
        }
        tags[slot(posted)] = tag;
        immediates[slot(posted)] = immediate;
        RoceSender sender = senders[posted % senders.length];
        posted++;
        doneAtPs = SimTime.NEVER;
        sender.messages().add(bytes);
        from.posted(sender);
    }

    /** When the last byte of everything sent was acknowledged; {@link SimTime#NEVER} if it was not yet. */
    public long doneAtPs() {
        return doneAtPs;
    }

    /** Messages that have not been acknowledged. */
    public int outstanding() {
        return posted - acknowledgedCount;
    }

    /** Data packets sent, those sent again included. */
    public long sentPackets() {
        long sum = 0;
        for (RoceSender sender : senders) {
            sum += sender.sentPackets();
        }
        return sum;
    }

    /** Packets that have arrived without a gap before them, over all queue pairs. */
    public long arrivedPackets() {
        long sum = 0;
        for (RoceReceiver receiver : receivers) {
            sum += receiver.expected();
        }
        return sum;
    }

    /** One of its queue pairs has a message acknowledged. */
    void acknowledged(long nowPs, int index) {
        int number = acknowledgedOf[index]++ * senders.length + index;
        int tag = tags[slot(number)];
        acknowledgedCount++;
        acknowledged = passed(acknowledged, acknowledgedOf);
        doneAtPs = outstanding() == 0 ? nowPs : SimTime.NEVER;
        from.listener().sent(nowPs, this, tag);
    }

    /** A message has come over one of its queue pairs. */
    void arrived(long nowPs, int index) {
        arrivedOf[index]++;
        int end = passed(told, arrivedOf);
        while (told < end) {
            int immediate = immediates[slot(told)];
            told++;
            to.listener().arrived(nowPs, this, immediate);
        }
    }

    // Message n is the one of number n / k of queue pair n mod k.
    private static int passed(int from, int[] countOf) {
        int number = from;
        while (countOf[number % countOf.length] > number / countOf.length) {
            number++;
        }
        return number;
    }

    private int slot(int number) {
        return number & (tags.length - 1);
    }

    private void grow() {
        int[] oldTags = tags;
        int[] oldImmediates = immediates;
        tags = Arrays.copyOf(tags, 2 * oldTags.length);
        immediates = Arrays.copyOf(immediates, 2 * oldTags.length);
        for (int number = Math.min(acknowledged, told); number < posted; number++) {
            tags[slot(number)] = oldTags[number & (oldTags.length - 1)];
            immediates[slot(number)] = oldImmediates[number & (oldTags.length - 1)];
        }
    }
}
