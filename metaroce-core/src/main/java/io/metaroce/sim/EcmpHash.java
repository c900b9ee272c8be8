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

    /** The hash of the five-tuple of a packet at a switch with this salt. */
    public static long of(PacketPool packets, int packet, long salt) {
        return salted(packets.tuple(packet), salt);
    }

    static long of(long hosts, long ports, long salt) {
        return salted(tuple(hosts, ports), salt);
    }

    /** The part that is the same at every switch. Addresses are given as node numbers within a plane. */
    static long tuple(long hosts, long ports) {
        return SplitMix64.mix(SplitMix64.mix(hosts) + (ports << 8) + PROTOCOL_UDP);
    }

    private static long salted(long tuple, long salt) {
        return SplitMix64.mix(tuple + salt);
    }

    /** Maps a hash to 0..choices-1 by multiply and shift. */
    public static int pick(long hash, int choices) {
        return (int) (((hash >>> 32) * choices) >>> 32);
    }
}
