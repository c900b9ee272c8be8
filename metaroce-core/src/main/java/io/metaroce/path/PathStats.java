package io.metaroce.path;

/** What has happened on one outbound path, for people and tools. */
public final class PathStats {
    long slots;
    long transmissions;
    long resentTimeout;
    long resentRebind;
    long lost;
    long spurious;
    long probes;
    long duplicates;
    long marks;
    long rebinds;

    /** Slots opened. */
    public long slots() {
        return slots;
    }

    /** Slot packets sent, resends included. */
    public long transmissions() {
        return transmissions;
    }

    /** Slot packets sent again, for any reason. */
    public long resent() {
        return lost + resentTimeout + resentRebind;
    }

    /** Slots found lost by a gap. */
    public long lost() {
        return lost;
    }

    /** Slots taken for lost by a gap that are proved to have come: the path does not keep its order. */
    public long spurious() {
        return spurious;
    }

    /** Probes sent in the path. */
    public long probes() {
        return probes;
    }

    /** Duplicates the receiver reports for the path. */
    public long duplicates() {
        return duplicates;
    }

    /** Marks the receiver reports for the path. */
    public long marks() {
        return marks;
    }

    /** Times the path took another route. */
    public long rebinds() {
        return rebinds;
    }
}
