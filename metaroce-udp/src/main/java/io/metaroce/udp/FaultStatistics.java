package io.metaroce.udp;

/**
 * What fault injection has done since the endpoint was bound.
 *
 * @param passed packets that left as they were
 * @param lost packets dropped by the share of losses
 * @param cut packets dropped by cuts
 * @param duplicated packets sent twice
 * @param reordered packets that others overtook
 * @param corrupted packets with a flipped bit
 * @param delayed packets that were held for their delay
 * @param discarded packets dropped because too many were held
 */
public record FaultStatistics(
        long passed,
        long lost,
        long cut,
        long duplicated,
        long reordered,
        long corrupted,
        long delayed,
        long discarded) {}
