package io.metaroce.udp;

/**
 * What an endpoint has sent since it was bound.
 *
 * @param packets packets handed to sockets
 * @param bytes their UDP payload
 * @param systemCalls calls into the kernel that sent them
 * @param segmentedSends sends that carried several packets as one
 * @param segments packets that left in segmented sends
 * @param failedPackets packets the kernel refused; to the protocol they are lost packets
 * @param fallbacks sockets that gave up segmented sends because one failed
 */
public record SendStatistics(
        long packets,
        long bytes,
        long systemCalls,
        long segmentedSends,
        long segments,
        long failedPackets,
        long fallbacks) {}
