package io.metaroce.engine;

import io.metaroce.datagram.Transmit;

/** Where packets leave. Implemented by socket batches, by the simulator's NIC ports, and by recorders. */
public interface TransmitPort {
    /** Bit k is set while plane k takes another packet. A full batch has no room: the driver asks again later. */
    int planesWithRoom();

    /** Takes one packet; copies what it keeps. */
    void send(Transmit packet);

    /** The engine has nothing more to send for now. */
    void flush();
}
