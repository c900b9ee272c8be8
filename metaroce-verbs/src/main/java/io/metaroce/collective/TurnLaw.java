package io.metaroce.collective;

import java.util.ArrayList;
import java.util.List;

/**
 * What is sent over a stream goes to receives in their order, whatever it is: so the n-th send of a stream must be for
 * the n-th receive of its other end.
 */
final class TurnLaw {
    private final List<Program> programs;

    TurnLaw(List<Program> programs) {
        this.programs = programs;
    }

    List<String> faults() {
        List<String> faults = new ArrayList<>();
        for (Program program : programs) {
            for (int node = 0; node < program.nodes(); node++) {
                if (program.op(node) == Op.SEND) {
                    int turn = programs.get(program.peer(node)).turn(program.immediate(node));
                    if (turn != program.turn(node)) {
                        faults.add("rank " + program.rank() + ", node " + node + " is send " + program.turn(node)
                                + " of its stream and for receive " + turn);
                    }
                }
            }
        }
        return faults;
    }
}
