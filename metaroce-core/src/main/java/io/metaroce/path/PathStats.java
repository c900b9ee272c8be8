package io.metaroce.path;

/**
 * What has happened on one outbound path until now, for people and tools.
 *
 * @param slots slots opened
 * @param transmissions slot packets sent, resends included
 * @param resent slot packets sent again, for any reason
 * @param lost slots found lost by a gap
 * @param spurious slots taken for lost by a gap that are proved to have come: the path does not keep its order
 * @param probes probes sent in the path
 * @param duplicates duplicates the receiver reports for the path
 * @param marks marks the receiver reports for the path
 */
public record PathStats(
        long slots,
        long transmissions,
        long resent,
        long lost,
        long spurious,
        long probes,
        long duplicates,
        long marks) {
    static PathStats of(PathRow row) {
        long lost = Integer.toUnsignedLong(row.lost);
        return new PathStats(
                row.slots,
                row.transmissions,
                lost + Integer.toUnsignedLong(row.resentOtherwise),
                lost,
                Integer.toUnsignedLong(row.spurious),
                Integer.toUnsignedLong(row.probes),
                Integer.toUnsignedLong(row.reportedTwice),
                row.marks);
    }
}
