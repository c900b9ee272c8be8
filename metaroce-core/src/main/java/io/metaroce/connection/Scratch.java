package io.metaroce.connection;

import io.metaroce.param.EndpointConfig;
import io.metaroce.rate.RateSignal;
import io.metaroce.wire.AckHeader;
import io.metaroce.wire.CloseHeader;
import io.metaroce.wire.NakHeader;
import io.metaroce.wire.PathBlock;
import io.metaroce.wire.PlaneStatus;
import io.metaroce.wire.ProbeHeader;
import io.metaroce.wire.StreamList;
import io.metaroce.wire.StreamQuery;
import io.metaroce.wire.StreamUpdate;
import java.nio.ByteBuffer;

/**
 * What the connections of an endpoint use one after the other: headers being written, and notes that mean nothing once
 * the call is over that made them. One per endpoint, so that thousands of connections do not each keep their own.
 */
public final class Scratch {
    private static final int LONGEST_HEADERS = 52; // those of the longest packet with payload

    // Headers of the packet being written.
    final AckHeader ack = new AckHeader();
    final PathBlock block = new PathBlock();
    final StreamUpdate update = new StreamUpdate();
    final NakHeader nak = new NakHeader();
    final StreamQuery query = new StreamQuery();
    final StreamList list = new StreamList();
    final PlaneStatus planes = new PlaneStatus();
    final ProbeHeader probe = new ProbeHeader();
    final CloseHeader close = new CloseHeader();

    /** What the report being read, or the timer that runs, says of one path. */
    final RateSignal signal = new RateSignal();
    /** The vote being taken on a plane. */
    final PlaneTally tally = new PlaneTally();
    /** A value for each path, sorted. */
    final int[] sorted;
    /** Whether a route being drawn may not take a source port. */
    final boolean[] taken;

    private final ByteBuffer padding; // zeros, never written

    /** Room for the largest connection that the settings allow. */
    public Scratch(EndpointConfig config) {
        sorted = new int[config.path().paths()];
        taken = new boolean[config.limits().sourcePorts()];
        padding = ByteBuffer.allocateDirect(paddingBytes(config.connection().payloadBytes()));
    }

    /** What makes a probe as long as the longest packet, in its first {@link #paddingBytes} bytes. */
    ByteBuffer padding() {
        return padding;
    }

    /** How much a probe lacks to be as long as the longest packet with {@code payloadBytes} of payload. */
    static int paddingBytes(int payloadBytes) {
        return payloadBytes + LONGEST_HEADERS - ProbeHeader.LENGTH;
    }
}
