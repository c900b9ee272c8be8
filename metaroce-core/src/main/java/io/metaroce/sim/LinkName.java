package io.metaroce.sim;

/**
 * Which cable, in which plane, in which direction.
 *
 * @param plane plane it belongs to
 * @param cable name of the cable, the same for both directions and in every plane, such as {@code leaf3-spine1}
 * @param from node at its beginning
 * @param to node at its end
 */
public record LinkName(int plane, String cable, String from, String to) {
    /** The name in traces. */
    public String text() {
        return "plane" + plane + "/" + cable + "/" + from + ">" + to;
    }
}
