package io.metaroce.sim;

import io.metaroce.num.SplitMix64;

/**
 * Equal-cost choice by the five-tuple, as switches make it: the UDP source port is the only thing a sender can vary.
 *
 * <p>Each switch has its own salt, and the salt goes in before the last mixing: xor-ing it onto a finished hash would
 * make the choices of two tiers functions of each other and leave part of the uplinks unused.
 */
public final class EcmpHash {
    private static final long PROTOCOL_UDP = 17;

    private EcmpHash() {}

    /** The hash of a five-tuple at a switch with this salt. Addresses are given as node numbers within a plane. */
    public static long of(PacketPool packets, int packet, long salt) {
        long hosts = ((long) packets.source(packet) << 32) | (packets.destination(packet) & 0xFFFF_FFFFL);
        long ports = ((long) packets.sourcePort(packet) << 16) | packets.destinationPort(packet);
        return of(hosts, ports, salt);
    }

    static long of(long hosts, long ports, long salt) {
        long tuple = SplitMix64.mix(SplitMix64.mix(hosts) + (ports << 8) + PROTOCOL_UDP);
        return SplitMix64.mix(tuple + salt);
    }

    /** Maps a hash to 0..choices-1 by multiply and shift. */
    public static int pick(long hash, int choices) {
        return (int) (((hash >>> 32) * choices) >>> 32);
    }
}
