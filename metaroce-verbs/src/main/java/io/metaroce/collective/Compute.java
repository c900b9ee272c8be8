package io.metaroce.collective;

import io.metaroce.verbs.MemoryRegion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/** Does reductions and copies of a rank. */
public interface Compute {
    /**
     * Begins a node that is a {@link Op#REDUCE} or {@link Op#COPY}. Returns true when it is done already; otherwise
     * whoever made this is told later.
     */
    boolean start(Program program, int node);

    /** Makes the one of a rank. */
    interface Maker {
        /**
         * For these buffers, in the order of {@link Buffer}.
         *
         * @param done to be told of nodes that were not done at once, on the thread of the rank
         */
        Compute of(List<MemoryRegion> regions, IntConsumer done);
    }

    /** On the thread that asks, at once. */
    static Maker atOnce(Arithmetic arithmetic) {
        return (regions, done) -> {
            List<ByteBuffer> buffers = new ArrayList<>();
            regions.forEach(region -> buffers.add(region.buffer().order(Arithmetic.ORDER)));
            return (program, node) -> {
                ByteBuffer source = buffers.get(program.source(node).index());
                ByteBuffer target = buffers.get(program.target(node).index());
                int from = program.sourceOffset(node);
                int to = program.targetOffset(node);
                if (program.op(node) == Op.REDUCE) {
                    arithmetic.reduce(source, from, target, to, program.length(node));
                } else {
                    target.put(to, source, from, program.length(node));
                }
                return true;
            };
        };
    }
}
