package io.metaroce.sim;

/** Packets that wait one behind the other, held together by {@link PacketPool#next}: each in one queue at most. */
final class PacketQueue {
    private final PacketPool packets;
    private int head = PacketPool.NONE;
    private int tail = PacketPool.NONE;

    PacketQueue(PacketPool packets) {
        this.packets = packets;
    }

    boolean isEmpty() {
        return head == PacketPool.NONE;
    }

    void append(int packet) {
        packets.next(packet, PacketPool.NONE);
        if (isEmpty()) {
            head = packet;
        } else {
            packets.next(tail, packet);
        }
        tail = packet;
    }

    /** Takes the first packet; there must be one. */
    int take() {
        int packet = head;
        head = packets.next(packet);
        return packet;
    }
}
