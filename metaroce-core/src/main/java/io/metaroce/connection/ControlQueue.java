package io.metaroce.connection;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Small reports waiting to be written: refusals, questions about streams, answers to them. Bounded: what does not fit
 * is dropped, since every one of them is repeated or repaired by something else.
 */
final class ControlQueue {
    private static final int ENTRIES_MAX = 64;

    private final ArrayDeque<ConnectionPort.Refusal> refusals = new ArrayDeque<>();
    private final ArrayDeque<Integer> questions = new ArrayDeque<>();
    private final ArrayDeque<Integer> answers = new ArrayDeque<>();

    void refuse(ConnectionPort.Refusal refusal) {
        if (refusals.size() < ENTRIES_MAX) {
            refusals.add(refusal);
        }
    }

    void ask(int streamId) {
        offer(questions, streamId);
    }

    void answer(int streamId) {
        offer(answers, streamId);
    }

    boolean isEmpty() {
        return refusals.isEmpty() && questions.isEmpty() && answers.isEmpty();
    }

    ConnectionPort.@Nullable Refusal nextRefusal() {
        return refusals.poll();
    }

    ArrayDeque<Integer> questions() {
        return questions;
    }

    ArrayDeque<Integer> answers() {
        return answers;
    }

    private static void offer(ArrayDeque<Integer> queue, int streamId) {
        if (queue.size() < ENTRIES_MAX && !queue.contains(streamId)) {
            queue.add(streamId);
        }
    }
}
