package io.metaroce.message;

import io.metaroce.memory.Access;
import io.metaroce.memory.Placement;
import io.metaroce.memory.PlacementFault;
import io.metaroce.param.StreamError;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import io.metaroce.wire.AtomicRequestHeader;

/** Executes Reads and atomics, each once, when everything before them in their stream is complete. */
final class Execution {
    private final Placement placement;
    private final Counters counters;

    Execution(Placement placement, Counters counters) {
        this.placement = placement;
        this.counters = counters;
    }

    /** Executes a request; says why it cannot be, and then has changed nothing. */
    StreamError run(AnswerQueue answers, int at) {
        StreamError error = answers.isRead(at) ? read(answers, at) : atomic(answers, at);
        if (error == StreamError.NONE) {
            answers.answer(at);
        } else if (error == StreamError.REM_ACCESS) {
            counters.increment(Counter.ACCESS_ERRORS);
        }
        return error;
    }

    private StreamError read(AnswerQueue answers, int at) {
        PlacementFault fault = placement.checkRemote(
                answers.stream(at).domain,
                answers.rkey[at],
                answers.address[at],
                Integer.toUnsignedLong(answers.length[at]),
                Access.REMOTE_READ);
        return fault == PlacementFault.NONE ? StreamError.NONE : StreamError.REM_ACCESS;
    }

    private StreamError atomic(AnswerQueue answers, int at) {
        int operation = answers.operation[at];
        // R-ATOM-003: what is not understood or not aligned changes nothing and fails the stream.
        if (answers.length[at] != Long.BYTES || operation < 0 || operation > AtomicRequestHeader.SWAP) {
            return StreamError.INV_REQ;
        }
        int rkey = answers.rkey[at];
        long address = answers.address[at];
        if (placement.checkAtomic(answers.stream(at).domain, rkey, address) != PlacementFault.NONE) {
            return StreamError.REM_ACCESS;
        }
        // R-ATOM-001: one slot, one arrival, one turn in its stream: executed once.
        long before = placement.load(rkey, address);
        long operandA = answers.operandA[at];
        long after = switch (operation) {
            case AtomicRequestHeader.CAS -> before == operandA ? answers.operandB[at] : before;
            case AtomicRequestHeader.FAA -> before + operandA;
            default -> operandA;
        };
        placement.store(rkey, address, after);
        answers.original[at] = before;
        return StreamError.NONE;
    }
}
