package io.metaroce.bench.micro;

import io.metaroce.datagram.Datagram;
import io.metaroce.wire.Crc32cTrailer;
import io.metaroce.wire.Opcode;

/** Two packets of real traffic, sealed anew with a seed that is known. */
final class SamplePackets {
    private static final int PACKETS = 128;
    private static final int OPCODE_AT = 1;
    private static final int SEED = 0x5EED;

    private final Loop loop = Loop.bulk();
    private final int write;
    private final int ack;

    SamplePackets() {
        loop.round(PACKETS);
        loop.refill();
        loop.send(PACKETS);
        loop.forth().assemble();
        write = find(loop.forth(), Opcode.WRITE);
        for (int i = 0; i < loop.forth().count(); i++) {
            loop.receiver().feed(loop.nowNs(), loop.forth(), i, i + 1);
        }
        loop.report();
        loop.back().assemble();
        ack = find(loop.back(), Opcode.ACK);
        seal(loop.forth(), write);
        seal(loop.back(), ack);
    }

    int seed() {
        return SEED;
    }

    Datagram write() {
        return loop.forth().at(write);
    }

    Datagram ack() {
        return loop.back().at(ack);
    }

    private static int find(Tray tray, int opcode) {
        for (int i = 0; i < tray.count(); i++) {
            if ((tray.memory().get(tray.offset(i) + OPCODE_AT) & 0xFF) == opcode) {
                return i;
            }
        }
        throw new IllegalStateException("no " + Opcode.name(opcode) + " among " + tray.count() + " packets");
    }

    private static void seal(Tray tray, int i) {
        int covered = tray.length(i) - Crc32cTrailer.LENGTH;
        int at = tray.offset(i);
        int trailer = new Crc32cTrailer().of(SEED, tray.memory(), at, covered, tray.memory(), at, 0);
        tray.memory().putInt(at + covered, trailer);
    }
}
