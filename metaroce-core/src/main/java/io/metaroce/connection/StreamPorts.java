package io.metaroce.connection;

/**
 * The streams of a connection, as the connection sees them.
 *
 * @param source where data packets come from
 * @param sink where accepted data packets go
 * @param updates the news of this side's streams
 * @param updateSink where the peer's news goes
 * @param life start, stop, end
 */
public record StreamPorts(
        PacketSource source, PacketSink sink, UpdateSource updates, UpdateSink updateSink, StreamLife life) {}
